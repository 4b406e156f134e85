"""The program's own code, read once by all tests that walk it."""

import ast
from functools import cache
from pathlib import Path


@cache
def tree(path: Path) -> ast.Module:
    """A file of code, parsed."""
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def nodes(path: Path) -> tuple[ast.AST, ...]:
    """Everything in a file of code."""
    return tuple(ast.walk(tree(path)))
