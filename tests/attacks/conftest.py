"""Attacks on the program: each tries to break it, and writes only into its own temporary folder."""

import os
from random import SystemRandom

from hypothesis import settings


def examples(number: int) -> settings:
    """`number` examples, the same on every run; FUZZ_EXAMPLES asks for another number of new ones."""
    asked = os.environ.get("FUZZ_EXAMPLES")
    return settings(max_examples=int(asked), derandomize=False) if asked else settings(max_examples=number)


def numbers(count: int) -> list[int]:
    """The numbers of `count` examples, the same on every run; FUZZ_EXAMPLES asks for another number of new ones."""
    asked = os.environ.get("FUZZ_EXAMPLES")
    return [SystemRandom().randrange(2**32) for _ in range(int(asked))] if asked else list(range(count))
