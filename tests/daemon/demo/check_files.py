"""Reads the demo's PAKs and pk3s by itself, checks every picture, sound, model and map, and prints what it has seen."""
import io, math, os, struct, sys, wave, zipfile, zlib
def files(root):
    for directory, _, names in os.walk(root):
        for name in names:
            path = os.path.join(directory, name)
            data = open(path, "rb").read()
            if name.endswith(".pak"):
                magic, offset, length = struct.unpack("<4sII", data[:12])
                assert magic == b"PACK" and length % 64 == 0
                for at in range(offset, offset + length, 64):
                    member, start, size = struct.unpack("<56sII", data[at:at + 64])
                    yield member.split(b"\0")[0].decode(), data[start:start + size]
            elif name.endswith(".pk3"):
                archive = zipfile.ZipFile(path)
                for info in archive.infolist():
                    assert info.date_time[:3] == (2026, 1, 1)
                    yield info.filename, archive.read(info)
            else:
                yield name, data
def tga(data):
    width, height, bits, flags = struct.unpack("<HHBB", data[12:18])
    assert data[2] == 2 and bits == 32 and flags == 8 and len(data) == 18 + width * height * 4
def png(data):
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    at, packed = 8, b""
    while at < len(data):
        size, kind = struct.unpack(">I4s", data[at:at + 8])
        body = data[at + 8:at + 8 + size]
        assert zlib.crc32(kind + body) == struct.unpack(">I", data[at + 8 + size:at + 12 + size])[0]
        if kind == b"IHDR": width, height, _, colours = struct.unpack(">IIBB", body[:10])
        if kind == b"IDAT": packed += body
        at += 12 + size
    assert kind == b"IEND" and len(zlib.decompress(packed)) == height * (width * {2: 3, 6: 4}[colours] + 1)
def pcx(data):
    left, top, right, bottom = struct.unpack("<HHHH", data[4:12])
    stride = struct.unpack("<H", data[66:68])[0]
    assert data[0] == 10 and data[1] == 5 and data[3] == 8 and data[65] == 1 and data[-769] == 12
    pixels, at = 0, 128
    while at < len(data) - 769:
        run = data[at] & 63 if data[at] >= 192 else 1
        at += 2 if data[at] >= 192 else 1
        pixels += run
    assert pixels == stride * (bottom - top + 1)
def wav(data):
    sound = wave.open(io.BytesIO(data))
    assert (sound.getnchannels(), sound.getsampwidth(), sound.getframerate()) == (1, 2, 11025)
    frames = sound.readframes(sound.getnframes())
    assert len(frames) == sound.getnframes() * 2 and len(set(frames)) > 16
    # A cue point is a frame of the sound.
    cue = data.find(b"cue ")
    if cue >= 0:
        size, count, _, _, chunk, _, _, frame = struct.unpack("<III I4sIII", data[cue + 4:cue + 36])
        assert (size, count, chunk) == (28, 1, b"data") and 0 < frame < sound.getnframes()
        loops.append(frame / 11025)
loops = []
def dot(a, b): return sum(x * y for x, y in zip(a, b))
def minus(a, b): return [x - y for x, y in zip(a, b)]
def cross(a, b): return [a[1]*b[2] - a[2]*b[1], a[2]*b[0] - a[0]*b[2], a[0]*b[1] - a[1]*b[0]]
def records(layout, data):
    return list(struct.iter_unpack("<" + layout, data))
def lumps(data, start, count):
    table = [struct.unpack("<II", data[start + at * 8:start + at * 8 + 8]) for at in range(count)]
    assert max(offset + length for offset, length in table) <= len(data)
    assert all(offset % 4 == 0 for offset, _ in table)
    return [data[offset:offset + length] for offset, length in table]
def clockwise(points, normal):
    # Each corner turns right, seen from where the normal points.
    for at in range(len(points)):
        a, b, c = points[at - 2], points[at - 1], points[at]
        assert dot(cross(minus(b, a), minus(c, b)), normal) < 0
def entities(text): return text.decode("ascii").rstrip("\0").count("classname")
def quake(data):
    parts = lumps(data, 4, 15)
    planes, vertices, nodes = records("3ffi", parts[1]), records("3f", parts[3]), records("i2h6h2H", parts[5])
    information, faces = records("4f4fii", parts[6]), records("hhihh4Bi", parts[7])
    clip, leafs, edges, listed = records("i2h", parts[9]), records("ii6h2H4B", parts[10]), records("2H", parts[12]), records("i", parts[13])
    models, textures = records("9f4i3i", parts[14]), parts[2]
    count = struct.unpack("<i", textures[:4])[0]
    sizes = []
    for offset in struct.unpack("<%di" % count, textures[4:4 + 4 * count]):
        _, width, height, *mips = struct.unpack("<16s6I", textures[offset:offset + 40])
        assert offset + mips[3] + width * height // 64 <= len(textures) and mips[0] == 40
        sizes.append((width, height))
    for plane, side, first, number, info, style, a, b, c, light in faces:
        normal, distance, kind = planes[plane][:3], planes[plane][3], planes[plane][4]
        assert abs(dot(normal, normal) - 1) < 1e-5 and normal[kind % 3] == max(normal, key=abs) > 0
        points = []
        for (edge,) in listed[first:first + number]:
            points.append(vertices[edges[abs(edge)][1 if edge < 0 else 0]])
        ends = [edges[abs(edge)][0 if edge < 0 else 1] for (edge,) in listed[first:first + number]]
        assert [vertices[end] for end in ends] == points[1:] + points[:1]
        for point in points: assert abs(dot(point, normal) - distance) < 0.1
        clockwise(points, [-x for x in normal] if side else normal)
        assert 0 <= information[info][8] < count and (style, a, b, c) == (0, 255, 255, 255)
        samples = 1
        for axis in (information[info][0:4], information[info][4:8]):
            values = [(dot(point, axis) + axis[3]) / 16 for point in points]
            extent = math.ceil(max(values)) - math.floor(min(values))
            assert extent <= 16 # more is an error in the first engines
            samples *= extent + 1
        assert 0 <= light <= len(parts[8]) - samples
        assert max(parts[8][light:light + samples]) > 24
    # Content at a point, by the tree and by the hulls of players.
    def leaf(model, point):
        number = models[model][9]
        while number >= 0:
            plane = planes[nodes[number][0]]
            number = nodes[number][1 if dot(plane[:3], point) >= plane[3] else 2]
        return leafs[-1 - number][0]
    def hull(model, size, point):
        number = models[model][9 + size]
        while number >= 0:
            plane = planes[clip[number][0]]
            number = clip[number][1 if dot(plane[:3], point) >= plane[3] else 2]
        return number
    assert [leaf(0, p) for p in ((0, 0, 1), (120, 40, 60), (0, 0, -1), (129, 0, 60), (100, 100, 60))] == [-1, -1, -2, -2, -2]
    assert [hull(0, 1, p) for p in ((0, 0, 25), (0, 0, 23), (111, 0, 30), (113, 0, 30), (0, 0, 97))] == [-1, -2, -1, -2, -2]
    assert [hull(0, 2, p) for p in ((0, 0, 25), (95, 0, 30), (97, 0, 30))] == [-1, -1, -2]
    assert [leaf(1, p) for p in ((0, 0, 31), (0, 0, 33), (25, 0, 10))] == [-2, -1, -1]
    assert [hull(1, 1, p) for p in ((0, 0, 55), (0, 0, 57), (39, 0, 30), (41, 0, 30))] == [-2, -1, -2, -1]
    assert sum(model[15] for model in models) == len(faces)
    seen.setdefault("bsp 29", (entities(parts[0]), len(models), len(faces), sorted(set(sizes))))
def quake3(data):
    parts = lumps(data, 8, 17)
    shaders, planes, nodes = records("64sii", parts[1]), records("4f", parts[2]), records("9i", parts[3])
    leafs, sides, brushes = records("12i", parts[4]), records("ii", parts[9]), records("3i", parts[8])
    vertices, corners, surfaces = records("3f2f2f3f4B", parts[10]), records("i", parts[11]), records("12i12f2i", parts[13])
    model = records("6f4i", parts[7])
    assert len(model) == 1 and model[0][6:] == (0, len(surfaces), 0, len(brushes))
    for shader, _, kind, vertex, count, corner, number, page, *rest in surfaces:
        assert 0 <= shader < len(shaders) and page == -3
        own = vertices[vertex:vertex + count]
        assert len(own) == count
        if kind == 2: assert rest[-2:] == [3, 3] and count == 9
        else:
            normal = own[0][7:10]
            clockwise([point[:3] for point in own], normal)
            for at in range(corner, corner + number, 3):
                a, b, c = (own[corners[at + step][0]][:3] for step in range(3))
                assert dot(cross(minus(b, a), minus(c, a)), normal) < 0
    def inside(brush, point):
        first, count, _ = brushes[brush]
        assert count >= 6
        return all(dot(planes[plane][:3], point) <= planes[plane][3] for plane, _ in sides[first:first + count])
    def solid(point):
        number = 0
        while number >= 0:
            plane = planes[nodes[number][0]]
            number = nodes[number][1 if dot(plane[:3], point) >= plane[3] else 2]
        leaf = leafs[-1 - number]
        listed = records("i", parts[6])[leaf[10]:leaf[10] + leaf[11]]
        return leaf[0], any(inside(brush, point) for (brush,) in listed)
    places = ((0, 0, 13), (0, 0, 11), (112, 112, 30), (0, 0, -1), (193, 0, 60), (140, 140, 60), (0, 0, 161))
    assert [solid(p) for p in places] == [(0, False), (0, True), (0, True), (-1, True), (-1, True), (-1, True), (-1, True)]
    seen.setdefault("bsp 46", (entities(parts[0]), len(surfaces), sorted(row[0].rstrip(b"\0").decode() for row in shaders)))
def bsp(data):
    if data[:8] == b"IBSP" + bytes((46, 0, 0, 0)): quake3(data)
    else:
        assert data[:4] == bytes((29, 0, 0, 0))
        quake(data)
def mdl(data):
    head = struct.unpack("<4si3f3ff3f8if", data[:84])
    skins, width, height, vertices, triangles, frames = head[12:18]
    at = 84
    for skin in range(skins):
        assert struct.unpack("<i", data[at:at + 4]) == (0,)
        at += 4 + width * height
    points = records("3i", data[at:at + vertices * 12])
    assert all(seam == 0 and 0 <= s < width and 0 <= t < height for seam, s, t in points)
    at += vertices * 12
    drawn = records("4i", data[at:at + triangles * 16])
    assert all(front == 1 and max(corners) < vertices for front, *corners in drawn)
    at += triangles * 16
    names = []
    for frame in range(frames):
        _, low, high, name = struct.unpack("<i4s4s16s", data[at:at + 28])
        at += 28
        rows = [data[at + 4 * v:at + 4 * v + 3] for v in range(vertices)]
        assert tuple(low[:3]) == tuple(map(min, zip(*rows))) and tuple(high[:3]) == tuple(map(max, zip(*rows)))
        # Its upper end hangs still, and the sides face outwards: their triangles are clockwise.
        middle = [sum(row[axis] for row in rows) / vertices for axis in range(3)]
        faces = 0
        for _, a, b, c in drawn:
            normal = cross(minus(rows[c], rows[a]), minus(rows[b], rows[a]))
            faces += 1 if dot(normal, minus(rows[a], middle)) > 0 else 0
        assert faces > triangles * 0.7
        at += 4 * vertices
        names.append(name.rstrip(b"\0").decode())
    assert at == len(data)
    seen["mdl facts"] = (skins, width, height, names)
def lmp(data):
    if len(data) in (768, 16385): return
    width, height = struct.unpack("<II", data[:8])
    assert len(data) == 8 + width * height
seen = {}
for name, data in files(sys.argv[1]):
    ending = name.rsplit(".", 1)[-1]
    check = {"tga": tga, "png": png, "pcx": pcx, "wav": wav, "lmp": lmp, "bsp": bsp, "mdl": mdl}.get(ending)
    if check is None: data.decode("ascii"); ending = "text"
    else: check(data)
    seen[ending] = seen.get(ending, 0) + 1
facts = [seen.pop(key) for key in ("bsp 29", "bsp 46", "mdl facts")]
print(sum(seen.values()), " ".join(sorted(seen)))
print(*loops)
for fact in facts: print(*fact)
