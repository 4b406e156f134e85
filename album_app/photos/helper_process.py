"""Helper processes: a function of this program runs in a process of its own, so that the window never waits for it.

`answers_of` calls a function in a helper: it takes a request and yields answers, all of them records or made of
records, as its annotations say. This module is what the helper runs; it imports the function's module alone.

Both sides speak in messages: a line of JSON, then the bytes of the arrays that it names. By hand and not with
`multiprocessing`, whose helpers import the window's main module again and receive their tasks as pickles: on these
pipes nothing that arrives can run, and each side notices the end of the other.
"""

import json
import os
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import IO, Any, NoReturn, TypeVar, get_args, get_type_hints

import numpy as np
from numpy.typing import NDArray

from album_app.errors import AlbumError, UsageError
from album_app.language import tr
from album_app.photos.records import Arrays, packed, unpacked
from album_app.work import OnProgress, Stop, check, report

BUFFER_BYTES = 1 << 20
"""Bytes that a pipe takes before the helper has to wait for the reader."""
NICENESS = 15
"""How much a helper yields to other processes, from 0 to 19: the window comes first."""
SECONDS_BETWEEN_LOOKS = 0.05
"""How often a thread looks whether a stop is asked for."""

Message = dict[str, Any]
"""Any JSON object; "arrays" holds the arrays that came with it."""

Request = TypeVar("Request")
Answer = TypeVar("Answer")
Work = Callable[[Request, OnProgress], Iterator[Answer]]
"""What a helper does: a function of a module, which takes a request and yields answers."""
ONE_THREAD = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
"""Added to the environment of helpers whose libraries would otherwise use every core."""


def line_of(message: Message, *arrays: NDArray[Any]) -> bytes:
    """The line of JSON that a message begins with."""
    named = {**message, "arrays": [(array.dtype.str, array.shape) for array in arrays]}
    return json.dumps(named).encode() + b"\n"


def send(pipe: IO[bytes], message: Message, *arrays: NDArray[Any]) -> None:
    """Write a message at once."""
    pipe.write(line_of(message, *arrays))
    for array in arrays:
        pipe.write(np.ascontiguousarray(array).data)
    pipe.flush()


def receive(pipe: IO[bytes]) -> Message:
    """Read a message; EOFError where the other side ended before all of it was sent."""
    line = pipe.readline()
    if not line.endswith(b"\n"):
        raise EOFError
    message: Message = json.loads(line.decode())
    message["arrays"] = [_receive_array(pipe, np.dtype(kind), tuple(shape)) for kind, shape in message["arrays"]]
    return message


def _receive_array(pipe: IO[bytes], kind: np.dtype[Any], shape: tuple[int, ...]) -> NDArray[Any]:
    if kind.hasobject:
        raise ValueError("only numbers are received")
    array = np.empty(shape, kind)
    place = memoryview(array.reshape(-1).view(np.uint8).data)  # the array itself: large pictures are not copied
    while place:
        count = pipe.readinto(place)  # type: ignore[attr-defined]
        if not count:
            raise EOFError
        place = place[count:]
    return array


def answers_of(
    work: Work[Request, Answer],
    request: Request,
    purpose: str,
    *,
    settings: dict[str, str] | None = None,
    on_progress: OnProgress | None = None,
    stop: Stop | None = None,
) -> Iterator[Answer]:
    """Have a helper work on a request; it ends after its last answer, when it fails, or as soon as a stop is asked for.

    `purpose` names the helper in messages about its failure, `settings` are added to its environment.
    """
    check(stop)
    ended = threading.Event()
    with tempfile.TemporaryFile() as complaints:
        process = start_helper((__name__, work.__module__, work.__name__), complaints, settings)
        threading.Thread(target=_watch, args=(process, stop, ended), daemon=True).start()
        try:
            yield from _conversation(process, work, request, on_progress, stop)
        except (EOFError, ValueError, TypeError, KeyError) as error:
            check(stop)
            raise AlbumError(
                tr("the helper process {purpose} failed: {last}", purpose=tr(purpose), last=_last_line(complaints))
            ) from error
        finally:
            ended.set()
            end_helper(process)


def _conversation(
    process: "subprocess.Popen[bytes]",
    work: Work[Request, Answer],
    request: Request,
    on_progress: OnProgress | None,
    stop: Stop | None,
) -> Iterator[Answer]:
    assert process.stdin is not None and process.stdout is not None
    _, answer_kind = _kinds(work)
    with suppress(BrokenPipeError):  # a helper that is gone already answers nothing
        _send_value(process.stdin, "request", request)
    while True:
        message = receive(process.stdout)
        check(stop)
        if "end" in message:
            return
        if "error" in message:
            raise UsageError(message["error"]) if message["usage"] else AlbumError(message["error"])
        if "progress" in message:
            report(on_progress, *message["progress"])
        else:
            yield unpacked(answer_kind, message["answer"], message["arrays"])


def _kinds(work: Callable[..., Any]) -> tuple[Any, Any]:
    """The types of the request and of the answers of a function that helpers run."""
    hints = get_type_hints(work)
    (answer,) = get_args(hints["return"])
    return hints["request"], answer


def _send_value(pipe: IO[bytes], name: str, value: Any) -> None:
    arrays: Arrays = []
    content = packed(value, arrays)
    send(pipe, {name: content}, *arrays)


def start_helper(
    words: Sequence[str], complaints: IO[bytes], settings: dict[str, str] | None = None
) -> "subprocess.Popen[bytes]":
    """Run a module with the words that follow its name; `complaints` takes its standard error, `settings` are added
    to its environment."""
    package = str(Path(__file__).parents[2])
    search = os.pathsep.join(filter(None, [package, os.environ.get("PYTHONPATH")]))
    process = subprocess.Popen(
        [sys.executable, "-P", "-m", *words],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=complaints,
        env=os.environ | {"PYTHONPATH": search} | (settings or {}),
        bufsize=BUFFER_BYTES,
        creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
    )
    if sys.platform == "linux" and process.stdout is not None:
        import fcntl

        with suppress(OSError):  # a helper continues its work while its answers are not read
            fcntl.fcntl(process.stdout, fcntl.F_SETPIPE_SZ, BUFFER_BYTES)
    return process


def _watch(process: "subprocess.Popen[bytes]", stop: Stop | None, ended: threading.Event) -> None:
    """End the helper when a stop is asked for, which wakes the thread that waits for its answers."""
    while stop is not None and not ended.wait(SECONDS_BETWEEN_LOOKS):
        if stop():
            process.kill()
            return


def end_helper(process: "subprocess.Popen[bytes]") -> None:
    """End the process at once, and close its pipes."""
    process.kill()
    process.wait()
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            with suppress(BrokenPipeError):
                pipe.close()


def _last_line(complaints: IO[bytes]) -> str:
    complaints.seek(0)
    lines = complaints.read().decode(errors="replace").split("\n")
    return next((line for line in reversed(lines) if line.strip()), tr("it said nothing"))


def answer_pipe() -> IO[bytes]:
    """In the helper: the pipe for answers. What libraries print goes to standard error, never between two answers."""
    answers = os.fdopen(os.dup(1), "wb", buffering=BUFFER_BYTES)
    os.dup2(2, 1)
    return answers


def main(module: str, function: str) -> NoReturn:
    """In the helper: receive a request, have the function answer it, and end."""
    answers = answer_pipe()
    try:
        message = receive(sys.stdin.buffer)
        threading.Thread(target=_die_with_parent, daemon=True).start()
        if hasattr(os, "nice"):
            os.nice(NICENESS)
        work = getattr(import_module(module), function)
        request = unpacked(_kinds(work)[0], message["request"], message["arrays"])
        for answer in work(request, lambda done, total: send(answers, {"progress": (done, total)})):
            _send_value(answers, "answer", answer)
        send(answers, {"end": True})
    except (EOFError, BrokenPipeError):
        os._exit(1)
    except Exception as error:
        known = isinstance(error, AlbumError)
        unforeseen = tr("unexpected {name} in a helper process: {error}", name=type(error).__name__, error=error)
        text = str(error) if known else unforeseen
        send(answers, {"error": text, "usage": isinstance(error, UsageError)})
    os._exit(0)  # without cleaning up: all is sent, and unloading torch takes longer than loading it


def _die_with_parent() -> None:
    """Wait for the end of standard input: the parent holds its other end open as long as it lives."""
    os.read(0, 1)
    os._exit(1)


if __name__ == "__main__":
    main(*sys.argv[1:])
