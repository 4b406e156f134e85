"""What the Photo menu does: copy, find similar photos and outliers, exclude, open in other programs; stacks."""

import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import QMimeData, QObject, QUrl, Signal, Slot
from PySide6.QtGui import QDesktopServices, QGuiApplication
from PySide6.QtWidgets import QWidget

from album_app.gui.commands.view_commands import WorkspaceParts
from album_app.gui.controls import ask_user
from album_app.gui.controls.ask_user import chapter_title, pin_or_let_go
from album_app.gui.dialogs.near_duplicate_groups import NearDuplicateGroups
from album_app.gui.state.advice import Advice
from album_app.gui.state.jobs import JobKind, Jobs
from album_app.gui.state.loading import Loading
from album_app.gui.state.photo_store import PhotoStore
from album_app.gui.state.pictures import Pixels, as_image, preview_pixels, thumbnails_of
from album_app.gui.state.session import Session
from album_app.gui.tray.tray import Ranking
from album_app.language import tr, trn
from album_app.layout.editing import edits
from album_app.layout.editing.book import page_moved
from album_app.layout.editing.drops import dropped, pinned_in_place, swapped
from album_app.layout.editing.hold import cells_held, these_arranged_again
from album_app.layout.editing.stacks import shown_first, stacked, unstacked, unstacked_groups, write_stacks_csv
from album_app.photos.album import replacing
from album_app.photos.cache import Cache
from album_app.photos.near_duplicates import near_duplicates


def show(path: Path) -> None:
    """Open the folder of a file, with the file selected where the system can do that."""
    if sys.platform == "darwin":
        subprocess.Popen(["open", "-R", str(path)])
    elif sys.platform == "win32":
        # Only the path is quoted: Explorer takes a quoted option for a folder, and an unquoted path ends at a comma.
        subprocess.Popen(f'explorer /select,"{path}"')
    elif not _ask_desktop(path):
        QDesktopServices.openUrl(QUrl.fromLocalFile(str(path.parent)))


def _ask_desktop(path: Path) -> bool:
    """Have the file manager of the Linux desktop show a file, over D-Bus; returns False if none answers."""
    from PySide6.QtDBus import QDBusConnection, QDBusInterface, QDBusMessage

    bus = QDBusConnection.sessionBus()
    if not bus.isConnected():
        return False
    name = "org.freedesktop.FileManager1"
    manager = QDBusInterface(name, "/org/freedesktop/FileManager1", name, bus)
    if not manager.isValid():
        return False
    url = QUrl.fromLocalFile(str(path)).toString()
    return manager.call("ShowItems", [url], "").type() != QDBusMessage.MessageType.ErrorMessage


COPIED_SHEET_PX = 3000
"""The longer side of the picture of the sheet that is copied to the clipboard."""
MOST_OPENED = 8
"""The most photos that are opened in the viewer at once, each in a window of its own."""
USUAL_OUTLIERS = 20
"""The number of outliers that are listed at first; the user may ask for more."""


class PhotoCommands(QObject):
    """Acts on the selected photos; menus, keys and context menus call these methods."""

    def __init__(
        self,
        session: Session,
        photos: PhotoStore,
        advice: Advice,
        jobs: Jobs,
        workspace: Callable[[], WorkspaceParts],
        open_large: Callable[[int, bool], None],
    ) -> None:
        super().__init__(session)
        self._session = session
        self._photos = photos
        self._advice = advice
        self._jobs = jobs
        self._workspace = workspace
        self._open_large = open_large

    def pin_here(self) -> None:
        pin_or_let_go(self._workspace().canvas, self._session, self._session.cell, pinned_in_place)

    def pin_selected(self) -> None:
        """Pin the current photo to the cell that has the keyboard."""
        if self._session.current is not None and self._session.cell is not None:
            self._session.edit(dropped, [self._session.current], self._session.cell)

    def page_earlier(self) -> None:
        self._move_page(-1)

    def page_later(self) -> None:
        self._move_page(1)

    def _move_page(self, by: int) -> None:
        """Move the page of the cell that has the keyboard; the keyboard moves with the page."""
        document, cell = self._session.document, self._session.cell
        if document is None or cell is None or document.shape.pages is None:
            return
        page = int(document.shape.pages.page_of(cell)[0])
        self._session.edit(page_moved, page, page + by)

    def chapter_title(self) -> None:
        """Ask for the title of the chapter that begins on the page of the cell that has the keyboard."""
        document, cell = self._session.document, self._session.cell
        if document is not None and cell is not None and document.shape.pages is not None:
            page = int(document.shape.pages.page_of(cell)[0])
            chapter_title(self._workspace().canvas, self._session, page)

    def _pin_to_corner(self, corner: int) -> None:
        session = self._session
        if session.document is not None and session.current is not None:
            corners = session.document.shape.corners
            session.edit(dropped, [session.current], corners[min(corner, len(corners) - 1)])

    def pin_top_left(self) -> None:
        self._pin_to_corner(0)

    def pin_top_right(self) -> None:
        self._pin_to_corner(1)

    def pin_bottom_left(self) -> None:
        self._pin_to_corner(2)

    def pin_bottom_right(self) -> None:
        self._pin_to_corner(3)

    def unpin(self) -> None:
        self._session.edit(edits.unpinned, self._session.selected)

    def exclude(self) -> None:
        self._session.edit(edits.excluded, self._session.selected)

    def include(self) -> None:
        self._session.edit(edits.included, self._session.selected)

    def compare(self) -> None:
        """Show the sheet next to an earlier version of it."""
        from album_app.gui.dialogs.compare import CompareDialog

        CompareDialog(self._workspace().canvas.window(), self._session, self._photos, self._jobs).open()

    def always_show(self, wanted: bool) -> None:
        """Always show the selected photos on the sheet, in any cell, even if there are few cells."""
        self._session.edit(edits.always_shown, self._session.selected, wanted)

    def larger(self) -> None:
        """Enlarge the selected photos by one cell in width and height."""
        self._session.edit(edits.resized, self._session.selected, step=1)

    def smaller(self) -> None:
        self._session.edit(edits.resized, self._session.selected, step=-1)

    def favourites(self) -> None:
        """Enlarge photos that have four or five stars in their files."""
        if not self._session.edit(edits.larger_favourites):
            self._session.tell(tr("No photo on the sheet has four or five stars."))

    def one_size(self) -> None:
        document = self._session.document
        if document is not None:
            self._session.edit(edits.resized, list(document.sizes), size=1)

    def crop(self) -> None:
        """Choose the part of the current photo that its frame shows, in the large view."""
        if self._session.current is not None:
            self._open_large(self._session.current, True)

    def reset_crop(self) -> None:
        """Let the program choose the crop of the current photo again."""
        if self._session.current is not None:
            self._session.edit(edits.cropped, self._session.current, None)

    def hold(self) -> None:
        """Hold the cells of the selected photos, or release them if all are held."""
        self._session.edit(cells_held, self._session.selected)

    def arrange(self) -> None:
        """Arrange the selected photos again within the cells that they have together."""
        self._session.edit(these_arranged_again, self._session.selected)

    def swap(self) -> None:
        """Let the two selected photos trade places."""
        self._session.edit(swapped, self._session.selected)

    def select_all(self) -> None:
        """Select every photo that the tray lists while it is filtered or has the keyboard, else the whole album."""
        if self._session.document is not None:
            self._session.select(self._workspace().tray.all_to_select(), self._session.cell)

    def large(self) -> None:
        if self._session.current is not None:
            self._open_large(self._session.current, False)

    def carry(self) -> None:
        """Carry the current photo by the arrows, as after M; Enter pins it where it is then."""
        canvas = self._workspace().canvas
        canvas.setFocus()
        canvas.keys.pick_up()

    def alternatives(self) -> None:
        self._workspace().canvas.show_alternatives(self._session.cell)

    def caption(self) -> None:
        """Show the card for the caption of the current photo; from there the user can go on to other photos."""
        self._workspace().canvas.caption_card.show_for(self._session.current)

    def similar(self) -> None:
        """List the photos that are similar to the selected ones, and mark them on the sheet."""
        self._list_alike(self._session.selected, ())

    def more_like(self) -> None:
        """Add the selected photos to those that similar photos are listed for."""
        ranking, selected = self._workspace().tray.ranking, self._session.selected
        like, unlike = ((), ()) if ranking is None else (ranking.like, ranking.unlike)
        self._list_alike((*like, *selected), tuple(photo for photo in unlike if photo not in selected))

    def less_like(self) -> None:
        """List photos that are similar to the selected ones further down."""
        ranking, selected = self._workspace().tray.ranking, self._session.selected
        like = () if ranking is None else tuple(photo for photo in ranking.like if photo not in selected)
        if ranking is None or not like:
            self._session.tell(tr("Use “Find similar” first, then mark the photos that do not belong."))
            return
        self._list_alike(like, (*ranking.unlike, *selected))

    def _list_alike(self, like: Sequence[int], unlike: Sequence[int]) -> None:
        document = self._session.document
        if document is None or not like:
            return
        like, unlike = tuple(dict.fromkeys(like)), tuple(dict.fromkeys(unlike))
        title = trn("Similar to {name}", "Similar to {count} photos", len(like), name=document.short_name(like[0]))
        if unlike:
            other = trn("unlike {name}", "unlike {count} photos", len(unlike), name=document.short_name(unlike[0]))
            title = f"{title}, {other}"
        workspace = self._workspace()

        def on_found(found: tuple[list[int], int]) -> None:
            workspace.tray.show_ranking(Ranking(title, tuple(found[0]), found[1], like, unlike))

        self._advice.similar(like, unlike, on_found)

    def outliers(self) -> None:
        """List the photos that fit badly anywhere, the worst first."""
        workspace = self._workspace()

        def on_found(photos: list[int]) -> None:
            workspace.show_side("tray", True)
            count = min(USUAL_OUTLIERS, len(photos))
            workspace.tray.show_ranking(Ranking(tr("Outliers"), tuple(photos), count, count=count))

        self._advice.outliers(on_found)

    def pin_word(self) -> None:
        """Ask where to pin the photos that the filter found; without a filter, ask for one."""
        workspace = self._workspace()
        workspace.show_side("tray", True)
        if workspace.tray.to_pin[1]:
            workspace.tray.ask_place()
            return
        workspace.tray.field.setFocus()
        workspace.tray.field.selectAll()
        self._session.tell(tr("Type what the photos show, such as “dog”; then pin what is found."))

    def open_in_viewer(self) -> None:
        for path in self._paths()[:MOST_OPENED]:
            QDesktopServices.openUrl(QUrl.fromLocalFile(str(path)))

    def show_in_manager(self) -> None:
        if self._paths():
            show(self._paths()[-1])

    def copy(self) -> None:
        """Copy the selected photos to the clipboard as files; a single photo is also copied as a picture."""
        session, paths = self._session, self._paths()
        if not paths or session.current is None:
            return
        data = QMimeData()
        data.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
        data.setText("\n".join(map(str, paths)))
        picture = self._photos.pictures.image(session.current)
        if len(paths) == 1 and picture is not None:
            data.setImageData(picture.copy())
        QGuiApplication.clipboard().setMimeData(data)
        session.tell(trn("Copied {name}", "Copied {count} photos", len(paths), name=paths[0].name))

    def copy_sheet(self) -> None:
        """Copy a picture of the whole sheet to the clipboard."""
        session, document = self._session, self._session.document
        if document is None or document.layout is None:
            return
        layout, thumbnails = document.layout, thumbnails_of(document.layout, self._photos.pictures)
        album, crops = document.album, self._photos.crops

        def on_drawn(pixels: Pixels) -> None:
            QGuiApplication.clipboard().setImage(as_image(pixels).copy())
            session.tell(tr("Copied the sheet"))

        def draw() -> Pixels:
            from album_app.render import RenderSettings

            return preview_pixels(layout, thumbnails, RenderSettings(cell=160), COPIED_SHEET_PX, album, crops=crops)

        self._jobs.compute(JobKind.COPY_SHEET, draw, on_drawn)

    def _paths(self) -> list[Path]:
        document = self._session.document
        if document is None:
            return []
        return [document.album.photos[photo].path for photo in self._session.selected if photo not in document.missing]


class StackCommands(QObject):
    """Knows the near-duplicates of the open album; stacks them, takes stacks apart and writes their list.

    Signals:
        found(list): near-duplicates were found that lie on no stack yet, in groups
    """

    found = Signal(list)

    def __init__(
        self,
        window: QWidget,
        session: Session,
        photos: PhotoStore,
        loading: Loading,
        jobs: Jobs,
        workspace: Callable[[], WorkspaceParts],
    ) -> None:
        super().__init__(window)
        self._photos = photos
        self._window, self._session, self._jobs, self._workspace = window, session, jobs, workspace
        self._groups: list[tuple[int, ...]] | None = None  # the near-duplicates; None until they have been found
        session.opened.connect(self._forget)
        loading.near_duplicates_found.connect(self._take)

    @Slot()
    def _forget(self) -> None:
        self._groups = None

    @Slot(list)
    def _take(self, groups: list[tuple[int, ...]]) -> None:
        self._groups = groups
        if self.loose:
            self.found.emit(self.loose)

    @property
    def loose(self) -> list[Sequence[int]]:
        """The groups of near-duplicates that lie on no stack yet."""
        document = self._session.document
        if document is None:
            return []
        known = [group for group in self._groups or () if max(group) < len(document.album)]
        return unstacked_groups(document, known)

    def stack(self) -> None:
        """Show the groups of near-duplicates that were found, and stack those that the user leaves ticked."""
        document, groups = self._session.document, self.loose
        if document is None or self._groups is None:
            self._session.tell(tr("The photos are still being compared."))
        elif not groups:
            self._session.tell(tr("No other photos are nearly the same."))
        else:
            dialog = NearDuplicateGroups(self._window, document, groups, self._photos.pictures, self._stack_groups)
            self._session.opened.connect(dialog.close)  # a slot of Qt, which Qt disconnects when the dialog is deleted
            dialog.open()

    def _stack_groups(self, groups: Sequence[Sequence[int]]) -> None:
        self._session.edit(stacked, groups)

    def open(self) -> None:
        self._workspace().canvas.stack_card.show_for(self._top())

    def _top(self) -> int | None:
        """The photo on top of the stack that the current photo belongs to."""
        document, photo = self._session.document, self._session.current
        return None if document is None or photo is None else document.covered.get(photo, photo)

    def show_first(self) -> None:
        if self._session.current is not None:
            self._session.edit(shown_first, self._session.current)

    def unstack(self) -> None:
        self._session.edit(unstacked, self._session.selected)

    def unstack_all(self) -> None:
        document = self._session.document
        if document is not None:
            self._session.edit(unstacked, {photo for stack in document.stacks for photo in stack})

    def write(self) -> None:
        """Write a list of all near-duplicates of the album, stacked or not, to a CSV file."""
        document = self._session.document
        if document is None:
            return
        album = document.album

        def on_paths(paths: list[Path]) -> None:
            def write() -> None:
                with Cache.open() as cache:
                    found = near_duplicates(album, cache, known_only=True)
                write_stacks_csv(paths[0], found.photos, found.groups, replacing(album, agreed=True))

            written = tr("Wrote the near-duplicates to {name}", name=paths[0].name)
            self._jobs.compute(JobKind.WRITE_STACKS, write, lambda done: self._session.tell(written))

        title = tr("Write near-duplicates")
        ask_user.target(self._window, title, "stacks.csv", tr("Near-duplicates (*.csv)"), "csv", on_paths)
