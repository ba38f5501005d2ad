"""whole_tree.py ROOT LIMIT LIST READERS: every member from begin to end in steps of 1 MiB, in archive order, like
`tar` or `cp -r`; checks the bytes.

Several readers are processes that each take the next part of the list, of about a mebibyte, when they are done with
one, like `xargs -P`. All read into one memory that was touched beforehand."""

import mmap
import os
import struct
import sys
import zlib

from common import TimeIsUp, end_limit, enter, finish, now, read_list, start_limit

STEP = 1048576
NUMBER = struct.Struct("=I")


def parts_of(members):
    """Ranges of the list, each of at least STEP bytes but the last."""
    parts = []
    begin = size = 0
    for index, (_, length, _) in enumerate(members):
        size += length
        if size >= STEP or index + 1 == len(members):
            parts.append((begin, index + 1))
            begin, size = index + 1, 0
    return parts


def prepare(members):
    """Each member's path, and the steps it is read in: offsets in a memory that all processes share."""
    memory = mmap.mmap(-1, sum(size for _, size, _ in members) + 1)
    for offset in range(0, len(memory), mmap.PAGESIZE):
        memory[offset] = 0xA5
    view = memoryview(memory)
    prepared = []
    start = 0
    for crc, size, path in members:
        prepared.append((path, start, start + size, view[start : start + size], crc))
        start += size
    return prepared, view


def read_members(prepared, view):
    """Reads the next range whenever it receives one; counts bytes, so that a part of a file counts as that part."""
    open_file, read, close = os.open, os.readv, os.close
    counted = [0]
    complete = []

    def run(begin, end):
        for member in prepared[begin:end]:
            path, offset, stop = member[0], member[1], member[2]
            file = open_file(path, 0)
            while offset < stop:
                count = read(file, (view[offset : min(stop, offset + STEP)],))
                if count == 0:
                    raise ValueError(f"{os.fsdecode(path)}: ends early")
                offset += count
                counted[0] += count
            close(file)
            complete.append(member)

    return run, counted, complete


def read_in_time(prepared, view, limit, next_part):
    run, counted, complete = read_members(prepared, view)
    problem = None
    start_limit(limit)
    begin = now()
    try:
        while (part := next_part()) is not None:
            run(*part)
    except TimeIsUp:
        pass
    except ValueError as error:
        problem = str(error)
    end = now()
    end_limit()
    for path, _, _, content, crc in complete:
        if zlib.crc32(content) != crc:
            problem = f"{os.fsdecode(path)}: wrong bytes"
    return begin, end, counted[0], problem


def read_parallel(prepared, view, limit, parts, readers):
    """Each reader takes the number of its next part from a pipe."""
    numbers_in, numbers_out = os.pipe()
    ready_in, ready_out = os.pipe()
    go_in, go_out = os.pipe()
    result_in, result_out = os.pipe()
    for _ in range(readers):
        if os.fork() == 0:
            code = 1
            try:
                os.close(numbers_out)
                os.write(ready_out, b"r")
                os.read(go_in, 1)

                def next_part():
                    number = os.read(numbers_in, NUMBER.size)
                    return parts[NUMBER.unpack(number)[0]] if number else None

                begin, end, done, problem = read_in_time(prepared, view, limit, next_part)
                os.write(result_out, f"{begin!r}\t{end!r}\t{done}\t{problem or ''}\n".encode())
                code = 0
            finally:
                os._exit(code)
    for end in (numbers_in, ready_out, result_out, go_in):
        os.close(end)
    for _ in range(readers):
        os.read(ready_in, 1)
    os.write(go_out, b"g" * readers)
    for number in range(len(parts)):
        os.write(numbers_out, NUMBER.pack(number))
    os.close(numbers_out)
    lines = os.fdopen(result_in).read().splitlines()
    if len(lines) != readers:
        return None
    results = [line.split("\t") for line in lines]
    problems = [problem for _, _, _, problem in results if problem]
    begin = min(float(begin) for begin, _, _, _ in results)
    end = max(float(end) for _, end, _, _ in results)
    return begin, end, sum(int(done) for _, _, done, _ in results), problems[0] if problems else None


def main():
    root, limit, readers = sys.argv[1], float(sys.argv[2]), int(sys.argv[4])
    members = read_list(sys.argv[3], sys.maxsize)
    total = sum(size for _, size, _ in members)
    prepared, view = prepare(members)
    enter(root)
    if readers == 1:
        remaining = iter([(0, len(members))])
        result = read_in_time(prepared, view, limit, lambda: next(remaining, None))
    else:
        result = read_parallel(prepared, view, limit, parts_of(members), readers)
    if result is None:
        finish(0, 0, total, "a reader failed")
    begin, end, done, problem = result
    finish(end - begin, done, total, problem)


main()
