"""What exists on one system only is asked for before it is used, so that the program starts on the others.

`mypy --platform win32` asks the same of types; this walk sees what has none, such as /proc.
"""

import ast
import ctypes
import os
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from album_app import paths
from album_app.cli import main
from album_app.memory import children_peak_bytes, machine_bytes, peak_bytes, resident_bytes
from tests.cli.conftest import draw_photos
from tests.source_code import nodes, tree

PACKAGE = Path(__file__).parent.parent / "album_app"
MODULES = {"fcntl", "grp", "msvcrt", "posix", "pty", "pwd", "resource", "syslog", "termios", "tty", "winreg"}
NAMES = {
    "os": "chown chroot fchmod fchown fork forkpty getegid geteuid getgid getloadavg getpgid getpgrp getuid kill "
    "killpg lchown major minor mkfifo mknod nice openpty pipe2 posix_fadvise posix_spawn pread preadv pwrite sendfile "
    "sched_getaffinity sched_setaffinity set_blocking setpgid setsid setuid startfile statvfs sync sysconf uname wait "
    "wait3 wait4 O_CLOEXEC O_DIRECTORY O_NOATIME O_NOCTTY O_NOFOLLOW O_NONBLOCK WIFSIGNALED",
    "signal": "SIGALRM SIGHUP SIGKILL SIGPIPE SIGQUIT SIGUSR1 SIGUSR2 SIGXCPU alarm pause setitimer",
    "socket": "AF_UNIX",
    "subprocess": "CREATE_NO_WINDOW STARTUPINFO",
    "ctypes": "windll WinDLL",
    "time": "tzset clock_gettime",
}
ONE_SYSTEM = {f"{module}.{name}" for module, names in NAMES.items() for name in names.split()}
KEYWORDS = {"preexec_fn", "start_new_session", "pass_fds", "creationflags"}
PLACES = ("/proc", "/sys/", "/dev/", "/etc/", "/tmp", "/usr/", "/var/", "C:\\")
GUARDS = ("sys.platform", "os.name", "hasattr(", "getattr(", "suppress(OSError", "except (OSError", "AttributeError")
"""A function that uses such a thing holds one of these; what is missing is then never reached, or survived."""


def scopes(tree: ast.AST) -> Iterator[tuple[ast.AST, list[ast.AST]]]:
    """Each function and the module itself, with what is in it but not in a function inside it."""
    for scope in ast.walk(tree):
        if isinstance(scope, ast.Module | ast.FunctionDef | ast.AsyncFunctionDef):
            inside, queue = [], list(ast.iter_child_nodes(scope))
            while queue:
                node = queue.pop()
                if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                    inside.append(node)
                    queue += ast.iter_child_nodes(node)
            yield scope, inside


def one_system(node: ast.AST) -> str:
    """What of one system alone a node uses, or nothing."""
    if isinstance(node, ast.Import):
        return next((alias.name for alias in node.names if alias.name in MODULES), "")
    if isinstance(node, ast.ImportFrom):
        names = [node.module or "", *(f"{node.module}.{alias.name}" for alias in node.names)]
        return next((name for name in names if name in MODULES | ONE_SYSTEM), "")
    if isinstance(node, ast.Attribute) and f"{getattr(node.value, 'id', '')}.{node.attr}" in ONE_SYSTEM:
        return ast.unparse(node)
    if isinstance(node, ast.keyword) and node.arg in KEYWORDS:
        return node.arg or ""
    if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value.startswith(PLACES):
        return node.value
    return ""


def unguarded(module: ast.Module) -> list[str]:
    wrong = []
    for scope, inside in scopes(module):
        used = [found for node in inside if (found := one_system(node))]
        is_table = isinstance(scope, ast.Module) and all(name.startswith(PLACES) for name in used)
        if used and not is_table and not any(guard in ast.unparse(scope) for guard in GUARDS):
            wrong += used
    return wrong


def test_what_one_system_alone_has_is_asked_for_first() -> None:
    found = {path: unguarded(tree(path)) for path in PACKAGE.rglob("*.py")}
    assert len(found) > 300
    assert [f"{path.relative_to(PACKAGE)}: {name}" for path, names in found.items() for name in names] == []


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("import resource", ["resource"]),
        ("def f():\n    os.nice(5)", ["os.nice"]),
        ("def f():\n    if hasattr(os, 'nice'):\n        os.nice(5)", []),
        ("from os import fork", ["os.fork"]),
        ("def f():\n    return open('/proc/cpuinfo')", ["/proc/cpuinfo"]),
        ("def f():\n    run(x, preexec_fn=g)", ["preexec_fn"]),
        ("if sys.platform == 'linux':\n    pass\ndef f():\n    import fcntl", ["fcntl"]),
    ],
)
def test_the_walk_finds_what_has_no_guard(source: str, found: list[str]) -> None:
    assert unguarded(ast.parse(source)) == found


def test_texts_are_read_and_written_in_an_encoding_that_is_named() -> None:
    """Windows takes its own otherwise, in which most names of photos cannot be written."""
    wrong = []
    for path in PACKAGE.rglob("*.py"):
        for node in nodes(path):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                named = any(keyword.arg == "encoding" for keyword in node.keywords)
                takes = {"read_text": 1, "write_text": 2}.get(node.func.attr, 0)
                if takes and not named and len(node.args) < takes:
                    wrong.append(f"{path.relative_to(PACKAGE)}:{node.lineno}")
    assert not wrong


def test_memory_is_told_in_bytes(tmp_path: Path) -> None:
    block = bytearray(50 << 20)
    reported = peak_bytes()
    assert len(block) < resident_bytes() <= reported + (16 << 20) < machine_bytes()
    nowhere = tmp_path / "no such place"  # as on macOS
    assert len(block) < resident_bytes(nowhere) == peak_bytes(nowhere)
    assert not children_peak_bytes() < 0


def test_a_file_that_another_program_looks_at_is_replaced_a_moment_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    waited: list[float] = []
    target = tmp_path / "sheet.png"
    real = Path.replace

    def held(self: Path, other: Path) -> Path:
        if len(waited) < 2:
            raise PermissionError(13, "used by another process")
        return real(self, other)

    monkeypatch.setattr(paths.sys, "platform", "win32")
    monkeypatch.setattr(paths.time, "sleep", waited.append)
    monkeypatch.setattr(Path, "replace", held)
    with paths.atomic_write(target) as temporary:
        temporary.write_bytes(b"new")
    assert target.read_bytes() == b"new" and waited == list(paths.REPLACE_SECONDS[:2])


def test_a_file_that_stays_in_use_is_an_error_and_nothing_is_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def held(self: Path, other: Path) -> Path:
        raise PermissionError(13, "used by another process")

    monkeypatch.setattr(paths.sys, "platform", "win32")
    monkeypatch.setattr(paths.time, "sleep", lambda seconds: None)
    monkeypatch.setattr(Path, "replace", held)
    with pytest.raises(PermissionError), paths.atomic_write(tmp_path / "sheet.png") as temporary:
        temporary.write_bytes(b"new")
    assert list(tmp_path.iterdir()) == []


class Kernel:
    """What Windows says about processes: 1 runs, 2 has ended, 3 is somebody else's, all others are not there."""

    def OpenProcess(self, rights: int, inherit: bool, process: int) -> int:
        self.refusal = 5 if process == 3 else 87
        return process if process in (1, 2) else 0

    def GetLastError(self) -> int:
        return self.refusal

    def GetExitCodeProcess(self, handle: int, code: Any) -> int:
        code._obj.value = 259 if handle == 1 else 0
        return 1

    def CloseHandle(self, handle: int) -> int:
        return 1


def test_on_windows_no_signal_is_sent_and_only_what_ended_programs_left_is_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """There `os.kill(process, 0)` ends the process, and a file that is not open for a moment can be removed."""
    monkeypatch.setattr(paths.sys, "platform", "win32")
    monkeypatch.setattr(paths.os, "kill", lambda *words: pytest.fail("a signal"))
    monkeypatch.setattr(ctypes, "windll", SimpleNamespace(kernel32=Kernel()), raising=False)
    mine = os.getpid()
    with paths.atomic_write(tmp_path / "other.png") as temporary:
        unfinished = temporary.name
    names = {number: unfinished.replace(f"-{mine}-", f"-{number}-") for number in (1, 2, 3, 4, mine)}
    left = {number: tmp_path / name for number, name in names.items()}
    for file in left.values():
        file.touch()
    with paths.atomic_write(tmp_path / "sheet.png") as temporary:
        temporary.write_bytes(b"new")
    assert {number for number, file in left.items() if file.exists()} == {1, 3, mine}


def test_two_writes_of_one_program_into_a_folder_leave_each_other_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(paths.sys, "platform", "win32")
    with paths.atomic_write(tmp_path / "a.png") as first, paths.atomic_write(tmp_path / "b.png") as second:
        first.write_bytes(b"a")
        second.write_bytes(b"b")
    assert {file.name: file.read_bytes() for file in tmp_path.iterdir()} == {"a.png": b"a", "b.png": b"b"}


def test_where_case_does_not_count_two_names_of_a_file_are_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert paths.place_of(tmp_path / "sheet.png") != paths.place_of(tmp_path / "Sheet.PNG")
    monkeypatch.setattr(paths, "_is_case_blind", lambda folder: True)  # as usual on Windows and macOS
    assert paths.place_of(tmp_path / "sheet.png") == paths.place_of(tmp_path / "Sheet.PNG")
    folder = draw_photos(tmp_path / "photos", 3)
    words = ["arrange", str(folder), "-o", str(tmp_path / "sheet.png"), "--report", str(tmp_path / "Sheet.PNG")]
    assert main(words) == 2 and "the same" in capsys.readouterr().err
