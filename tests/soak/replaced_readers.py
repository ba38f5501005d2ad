"""Reads files of a mount at random while their packs are replaced, and compares every byte.

Arguments: directory on the mount, file with floors, readers, seed. Each file `NAME` holds lines "NAME VERSION LINE", so
that what must be at an offset is known from the first line, without asking anybody. The floors say of which version a
file is at least, or null for one that is gone; they are written when a change has settled.
"""
import json, mmap, os, random, select, signal, sys, time

root, floors_path, count, seed = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
stop = mmap.mmap(-1, 4096)  # shared with all readers
totals = {"opens": 0, "reads": 0, "bytes": 0, "EIO": 0, "ENOENT": 0, "other errors": [], "wrong": [], "stale": []}


def floors():
    while True:
        try:
            with open(floors_path) as file:
                return json.load(file)
        except FileNotFoundError:
            time.sleep(0.01)


def add(key, value=1):
    totals[key] += value


def note(key, value):
    if len(totals[key]) < 20:
        totals[key].append(value)


def read_all(file, length, offset):
    """Reads on after a short read: an error in the middle is told by the next call."""
    parts = []
    while length > 0:
        part = os.pread(file, length, offset)
        if not part:
            break
        parts.append(part)
        length -= len(part)
        offset += len(part)
    return b"".join(parts)


def is_same_mapped(file, whole):
    """Compares in a process of its own: what is mapped and cannot be read ends it with SIGBUS."""
    child = os.fork()
    if child == 0:
        with mmap.mmap(file, len(whole), prot=mmap.PROT_READ) as view:
            os._exit(0 if view[:] == whole else 3)
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGBUS:
        raise OSError(5, "SIGBUS")
    return os.WIFEXITED(status) and os.WEXITSTATUS(status) == 0


def expected(name, version, lines):
    return "".join("%s %08d %06d\n" % (name, version, line) for line in range(lines)).encode()


def compare(chance, name, file):
    """The version of an open file, all of whose bytes have been compared; None if they are not of one version."""
    width = len(name) + 17
    size = os.fstat(file).st_size
    if size == 0 or size % width != 0:
        return None
    version = int(os.pread(file, width, 0)[len(name) + 1 : len(name) + 9])
    whole = expected(name, version, size // width)
    if chance.random() < 0.2:
        add("reads")
        add("bytes", size)
        return version if is_same_mapped(file, whole) else None
    spans = [(chance.randrange(size), chance.randrange(1, 200000)) for _ in range(3)]
    spans += [(offset, 65536) for offset in range(0, size, 65536)]
    chance.shuffle(spans)
    for offset, length in spans:
        got = read_all(file, min(length, size - offset), offset)
        add("reads")
        add("bytes", len(got))
        if got != whole[offset : offset + length]:
            same = next((at for at, pair in enumerate(zip(got, whole[offset:])) if pair[0] != pair[1]), len(got))
            raise ValueError(
                "version %d, %d of %d bytes at %d, wrong from %d: %r" % (version, len(got), length, offset, same, got[same : same + 40])
            )
    return version


def next_names(chance, names):
    """One file, or now and then all of a directory as it is listed, of which the mount reads ahead."""
    name = chance.choice(names)
    if chance.random() < 0.9:
        return [name]
    directory = os.path.dirname(name)
    try:
        listed = os.listdir(os.path.join(root, directory))
    except OSError as error:
        if error.errno != 2:
            note("other errors", str(error))
        return []
    known = set(names)
    return [name for name in (os.path.join(directory, one) for one in listed) if name in known]


def check(chance, name):
    before = floors()
    floor = before["files"][name]
    try:
        file = os.open(root + "/" + name, os.O_RDONLY)
        add("opens")
        try:
            if chance.random() < 0.5:
                os.posix_fadvise(file, 0, 0, os.POSIX_FADV_DONTNEED)
            version = compare(chance, name, file)
        finally:
            os.close(file)
        after = floors()
        if version is None:
            note("wrong", name)
        elif floor is not None and version < floor:
            note("stale", "%s is of version %d, and %d had settled" % (name, version, floor))
        elif floor is None and after["settled"] == before["settled"] and after["begun"] == before["settled"]:
            note("stale", "%s is there, and that it is gone had settled" % name)
    except OSError as error:
        if error.errno == 5:
            add("EIO")
        elif error.errno == 2:
            add("ENOENT")
            after = floors()
            if floor is not None and after["begun"] == before["settled"]:
                note("stale", "%s is not there, and that it is had settled" % name)
        else:
            note("other errors", str(error))
    except Exception as error:
        # Bytes that are no version at all, most likely.
        note("wrong", "%s: %r" % (name, error))


def work(number):
    chance = random.Random(seed * 1000 + number)
    while stop[0] == 0:
        for name in next_names(chance, sorted(floors()["files"])):
            if stop[0] == 0:
                check(chance, name)


def reader(number):
    """Starts a reader; the descriptor that its findings come from."""
    ours, theirs = os.pipe()
    if os.fork() == 0:
        os.close(ours)
        work(number)
        os.write(theirs, json.dumps(totals).encode())
        os._exit(0)
    os.close(theirs)
    return ours


pipes = [reader(number) for number in range(count)]
sys.stdin.read()
stop[0] = 1
end = time.monotonic() + 30
sums = dict(totals, hangs=0)
for pipe in pipes:
    ready, _, _ = select.select([pipe], [], [], max(0, end - time.monotonic()))
    found = os.read(pipe, 65536) if ready else b""
    if not found:
        sums["hangs"] += 1
        continue
    for key, value in json.loads(found).items():
        sums[key] = sums[key] + value
print(json.dumps(sums), flush=True)
