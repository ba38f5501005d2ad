"""Prints what the maps of a WAD name, as JSON: an independent reading of its lumps."""
import json
import struct
import sys

wad = open(sys.argv[1], "rb").read()
count, directory = struct.unpack_from("<ii", wad, 4)
lumps = []
for index in range(count):
    offset, size, name = struct.unpack_from("<ii8s", wad, directory + index * 16)
    lumps.append((name.split(b"\0")[0].decode("latin1").upper(), wad[offset:offset + size]))


def names(data, size, offsets):
    found = set()
    for start in range(0, len(data) - size + 1, size):
        for offset in offsets:
            name = data[start + offset:start + offset + 8].split(b"\0")[0].decode("latin1").upper()
            if name not in ("", "-"):
                found.add(name)
    return found


last = dict(lumps)
patches = [last["PNAMES"][at:at + 8].split(b"\0")[0].decode("latin1").upper() for at in range(4, len(last["PNAMES"]), 8)]
textures = {}
for lump in ("TEXTURE1", "TEXTURE2"):
    data = last.get(lump, b"\0\0\0\0")
    for index in range(struct.unpack_from("<i", data)[0]):
        (at,) = struct.unpack_from("<i", data, 4 + index * 4)
        (total,) = struct.unpack_from("<H", data, at + 20)
        used = {patches[struct.unpack_from("<H", data, at + 22 + patch * 10 + 4)[0]] for patch in range(total)}
        textures.setdefault(data[at:at + 8].split(b"\0")[0].decode("latin1").upper(), sorted(used))

maps = {}
for index, (name, _) in enumerate(lumps):
    if index + 1 < len(lumps) and lumps[index + 1][0] == "THINGS":
        part = dict(lumps[index + 1:index + 11])
        maps[name] = {
            "walls": sorted(names(part["SIDEDEFS"], 30, (4, 12, 20))),
            "floors": sorted(names(part["SECTORS"], 26, (4, 12))),
            "things": sorted({struct.unpack_from("<h", part["THINGS"], at + 6)[0] for at in range(0, len(part["THINGS"]), 10)}),
        }
json.dump({"maps": maps, "textures": textures, "lumps": sorted({name for name, _ in lumps})}, sys.stdout)
