"""Expected files of a mount, computed without pakfs: the engine's search path pushed by hand, zips by zipfile, PAKs
and WADs by struct.

    expected_tree.py RULES DIRECTORY...   game directories, the one searched last first
    expected_tree.py archive FILE         one archive alone
    expected_tree.py answers FILE         what an index has answered: rows of `pakfs find --json`, read where they point

Prints a line per file: SHA-256, two blanks, path.
"""
import hashlib
import json
import os
import struct
import sys
import zipfile


def pak_members(path):
    """Name and content of each member, in the order of the table."""
    with open(path, "rb") as file:
        magic, offset, length = struct.unpack("<4sII", file.read(12))
        assert magic == b"PACK"
        file.seek(offset)
        table = file.read(length)
        for start in range(0, length, 64):
            name, position, size = struct.unpack("<56sII", table[start : start + 64])
            file.seek(position)
            yield name.split(b"\0")[0].decode(), file.read(size)


map_lumps = "THINGS LINEDEFS SIDEDEFS VERTEXES SEGS SSECTORS NODES SECTORS REJECT BLOCKMAP".split()
sections = {"S": "sprites", "P": "patches", "F": "flats"}


def wad_members(path):
    """As pak_members, for a Doom WAD without repeated names, in the directories that its markers and maps make."""
    with open(path, "rb") as file:
        magic, count, offset = struct.unpack("<4sII", file.read(12))
        assert magic in (b"IWAD", b"PWAD")
        file.seek(offset)
        lumps = [struct.unpack("<II8s", file.read(16)) for _ in range(count)]
        names = [name.split(b"\0")[0].decode() for _, _, name in lumps]
        section, level = None, None
        for index, (position, size, _) in enumerate(lumps):
            name = names[index]
            letter, _, kind = name.partition("_")
            directory = section or "lumps"
            if letter in sections and kind in ("START", "END"):
                directory = "lumps"
                section = sections[letter] if kind == "START" else None
            elif letter[:1] in sections and letter[1:].isdigit() and kind in ("START", "END"):
                directory = "lumps"
            elif level is not None and name in map_lumps:
                directory = "maps/" + level
            else:
                level = name if names[index + 1 : index + 2] == ["THINGS"] else None
            file.seek(position)
            yield directory + "/" + name.replace("\\", "%5C"), file.read(size) if size else b""


def zip_members(path):
    with zipfile.ZipFile(path) as archive:
        for info in archive.infolist():
            if not info.is_dir():
                yield info.filename, archive.read(info)


def loose_files(directory, left_out):
    for parent, directories, names in os.walk(directory):
        for name in names:
            path = os.path.join(parent, name)
            relative = os.path.relpath(path, directory)
            if relative.split("/")[0] not in left_out:
                with open(path, "rb") as file:
                    yield relative, file.read()


class Tree:
    def __init__(self, fold):
        self.fold = fold
        self.files = {}

    def push(self, members, is_loose=False):
        """Adds a source, which is searched before the earlier ones."""
        for name, content in members:
            key = name.lower() if self.fold else name
            self.files.setdefault(key, []).append((name, content, is_loose))

    def show(self):
        """A name is spelled as packs spell it; asked for so, a loose file answers only if it is spelled the same."""
        for files in self.files.values():
            packed = [name for name, _, is_loose in files if not is_loose]
            spelled = (packed or [name for name, _, _ in files])[-1]
            found = [content for name, content, is_loose in files if not is_loose or name == spelled]
            print(hashlib.sha256(found[-1]).hexdigest() + "  " + spelled)


def has_members(path, members):
    return os.path.exists(path) and any(True for _ in members(path))


def first_wins(members):
    return reversed(list(members))


def push_quake(tree, directory):
    """COM_AddGameDirectory: the directory, then pak0.pak, pak1.pak, ... up to the first that is missing."""
    packs = []
    while os.path.exists(os.path.join(directory, "pak%d.pak" % len(packs))):
        packs.append("pak%d.pak" % len(packs))
    tree.push(loose_files(directory, packs))
    for pack in packs:
        tree.push(first_wins(pak_members(os.path.join(directory, pack))))


def path_compare_key(name):
    """FS_PathCmp: signed bytes, letters as capitals, backslash and colon as slash."""
    key = []
    for byte in name.encode():
        if 0x61 <= byte <= 0x7A:
            byte -= 0x20
        elif byte in (0x5C, 0x3A):
            byte = 0x2F
        key.append(byte - 256 if byte > 127 else byte)
    return key


def push_ioquake3(tree, directory):
    """FS_AddGameDirectory: pk3 files and pk3dirs in the order of FS_PathCmp, then the directory. An empty one is a file."""
    names = os.listdir(directory)
    packs = [n for n in names if n.lower().endswith(".pk3") and os.path.isfile(os.path.join(directory, n))]
    packs = [n for n in packs if has_members(os.path.join(directory, n), zip_members)]
    folders = [n for n in names if n.lower().endswith(".pk3dir") and os.path.isdir(os.path.join(directory, n))]
    for name in sorted(packs + folders, key=path_compare_key):
        path = os.path.join(directory, name)
        tree.push(zip_members(path) if name in packs else loose_files(path, []), name not in packs)
    tree.push(loose_files(directory, packs + folders), True)


def answered(path):
    """Name and content of each row, from the file or the member that it names."""
    packs = {}
    with open(path) as rows:
        for row in map(json.loads, rows):
            source = row["source"]
            if os.path.isfile(source) and source.endswith((".pak", ".pk3")) and row["member"]:
                if source not in packs:
                    members = zip_members(source) if source.endswith(".pk3") else first_wins(pak_members(source))
                    packs[source] = dict(members)
                content = packs[source][row["member"]]
            else:
                loose = os.path.join(source, row["member"] or row["qpath"]) if os.path.isdir(source) else source
                with open(loose, "rb") as file:
                    content = file.read()
            assert len(content) == row["size"], row
            yield row["qpath"], content


def main(rules, *paths):
    tree = Tree(fold=rules == "ioquake3")
    for path in paths:
        if rules == "quake":
            push_quake(tree, path)
        elif rules == "answers":
            tree.push(answered(path))
        elif rules == "ioquake3":
            push_ioquake3(tree, path)
        elif zipfile.is_zipfile(path):
            tree.push(zip_members(path))
        elif path.endswith(".wad"):
            tree.push(wad_members(path))
        else:
            tree.push(first_wins(pak_members(path)))
    tree.show()


main(*sys.argv[1:])
