"""Finds texts in the program's code: those that are translated, and those that escaped."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

PACKAGE = Path(__file__).parent.parent / "album_app"
TRANSLATED = ("tr", "trn", "mark")
PLURAL = "trn"
SINKS = {
    *("setText", "setToolTip", "setWindowTitle", "setPlaceholderText", "setStatusTip", "setAccessibleName", "setTitle"),
    *(
        "setAccessibleDescription",
        "setInformativeText",
        "setPrefix",
        "setSuffix",
        "setSpecialValueText",
        "setLabelText",
    ),
    *("QLabel", "QPushButton", "QToolButton", "QAction", "addAction", "addMenu", "addTab", "QCheckBox", "QRadioButton"),
    *("QGroupBox", "addItem", "addItems", "addRow", "addButton", "information", "warning", "question", "critical"),
    *("AlbumError", "UsageError", "Stopped", "print", "add_argument", "add_parser", "add_argument_group"),
}
SPOKEN_KEYWORDS = {"help", "description", "metavar", "title", "epilog"}
"""What argparse shows of a call's keywords; its positional words are names of options."""
FOR_PROGRAMMERS = {
    *("ValueError", "KeyError", "TypeError", "AssertionError", "RuntimeError", "NotImplementedError", "IndexError"),
    *(
        "FileNotFoundError",
        "AttributeError",
        "setStyleSheet",
        "setObjectName",
        "getattr",
        "debug",
        "exception",
        "TypeVar",
    ),
    *("execute", "executemany", "executescript", "compile", "Slot"),
}
PROSE = re.compile(r"[A-Za-zäöü’]{2,}[,:;]? [a-zA-Z]{2,}|[a-z]…|[A-Z][a-z]+[.!?]$")
WORD = re.compile(r"[A-Za-z]{2,}")


def sources() -> Iterator[tuple[str, ast.Module]]:
    """Every module with its path below the package."""
    for path in sorted(PACKAGE.rglob("*.py")):
        yield path.relative_to(PACKAGE).as_posix(), ast.parse(path.read_text())


def keys() -> dict[str | tuple[str, str], str]:
    """Every text that is translated, a pair where it counts, and where it stands."""
    found: dict[str | tuple[str, str], str] = {}
    for where, module in sources():
        for call in (node for node in ast.walk(module) if isinstance(node, ast.Call)):
            texts = [argument.value for argument in call.args if _is_text(argument)]
            if texts and _name(call) in TRANSLATED:
                key = (texts[0], texts[1]) if _name(call) == PLURAL else texts[0]
                found.setdefault(key, f"{where}:{call.lineno}")
    return found


def escaped(where: str, module: ast.Module) -> Iterator[str]:
    """Texts that a person would see in English whatever the language is."""
    for node, text, sink in _texts(module, None):
        if (WORD if sink else PROSE).search(text):
            yield f"{where}:{node.lineno}: {text!r}"


def _texts(node: ast.AST, sink: str | None) -> Iterator[tuple[ast.expr, str, str | None]]:
    """The texts below a node that nothing translates, each with the sink that it goes into directly."""
    if isinstance(node, ast.JoinedStr):
        written = "x".join(part.value for part in node.values if _is_text(part))
        yield node, written, sink
        for part in node.values:
            if isinstance(part, ast.FormattedValue):
                yield from _texts(part.value, sink)
    elif _is_text(node):
        yield node, node.value, sink
    elif isinstance(node, ast.Call):
        yield from _texts_of_call(node)
    elif not isinstance(node, ast.Expr) or not _is_text(node.value):
        inside = sink if isinstance(node, (ast.BinOp, ast.IfExp, ast.Tuple, ast.List)) else None
        for child in ast.iter_child_nodes(node):
            yield from _texts(child, inside)


def _texts_of_call(call: ast.Call) -> Iterator[tuple[ast.expr, str, str | None]]:
    name = _name(call)
    if name in TRANSLATED or name in FOR_PROGRAMMERS or _is_logging(call):
        return
    sink = name if name in SINKS else None
    yield from _texts(call.func, None)
    for argument in call.args:
        yield from _texts(argument, None if (name or "").startswith("add_") else sink)
    for keyword in call.keywords:
        spoken = sink and keyword.arg in SPOKEN_KEYWORDS
        yield from _texts(keyword.value, name if spoken else None)


def _is_logging(call: ast.Call) -> bool:
    return isinstance(call.func, ast.Attribute) and ast.unparse(call.func.value).lower().endswith(
        ("log", "logger", "logging")
    )


def _name(call: ast.Call) -> str:
    return call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")


def _is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)
