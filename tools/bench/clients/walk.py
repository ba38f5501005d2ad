"""walk.py ROOT LIMIT COUNT BYTES: `find` over the tree with the size of every file; checks their number and sum."""

import subprocess
import sys

from common import finish, now

root, limit, count, size = sys.argv[1], float(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4])
# Its own pages may have been dropped with the data's.
subprocess.run(["find", "--version"], stdout=subprocess.DEVNULL, check=True)
begin = now()
try:
    found = subprocess.run(
        ["find", ".", "-type", "f", "-printf", "%s\n"], cwd=root, stdout=subprocess.PIPE, timeout=limit, check=False
    )
except subprocess.TimeoutExpired:
    finish(limit, 0, 1, f"not done after {limit:.0f} s")
seconds = now() - begin
sizes = found.stdout.split()
problem = None
if found.returncode != 0 or len(sizes) != count or sum(map(int, sizes)) != size:
    problem = f"find ended with {found.returncode}: {len(sizes)} files, {sum(map(int, sizes))} bytes"
finish(seconds, 1, 1, problem)
