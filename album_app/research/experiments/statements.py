"""What the paper states about its experiments, in its own words, and what our runs say to each statement."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from album_app.research.experiments.study import Claim


@dataclass(frozen=True)
class Statement:
    """A sentence of the paper, by the name that claims refer to it with."""

    name: str
    section: str
    quote: str


STATEMENTS = (
    Statement(
        "Proposition 1", "3.2", "Algorithm 1 will monotonically decrease the objective function in each iteration."
    ),
    Statement("converges quickly", "5.2", "The loss value and SMI value converge quickly (< 5 iterations)"),
    Statement(
        "an order of magnitude faster",
        "5.2",
        "in comparison to the Gromov-Wasserstein, LSMI-Sinkhorn is more than one order of magnitude faster for the CPU"
        " version",
    ),
    Statement(
        "small on random data",
        "5.3",
        "In the random case, the data are nearly independent and our algorithm achieves a small SMI value.",
    ),
    Statement(
        "nearest on synthetic data", "5.3", "In other cases, LSMI-Sinkhorn yields a better estimation of the SMI value"
    ),
    Statement("near when n increases", "5.3", "and it lies near the ground truth when n increases."),
    Statement("Gromov-SMI is small", "5.3", "In contrast, Gromov-SMI has a small estimation value"),
    Statement("uniform on random data", "5.3", "For the random case, Π distributes uniformly as expected."),
    Statement("concentrates on the diagonal", "5.3", "For all other cases, Π concentrate on the diagonal"),
    Statement(
        "best with unequal numbers",
        "5.3",
        "n_x = 1000, n_y = 500 [...] Similarly, LSMI-Sinkhorn achieves the best performance among all methods.",
    ),
    Statement(
        "Gromov-SMI is worse with unequal numbers",
        "5.3",
        "Gromov-SMI achieves even worse estimation than n_x = n_y case",
    ),
    Statement(
        "better on all four UCI data sets",
        "5.3",
        "Similarly, LSMI-Sinkhorn obtains better estimation values in all four datasets.",
    ),
    Statement("Gromov-SMI overestimates", "5.3", "Gromov-SMI tends to overestimate the value by a large margin"),
    Statement("other baselines underestimate", "5.3", "while other baselines underestimate the value."),
    Statement(
        "high accuracy with a few tens of pairs",
        "5.4",
        "LSMI-Sinkhorn obtains high accuracy with only a few tens of supervised pairs.",
    ),
    Statement(
        "good colour topology",
        "5.5",
        "these layouts show good color topology according to the fixed color images.",
    ),
    Statement(
        "aligned by semantics",
        "5.5",
        "objects are aligned together by their semantics rather than colors according to the fixed images.",
    ),
)


MEANINGS = {
    "yes": "hold in every case that we ran",
    "in part": "in some cases",
    "no": "in none",
    "tie": "cannot be told from chance",
    "not measured": "were not measured",
}
"""What the word on a statement means, in the order in which they are counted."""

SCOPE = re.compile(r", (n .*|n_x .*|all n|every size)$")
"""The end of a case's name that says for which numbers it is meant."""


def summary(claims: Mapping[str, Sequence[Claim]]) -> str:
    """How many statements hold, and a Markdown table of all of them; `claims` are those of each experiment."""
    words, lines = [], ["| § | the paper | holds | where it does and where not | see |", "|---|---|---|---|---|"]
    for statement in STATEMENTS:
        found = {name: [claim for claim in each if claim.statement == statement.name] for name, each in claims.items()}
        bearing = {name: each for name, each in found.items() if each}
        see = ", ".join(f"[{name}](#{name})" for name in bearing)
        words.append(in_a_word([claim for each in bearing.values() for claim in each]))
        lines.append(f"| {statement.section} | “{statement.quote}” | **{words[-1]}** | {cases(bearing)} | {see} |")
    told = ", ".join(f"{words.count(word)} {meaning}" for word, meaning in MEANINGS.items() if word in words)
    return f"Of {len(STATEMENTS)} statements {told}.\n\n" + "\n".join(lines)


def in_a_word(claims: Sequence[Claim]) -> str:
    """Whether a statement holds in all cases, in a part of them, or in none; a tie is neither."""
    verdicts = {claim.verdict for claim in claims}
    if not verdicts:
        return "not measured"
    if "yes" in verdicts:
        return "yes" if len(verdicts) == 1 else "in part"
    return "no" if "no" in verdicts else "tie"


def cases(claims: Mapping[str, Sequence[Claim]]) -> str:
    """The cases of some experiments by their verdicts, those of one scope together, a line a verdict."""
    lines = []
    for verdict in ("yes", "tie", "no"):
        scopes: dict[str, list[str]] = {}
        for experiment, each in claims.items():
            for name in dict.fromkeys(_case(claim) for claim in each if claim.verdict == verdict):
                found = SCOPE.search(name)
                parts = [found[1] if found else "", experiment if _judged_apart(name, claims) else ""]
                scopes.setdefault(", ".join(filter(None, parts)), []).append(SCOPE.sub("", name))
        told = [", ".join(dict.fromkeys(each)) + (f" ({scope})" if scope else "") for scope, each in scopes.items()]
        lines += [f"{verdict}: {'; '.join(told)}"] if told else []
    return "<br>".join(lines)


def _case(claim: Claim) -> str:
    return claim.text.partition(":")[0]


def _judged_apart(name: str, claims: Mapping[str, Sequence[Claim]]) -> bool:
    """Whether experiments differ on a case."""
    verdicts = [{claim.verdict for claim in each if _case(claim) == name} for each in claims.values()]
    return any(each != verdicts[0] for each in verdicts)
