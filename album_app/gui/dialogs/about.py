"""The About box: the program's icon, its version, what it does, and where to read more."""

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from album_app import __version__
from album_app.gui.controls.sections import button, muted
from album_app.gui.style.design import APART, ROOM, SNUG
from album_app.gui.style.icons import pixmap
from album_app.language import tr

WORDS_PX = 380
"""The width of the sentences, in pixels."""
ICON_SIDE_PX = 72


class AboutDialog(QDialog):
    """Says what this program is; its buttons open the help page and the list of shortcuts."""

    def __init__(self, parent: QWidget, show_help: Callable[[], None], show_shortcuts: Callable[[], None]) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(tr("About Album App"))
        sign = QLabel()
        sign.setPixmap(pixmap("album-app", "", ICON_SIDE_PX, self.devicePixelRatio()))
        name = QLabel("Album App")
        name.setProperty("role", "title")
        about = QLabel(
            tr(
                "Turns a folder of photos into a sheet where every picture sits next to its kin, by "
                "LSMI-Sinkhorn: the few photos you pin teach it where the others belong."
            )
        )
        about.setWordWrap(True)
        promise = muted(tr("Your photos are only ever read. Free software under the MIT licence."), wrap=True)
        for wrapped in (about, promise):
            wrapped.setFixedWidth(WORDS_PX)
            wrapped.setMinimumHeight(wrapped.heightForWidth(WORDS_PX))
        words = QVBoxLayout()
        words.setSpacing(SNUG)
        for widget in (
            name,
            muted(tr("Version {version}", version=__version__)),
            about,
            promise,
        ):
            words.addWidget(widget)
        across = QHBoxLayout()
        across.setSpacing(APART)
        across.addWidget(sign, 0, Qt.AlignmentFlag.AlignTop)
        across.addLayout(words, 1)
        close = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        close.rejected.connect(self.reject)
        foot = QHBoxLayout()
        foot.addWidget(button(tr("Help"), show_help))
        foot.addWidget(button(tr("Shortcuts"), show_shortcuts))
        foot.addStretch(1)
        foot.addWidget(close)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(APART, APART, APART, ROOM)
        whole.setSpacing(APART)
        whole.addLayout(across)
        whole.addLayout(foot)
