"""Reads files of a mount at random while their directories and games disappear and return, and compares every byte.

Arguments: the mount, file with floors, readers, seed. Each file holds lines "NAME VERSION LINE" of its own name, so that
what must be at an offset is known from the version of its first line. The floors say which version each file is, or null
if it is gone; they are written when a change has settled. Files stay open, and mapped, for a while: they keep their
version or give an error.
"""
import errno, json, mmap, os, random, select, signal, sys, time

root, floors_path, count, seed = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
stop = mmap.mmap(-1, 4096)  # shared with all readers
totals = {"opens": 0, "reads": 0, "bytes": 0, "errors of open files": 0, "errors": 0, "other errors": [], "wrong": [], "stale": []}
contents = {}
expected_errors = (errno.EIO, errno.ENOENT, errno.ESTALE)


def floors():
    while True:
        try:
            with open(floors_path) as file:
                return json.load(file)
        except FileNotFoundError:
            time.sleep(0.01)


def note(key, value):
    if len(totals[key]) < 20:
        totals[key].append(value)


def expected(name, version, size):
    key = (name, version, size)
    if key not in contents:
        if len(contents) > 200:
            contents.clear()
        width = len(name) + 17
        contents[key] = "".join("%s %08d %06d\n" % (name, version, line) for line in range(size // width)).encode()
    return contents[key]


class Held:
    """An open file, and the version that it must keep."""

    def __init__(self, path):
        self.path = path
        self.name = os.path.basename(path)
        self.file = os.open(os.path.join(root, path), os.O_RDONLY)
        totals["opens"] += 1
        try:
            self.size = os.fstat(self.file).st_size
            width = len(self.name) + 17
            first = os.pread(self.file, width, 0)
            totals["reads"] += 1
            if not first.startswith(self.name.encode() + b" ") or self.size % width != 0:
                raise ValueError("begins with %r" % first[:60])
            self.version = int(first[len(self.name) + 1 : len(self.name) + 9])
        except Exception:
            os.close(self.file)
            raise

    def read(self, chance, times):
        whole = expected(self.name, self.version, self.size)
        for _ in range(times):
            offset = chance.randrange(self.size)
            length = chance.randrange(1, 16384)
            got = os.pread(self.file, length, offset)
            totals["reads"] += 1
            totals["bytes"] += len(got)
            wanted = whole[offset : offset + length]
            # A short read in the middle is followed by the error, if there is one.
            if got != wanted[: len(got)] or (len(got) == 0 and wanted):
                raise ValueError("version %d, %d bytes at %d: %r" % (self.version, len(got), offset, got[:60]))

    def compare_mapped(self):
        child = os.fork()
        if child == 0:
            with mmap.mmap(self.file, self.size, prot=mmap.PROT_READ) as view:
                os._exit(0 if view[:] == expected(self.name, self.version, self.size) else 3)
        _, status = os.waitpid(child, 0)
        totals["reads"] += 1
        if os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGBUS:
            raise OSError(errno.EIO, "SIGBUS")
        if os.WEXITSTATUS(status) != 0:
            raise ValueError("version %d, mapped" % self.version)

    def close(self):
        os.close(self.file)


def open_one(chance, path):
    before = floors()
    wanted = before["files"][path]
    held, failure = None, None
    try:
        held = Held(path)
        held.read(chance, 40)
    except OSError as error:
        failure = error.errno
        totals["errors"] += 1
        if failure not in expected_errors:
            note("other errors", "%s: %s" % (path, error))
        if held:
            held.close()
            held = None
    except Exception as error:
        note("wrong", "%s: %r" % (path, error))
        if held:
            held.close()
        return None
    after = floors()
    if after["begun"] == before["settled"] == after["settled"]:
        found = held.version if held else None
        if found != wanted:
            note("stale", "%s is %s (%s), and %s had settled" % (path, found, errno.errorcode.get(failure), wanted))
    return held


def work(number):
    chance = random.Random(seed * 1000 + number)
    held = []
    paths = sorted(floors()["files"])
    while stop[0] == 0:
        one = open_one(chance, chance.choice(paths))
        if one:
            held.append(one)
        for file in list(held):
            try:
                if chance.random() < 0.1:
                    os.posix_fadvise(file.file, 0, 0, os.POSIX_FADV_DONTNEED)
                if chance.random() < 0.02:
                    file.compare_mapped()
                file.read(chance, 20)
            except OSError as error:
                totals["errors of open files"] += 1
                if error.errno not in expected_errors:
                    note("other errors", "%s: %s" % (file.path, error))
                file.close()
                held.remove(file)
            except Exception as error:
                note("wrong", "open %s: %r" % (file.path, error))
                file.close()
                held.remove(file)
        while len(held) > 8:
            held.pop(chance.randrange(len(held))).close()


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
