"""Helper processes: a module of this program run by a process of its own, so that the window's never waits for it.

The request is one JSON line on the helper's standard input, which stays open for as long as the parent lives; what
comes back on its standard output is between the two.
"""

import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO, Any

from album_app.photos.album import Photo

BUFFER = 1 << 20
NICENESS = 15

Request = dict[str, Any]


def start_helper(
    module: str, *, complaints: IO[bytes] | None = None, settings: dict[str, str] | None = None
) -> "subprocess.Popen[bytes]":
    """Run a module; `complaints` takes its standard error, `settings` are added to its environment."""
    package = str(Path(__file__).parents[2])
    search = os.pathsep.join(filter(None, [package, os.environ.get("PYTHONPATH")]))
    return subprocess.Popen(
        [sys.executable, "-P", "-m", module],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=complaints,
        env=os.environ | {"PYTHONPATH": search} | (settings or {}),
        bufsize=BUFFER,
        creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
    )


def ask_helper(process: "subprocess.Popen[bytes]", request: Request) -> IO[bytes]:
    """Say what is wanted; gives the pipe on which the answers come. A helper that is gone already answers nothing."""
    assert process.stdin is not None and process.stdout is not None
    with suppress(BrokenPipeError):
        process.stdin.write(json.dumps(request).encode() + b"\n")
        process.stdin.flush()
    return process.stdout


def end_helper(process: "subprocess.Popen[bytes]") -> None:
    """End the process, whatever it is doing, and leave nothing of it behind."""
    process.kill()
    process.wait()
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            with suppress(BrokenPipeError):
                pipe.close()


def hear_request() -> tuple[Request, IO[bytes]]:
    """In the helper: what is wanted, and where the answers go; from now on it is polite, and ends with its parent."""
    answers = os.fdopen(os.dup(1), "wb", buffering=BUFFER)
    os.dup2(2, 1)  # what a library prints must not get between the answers
    line = sys.stdin.buffer.readline()
    if not line:
        os._exit(1)
    threading.Thread(target=_die_with_parent, daemon=True).start()
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    return json.loads(line), answers


def _die_with_parent() -> None:
    """Wait for the end of standard input: the parent holds its other end open as long as it lives."""
    os.read(0, 1)
    os._exit(1)


def rows_of(photos: Sequence[Photo]) -> list[tuple[str | int, ...]]:
    """What a helper has to know of photos, as a request holds it."""
    return [(os.fspath(p.path), p.name, p.size, p.mtime_ns, p.width, p.height) for p in photos]


def photos_of(rows: Iterable[Sequence[Any]]) -> list[Photo]:
    """The photos of a request."""
    return [Photo(Path(path), *rest) for path, *rest in rows]
