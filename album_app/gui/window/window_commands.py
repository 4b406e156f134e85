"""What the actions of the window run, by the names of the table of actions."""

from collections.abc import Callable

from PySide6.QtWidgets import QMainWindow

from album_app.gui.commands.file_commands import FileCommands
from album_app.gui.commands.photo_commands import PhotoCommands
from album_app.gui.commands.pin_commands import PinCommands
from album_app.gui.commands.stack_commands import StackCommands
from album_app.gui.commands.view_commands import EditCommands, ViewCommands
from album_app.gui.commands.work_commands import WorkCommands
from album_app.gui.commands.workspace_parts import WorkspaceParts
from album_app.gui.state.preferences import Preferences
from album_app.gui.window.parts import Parts


class WindowCommands:
    """Each attribute is what a row of the table calls `attribute.method`."""

    def __init__(
        self,
        window: QMainWindow,
        parts: Parts,
        preferences: Preferences,
        workspace: Callable[[], WorkspaceParts],
        open_large: Callable[[int], None],
        apply_preferences: Callable[[], None],
        show_bars: Callable[[bool], None],
    ) -> None:
        session, photos, advice, jobs = parts.session, parts.photos, parts.advice, parts.jobs
        self.files = FileCommands(window, session, photos, parts.loading, jobs, parts.reshaping, preferences)
        self.edits = EditCommands(session, workspace)
        self.photos = PhotoCommands(session, photos, advice, jobs, workspace, open_large)
        self.pins = PinCommands(window, session, advice, parts.proposals, jobs)
        self.stacks = StackCommands(window, session, parts.loading, jobs, workspace)
        self.view = ViewCommands(window, workspace, preferences, apply_preferences, show_bars)
        self.work = WorkCommands(session, photos, parts.solving, parts.loading, jobs)
