"""Helpers of all clients: the list of members, the time limit, checking what was read, the one line of result."""

import gc
import json
import os
import signal
import sys
import time
import zlib


# A group of its own, so that the bench can end a client with all that it has started.
os.setpgid(0, 0)


class TimeIsUp(Exception):
    """The limit was reached; what was done until then counts."""


def start_limit(seconds):
    """Interrupts whatever runs after that many seconds; costs the loop that is being timed nothing."""

    def stop(_signal, _frame):
        raise TimeIsUp

    signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)


def end_limit():
    signal.setitimer(signal.ITIMER_REAL, 0)


def read_list(path, count):
    """The first `count` members: lines of CRC-32 (hex), size and path, separated by tabs."""
    members = []
    with open(path, "rb") as lines:
        for line in lines:
            if len(members) == count:
                break
            crc, size, name = line.rstrip(b"\n").split(b"\t", 2)
            members.append((int(crc, 16), int(size), name))
    return members


def enter(root):
    """Paths are given to the kernel relative to the root, so that all subjects have the same number of components."""
    os.chdir(root)
    gc.disable()


def buffers_for(members):
    """One buffer per member, touched beforehand: the timed part then neither allocates nor faults."""
    memory = bytearray(sum(size for _, size, _ in members) + 1)
    memory[:] = b"\xa5" * len(memory)
    view = memoryview(memory)
    buffers = []
    start = 0
    for _, size, _ in members:
        buffers.append((view[start : start + size],))
        start += size
    return buffers


def problem_in(members, buffers, done):
    """The first member whose bytes are not the right ones, or None. Outside the timed part."""
    for (crc, _, name), (buffer,) in zip(members[:done], buffers):
        if zlib.crc32(buffer) != crc:
            return f"{os.fsdecode(name)}: wrong bytes"
    return None


def finish(seconds, done, total, problem=None, details=None):
    """Prints the result: how long, how much of how much, what was wrong, and what else there is to say."""
    print(json.dumps({"seconds": seconds, "done": done, "total": total, "problem": problem, **(details or {})}))
    sys.exit(0)


now = time.perf_counter
