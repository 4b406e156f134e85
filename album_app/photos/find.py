"""Photos found by words or by their likeness to others, and those that fit badly anywhere."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from album_app.language import listed, mark, tr
from album_app.photos.album import CachedPhotos, Photo
from album_app.photos.album_features import album_rows
from album_app.photos.cache import Cache
from album_app.photos.classes import Classes, Word, nearest_words, word_for
from album_app.photos.faces import Focus
from album_app.photos.features.extractor import Features
from album_app.photos.features.lite0 import Lite0
from album_app.photos.helper_process import ONE_THREAD, answers_of
from album_app.work import OnProgress, Stop, check

LIKENESS_REACH = 0.3
"""Squared distance at which likeness falls to 1 / e, as a share of the median one to all photos.

A small reach lists the photos near each liked photo in turn, a large one those between them. Chosen on photos of
Caltech-101: three photos of one class find it as well as with any other value, two photos of two classes find both.
"""
UNLIKE_WEIGHT = 0.5
"""How much likeness to a photo that is not wanted counts against likeness to one that is. Chosen on photos of
Caltech-101 with the first wrong photo of a list as the unwanted one."""
MARKED_LIKENESS = 0.25
"""Likeness from which on a photo is marked on the sheet: about three of four marked photos are of the same kind."""
NEAREST_PHOTOS = 10
"""Nearest photos whose mean distance says how lonely a photo is. Chosen among 5, 10 and 20 on one half of Caltech-101,
whose clutter is what should be found; local density, which compares a photo with its neighbours, finds far less."""
MOST_COMPARED = 10_000
"""Photos that each photo is compared with, drawn at random from larger albums, so that time grows with the photos."""
BLOCK_ROWS = 512
"""Photos that are compared at a time, so that memory does not grow with the square of the album."""


def likeness(
    features: Features, like: Sequence[int], unlike: Sequence[int] = (), stop: Stop | None = None
) -> NDArray[np.float32]:
    """How much each photo is like some photos, at most 1, and less where it is like photos that are not wanted: (n,).

    >>> rows = np.array([[0.0], [0.1], [3.0], [3.1]], np.float32)
    >>> [int(photo) for photo in np.argsort(-likeness(rows, [1]))]
    [1, 0, 2, 3]
    """
    wanted, unwanted = np.zeros(len(features), np.float32), np.zeros(len(features), np.float32)
    for photo in like:
        check(stop)
        wanted += _alike(features, photo) / np.float32(len(like))
    for photo in unlike:
        check(stop)
        unwanted = np.maximum(unwanted, _alike(features, photo))
    return wanted - np.float32(UNLIKE_WEIGHT) * unwanted


def by_likeness(
    features: Features, like: Sequence[int], unlike: Sequence[int] = (), stop: Stop | None = None
) -> tuple[list[int], NDArray[np.float32]]:
    """All photos but the unwanted ones, the liked ones first and then the most alike, and the likeness of each."""
    found = likeness(features, like, unlike, stop)
    order = np.argsort(-found, kind="stable")
    given = {*like, *unlike}
    ranked = [*dict.fromkeys(like), *(int(photo) for photo in order if int(photo) not in given)]
    return ranked, found[ranked]


def _alike(features: Features, photo: int) -> NDArray[np.float32]:
    """How much each photo is like one of them, from 0 to 1."""
    squared = ((features - features[photo]) ** 2).sum(axis=1, dtype=np.float32)
    reach = max(LIKENESS_REACH * float(np.median(squared)), float(np.finfo(np.float32).tiny))
    return np.asarray(np.exp(-squared / np.float32(reach)), np.float32)


def outliers(
    photos: Sequence[Photo],
    cache_folder: Path | None = None,
    *,
    on_progress: OnProgress | None = None,
    stop: Stop | None = None,
) -> list[int]:
    """The photos ordered by how badly they fit anywhere, the worst first, without those that cannot be read.

    A helper process looks at the photos that the cache does not know.
    """
    (lonely,) = answers_of(
        lonely_photos,
        CachedPhotos(tuple(photos), cache_folder),
        mark("for features"),
        settings=ONE_THREAD,
        on_progress=on_progress,
        stop=stop,
    )
    return sorted(lonely, key=lambda photo: -lonely[photo])


def loneliness(
    rows: Features, seed: int = 0, *, most_compared: int = MOST_COMPARED, block_rows: int = BLOCK_ROWS
) -> NDArray[np.float32]:
    """The mean distance of each row, scaled to length 1, to its nearest others: (n,)."""
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    x = rows / np.maximum(lengths, np.float32(1e-6))
    among = np.arange(len(x))
    if len(x) > most_compared:
        among = np.sort(np.random.default_rng(seed).choice(len(x), most_compared, replace=False))
    nearest_count = min(NEAREST_PHOTOS, len(among) - 1)
    found = np.zeros(len(x), np.float32)
    if nearest_count < 1:
        return found
    for start in range(0, len(x), block_rows):
        block = slice(start, min(start + block_rows, len(x)))
        squared = 2 - 2 * (x[block] @ x[among].T)
        squared[np.arange(block.start, block.stop)[:, None] == among[None]] = np.inf
        nearest = np.partition(squared, nearest_count - 1, axis=1)[:, :nearest_count]
        found[block] = np.sqrt(np.maximum(nearest, 0)).mean(axis=1)
    return found


def lonely_photos(request: CachedPhotos, on_progress: OnProgress) -> Iterator[dict[int, float]]:
    """In a helper process: the loneliness of photos by place, of those that can be read."""
    with Cache.open(request.cache_folder) as cache:
        found = album_rows(request.photos, Lite0(), cache, on_progress=on_progress)
    places = [place for place, row in enumerate(found) if row is not None]
    known = [row for row in found if row is not None]
    yield dict(zip(places, loneliness(np.stack(known)).tolist() if known else [], strict=True))


LEAST_SCORE = 0.1
"""The probability from which on a photo counts as found: lower ones add more wrong photos than right ones."""
LEAST_FACE_HEIGHT = 0.04
"""Share of a photo's height that a face must have for the photo to show a person."""
LEAST_SURENESS = 0.8
"""How sure of a face the network must be for a search; crops keep less certain ones as well."""
NOTED_SCORE = 1.0
"""The score of a photo whose title, description or keywords have the word."""
CLOTHING = "clothing"
"""The word of the table whose classes count less where a face was found."""


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

    A photo with faces shows people, and the surer a face is, the less likely are words for clothing.
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
