"""How much memory this process holds and the machine has, as each system tells it."""

import os
import sys
from contextlib import suppress
from pathlib import Path

PROCESS = Path("/proc/self")
"""Where Linux tells about the process that asks."""


def resident_bytes() -> int:
    """The memory this process occupies now, as nearly as the system tells it."""
    if sys.platform == "win32":
        return _windows_counters()[2]
    with suppress(OSError):
        return int((PROCESS / "statm").read_text(encoding="ascii").split()[1]) * os.sysconf("SC_PAGESIZE")
    return peak_bytes()  # the most so far is near enough


def peak_bytes() -> int:
    """The most memory this process has held, since it was last forgotten where the system can do that."""
    if sys.platform == "win32":
        return _windows_counters()[1]
    with suppress(OSError):
        lines = (PROCESS / "status").read_text(encoding="ascii").splitlines()
        return int(next(line for line in lines if line.startswith("VmHWM")).split()[1]) << 10
    return _most_used(children=False)


def forget_peak() -> None:
    """Have the system count the peak of memory from here on, where it can."""
    with suppress(OSError):
        (PROCESS / "clear_refs").write_text("5", encoding="ascii")


def give_back() -> None:
    """Have the C library return memory that was freed but kept for later, where it does so when asked."""
    if sys.platform == "linux":
        import ctypes

        with suppress(AttributeError, OSError):  # another C library has none
            ctypes.CDLL(None).malloc_trim(0)


def children_peak_bytes() -> float:
    """The most memory that any process started by this one has held; not a number where the system does not say."""
    return _most_used(children=True) or float("nan")


def machine_bytes() -> float:
    """The memory in this machine; without limit where it does not say."""
    if sys.platform == "win32":
        return float("inf")
    try:
        return float(os.sysconf("SC_PHYS_PAGES")) * os.sysconf("SC_PAGE_SIZE")
    except (ValueError, OSError):
        return float("inf")


def _most_used(children: bool) -> int:
    if sys.platform == "win32":
        return 0
    import resource

    most = resource.getrusage(resource.RUSAGE_CHILDREN if children else resource.RUSAGE_SELF).ru_maxrss
    return most if sys.platform == "darwin" else most << 10


def _windows_counters() -> list[int]:
    """PROCESS_MEMORY_COUNTERS, whose first two numbers share one place."""
    if sys.platform != "win32":
        raise NotImplementedError
    import ctypes

    counters = (ctypes.c_size_t * 10)()
    kernel = ctypes.windll.kernel32
    kernel.K32GetProcessMemoryInfo(ctypes.c_void_p(-1), ctypes.byref(counters), ctypes.sizeof(counters))
    return list(counters)
