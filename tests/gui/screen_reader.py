"""Reads the sheet as a screen reader does, over AT-SPI: `screen_reader.py CELLS`, run by a Python with PyGObject.


Prints a JSON object: the cells that were found, and the one that was pinned by its action.
"""

import json
import sys
import time
from collections.abc import Callable
from typing import Any

PATIENCE = 60
COUNT = int(sys.argv[1])
"""Cells that are there to be read."""


def waited(find: Callable[[], Any]) -> Any:
    """What is found before patience ends."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        found = find()
        if found:
            return found
        time.sleep(0.2)
    raise SystemExit("nothing was found in time")


def children(thing: Any) -> list[Any]:
    found = (thing.get_child_at_index(number) for number in range(thing.get_child_count()))
    return [child for child in found if child is not None]


def below(thing: Any, name: str) -> Any:
    """The first thing of this name below another."""
    for child in children(thing):
        found = child if child.get_name() == name else below(child, name)
        if found is not None:
            return found
    return None


def actions(cell: Any) -> list[str]:
    return [cell.get_action_name(number) for number in range(cell.get_n_actions())]


def main() -> None:
    import gi

    gi.require_version("Atspi", "2.0")
    from gi.repository import Atspi

    def reported(cell: Any) -> dict[str, Any]:
        area = cell.get_extents(Atspi.CoordType.WINDOW)
        checked = cell.get_state_set().contains(Atspi.StateType.CHECKED)
        place = [area.x, area.y, area.width, area.height]
        return {"name": cell.get_name(), "place": place, "pinned": checked, "actions": actions(cell)}

    def application() -> Any:
        return next((app for app in children(Atspi.get_desktop(0)) if app.get_name() == "Album App"), None)

    app = waited(application)
    sheet = waited(lambda: below(app, "Sheet"))
    waited(lambda: all(cell.get_name() for cell in children(sheet)) and len(children(sheet)) >= COUNT)
    cells = [reported(cell) for cell in children(sheet)]
    cell = sheet.get_child_at_index(1)
    cell.do_action(actions(cell).index("Pin here"))
    waited(lambda: reported(cell)["pinned"])
    print(json.dumps({"cells": cells, "pinned": reported(cell)}))


if __name__ == "__main__":
    main()
