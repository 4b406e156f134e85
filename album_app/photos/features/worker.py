"""Features from a helper process: a window that imports torch itself stands still meanwhile.

The helper answers with JSON lines, {"progress": [done, total]} or {"error": ..., "usage": ...}, and at the end with
{"features": bytes} followed by that many bytes of a .npy file.
"""

import io
import json
import os
import queue
import subprocess
import tempfile
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import numpy as np

from album_app.errors import AlbumError, UsageError
from album_app.photos.album import Photo
from album_app.photos.cache import Cache
from album_app.photos.features.extractor import Features
from album_app.photos.features.whole_album import album_features
from album_app.photos.helper_process import ask_helper, end_helper, hear_request, photos_of, rows_of, start_helper
from album_app.work import OnProgress, Stop, check, report

SECONDS_BETWEEN_LOOKS = 0.05

Message = dict[str, Any]


def extract_in_process(
    photos: Sequence[Photo],
    name: str,
    cache_folder: Path | None = None,
    *,
    on_progress: OnProgress | None = None,
    stop: Stop | None = None,
) -> Features:
    """`album_features` worked out by another process, with the cache in `cache_folder` (None: the usual one)."""
    check(stop)
    with _conversation(_request(photos, name, cache_folder)) as child:
        while True:
            check(stop)
            try:
                message = child.messages.get(timeout=SECONDS_BETWEEN_LOOKS)
            except queue.Empty:
                continue
            if "progress" in message:
                report(on_progress, *message["progress"])
            elif "features" in message:
                features: Features = message["features"]
                return features
            else:
                raise _failure(message, child.complaints)


@dataclass(frozen=True, eq=False)
class _Child:
    """What comes from the helper process: its messages, and what it wrote to standard error."""

    messages: "queue.SimpleQueue[Message]"
    complaints: IO[bytes]


@contextmanager
def _conversation(request: Message) -> Iterator[_Child]:
    """Start a helper process on a request; at the end it is gone, whatever happened."""
    with tempfile.TemporaryFile() as complaints:
        process = _start(complaints)
        child = _Child(queue.SimpleQueue(), complaints)
        talk = threading.Thread(target=_talk, args=(process, request, child.messages), daemon=True)
        talk.start()
        try:
            yield child
        finally:
            process.kill()
            talk.join()
            end_helper(process)


def _start(complaints: IO[bytes]) -> "subprocess.Popen[bytes]":
    return start_helper("album_app.photos.features.worker", complaints=complaints, settings={"OMP_NUM_THREADS": "1"})


def _talk(process: "subprocess.Popen[bytes]", request: Message, messages: "queue.SimpleQueue[Message]") -> None:
    """Say what is wanted and pass on what is answered; an empty error says that there was no more answer."""
    with suppress(OSError, ValueError):
        answers = ask_helper(process, request)
        for line in answers:
            message = json.loads(line)
            if "features" in message:
                message["features"] = np.load(io.BytesIO(answers.read(message["features"])), allow_pickle=False)
            messages.put(message)
    messages.put({"error": ""})


def _failure(message: Message, complaints: IO[bytes]) -> AlbumError:
    if message["error"]:
        return UsageError(message["error"]) if message["usage"] else AlbumError(message["error"])
    complaints.seek(0)
    lines = complaints.read().decode(errors="replace").split("\n")
    last = next((line for line in reversed(lines) if line.strip()), "it said nothing")
    return AlbumError(f"the helper process for features failed: {last}")


def _request(photos: Sequence[Photo], name: str, cache_folder: Path | None) -> Message:
    return {"photos": rows_of(photos), "features": name, "cache": cache_folder and os.fspath(cache_folder)}


def main() -> None:
    """What the helper process does."""
    request, answers = hear_request()
    try:
        _answer(request, answers)
    except Exception as error:
        known = isinstance(error, AlbumError)
        text = str(error) if known else f"unexpected {type(error).__name__} while extracting features: {error}"
        _say(answers, {"error": text, "usage": isinstance(error, UsageError)})
    os._exit(0)  # all is said; taking torch down in good order would take longer than starting it


def _answer(request: Message, answers: IO[bytes]) -> None:
    with Cache.open(Path(request["cache"]) if request["cache"] else None) as cache:
        features = album_features(
            photos_of(request["photos"]),
            request["features"],
            cache,
            on_progress=lambda done, total: _say(answers, {"progress": [done, total]}),
        )
    content = io.BytesIO()
    np.save(content, features, allow_pickle=False)
    _say(answers, {"features": content.tell()}, content.getvalue())


def _say(answers: IO[bytes], message: Message, content: bytes = b"") -> None:
    answers.write(json.dumps(message).encode() + b"\n" + content)
    answers.flush()


if __name__ == "__main__":
    main()
