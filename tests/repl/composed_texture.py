"""Writes the pixels of a texture of a Doom WAD, four bytes each: an independent composition of its patches."""
import struct
import sys

wad = open(sys.argv[1], "rb").read()
count, directory = struct.unpack_from("<ii", wad, 4)
lumps = {}
for index in range(count):
    offset, size, name = struct.unpack_from("<ii8s", wad, directory + index * 16)
    lumps[name.split(b"\0")[0].upper()] = wad[offset:offset + size]
palette = lumps[b"PLAYPAL"]
names = [lumps[b"PNAMES"][at:at + 8].split(b"\0")[0].upper() for at in range(4, len(lumps[b"PNAMES"]), 8)]
data = lumps[b"TEXTURE1"]
for index in range(struct.unpack_from("<i", data)[0]):
    (at,) = struct.unpack_from("<i", data, 4 + index * 4)
    if data[at:at + 8].split(b"\0")[0] != sys.argv[2].encode():
        continue
    width, height = struct.unpack_from("<HH", data, at + 12)
    (total,) = struct.unpack_from("<H", data, at + 20)
    pixels = bytearray(width * height * 4)
    for patch in range(total):
        left, top, number = struct.unpack_from("<hhH", data, at + 22 + patch * 10)
        picture = lumps[names[number]]
        for column in range(struct.unpack_from("<H", picture)[0]):
            (post,) = struct.unpack_from("<I", picture, 8 + column * 4)
            while picture[post] != 255:
                for row in range(picture[post + 1]):
                    x, y = left + column, top + picture[post] + row
                    if 0 <= x < width and 0 <= y < height:
                        colour = picture[post + 3 + row] * 3
                        pixels[(y * width + x) * 4:(y * width + x) * 4 + 4] = palette[colour:colour + 3] + b"\xff"
                post += picture[post + 1] + 4
    sys.stdout.buffer.write(pixels)
    break
