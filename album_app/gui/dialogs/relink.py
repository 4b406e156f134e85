"""Finding photos again that are not where the project says."""

from dataclasses import replace
from pathlib import Path

from album_app.errors import UsageError
from album_app.gui.state.job_kinds import JobKind
from album_app.gui.state.jobs import Jobs, Task
from album_app.gui.state.session import Session
from album_app.language import tr, trn
from album_app.layout.editing.edits import Edit
from album_app.layout.project.relink import lost_and_free, relinked
from album_app.photos.album import Album, Photo, scan
from album_app.photos.folder_news import same_files

Found = tuple[Album, dict[int, Photo]]
"""The files of a folder, and which missing photos are among them by their content."""


def relink(session: Session, jobs: Jobs, folder: Path, lost: frozenset[int] = frozenset()) -> None:
    """Look in a folder for missing photos, and others that were lost since; one edit takes back those found."""

    if session.document is None:
        return
    before = replace(session.document, missing=session.document.missing | lost)

    def work(task: Task) -> Found:
        found = scan(folder, with_sheets=True, on_progress=task.progress, stop=task.stop)
        return found, same_files(*lost_and_free(before, found), task.stop)

    def on_done(result: Found) -> None:
        document = session.document
        if document is None:
            return
        after, again = relinked(replace(document, missing=document.missing | lost), *result)
        if not again:
            session.report(UsageError(tr("None of the missing photos is in “{name}”.", name=folder.name)))
            return
        session.apply(Edit(tr("Find missing photos"), after))
        session.tell(trn("Found {count} photo again", "Found {count} photos again", len(again)))

    jobs.start(JobKind.RELINK, tr("Looking through {name}", name=folder.name), work, on_done=on_done)
