"""Measures the search by words on photos of Caltech-101: precision among the first ten, and recall.

Words and classes were paired before any photo was looked at. Of the settings of the search only the score that a face
must have was chosen on these photos. A folder's photos are named CLASS/image_0001.jpg, CLASS_image_0001.jpg or
CLASS__image_0001.jpg.
"""

import argparse
import math
from pathlib import Path

import numpy as np

from album_app.photos.album import Photo, scan
from album_app.photos.cache import Cache
from album_app.photos.classes import classes_of
from album_app.photos.faces import focus_of
from album_app.photos.find import find
from album_app.research.benchmarks import Goal

FIRST_HITS = 10
LEAST_PRECISION = 0.9
"""The goal for the mean precision of the first hits."""
QUERIES = """
airplane: airplanes; motorcycle: Motorbikes; leopard: Leopards; butterfly: butterfly; laptop: laptop; umbrella: umbrella
flower: sunflower lotus water_lilly; piano: grand_piano; chair: chair windsor_chair; watch: watch; car: car_side
ship: ferry ketch schooner; pizza: pizza; elephant: elephant; guitar: electric_guitar; crab: crab; dragonfly: dragonfly
panda: panda; kangaroo: kangaroo; saxophone: saxophone; accordion: accordion; camera: camera; starfish: starfish
dog: dalmatian; person: Faces Faces_easy buddha; strawberry: strawberry; lobster: lobster crayfish; scorpion: scorpion
bird: emu flamingo flamingo_head ibis pigeon rooster; phone: cellphone; helicopter: helicopter; football: soccer_ball
insect: ant butterfly dragonfly mayfly; big cat: Leopards cougar_body cougar_face wild_cat
instrument: accordion electric_guitar euphonium grand_piano mandolin saxophone
"""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", type=Path, help="photos of Caltech-101, all or some")


def run(arguments: argparse.Namespace) -> int:
    with Cache.open() as cache:
        photos = scan(arguments.folder, cache=cache, decode_for=math.inf).photos
    classes, foci = classes_of(photos), dict(enumerate(focus_of(photos)))
    labels = [label_of(photo) for photo in photos]
    print(f"{len(photos)} photos\n| word | photos | precision of the first {FIRST_HITS} | recall |\n|---|---|---|---|")
    precisions = []
    for word, wanted in queries().items():
        found = find(word, photos, classes, foci)
        right = [labels[hit.photo] in wanted for hit in found.hits]
        count = sum(label in wanted for label in labels)
        precisions.append(float(np.mean(right[:FIRST_HITS])) if right else 0.0)
        near = f" (no such class; nearest: {', '.join(found.nearest)})" if found.unknown else ""
        print(f"| {word}{near} | {count} | {precisions[-1]:.2f} | {sum(right) / max(1, count):.2f} |")
    print(Goal(f"mean precision of {len(precisions)} words", float(np.mean(precisions)), least=LEAST_PRECISION))
    return 0


def queries() -> dict[str, frozenset[str]]:
    """The words to search by, and the classes that are right."""
    pairs = (query.split(":") for line in QUERIES.strip().splitlines() for query in line.split(";"))
    return {word.strip(): frozenset(classes.split()) for word, classes in pairs}


def label_of(photo: Photo) -> str:
    """The class of a photo, by its name."""
    folder, _, file = photo.name.rpartition("/")
    return folder.rpartition("/")[2] or file.partition("_image")[0].rstrip("_")
