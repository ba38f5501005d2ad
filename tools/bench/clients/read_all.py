"""read_all.py ROOT LIMIT LIST COUNT READERS: open, read and close of every member; checks the bytes.

Several readers are processes that begin together, each with a contiguous part of the list."""

import os
import sys

from common import TimeIsUp, buffers_for, end_limit, enter, finish, now, problem_in, read_list, start_limit


def read_part(members, buffers, limit):
    paths = [name for _, _, name in members]
    open_file, read, close = os.open, os.readv, os.close
    done = 0
    start_limit(limit)
    begin = now()
    try:
        for path, buffer in zip(paths, buffers):
            file = open_file(path, 0)
            read(file, buffer)
            close(file)
            done += 1
    except TimeIsUp:
        pass
    end = now()
    end_limit()
    return begin, end, done


def run_reader(members, limit, ready, go, result):
    buffers = buffers_for(members)
    os.write(ready, b"r")
    os.read(go, 1)
    begin, end, done = read_part(members, buffers, limit)
    problem = problem_in(members, buffers, done)
    os.write(result, f"{begin!r}\t{end!r}\t{done}\t{problem or ''}\n".encode())


def run_readers(members, limit, count):
    """Processes, since Python's threads would wait for each other. Begin and end are on the one monotonic clock."""
    ready_in, ready_out = os.pipe()
    go_in, go_out = os.pipe()
    result_in, result_out = os.pipe()
    for number in range(count):
        if os.fork() == 0:
            part = members[len(members) * number // count : len(members) * (number + 1) // count]
            code = 1
            try:
                run_reader(part, limit, ready_out, go_in, result_out)
                code = 0
            finally:
                os._exit(code)
    os.close(ready_out)
    os.close(result_out)
    for _ in range(count):
        if os.read(ready_in, 1) != b"r":
            finish(0, 0, len(members), "a reader failed")
    os.write(go_out, b"g" * count)
    lines = os.fdopen(result_in).read().splitlines()
    if len(lines) != count:
        finish(0, 0, len(members), "a reader failed")
    return [line.split("\t") for line in lines]


def main():
    root, limit, readers = sys.argv[1], float(sys.argv[2]), int(sys.argv[5])
    members = read_list(sys.argv[3], int(sys.argv[4]))
    enter(root)
    if readers == 1:
        buffers = buffers_for(members)
        begin, end, done = read_part(members, buffers, limit)
        finish(end - begin, done, len(members), problem_in(members, buffers, done))
    results = run_readers(members, limit, readers)
    seconds = max(float(end) for _, end, _, _ in results) - min(float(begin) for begin, _, _, _ in results)
    problems = [problem for _, _, _, problem in results if problem]
    finish(seconds, sum(int(done) for _, _, done, _ in results), len(members), problems[0] if problems else None)


main()
