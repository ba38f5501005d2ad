"""last_bytes.py ROOT LIMIT PATH ORIGINAL: open and the last 4 KiB of one file, as the first touch of it.

The bytes are checked against the original on the native filesystem outside the timed part."""

import os
import sys

from common import enter, finish, now

SIZE = 4096
path, original = sys.argv[3], sys.argv[4]
length = os.stat(original).st_size
target = bytearray(b"\xa5" * SIZE)
enter(sys.argv[1])
begin = now()
file = os.open(path, os.O_RDONLY)
os.preadv(file, (target,), length - SIZE)
seconds = now() - begin
os.close(file)
with open(original, "rb") as reference:
    reference.seek(length - SIZE)
    problem = None if reference.read(SIZE) == target else f"{path}: wrong bytes at its end"
finish(seconds, 1, 1, problem)
