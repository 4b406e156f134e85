"""What the paper states about its experiments, in its own words, and what our runs say to each statement."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from album_app.experiments.study import Claim


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
        "aligned by semantics",
        "5.5",
        "objects are aligned together by their semantics rather than colors according to the fixed images.",
    ),
)


def summary(claims: Mapping[str, Sequence[Claim]]) -> str:
    """A Markdown table of all statements; `claims` are those of each experiment."""
    lines = ["| § | the paper | ours | where |", "|---|---|---|---|"]
    for statement in STATEMENTS:
        found = {name: [claim for claim in each if claim.statement == statement.name] for name, each in claims.items()}
        where = ", ".join(f"[{name}](#{name})" for name, each in found.items() if each)
        verdict = counted([claim for each in found.values() for claim in each])
        lines.append(f"| {statement.section} | “{statement.quote}” | {verdict} | {where} |")
    return "\n".join(lines)


def counted(claims: Sequence[Claim]) -> str:
    """ "yes", or that only a part of the cases say so: how many say yes, tie and no, and which say no."""
    verdicts = Counter(claim.verdict for claim in claims)
    if not verdicts:
        return "not measured"
    if len(verdicts) == 1:
        (verdict,) = verdicts
        return f"**{verdict}**" if len(claims) == 1 else f"**{verdict}**, in all {len(claims)} cases"
    part = "**in part**" if verdicts["yes"] else "**no or tie**"
    told = ", ".join(f"{verdicts[each]} {each}" for each in ("yes", "tie", "no") if verdicts[each])
    failed = [claim.text.partition(":")[0] for claim in claims if claim.verdict == "no"]
    return f"{part}: {told}" + (f" (not for {'; '.join(dict.fromkeys(failed))})" if failed else "")
