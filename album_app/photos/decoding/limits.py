"""What one file may cost the process that decodes it: memory and processor time, held by the system where it can.

Linux enforces both: memory is refused, and a process that takes too long is ended. Elsewhere a thread looks on and ends
the process, which tells by its exit code why.
"""

import math
import os
import sys
import threading
import time
from pathlib import Path

ORDINARY_MEMORY = 200 << 20
MOST_MEMORY = 600 << 20
MOST_SECONDS = 10
TOO_LARGE, TOO_SLOW = 71, 72
"""Exit codes of a process that ended itself."""

SECONDS_BETWEEN_LOOKS = 0.05
STATUS = Path("/proc/self/statm")
"""Where Linux tells how many pages a process has asked for, and how many it occupies."""


class Enforced:
    """Limits that the system holds."""

    def __init__(self) -> None:
        import resource

        self._resource = resource
        self._before = int(STATUS.read_text().split()[0]) * resource.getpagesize()

    def begin(self, memory: int, seconds: int) -> None:
        """A new file: from now on so many bytes more, and so many seconds."""
        self._set(self._resource.RLIMIT_AS, self._before + memory)
        self._set(self._resource.RLIMIT_CPU, math.ceil(time.process_time()) + seconds)

    def _set(self, what: int, limit: int) -> None:
        hard = self._resource.getrlimit(what)[1]
        self._resource.setrlimit(what, (limit if hard < 0 else min(limit, hard), hard))


class Watched:
    """Limits that a thread of the process watches over."""

    def __init__(self) -> None:
        self._before = resident_bytes()
        self._memory = MOST_MEMORY
        self._ends = math.inf
        threading.Thread(target=self._watch, daemon=True).start()

    def begin(self, memory: int, seconds: int) -> None:
        """A new file: from now on so many bytes more, and so many seconds."""
        self._memory, self._ends = memory, time.process_time() + seconds

    def _watch(self) -> None:
        while True:
            time.sleep(SECONDS_BETWEEN_LOOKS)
            if resident_bytes() - self._before > self._memory:
                os._exit(TOO_LARGE)
            if time.process_time() > self._ends:
                os._exit(TOO_SLOW)


def resident_bytes() -> int:
    """The memory this process occupies now, as nearly as the system tells it; 0 where it does not."""
    if sys.platform == "win32":
        return _working_set()
    if STATUS.exists():
        return int(STATUS.read_text().split()[1]) * os.sysconf("SC_PAGESIZE")
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss  # in bytes on macOS; the most so far is near enough


def _working_set() -> int:
    import ctypes

    counters = (ctypes.c_size_t * 10)()  # PROCESS_MEMORY_COUNTERS; its first two numbers share one place
    kernel = ctypes.windll.kernel32  # type: ignore[attr-defined,unused-ignore]
    kernel.K32GetProcessMemoryInfo(ctypes.c_void_p(-1), ctypes.byref(counters), ctypes.sizeof(counters))
    return int(counters[2])


def limits() -> Enforced | Watched:
    """The limits of this process, in the strictest way the platform has."""
    return Enforced() if sys.platform == "linux" else Watched()
