"""Features: photos as rows of numbers, near each other where the photos look alike."""

from album_app.photos.features.extractor import Extractor
from album_app.photos.features.table import EXTRACTORS, choices, extractor
from album_app.photos.features.whole_album import album_features

__all__ = ["EXTRACTORS", "Extractor", "album_features", "choices", "extractor"]
