"""The parts of the workspace that commands need, independent of the class that builds them."""

from typing import Protocol

from PySide6.QtWidgets import QWidget

from album_app.gui.canvas.canvas import Canvas
from album_app.gui.tray.tray import Tray


class WorkspaceParts(Protocol):
    """Tray, sheet and panel."""

    @property
    def tray(self) -> Tray: ...

    @property
    def canvas(self) -> Canvas: ...

    @property
    def panel(self) -> QWidget: ...

    def show_side(self, side: str, shown: bool) -> None:
        """The user wants the "tray" or the "panel", or no longer."""

    def show_names(self, shown: bool) -> None:
        """The user wants names over the regions of the sheet, or no longer."""

    def give_up_shape(self) -> bool:
        """Forget a change of shape that the sheet has not followed yet; whether there was one."""
