"""Messages between the program and its helpers: whole or not at all, and never anything that can run."""

import io
import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from album_app.errors import AlbumError, Stopped, UsageError
from album_app.photos.helper_process import answers_of, receive, send
from album_app.work import OnProgress

NUMBERS = arrays.arrays(
    st.sampled_from([np.uint8, np.int32, np.float32]), arrays.array_shapes(min_dims=0, min_side=0, max_side=5)
)


def sent(message: dict[str, object], *content: np.ndarray) -> bytes:
    pipe = io.BytesIO()
    send(pipe, message, *content)
    return pipe.getvalue()


@settings(max_examples=40)
@given(st.dictionaries(st.text(), st.text() | st.integers() | st.none()), st.lists(NUMBERS, max_size=3))
def test_what_is_sent_is_received(message: dict[str, object], content: list[np.ndarray]) -> None:
    pipe = io.BytesIO(2 * sent(message, *content))
    for _ in range(2):
        received = receive(pipe)
        got = received.pop("arrays")
        assert received == {key: value for key, value in message.items() if key != "arrays"}
        for mine, other in zip(content, got, strict=True):
            assert mine.dtype == other.dtype and other.flags.writeable
            np.testing.assert_array_equal(mine, other)
    with pytest.raises(EOFError):
        receive(pipe)


@pytest.mark.parametrize("kept", [0, 1, 10, -1, -60])
def test_a_message_that_is_cut_short_is_no_message(kept: int) -> None:
    whole = sent({"what": 1}, np.ones((8, 8), np.uint8))
    with pytest.raises(EOFError):
        receive(io.BytesIO(whole[:kept]))


def test_nothing_but_numbers_is_received() -> None:
    with pytest.raises(ValueError, match="only numbers"):
        receive(io.BytesIO(json.dumps({"arrays": [["|O", [1]]]}).encode() + b"\n" + bytes(8)))


def count_up(request: int, on_progress: OnProgress) -> Iterator[int]:
    """What a helper process does in these tests."""
    if request < 0:
        raise UsageError("counts up only")
    for number in range(request):
        on_progress(number, request)
        yield number


def test_a_function_answers_from_a_helper_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[2]))
    progress: list[tuple[int, int]] = []
    found = answers_of(count_up, 3, "that counts", on_progress=lambda done, total: progress.append((done, total)))
    assert list(found) == [0, 1, 2] and progress == [(0, 3), (1, 3), (2, 3)]
    with pytest.raises(UsageError, match="counts up only"):
        list(answers_of(count_up, -1, "that counts"))


@pytest.fixture
def helper(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Runs code of a test instead of the helper."""

    def replace(code: str) -> None:
        (tmp_path / "code.py").write_text(code)
        script = tmp_path / "python"
        script.write_text(f"#!/bin/sh\nexec {sys.executable} {tmp_path / 'code.py'}\n")
        script.chmod(0o755)
        monkeypatch.setattr(sys, "executable", str(script))

    return replace


TORN = """
import sys
sys.stdin.readline()
sys.stdout.write('{"answer": 1, "arrays": []}\\n{"arrays": [["|u1", [8]]]}\\nabc')
sys.stdout.flush()
"""


@pytest.mark.parametrize(
    ("code", "says"),
    [
        (TORN, "it said nothing"),
        (TORN + "sys.exit('no such luck')", "no such luck"),
        ("print('no message')", "it said nothing"),
    ],
)
def test_a_helper_that_ends_early_is_an_error_in_words(helper: Callable[[str], None], code: str, says: str) -> None:
    helper(code)
    with pytest.raises(AlbumError, match=f"the helper process that reads failed: {says}"):
        list(answers_of(count_up, 3, "that reads"))


def test_a_stop_wakes_the_thread_that_waits(helper: Callable[[str], None]) -> None:
    helper(TORN.split("\\n{")[0] + "\\n')\nsys.stdout.flush()\nimport time; time.sleep(600)")
    heard: list[object] = []
    with pytest.raises(Stopped):
        for answer in answers_of(count_up, 3, "that sleeps", stop=lambda: bool(heard)):
            heard.append(answer)
    assert heard == [1]
