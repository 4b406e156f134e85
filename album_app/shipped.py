"""The files that ship with the program."""

from pathlib import Path


def resource(name: str) -> Path:
    """Path of a shipped file, in an installed package or in a plain checkout."""
    package = Path(__file__).parent
    for folder in (package / "resources", package.parent / "resources"):
        if (folder / name).exists():
            return folder / name
    raise FileNotFoundError(f"resource {name} is missing from this installation")
