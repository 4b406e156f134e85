"""A look that cannot be had gives way to the one before, so that sheet and panel always show the same one."""

from album_app.errors import AlbumError
from album_app.gui.state.session import Session
from album_app.gui.style.wording import sentence
from album_app.language import tr
from album_app.layout.editing.edits import with_options
from album_app.layout.options import Options
from album_app.photos.features import features_title


def back_from(session: Session, features: str) -> str:
    """Compare by what was compared by before; its features' name, empty where there is nothing to go back to."""
    document, done = session.document, session.undo_stack.done
    if document is None or document.options.features != features:
        return ""
    before = (step.before.options.features for step in done)
    former = next((name for name in before if name != features), Options().features)
    if former == features:
        return ""
    if done and done[0].before.options.features == former:
        session.undo_stack.take_back()
    else:
        session.edit(with_options, tr("Compare by “{title}”", title=features_title(former)), features=former)
    return former


def again_words(former: str) -> str:
    return tr("The photos are compared by “{title}” again.", title=features_title(former))


def give_up_look(session: Session, features: str, error: Exception) -> bool:
    """Compare by what was compared by before, and say why; whether there was anything to go back to."""
    former = back_from(session, features)
    if former:
        text = f"{sentence(str(error))} {again_words(former)}"
        session.report(AlbumError(text) if isinstance(error, AlbumError) else error)
    return bool(former)
