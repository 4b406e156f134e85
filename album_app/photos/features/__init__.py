"""Features: photos as rows of numbers, near each other where the photos look alike.

A new extractor is a file here and a row in `table.EXTRACTORS`.

- backbone: any torchvision classification model as an extractor: its features are the input of its last layer
- extractor: what an extractor is, and the square that it sees of a photo
- lite0: subject, by EfficientNet-Lite0, trained on ImageNet's thousand kinds of things; and its blend with colour
- neural: runs a network over photos on one thread, and leaves torch's settings as they were
- reduction: operations on the rows of a whole album: fewer dimensions by principal axes, comparable spreads
- resnet20: the paper's semantic feature: a small residual network trained on CIFAR-10
- resnet20_network: its layers, as in He et al. (2016), section 4.2; apart from it because this module imports torch
- rgb: colours and where they are: the pixels of a much reduced picture, as RGB or as CIELAB
- table: the one table of extractors, and how their names are read
- vectors: features from a file of the user's own: one row of numbers per photo, by name or in the album's order
"""

from album_app.photos.features.extractor import Extractor
from album_app.photos.features.table import EXTRACTORS, choices, extractor, features_key, features_title, ready_titles

__all__ = ["EXTRACTORS", "Extractor", "choices", "extractor", "features_key", "features_title", "ready_titles"]
