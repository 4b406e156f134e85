"""Finds texts in the program's code: those that are translated, and those that escaped."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from tests.source_code import nodes, tree

PACKAGE = Path(__file__).parent.parent / "album_app"
TRANSLATED = ("tr", "trn", "mark", "StoredText")
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
    *("button", "muted", "row", "under", "named", "LabelledSlider", "Grade", "set_note"),
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
    *("execute", "executemany", "executescript", "compile", "Slot", "remember", "word", "setApplicationName"),
}
NAMES = {
    *(
        "Album App",
        "album-app:",
        "[*] – Album App",
        "LSMI-Sinkhorn",
        "Fusion",
        "English",
        "Deutsch",
        "offer",
        "resnet18",
    ),
    *("Delete", "Return", "Fonts", "Unnamed", "Arial Unicode.ttf", "Apple Color Emoji.ttc"),
    *("too large", "Software", "album-app project", "same way round", "mm", "px"),
}
"""What is called the same in every language."""
ROWS = {"gui/commands/actions.py": {"Entry": (1, 2)}}
"""Tables whose rows would be drowned in marks: which arguments of a row are texts; a menu is named by its path."""
PROSE = re.compile(r"[A-Za-zäöü’]{2,}[,:;]? [a-zA-Z]{2,}|[a-z]…|[A-Z][a-z]+[.!?]$|^[A-Z][a-z]{2,}…?$")
_LOG = re.compile(r"(log|logging|getLogger.*)$", re.IGNORECASE)
CODE = re.compile(r"^<|-src '|->|^[a-z]+[A-Z]\w*$|[{;]\s*\n|^\W*[a-z]+[._][a-z_.]+\W*$|^#")
WORD = re.compile(r"[A-Za-z]{2,}")


def sources() -> Iterator[tuple[str, ast.Module]]:
    """Every module with its path below the package."""
    for path in sorted(PACKAGE.rglob("*.py")):
        yield path.relative_to(PACKAGE).as_posix(), tree(path)


def _calls() -> Iterator[tuple[str, ast.Call]]:
    """Every call in the program, and the path of its module."""
    for where, _ in sources():
        yield from ((where, node) for node in nodes(PACKAGE / where) if isinstance(node, ast.Call))


@cache
def keys() -> dict[str | tuple[str, str], str]:
    """Every text that is translated, a pair where it counts, and where it stands."""
    found: dict[str | tuple[str, str], str] = {}
    for where, call in _calls():
        texts = [argument.value for argument in call.args if _is_text(argument)]
        if texts and _name(call) in TRANSLATED:
            key = (texts[0], texts[1]) if _name(call) == PLURAL else _about(call) + texts[0]
            found.setdefault(key, f"{where}:{call.lineno}")
    for where, module in sources():
        for places, row in _rows(where, module):
            for text in (row.args[place] for place in places):
                found.update(dict.fromkeys(text.value.split("/") if _is_text(text) else (), f"{where}:{row.lineno}"))
    return found


def stored_keys() -> set[str]:
    """The texts that are stored with their values and shown later."""
    calls = (call for _, call in _calls() if _name(call) == "StoredText" and call.args)
    return {call.args[0].value for call in calls if isinstance(call.args[0], ast.Constant)}


def filled_before_they_are_shown() -> list[str]:
    """Calls of `mark(...).format(...)`."""
    found = ((where, call.func, call.lineno) for where, call in _calls() if _name(call) == "format")
    return [
        f"{where}:{line}"
        for where, function, line in found
        if isinstance(function, ast.Attribute)
        and isinstance(function.value, ast.Call)
        and _name(function.value) == "mark"
    ]


def misfilled() -> Iterator[str]:
    """Calls that give a text other values than it has places for."""
    for where, call in _calls():
        texts = [argument.value for argument in call.args if _is_text(argument)]
        given = {keyword.arg for keyword in call.keywords}
        if texts and _name(call) in ("tr", "trn", "StoredText") and None not in given:
            places = {name for text in texts for name in re.findall(r"\{(\w*)\}", text)}
            if given - {"about"} != places - ({"count"} if _name(call) == PLURAL else set()):
                yield f"{where}:{call.lineno}: {texts}"


def _rows(where: str, module: ast.Module) -> Iterator[tuple[tuple[int, ...], ast.Call]]:
    """The rows of a module's table, and the places of the texts in them."""
    for name, places in ROWS.get(where, {}).items():
        yield from ((places, node) for node in ast.walk(module) if isinstance(node, ast.Call) and _name(node) == name)


def _about(call: ast.Call) -> str:
    """What a text is about, as gettext puts it before the text."""
    about = (keyword.value for keyword in call.keywords if keyword.arg == "about")
    return "".join(f"{value.value}\x04" for value in about if isinstance(value, ast.Constant))


def escaped(where: str, module: ast.Module) -> Iterator[str]:
    """Texts that a person would see in English whatever the language is."""
    rows = {id(text) for _, row in _rows(where, module) for text in ast.walk(row)}
    for node, text, sink in _texts(module, None):
        if id(node) in rows:
            continue
        if (WORD if sink else PROSE).search(text) and text.strip() not in NAMES and not CODE.search(text):
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
    elif isinstance(node, ast.Assign) and any(getattr(target, "id", "") == "__all__" for target in node.targets):
        return
    elif isinstance(node, ast.Subscript):  # a key
        yield from _texts(node.value, None)
    elif isinstance(node, ast.arg | ast.AnnAssign):  # with an annotation
        if isinstance(node, ast.AnnAssign) and node.value is not None:
            yield from _texts(node.value, None)
    elif isinstance(node, ast.FunctionDef):
        for part in (*node.args.defaults, *(each for each in node.args.kw_defaults if each), *node.body):
            yield from _texts(part, None)
    elif isinstance(node, ast.ClassDef) and any("Enum" in ast.unparse(base) for base in node.bases):
        return
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
    for keyword in (
        keyword for keyword in call.keywords if keyword.arg not in ("merge", "usage")
    ):  # a name that nobody sees
        spoken = sink and keyword.arg in SPOKEN_KEYWORDS
        yield from _texts(keyword.value, name if spoken else None)


def _is_logging(call: ast.Call) -> bool:
    function = call.func
    return isinstance(function, ast.Attribute) and bool(_LOG.search(ast.unparse(function.value)))


def _name(call: ast.Call) -> str:
    return call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")


def _is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)
