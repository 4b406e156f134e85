"""What one file may cost the process that decodes it: memory and processor time, held by the system where it can.

Linux enforces both: memory is refused, and a process that takes too long is ended. Elsewhere a thread looks on and ends
the process, which tells by its exit code why.
"""

import math
import os
import sys
import threading
import time

from album_app.memory import PROCESS, resident_bytes

ORDINARY_MEMORY = 200 << 20
MOST_MEMORY = 600 << 20
MOST_SECONDS = 10
TOO_LARGE, TOO_SLOW = 71, 72
"""Exit codes of a process that ended itself."""

SECONDS_BETWEEN_LOOKS = 0.05


class Enforced:
    """Limits that the system holds."""

    def __init__(self) -> None:
        if sys.platform != "linux":
            raise NotImplementedError
        import resource

        self._before = int((PROCESS / "statm").read_text(encoding="ascii").split()[0]) * resource.getpagesize()
        self._set: dict[int, int] = {}

    def begin(self, memory: int, seconds: int) -> None:
        """Begin a new file: grant it this many further bytes and seconds."""
        if sys.platform != "linux":
            raise NotImplementedError
        import resource

        ends = math.ceil(time.process_time()) + seconds
        for what, limit in ((resource.RLIMIT_AS, self._before + memory), (resource.RLIMIT_CPU, ends)):
            if self._set.get(what) == limit:
                continue  # files are many, and each limit takes two calls to the system
            hard = resource.getrlimit(what)[1]
            resource.setrlimit(what, (limit if hard < 0 else min(limit, hard), hard))
            self._set[what] = limit


class Watched:
    """Limits that a thread of the process watches over."""

    def __init__(self) -> None:
        self._before = resident_bytes()
        self._memory = MOST_MEMORY
        self._ends = math.inf
        threading.Thread(target=self._watch, daemon=True).start()

    def begin(self, memory: int, seconds: int) -> None:
        """Begin a new file: grant it this many further bytes and seconds."""
        self._memory, self._ends = memory, time.process_time() + seconds

    def _watch(self) -> None:
        while True:
            time.sleep(SECONDS_BETWEEN_LOOKS)
            if resident_bytes() - self._before > self._memory:
                os._exit(TOO_LARGE)
            if time.process_time() > self._ends:
                os._exit(TOO_SLOW)


def limits() -> Enforced | Watched:
    """The limits of this process, in the strictest way the platform has."""
    return Enforced() if sys.platform == "linux" else Watched()
