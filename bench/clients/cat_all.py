"""cat_all.py ROOT LIMIT LIST COUNT: `xargs cat` of every member into a pipe, as ordinary programs read; checks the bytes."""

import subprocess
import sys
import tempfile
import zlib

from common import TimeIsUp, end_limit, finish, now, read_list, start_limit

members = read_list(sys.argv[3], int(sys.argv[4]))
expected = sum(size for _, size, _ in members)
memory = bytearray(b"\xa5" * (expected + 1))
view = memoryview(memory)
names = tempfile.TemporaryFile()
names.write(b"\0".join(name for _, _, name in members))
names.seek(0)
# Their own pages may have been dropped with those of the data.
subprocess.run(["xargs", "cat"], stdin=subprocess.DEVNULL, check=True)
length = 0
begin = now()
with subprocess.Popen(["xargs", "-0", "cat"], cwd=sys.argv[1], stdin=names, stdout=subprocess.PIPE, bufsize=0) as process:
    start_limit(float(sys.argv[2]))
    try:
        while length <= expected:
            count = process.stdout.readinto(view[length : length + 1048576])
            if count == 0:
                break
            length += count
    except TimeIsUp:
        process.kill()
    end_limit()
seconds = now() - begin
done = 0
start = 0
problem = None
for crc, size, name in members:
    if start + size > length:
        break
    if zlib.crc32(view[start : start + size]) != crc:
        problem = f"{name.decode()}: wrong bytes"
        break
    start += size
    done += 1
if problem is None and process.returncode > 0:
    problem = f"cat ended with {process.returncode}"
finish(seconds, done, len(members), problem)
