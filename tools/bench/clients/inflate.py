"""inflate.py ARCHIVE MEMBER DECODER: inflates every member of a zip from memory to memory, with nothing around it.

The limit of whatever reads a deflated archive on one processor. DECODER is libdeflate or zlib; also says how long
MEMBER alone took. The CRCs are checked in a second pass outside the timed part."""

import ctypes
import ctypes.util
import struct
import sys
import zipfile
import zlib

from common import finish, now

archive, member, decoder = sys.argv[1:4]
members = []
with zipfile.ZipFile(archive) as directory, open(archive, "rb") as file:
    content = file.read()
    for info in directory.infolist():
        name_length, extra_length = struct.unpack_from("<HH", content, info.header_offset + 26)
        start = info.header_offset + 30 + name_length + extra_length
        members.append((info.filename == member, info.compress_type, start, info.compress_size, info.file_size, info.CRC))
largest = max(size for _, _, _, _, size, _ in members)
output = bytearray(b"\xa5" * largest)
view = memoryview(content)


def with_libdeflate():
    name = ctypes.util.find_library("deflate")
    if name is None:
        finish(0, 0, 1, "libdeflate is not installed")
    library = ctypes.CDLL(name)
    pointer, size = ctypes.c_void_p, ctypes.c_size_t
    library.libdeflate_alloc_decompressor.restype = pointer
    decompress = library.libdeflate_deflate_decompress
    decompress.argtypes = [pointer, pointer, size, pointer, size, pointer]
    state = library.libdeflate_alloc_decompressor()
    target = ctypes.addressof(ctypes.c_char.from_buffer(output))
    # The address of the bytes that Python keeps for `content`.
    source = ctypes.cast(ctypes.c_char_p(content), pointer).value

    def inflate(start, packed, length):
        if decompress(state, source + start, packed, target, length, None) != 0:
            finish(0, 0, 1, "libdeflate does not like a member")
        return memoryview(output)[:length]

    return inflate


def with_zlib():
    step = 262144

    def inflate(start, packed, length):
        stream = zlib.decompressobj(-15)
        if length <= step:
            return stream.decompress(view[start : start + packed], length)
        data = view[start : start + packed]
        done = 0
        # In pieces as large as the caches, as a good stream reader has it.
        for offset in range(0, packed, step // 2):
            piece = stream.decompress(data[offset : offset + step // 2])
            output[done : done + len(piece)] = piece
            done += len(piece)
        return memoryview(output)[:done]

    return inflate


inflate = {"libdeflate": with_libdeflate, "zlib": with_zlib}[decoder]()
member_seconds = 0
begin = now()
for is_member, method, start, packed, length, _ in members:
    started = now()
    if method == 8:
        inflate(start, packed, length)
    if is_member:
        member_seconds = now() - started
seconds = now() - begin
problem = None
for _, method, start, packed, length, crc in members:
    result = inflate(start, packed, length) if method == 8 else view[start : start + packed]
    if len(result) != length or zlib.crc32(result) != crc:
        problem = "wrong bytes"
total = sum(length for _, _, _, _, length, _ in members)
finish(seconds, total, total, problem, {"memberSeconds": member_seconds})
