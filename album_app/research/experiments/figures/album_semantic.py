"""Photo album summarisation by meaning: 1000 CIFAR-10 images on 16 x 20 and on letters, four classes pinned."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from album_app.layout import Layout, Pins, Shape, build_shape
from album_app.layout.arranging.arrange import arrange
from album_app.layout.evaluation.scores import semantic_agreement
from album_app.research.experiments import albums, study
from album_app.research.experiments.albums import Material
from album_app.research.experiments.peers import flas_layout
from album_app.research.experiments.study import Claim, Experiment, Request, Row, Table, Unit

IMAGES = 1000
PINNED = ("automobile", "airplane", "dog", "horse")
SHEET_NAMES = ("16x20", "ECML PKDD")
RANDOM, FLAS, FLAS_ON_OURS = "refined on a random choice", "FLAS on a random choice", "FLAS on our choice"
ALL = (*albums.METHODS, RANDOM, FLAS, FLAS_ON_OURS)
PEERS = {FLAS_ON_OURS: albums.REFINED, FLAS: RANDOM}
"""Methods of FLAS, and our methods that arrange the same images."""
FAR_ABOVE_CHANCE = 0.3
"""Three times the share of equal neighbours that a random order of ten classes has."""


def settings(request: Request) -> dict[str, Any]:
    images = f"the first {IMAGES} test images of CIFAR-10, the same for every seed"
    pins = f"an image of {', '.join(PINNED)} each, drawn by the seed; in the letters these four classes twice"
    return {"images": images, "features": "ResNet20", "pins": pins, **albums.method_settings(), "FLAS": "decay 0.99"}


def units(request: Request) -> list[Unit]:
    albums.given(request)
    return request.seed_units(sheet=SHEET_NAMES, method=ALL)


def measure(unit: Unit, request: Request, rows: Sequence[Row]) -> list[Row]:
    layout = lay_out(request, str(unit["sheet"]), str(unit["method"]), int(unit["seed"]))
    features, labels = (
        albums.test_features(albums.given(request), IMAGES),
        albums.test_images(albums.given(request), IMAGES).labels,
    )
    filled = layout.photo_at >= 0
    agreement = semantic_agreement(list(labels[layout.photo_at[filled]]), layout.shape.cells[filled])
    return [{**albums.scored(layout, features), "agreement": agreement}]


def lay_out(request: Request, sheet: str, method: str, seed: int) -> Layout:
    """The images on a sheet, the pinned classes' images chosen by the seed."""
    features, labels = (
        albums.test_features(albums.given(request), IMAGES),
        albums.test_images(albums.given(request), IMAGES).labels,
    )
    shape = build_shape(albums.SHEETS[sheet][0], IMAGES)
    pins = class_pins(labels, shape, seed)
    if method in albums.METHODS:
        layout = arrange(features, shape, pins, replace(albums.METHODS[method], seed=seed))
        return albums.most_likely(layout) if method == albums.PAPER else layout
    if method == FLAS_ON_OURS:
        ours = lay_out(request, sheet, albums.REFINED, seed)
        others = np.array([photo for photo in ours.shown if photo not in pins])
    else:
        others = np.random.default_rng(seed).permutation([k for k in range(len(features)) if k not in pins])
    chosen = [*pins, *map(int, others[: shape.count - len(pins)])]
    if method == RANDOM:
        return arrange(features, shape, pins, replace(albums.METHODS[albums.REFINED], seed=seed), active=chosen)
    return flas_layout(features, shape, pins, chosen, seed)


def class_pins(labels: NDArray[np.int64], shape: Shape, seed: int) -> Pins:
    """An image of each of the four classes in turn, in the corners or at the letters' centres."""
    rng = np.random.default_rng(seed)
    cells = shape.centres or shape.corners
    chosen: dict[int, tuple[int, int]] = {}
    for place, cell in enumerate(cells):
        members = np.flatnonzero(labels == albums.CLASSES.index(PINNED[place % len(PINNED)]))
        chosen[int(rng.choice([photo for photo in members if photo not in chosen]))] = cell
    return Pins(chosen)


def claims(rows: Sequence[Row]) -> list[Claim]:
    found = []
    for sheet in SHEET_NAMES:
        share = {method: study.average(rows, "agreement", sheet=sheet, method=method) for method in ALL}
        for method in (albums.PAPER, albums.REFINED):
            text = f"images lie by what they show, {method}: equal neighbours three times as often as by chance"
            verdict = study.above(
                study.agreeing(rows, {"sheet": sheet, "method": method}), "agreement", FAR_ABOVE_CHANCE
            )
            measured = f"share of equal neighbours {share[method]:.3f}: above {FAR_ABOVE_CHANCE} by {verdict}"
            found.append(Claim(text, measured, verdict.holds, "aligned by semantics", case=sheet))
        for peer, ours in PEERS.items():
            verdict = study.lower_by_seed(study.agreeing(rows, {"sheet": sheet}), "agreement", peer, ours)
            text = f"{ours} has more equal neighbours than {peer}"
            measured = f"{share[ours]:.3f} and {share[peer]:.3f}, more by {verdict}"
            found.append(Claim(text, measured, verdict.holds, case=sheet, peer=peer))
    return found


def plot(rows: Sequence[Row], figure: Any) -> None:
    axes = figure.subplots()
    study.bars(axes, rows, "agreement", {"sheet": SHEET_NAMES, "method": ALL})
    axes.set(ylabel="share of neighbours of one class", ylim=(0, 1))
    figure.legend(loc="outside upper center", ncols=3)


def pictures(request: Request, folder: Path) -> list[Path]:
    images = albums.test_images(albums.given(request), IMAGES)
    material = Material(
        albums.test_features(albums.given(request), IMAGES), list(images.pictures), [str(k) for k in range(len(images))]
    )

    def layout(sheet: str, method: str) -> Layout:
        return lay_out(request, sheet, method, 0)

    return albums.compare_sheets("album-semantic", SHEET_NAMES, material, folder, layout, request.replacing)


def quoted(rows: Sequence[Row]) -> dict[str, str]:
    """On which sheets ours has more equal neighbours than FLAS with the same images."""
    cases = {
        f"{sheet} ({'our' if ours == albums.REFINED else 'a random'} choice)": study.lower_by_seed(
            study.agreeing(rows, {"sheet": sheet}), "agreement", peer, ours
        ).holds
        for sheet in SHEET_NAMES
        for peer, ours in PEERS.items()
    }
    return {"flas": study.sorted_out(cases, "more on", "a tie on", "fewer on")}


EXPERIMENTS = [
    Experiment(
        name="album-semantic",
        what="1000 CIFAR-10 images by ResNet20 features on 16 x 20 and ECML PKDD, four classes pinned (Fig. 9).",
        takes="1 minute",
        seeds=10,
        quoted=quoted,
        needs="--cifar10, and the extra `bench` for FLAS",
        shareable=False,
        settings=settings,
        units=units,
        measure=measure,
        claims=claims,
        plot=plot,
        tables=[
            Table("Scores", ["sheet", "method"], ["agreement", "dpq16", "pin_pull", "coverage", "shown", "repeats"])
        ],
        pictures=pictures,
    )
]
