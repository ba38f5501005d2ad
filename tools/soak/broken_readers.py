"""Reads members whose content is known, while threads of the daemon break, and compares every byte.

Arguments: directory on the mount, members, lines of each, readers, seed. Member `mN` holds N, six digits a line.
"""
import errno, os, sys, time
from readers import is_running, run_readers

root, members, lines, count, seed = sys.argv[1], *map(int, sys.argv[2:6])
# The last four occur when the mount is removed.
allowed = {errno.EIO, errno.ENOENT, errno.ENOTCONN, errno.ECONNABORTED, errno.ENODEV}


def read_one(chance, found):
    member = chance.randrange(members)
    with open("%s/m%d" % (root, member), "rb", buffering=0) as file:
        found.add("opens")
        os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
        whole = b"%06d\n" % member * lines
        offset = chance.choice([0, chance.randrange(len(whole))])
        while part := os.pread(file.fileno(), 1 << 18, offset):
            found.add("bytes", len(part))
            if part != whole[offset : offset + len(part)]:
                found.note("wrong", "m%d at %d" % (member, offset))
            offset += len(part)
        if offset != len(whole):
            found.note("wrong", "m%d ends at %d of %d" % (member, offset, len(whole)))


def work(chance, found):
    while is_running():
        try:
            read_one(chance, found)
        except OSError as error:
            if error.errno not in allowed:
                found.note("wrong", str(error))
            elif error.errno == errno.EIO:
                found.add("EIO")
            else:
                time.sleep(0.01)


run_readers(count, seed, work)
