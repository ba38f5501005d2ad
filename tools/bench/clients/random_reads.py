"""random_reads.py ROOT LIMIT PATH ORIGINAL COUNT FORGET: 4 KiB at random offsets of one file; µs of each read.

With FORGET 1 the kernel is asked beforehand to forget the file's pages, so that every read reaches whatever serves it.
The bytes are checked against the original on the native filesystem outside the timed part."""

import os
import random
import sys

from common import TimeIsUp, end_limit, enter, finish, now, start_limit

SIZE = 4096
limit, path, original, count, forget = float(sys.argv[2]), sys.argv[3], sys.argv[4], int(sys.argv[5]), sys.argv[6] == "1"
choose = random.Random(20000)
pages = os.stat(original).st_size // SIZE
# No offset twice: the second time would be answered by the kernel.
offsets = [page * SIZE for page in choose.sample(range(pages), min(count, pages))]
memory = memoryview(bytearray(b"\xa5" * (SIZE * len(offsets))))
targets = [(memory[start : start + SIZE],) for start in range(0, len(memory), SIZE)]
enter(sys.argv[1])
file = os.open(path, os.O_RDONLY)
if forget:
    os.posix_fadvise(file, 0, 0, os.POSIX_FADV_DONTNEED)
os.posix_fadvise(file, 0, 0, os.POSIX_FADV_RANDOM)
read = os.preadv
times = []
add = times.append
start_limit(limit)
begin = now()
try:
    for offset, target in zip(offsets, targets):
        started = now()
        read(file, target, offset)
        add(now() - started)
except TimeIsUp:
    pass
seconds = now() - begin
end_limit()
os.close(file)
problem = None
with open(original, "rb") as reference:
    for offset, (target,) in zip(offsets[: len(times)], targets):
        reference.seek(offset)
        if reference.read(SIZE) != target:
            problem = f"{path}: wrong bytes at {offset}"
if not times:
    problem = "not one read in time"
times.sort()
share = lambda part: times[min(len(times) - 1, int(len(times) * part))] * 1e6 if times else 0
finish(seconds, len(times), len(offsets), problem, {"p50": share(0.5), "p99": share(0.99)})
