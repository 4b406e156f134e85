"""The workflows of GitHub and `.ci/run` call the same steps, and every step they call exists."""

import re
import subprocess
from pathlib import Path

ROOT = Path(__file__).parent.parent
STEPS = ROOT / ".ci" / "steps"
CALLERS = [ROOT / ".ci" / "run", *sorted((ROOT / ".github" / "workflows").glob("*.yml"))]


def steps() -> set[str]:
    """The names that the `case` of .ci/steps answers to."""
    return set(re.findall(r"^  (\w+)\)", STEPS.read_text(), re.MULTILINE))


def called(text: str) -> set[str]:
    return set(re.findall(r"\.ci/steps (\w+)", text))


def test_every_step_that_is_called_exists() -> None:
    assert {caller.name for caller in CALLERS} == {"run", "checks.yml", "release.yml"}
    assert steps() >= set().union(*(called(caller.read_text()) for caller in CALLERS)) >= {"test", "lint", "wheel"}


def test_every_system_runs_what_decides_here() -> None:
    here, there = (called(caller.read_text()) for caller in CALLERS[:2])
    assert here - {"demo"} <= there, "`demo` needs a machine without a display"


def test_the_tests_run_on_three_systems_and_three_versions_of_python() -> None:
    checks = (ROOT / ".github" / "workflows" / "checks.yml").read_text()
    assert "[ubuntu-latest, windows-latest, macos-latest]" in checks
    assert '["3.11", "3.12", "3.13"]' in checks


def test_the_steps_name_themselves_and_refuse_others() -> None:
    answer = subprocess.run(["bash", STEPS, "dance"], capture_output=True, text=True, check=False)
    assert answer.returncode == 2
    assert set(re.findall(r"\w+", answer.stdout.split("steps", 1)[1])) == steps()


def test_the_commands_of_the_steps_stand_in_the_readme() -> None:
    commands = re.findall(r'^\w+_command="(.*)"$', STEPS.read_text(), re.MULTILINE)
    assert len(commands) == 2
    assert set(commands) <= set((ROOT / "README.md").read_text().splitlines())
