"""sequential.py ROOT LIMIT PATH SIZE CRC: one large file from begin to end in steps of 1 MiB, like dd bs=1M.

One buffer serves all steps, so that the figure is the mount's and not the memory's. The bytes are checked by reading
once more outside the timed part."""

import os
import sys
import zlib

from common import TimeIsUp, end_limit, enter, finish, now, start_limit

limit, path, size, crc = float(sys.argv[2]), sys.argv[3], int(sys.argv[4]), int(sys.argv[5], 16)
buffer = bytearray(b"\xa5" * 1048576)
target = (buffer,)
enter(sys.argv[1])
read = os.readv
done = 0
was_stopped = False
start_limit(limit)
begin = now()
try:
    file = os.open(path, 0)
    while True:
        count = read(file, target)
        if count == 0:
            break
        done += count
    os.close(file)
except TimeIsUp:
    was_stopped = True
seconds = now() - begin
end_limit()
if was_stopped:
    finish(seconds, done, size)
checksum = 0
view = memoryview(buffer)
file = os.open(path, 0)
while True:
    count = read(file, target)
    if count == 0:
        break
    checksum = zlib.crc32(view[:count], checksum)
os.close(file)
finish(seconds, done, size, None if done == size and checksum == crc else f"{path}: wrong bytes")
