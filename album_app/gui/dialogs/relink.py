"""Finding photos again that are not where the project says."""

from dataclasses import replace
from pathlib import Path

from album_app.errors import UsageError
from album_app.gui.state.job_kinds import JobKind
from album_app.gui.state.jobs import Jobs, Task
from album_app.gui.state.session import Session
from album_app.language import tr, trn
from album_app.layout.edits import Edit
from album_app.layout.project.relink import relinked
from album_app.photos.album import Album, scan


def relink(session: Session, jobs: Jobs, folder: Path, lost: frozenset[int] = frozenset()) -> None:
    """Look in a folder for missing photos, and others that were lost since; one edit takes back those found."""

    def work(task: Task) -> Album:
        return scan(folder, with_sheets=True, on_progress=task.progress, stop=task.stop)

    def on_done(found: Album) -> None:
        document = session.document
        if document is None:
            return
        after, again = relinked(replace(document, missing=document.missing | lost), found)
        if not again:
            session.report(UsageError(tr("None of the missing photos is in “{name}”.", name=folder.name)))
            return
        session.apply(Edit(tr("Find missing photos"), after))
        session.tell(trn("Found {count} photo again", "Found {count} photos again", len(again)))

    jobs.start(JobKind.RELINK, tr("Looking through {name}", name=folder.name), work, on_done=on_done)
