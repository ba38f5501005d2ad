"""Reads files of a mount at random while their packs are replaced, and compares every byte.

Arguments: directory on the mount, file with floors, readers, seed. The floors hold the minimum version of each file, or
null for a missing one.
"""
import errno, os, sys, time
from readers import compare_mapped, expected, is_running, read_floors, read_version, run_readers

root, floors_path, count, seed = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])


def read_all(file, length, offset):
    """Reads on after a short read: the next call reports an error in the middle."""
    parts = []
    while length > 0 and (part := os.pread(file, length, offset)):
        parts.append(part)
        length -= len(part)
        offset += len(part)
    return b"".join(parts)


def compare(chance, found, name, file):
    """Compares all bytes of an open file. Returns its version."""
    size, version = read_version(name, file)
    whole = expected(name, version, size)
    if chance.random() < 0.2:
        found.add("reads")
        found.add("bytes", size)
        compare_mapped(file, whole)
        return version
    spans = [(chance.randrange(size), chance.randrange(1, 200000)) for _ in range(3)]
    spans += [(offset, 65536) for offset in range(0, size, 65536)]
    chance.shuffle(spans)
    rests = chance.random() < 0.05
    for offset, length in spans:
        if rests and chance.random() < 0.2:
            time.sleep(chance.random())
        got = read_all(file, min(length, size - offset), offset)
        found.add("reads")
        found.add("bytes", len(got))
        if got != whole[offset : offset + length]:
            same = next((at for at, pair in enumerate(zip(got, whole[offset:])) if pair[0] != pair[1]), len(got))
            details = (version, len(got), length, offset, same, got[same : same + 40])
            raise ValueError("version %d, %d of %d bytes at %d, wrong from %d: %r" % details)
    return version


def next_names(chance, found, names):
    """Chooses one file, or sometimes a whole directory in the order of its listing, which the mount reads ahead."""
    name = chance.choice(names)
    if chance.random() < 0.9:
        return [name]
    directory = os.path.dirname(name)
    try:
        listed = os.listdir(os.path.join(root, directory))
    except OSError as error:
        if error.errno != errno.ENOENT:
            found.note("other errors", str(error))
        return []
    known = set(names)
    return [name for name in (os.path.join(directory, one) for one in listed) if name in known]


def check(chance, found, name):
    before = read_floors(floors_path)
    floor = before["files"][name]
    try:
        file = os.open(root + "/" + name, os.O_RDONLY)
        found.add("opens")
        try:
            if chance.random() < 0.5:
                os.posix_fadvise(file, 0, 0, os.POSIX_FADV_DONTNEED)
            version = compare(chance, found, name, file)
        finally:
            os.close(file)
        after = read_floors(floors_path)
        if floor is not None and version < floor:
            found.note("stale", "%s is of version %d, and %d had settled" % (name, version, floor))
        elif floor is None and after["settled"] == before["settled"] and after["begun"] == before["settled"]:
            found.note("stale", "%s exists after its removal had settled" % name)
    except OSError as error:
        if error.errno == errno.EIO:
            found.add("EIO")
        elif error.errno == errno.ENOENT:
            found.add("ENOENT")
            if floor is not None and read_floors(floors_path)["begun"] == before["settled"]:
                found.note("stale", "%s is missing after it had settled" % name)
        else:
            found.note("other errors", str(error))
    except Exception as error:
        # These bytes probably match no version.
        found.note("wrong", "%s: %r" % (name, error))


def work(chance, found):
    while is_running():
        for name in next_names(chance, found, sorted(read_floors(floors_path)["files"])):
            if is_running():
                check(chance, found, name)


run_readers(count, seed, work)
