"""Reads files of a mount at random while their directories and games disappear and return, and compares every byte.

Arguments: the mount, file with floors, readers, seed. The floors hold the version of each file, or null for a missing
one. Files stay open, and mapped, for a while: they keep their version or give an error.
"""
import errno, os, sys
from readers import compare_mapped, expected, is_running, read_floors, read_version, run_readers

root, floors_path, count, seed = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
expected_errors = (errno.EIO, errno.ENOENT, errno.ESTALE)


class Held:
    """An open file, and the version that it must keep."""

    def __init__(self, path, found):
        self.path = path
        self.name = os.path.basename(path)
        self.file = os.open(os.path.join(root, path), os.O_RDONLY)
        found.add("opens")
        try:
            self.size, self.version = read_version(self.name, self.file)
            found.add("reads")
        except Exception:
            os.close(self.file)
            raise

    def read(self, chance, found, times):
        whole = expected(self.name, self.version, self.size)
        for _ in range(times):
            offset = chance.randrange(self.size)
            length = chance.randrange(1, 16384)
            got = os.pread(self.file, length, offset)
            found.add("reads")
            found.add("bytes", len(got))
            wanted = whole[offset : offset + length]
            # A short read in the middle is followed by the error, if there is one.
            if got != wanted[: len(got)] or (len(got) == 0 and wanted):
                raise ValueError("version %d, %d bytes at %d: %r" % (self.version, len(got), offset, got[:60]))

    def read_again(self, chance, found):
        """Reads at random. Returns whether the file can still be read."""
        try:
            if chance.random() < 0.1:
                os.posix_fadvise(self.file, 0, 0, os.POSIX_FADV_DONTNEED)
            if chance.random() < 0.02:
                found.add("reads")
                compare_mapped(self.file, expected(self.name, self.version, self.size))
            self.read(chance, found, 20)
            return True
        except OSError as error:
            found.add("errors of open files")
            if error.errno not in expected_errors:
                found.note("other errors", "%s: %s" % (self.path, error))
        except Exception as error:
            found.note("wrong", "open %s, version %d: %r" % (self.path, self.version, error))
        self.close()
        return False

    def close(self):
        os.close(self.file)


def open_one(chance, found, path):
    before = read_floors(floors_path)
    wanted = before["files"][path]
    held, failure = None, None
    try:
        held = Held(path, found)
        held.read(chance, found, 40)
    except OSError as error:
        failure = error.errno
        found.add("errors")
        if failure not in expected_errors:
            found.note("other errors", "%s: %s" % (path, error))
        if held:
            held.close()
            held = None
    except Exception as error:
        found.note("wrong", "%s: %r" % (path, error))
        if held:
            held.close()
        return None
    after = read_floors(floors_path)
    if after["begun"] == before["settled"] == after["settled"]:
        version = held.version if held else None
        if version != wanted:
            found.note("stale", "%s is %s (%s), and %s had settled" % (path, version, errno.errorcode.get(failure), wanted))
    return held


def work(chance, found):
    held = []
    paths = sorted(read_floors(floors_path)["files"])
    while is_running():
        one = open_one(chance, found, chance.choice(paths))
        if one:
            held.append(one)
        held = [file for file in held if file.read_again(chance, found)]
        while len(held) > 8:
            held.pop(chance.randrange(len(held))).close()


run_readers(count, seed, work)
