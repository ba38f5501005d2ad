"""Reads converted pictures of a mount or a page while their packs are replaced, and compares every pixel.

Arguments: directory below .as or start of URLs, file with floors, readers, seed, cookie of the page. The floors hold the
version of each file of the game; a picture with a palette must have that of a version that was there as well.
"""
import errno, http.client, os, struct, sys, urllib.parse, zlib
from readers import is_running, read_floors, run_readers

root, floors_path, count, seed = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
cookie = sys.argv[5]
page = urllib.parse.urlsplit(root) if cookie else None
connections = []  # that of this reader
palette = "gfx/palette.lmp"


def byte_of(version, index):
    return (version * 31 + index * 7) & 255


def parse(png):
    """Returns the width, the height, the colours and the rows of a picture whose rows have no filter."""
    if png[:8] != b"\x89PNG\r\n\x1a\n":
        raise ValueError("begins with %r" % png[:20])
    offset, colours, data, size = 8, None, b"", None
    while offset < len(png):
        length, kind = struct.unpack_from(">I4s", png, offset)
        body = png[offset + 8 : offset + 8 + length]
        if zlib.crc32(kind + body) != struct.unpack_from(">I", png, offset + 8 + length)[0]:
            raise ValueError("checksum of %r" % kind)
        if kind == b"IHDR":
            size = struct.unpack_from(">IIBB", body)
        elif kind == b"PLTE":
            colours = body
        elif kind == b"IDAT":
            data += body
        offset += 12 + length
    width, height, depth, kind = size
    pixels = zlib.decompress(data)
    row = len(pixels) // height
    if depth != 8 or any(pixels[start] != 0 for start in range(0, len(pixels), row)):
        raise ValueError("depth %d, or a filter" % depth)
    return width, height, colours, b"".join(pixels[start + 1 : start + row] for start in range(0, len(pixels), row))


def is_version(version, name, width, height, pixels):
    if (width, height) != (16 + version % 50, 8 + version % 30):
        return False
    if name.endswith(".lmp"):
        return pixels == bytes(byte_of(version, index) >> 1 for index in range(width * height))
    want = bytes(byte_of(version, index) for index in range(width * height * 3))
    # TGAs are stored blue first.
    return pixels == b"".join(want[at : at + 3][::-1] for at in range(0, len(want), 3))


def version_of(test, least, most):
    """Returns the last version between both that passes; None if none does."""
    return next((version for version in range(most, least - 1, -1) if test(version)), None)


def compare(name, png, before, after):
    width, height, colours, pixels = parse(png)
    floor, most = before["files"][name], after["begun"]
    if version_of(lambda version: is_version(version, name, width, height, pixels), floor, most) is None:
        raise ValueError("pixels of no version from %d to %d" % (floor, most))
    if not name.endswith(".lmp"):
        return
    floor = before["files"][palette]
    test = lambda version: colours == bytes(byte_of(version, index) for index in range(len(colours)))
    if colours is None or version_of(test, floor, most) is None:
        raise ValueError("a palette of no version from %d to %d" % (floor, most))


def read_file(name):
    file = os.open("%s/%s.png" % (root, name), os.O_RDONLY)
    try:
        return os.pread(file, os.fstat(file).st_size + 4096, 0)
    finally:
        os.close(file)


def read_page(name):
    if not connections:
        connections.append(http.client.HTTPConnection(page.netloc, timeout=60))
    connections[0].request("GET", "%s?%s%s" % (page.path, page.query, name), headers={"cookie": cookie})
    reply = connections[0].getresponse()
    body = reply.read()
    if reply.status == 200:
        return body
    # Any other status is a failure.
    known = {404: errno.ENOENT, 409: errno.EIO, 422: errno.EIO, 502: errno.EIO, 503: errno.EIO}
    raise OSError(known.get(reply.status, errno.EPROTO), body.decode())


def check(chance, found, name):
    before = read_floors(floors_path)
    try:
        png = read_page(name) if page else read_file(name)
        found.add("reads")
        found.add("bytes", len(png))
        compare(name, png, before, read_floors(floors_path))
    except OSError as error:
        if error.errno not in (errno.EIO, errno.ENOENT):
            return found.note("other errors", str(error))
        found.add(errno.errorcode[error.errno])
        if read_floors(floors_path)["begun"] == before["settled"]:
            found.note("stale", "%s cannot be read after all had settled: %s" % (name, error))
    except Exception as error:
        found.note("wrong", "%s: %r" % (name, error))


def work(chance, found):
    while is_running():
        names = [name for name in read_floors(floors_path)["files"] if name != palette]
        check(chance, found, chance.choice(names))


run_readers(count, seed, work)
