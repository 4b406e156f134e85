"""Photos found by words: what a network sees in them, the faces in them, and what people noted about them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from album_app.language import listed, tr
from album_app.photos.album import Photo
from album_app.photos.classes import Classes
from album_app.photos.everyday_words import Word, nearest_words, word_for
from album_app.photos.faces import Focus

LEAST_SCORE = 0.1
"""The probability from which on a photo counts as found: lower ones add more wrong photos than right ones."""
LEAST_FACE_HEIGHT = 0.04
"""Share of a photo's height that a face must have for the photo to show a person."""
LEAST_SURENESS = 0.8
"""How sure of a face the network must be for a search; crops keep less certain ones as well."""
NOTED_SCORE = 1.0
CLOTHING = "clothing"


@dataclass(frozen=True)
class Hit:
    """A photo that was found, by its index, and how sure that is, from 0 to 1."""

    photo: int
    score: float


@dataclass(frozen=True)
class Found:
    """The photos that words find, the surest first, and the words that nothing is known by.

    A word that is `unknown` may still find photos whose title, description or keywords have it; `nearest` are words
    that could be meant instead.
    """

    hits: tuple[Hit, ...]
    unknown: tuple[str, ...] = ()
    nearest: tuple[str, ...] = ()


def find(
    text: str,
    photos: Sequence[Photo],
    classes: Classes,
    foci: Mapping[int, Focus] | None = None,
) -> Found:
    """The photos that show everything a text names: one word or phrase, or several words that all must be there.

    Words have classes, unless a text-image model has looked at the photos: see `find_by_model`.
    """
    words = [text] if word_for(text) is not None else text.split()
    scores = np.ones(len(photos), np.float32)
    unknown = [word for word in words if word_for(word) is None]
    for word in words:
        scores *= _scores(word, photos, classes, foci or {})
    scores = scores ** (1 / max(1, len(words)))  # several words are as easily satisfied as one
    suggestions = dict.fromkeys(near for word in unknown for near in nearest_words(word))
    return Found(_hits(scores) if words else (), tuple(unknown), tuple(suggestions))


def find_by_model(text: str, photos: Sequence[Photo], scores: NDArray[np.float32]) -> Found:
    """The photos that show a text, by what a text-image model says of each (photos,) and by what people noted.

    No word is unknown to these models.
    """
    noted = np.array([_is_noted(text, word_for(text), photo) for photo in photos], bool)
    return Found(_hits(np.where(noted, np.float32(NOTED_SCORE), scores)))


def _hits(scores: NDArray[np.float32]) -> tuple[Hit, ...]:
    order = np.argsort(-scores, kind="stable")
    return tuple(Hit(int(photo), float(scores[photo])) for photo in order if scores[photo] >= LEAST_SCORE)


def unknown_words(found: Found) -> str:
    """A sentence about the words that nothing is known by, and what could be meant; nothing where all are known."""
    if not found.unknown:
        return ""
    words = listed([tr("“{name}”", name=word) for word in found.unknown])
    if not found.nearest:
        return tr("There is no class of the name {words}.", words=words)
    nearest = ", ".join(found.nearest)
    return tr("There is no class of the name {words}; the nearest: {nearest}.", words=words, nearest=nearest)


def word_scores(words: Sequence[Word], classes: Classes, foci: Mapping[int, Focus]) -> NDArray[np.float32]:
    """How sure it is that each photo shows each of some words: (photos, words).

    Where faces were found a photo shows people, and what they wear counts the less the surer a face is.
    """
    scores = np.stack([classes.probability_of(word.classes) for word in words], axis=1)
    faces = np.zeros(len(classes), np.float32)
    for photo, focus in foci.items():
        faces[photo] = _face_score(focus)
    worn = word_for(CLOTHING)
    for place, word in enumerate(words):
        if word.with_faces:
            scores[:, place] = np.maximum(scores[:, place], faces)
        elif worn is not None and word.classes <= worn.classes:
            scores[:, place] *= 1 - faces
    return scores


def _scores(text: str, photos: Sequence[Photo], classes: Classes, foci: Mapping[int, Focus]) -> NDArray[np.float32]:
    """How sure it is that each photo shows what a word stands for."""
    word = word_for(text)
    scores = np.zeros(len(photos), np.float32) if word is None else classes.probability_of(word.classes)
    if word is not None and word.with_faces:
        for photo, focus in foci.items():
            scores[photo] = max(scores[photo], _face_score(focus))
    for photo, known in enumerate(photos):
        if _is_noted(text, word, known):
            scores[photo] = NOTED_SCORE
    return np.minimum(scores, NOTED_SCORE)


def _face_score(focus: Focus) -> float:
    """How much a photo shows a person: how sure a face in it is, more than half of that for a larger face."""
    known = zip(focus.faces, focus.sureness, strict=True)
    faces = [(bottom - top, sure) for (_, top, _, bottom), sure in known if sure >= LEAST_SURENESS]
    return max((sure * (1 + height) / 2 for height, sure in faces if height >= LEAST_FACE_HEIGHT), default=0.0)


def _is_noted(text: str, word: Word | None, photo: Photo) -> bool:
    """Whether a photo's metadata have a word, or another word that stands for the same thing."""
    metadata = photo.metadata
    wanted = text.casefold()
    if any(keyword.casefold() == wanted for keyword in metadata.keywords):
        return True
    if word is not None and any(word_for(keyword) == word for keyword in metadata.keywords):
        return True
    noted = f" {metadata.title} {metadata.description} ".casefold()
    return f" {wanted} " in noted.translate(_PUNCTUATION)


_PUNCTUATION = str.maketrans(dict.fromkeys(",.;:!?()\"'“”„–", " "))
