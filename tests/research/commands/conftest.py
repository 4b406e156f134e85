"""The commands of the research room are run like all others."""

from tests.cli.conftest import run

__all__ = ["run"]
