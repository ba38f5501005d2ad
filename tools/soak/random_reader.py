"""Reads files at random offsets in every way the kernel has, and compares with a copy, in the way of fsx.

Arguments: directory on the mount, directory with the copy, number of reads, seed. Prints how many bytes were compared.
"""
import mmap, os, random, sys

mounted, copy, count, chance = sys.argv[1], sys.argv[2], int(sys.argv[3]), random.Random(int(sys.argv[4]))
names = sorted(os.listdir(copy))
whole = {name: open(copy + "/" + name, "rb").read() for name in names}


def by_pread(file, offset, length):
    return os.pread(file, length, offset)


def by_read(file, offset, length):
    os.lseek(file, offset, os.SEEK_SET)
    return os.read(file, length)


def by_vectors(file, offset, length):
    buffers = [bytearray(length // 3), bytearray(length - length // 3)]
    done = os.preadv(file, buffers, offset)
    return b"".join(buffers)[:done]


def by_map(file, offset, length):
    start = offset - offset % mmap.ALLOCATIONGRANULARITY
    end = min(offset + length, os.fstat(file).st_size)
    with mmap.mmap(file, end - start, prot=mmap.PROT_READ, offset=start) as view:
        return view[offset - start : end - start]


def by_sendfile(file, offset, length):
    read, write = os.pipe()
    done = os.sendfile(write, file, offset, min(length, 4096))
    got = os.read(read, done) if done else b""
    os.close(read)
    os.close(write)
    return got


ways = [by_pread, by_read, by_vectors, by_map, by_sendfile]
compared = 0
files = {}
for _ in range(count):
    name = chance.choice(names)
    content = whole[name]
    if name not in files or chance.random() < 0.05:
        if name in files:
            os.close(files[name])
        files[name] = os.open(mounted + "/" + name, os.O_RDONLY)
    file = files[name]
    if chance.random() < 0.1:
        os.posix_fadvise(file, 0, 0, os.POSIX_FADV_DONTNEED)
    assert os.fstat(file).st_size == len(content), name
    offset = chance.randrange(len(content) + 1)
    length = chance.choice([1, 2, 511, 4096, 65536, 131073, 1 << 20])
    way = chance.choice(ways)
    if offset == len(content) and way is by_map:
        continue
    got = way(file, offset, length)
    expected = content[offset : offset + len(got)]
    assert got == expected, (name, way.__name__, offset, length, len(got))
    assert len(got) > 0 or offset == len(content), (name, way.__name__, offset)
    # Only a pipe accepts fewer bytes than available.
    assert way is by_sendfile or len(got) == min(length, len(content) - offset), (name, way.__name__, offset, len(got))
    compared += len(got)
print(compared)
