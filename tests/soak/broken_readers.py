"""Reads members whose content is known, while threads of the daemon break, and compares every byte.

Arguments: directory on the mount, members, lines of each, readers, seed. Member `mN` holds N, six digits a line.
"""
import errno, json, mmap, os, random, select, sys, time

root, members, lines, count, seed = sys.argv[1], *map(int, sys.argv[2:6])
stop = mmap.mmap(-1, 4096)  # shared with all readers
# The last four: when the mount is taken away.
allowed = {errno.EIO, errno.ENOENT, errno.ENOTCONN, errno.ECONNABORTED, errno.ENODEV}


def work(number):
    chance = random.Random(seed * 1000 + number)
    found = {"opens": 0, "bytes": 0, "errors": {}, "wrong": []}
    while stop[0] == 0:
        member = chance.randrange(members)
        try:
            with open("%s/m%d" % (root, member), "rb", buffering=0) as file:
                found["opens"] += 1
                os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
                whole = b"%06d\n" % member * lines
                offset = chance.choice([0, chance.randrange(len(whole))])
                while part := os.pread(file.fileno(), 1 << 18, offset):
                    found["bytes"] += len(part)
                    if part != whole[offset : offset + len(part)]:
                        found["wrong"].append("m%d at %d" % (member, offset))
                    offset += len(part)
                if offset != len(whole):
                    found["wrong"].append("m%d ends at %d of %d" % (member, offset, len(whole)))
        except OSError as error:
            if error.errno in allowed:
                name = errno.errorcode[error.errno]
                found["errors"][name] = found["errors"].get(name, 0) + 1
                if error.errno != errno.EIO:
                    time.sleep(0.01)
            else:
                found["wrong"].append(str(error))
    found["wrong"] = found["wrong"][:5]
    return found


def reader(number):
    ours, theirs = os.pipe()
    if os.fork() == 0:
        os.close(ours)
        os.write(theirs, json.dumps(work(number)).encode())
        os._exit(0)
    os.close(theirs)
    return ours


pipes = [reader(number) for number in range(count)]
sys.stdin.read()
stop[0] = 1
end = time.monotonic() + 30
sums = {"opens": 0, "bytes": 0, "errors": {}, "wrong": [], "hangs": 0}
for pipe in pipes:
    ready, _, _ = select.select([pipe], [], [], max(0, end - time.monotonic()))
    found = os.read(pipe, 65536) if ready else b""
    if not found:
        sums["hangs"] += 1
        continue
    found = json.loads(found)
    for key in ("opens", "bytes", "wrong"):
        sums[key] += found[key]
    for name, times in found["errors"].items():
        sums["errors"][name] = sums["errors"].get(name, 0) + times
print(json.dumps(sums), flush=True)
