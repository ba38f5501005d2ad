"""names.py ROOT LIMIT COUNT: `find -type f`, which needs names and types only; checks their number."""

import subprocess
import sys

from common import finish, now

root, limit, count = sys.argv[1], float(sys.argv[2]), int(sys.argv[3])
# Its own pages may have been dropped with the data's.
subprocess.run(["find", "--version"], stdout=subprocess.DEVNULL, check=True)
begin = now()
try:
    found = subprocess.run(["find", ".", "-type", "f"], cwd=root, stdout=subprocess.PIPE, timeout=limit, check=False)
except subprocess.TimeoutExpired:
    finish(limit, 0, 1, f"not done after {limit:.0f} s")
seconds = now() - begin
files = found.stdout.count(b"\n")
finish(seconds, 1, 1, f"find ended with {found.returncode}: {files} files" if found.returncode or files != count else None)
