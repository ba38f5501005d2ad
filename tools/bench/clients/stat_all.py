"""stat_all.py ROOT LIMIT LIST COUNT: stat of every member by its path; checks the sizes."""

import os
import sys

from common import TimeIsUp, end_limit, enter, finish, now, read_list, start_limit

members = read_list(sys.argv[3], int(sys.argv[4]))
paths = [name for _, _, name in members]
enter(sys.argv[1])
stat = os.stat
results = []
add = results.append
start_limit(float(sys.argv[2]))
begin = now()
try:
    for path in paths:
        add(stat(path))
except TimeIsUp:
    pass
seconds = now() - begin
end_limit()
wrong = [name for (_, size, name), result in zip(members, results) if result.st_size != size]
finish(seconds, len(results), len(members), f"{os.fsdecode(wrong[0])}: wrong size" if wrong else None)
