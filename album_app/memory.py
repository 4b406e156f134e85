"""How much memory this process holds and the machine has, as each operating system reports it."""

import os
import sys
from contextlib import suppress
from pathlib import Path

PROCESS = Path("/proc/self")
"""The folder in which Linux describes the process that reads it; other systems have none."""


def resident_bytes(process: Path = PROCESS) -> int:
    """The memory that this process occupies now; its peak so far where the system reports nothing else."""
    if sys.platform == "win32":
        return _windows_counters()[2]
    with suppress(OSError):
        return int((process / "statm").read_text(encoding="ascii").split()[1]) * os.sysconf("SC_PAGESIZE")
    return peak_bytes(process)


def peak_bytes(process: Path = PROCESS) -> int:
    """The most memory that this process has held since it began, or since `forget_peak` where that has an effect."""
    if sys.platform == "win32":
        return _windows_counters()[1]
    with suppress(OSError):
        lines = (process / "status").read_text(encoding="ascii").splitlines()
        return int(next(line for line in lines if line.startswith("VmHWM")).split()[1]) << 10
    return _most_used(children=False)


def forget_peak() -> None:
    """Measure the peak of memory from now on; without effect on systems other than Linux."""
    with suppress(OSError):
        (PROCESS / "clear_refs").write_text("5", encoding="ascii")


def give_back() -> None:
    """Return freed memory that the C library keeps for later to the system; only glibc can do that."""
    if sys.platform == "linux":
        import ctypes

        with suppress(AttributeError, OSError):  # another C library has no such function
            ctypes.CDLL(None).malloc_trim(0)


def children_peak_bytes() -> float:
    """The most memory that any ended child of this process has held; nan where the system does not report it."""
    return _most_used(children=True) or float("nan")


def machine_bytes() -> float:
    """The memory of this machine; infinite where the system does not report it."""
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
    """PROCESS_MEMORY_COUNTERS as numbers of pointer size; the first one holds two numbers of 32 bits."""
    if sys.platform != "win32":
        raise NotImplementedError
    import ctypes

    counters = (ctypes.c_size_t * 10)()
    kernel = ctypes.windll.kernel32
    kernel.K32GetProcessMemoryInfo(ctypes.c_void_p(-1), ctypes.byref(counters), ctypes.sizeof(counters))
    return list(counters)
