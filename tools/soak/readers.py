"""Processes that read from a mount until standard input ends, and print the sum of their findings as JSON."""
import json, mmap, os, random, select, signal, sys, time

stop = mmap.mmap(-1, 4096)  # shared with all readers
max_notes = 20


class Findings(dict):
    """Counts and notes of one reader."""

    def add(self, key, value=1):
        self[key] = self.get(key, 0) + value

    def note(self, key, text):
        notes = self.setdefault(key, [])
        if len(notes) < max_notes:
            notes.append(text)


def is_running():
    return stop[0] == 0


def run_readers(count, seed, work):
    """Runs `work(chance, findings)` in `count` processes, and prints what they found and how many of them hang."""
    pipes = [start_reader(random.Random(seed * 1000 + number), work) for number in range(count)]
    sys.stdin.read()
    stop[0] = 1
    end = time.monotonic() + 30
    sums = Findings(hangs=0, wrong=[])
    for pipe in pipes:
        ready, _, _ = select.select([pipe], [], [], max(0, end - time.monotonic()))
        found = os.read(pipe, 65536) if ready else b""
        if not found:
            sums["hangs"] += 1
            continue
        for key, value in json.loads(found).items():
            sums[key] = sums[key] + value if key in sums else value
    print(json.dumps(sums), flush=True)


def start_reader(chance, work):
    """Starts a reader. Returns the descriptor that its findings come from."""
    ours, theirs = os.pipe()
    if os.fork() == 0:
        os.close(ours)
        findings = Findings()
        work(chance, findings)
        os.write(theirs, json.dumps(findings).encode())
        os._exit(0)
    os.close(theirs)
    return ours


def read_floors(path):
    """Reads the versions of all files. They are written when a change begins and when it has settled."""
    while True:
        try:
            with open(path) as file:
                return json.load(file)
        except FileNotFoundError:
            time.sleep(0.01)


contents = {}


def expected(name, version, size):
    """Returns the content of a version: lines "NAME VERSION LINE"."""
    key = (name, version, size)
    if key not in contents:
        if len(contents) > 200:
            contents.clear()
        lines = range(size // line_width(name))
        contents[key] = "".join("%s %08d %06d\n" % (name, version, line) for line in lines).encode()
    return contents[key]


def line_width(name):
    return len(name) + 17


def read_version(name, file):
    """Returns size and version of an open file by its first line."""
    size, width = os.fstat(file).st_size, line_width(name)
    first = os.pread(file, width, 0)
    if size == 0 or size % width != 0 or not first.startswith(name.encode() + b" "):
        raise ValueError("%d bytes, begins with %r" % (size, first[:60]))
    return size, int(first[len(name) + 1 : len(name) + 9])


def compare_mapped(file, whole):
    """Compares in a process of its own: a page that cannot be read ends it with SIGBUS."""
    child = os.fork()
    if child == 0:
        with mmap.mmap(file, len(whole), prot=mmap.PROT_READ) as view:
            os._exit(0 if view[:] == whole else 3)
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGBUS:
        raise OSError(5, "SIGBUS")
    if os.WEXITSTATUS(status) != 0:
        raise ValueError("wrong bytes, mapped")
