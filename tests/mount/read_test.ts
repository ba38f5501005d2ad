// deno-lint-ignore-file no-await-in-loop -- one after the other, to see which one fails
import { assert, assertEquals, assertMatch } from "@std/assert";
import { pak, zip } from "../formats/bytes.ts";
import { type Files, writeFiles } from "../index/fixtures.ts";
import { needs } from "../support/programs.ts";
import { expectedManifest, manifest, output, python, pythonJson, run, type Workspace, workspace } from "./mounting.ts";

/** Distinctive bytes, the same each time. */
function noise(length: number, seed: number): Uint8Array {
  const bytes = new Uint8Array(length);
  let state = seed + 1;
  for (let index = 0; index < length; index++) {
    state = Math.imul(state, 1103515245) + 12345;
    bytes[index] = state >>> 16;
  }
  return bytes;
}

function many(count: number, prefix: string): [string, string][] {
  return Array.from({ length: count }, (_, index) => [`${prefix}/${index % 7}/file${index}.txt`, `text ${index}\n`]);
}

const wall = "a wall, and a wall, and another wall; ";

const quake: Files = {
  "id1/pak0.pak": pak([
    ["gfx/palette.lmp", noise(768, 1)],
    ["maps/start.bsp", noise(700_000, 2)],
    ["progs/player.mdl", "pak0 player"],
    ["progs/player.mdl", "shadowed duplicate"],
    ["empty.dat", ""],
    ...many(3000, "many"),
  ]),
  "id1/pak1.pak": pak([["gfx/palette.lmp", noise(768, 3)], ["maps/e1m1.bsp", noise(5000, 4)]]),
  "id1/pak3.pak": pak([["unreachable.txt", "after a gap"]]),
  "id1/autoexec.cfg": "echo needle in id1\n",
  "id1/gfx/palette.lmp": "loose palette loses",
  "id1/big.loose": noise(3_000_000, 5),
  "id1/names/a b'c ü 日本.txt": "names\n",
  "hipnotic/pak0.pak": pak([["progs/player.mdl", "hipnotic player"], ["maps/hip1m1.bsp", noise(9000, 6)]]),
  "mod/gfx/palette.lmp": "mod palette wins",
  "mod/deep/er/and/deeper/still/x.txt": "echo needle in mod\n",
};

const quake3: Files = {
  "baseq3/pak0.pk3": zip([
    { name: "textures/stored.tga", content: noise(100_000, 7) },
    { name: "textures/wall.tga", content: wall.repeat(20_000), method: 8 },
    { name: "textures/small.tga", content: wall.repeat(20), method: 8 },
    { name: "scripts/Base.Shader", content: "needle in pak0\n", method: 8 },
    { name: "empty/", content: "" },
    { name: "late.txt", content: wall.repeat(9000), method: 8, descriptor: true },
    { name: "empty.txt", content: "" },
    { name: "empty deflated.txt", content: "", method: 8 },
  ]),
  "baseq3/pak1.pk3": zip([{ name: "Scripts/base.shader", content: "needle in pak1\n" }, { name: "a", content: "a" }]),
  "baseq3/zz.pk3dir/scripts/dir.shader": "needle in a pk3dir\n",
  "baseq3/A": "loose a",
  "mod/zz_u.pk3": zip([{ name: "b", content: "_" }]),
  "mod/zzz.pk3": zip([{ name: "b", content: "z" }, { name: "a/b", content: "a is a directory here" }]),
};

/** Paths of the source installations, and their mount points. */
async function mountQuake(here: Workspace): Promise<string> {
  await writeFiles(`${here.path}/quake`, quake);
  await here.mount("--profile", "quake", `${here.path}/quake`);
  return `${here.mountPoint}/quake`;
}

async function mountQuake3(here: Workspace): Promise<string> {
  await writeFiles(`${here.path}/quake3`, quake3);
  await here.mount(`${here.path}/quake3`);
  return `${here.mountPoint}/quake3`;
}

Deno.test("every view of a Quake holds what an independent script says, byte by byte", needs("python3"), async () => {
  await using here = await workspace();
  const root = await mountQuake(here);
  const source = `${here.path}/quake`;
  assertEquals(await output("ls", here.mountPoint), "quake\n");
  assertEquals(await output("ls", root), "hipnotic\nid1\nmod\n");
  assertEquals(await manifest(`${root}/id1`), await expectedManifest("quake", `${source}/id1`));
  for (const mod of ["mod", "hipnotic"]) {
    const expected = await expectedManifest("quake", `${source}/id1`, `${source}/${mod}`);
    assertEquals(await manifest(`${root}/${mod}`), expected);
    assert(expected.length > 3000);
  }
});

Deno.test("every view of a Quake 3 holds what an independent script says, byte by byte", needs("python3"), async () => {
  await using here = await workspace();
  const root = await mountQuake3(here);
  const source = `${here.path}/quake3`;
  const lower = (lines: string[]) => lines.map((line) => line.toLowerCase()).sort();
  assertEquals(lower(await manifest(`${root}/baseq3`)), lower(await expectedManifest("ioquake3", `${source}/baseq3`)));
  const expected = await expectedManifest("ioquake3", `${source}/baseq3`, `${source}/mod`);
  // A name that is a file in one pack and a directory in another is both.
  const shown = expected.map((line) => line.replace(/ {2}a$/i, "  a~file"));
  assertEquals(lower(await manifest(`${root}/mod`)), lower(shown));
  assertEquals(await output("cat", `${root}/mod/b`), "_");
  assertEquals(await output("ls", "-A", `${root}/baseq3/empty`), "");
  // Paths are found in any case.
  assertEquals(await output("cat", `${root}/baseq3/SCRIPTS/BASE.SHADER`), "needle in pak1\n");
});

Deno.test("grep -r, find, tar, cp -r, diff and cmp work on a mount", needs("python3"), async () => {
  await using here = await workspace();
  const root = await mountQuake(here);
  const found = await run("grep", ["-r", "needle", here.mountPoint]);
  assertEquals(found.stdout.replaceAll(`${root}/`, "").split("\n").sort(), [
    "",
    "hipnotic/autoexec.cfg:echo needle in id1",
    "id1/autoexec.cfg:echo needle in id1",
    "mod/autoexec.cfg:echo needle in id1",
    "mod/deep/er/and/deeper/still/x.txt:echo needle in mod",
  ]);
  assertEquals(found.stderr, "");

  assertEquals((await output("find", `${root}/id1`, "-name", "file*.txt")).split("\n").length, 3001);
  assertEquals(
    await output("find", `${root}/mod`, "-name", "still", "-type", "d"),
    `${root}/mod/deep/er/and/deeper/still\n`,
  );
  assertEquals(await output("find", `${root}/id1`, "-size", "+200k", "-printf", "%f %s\n").then(sorted), [
    "big.loose 3000000",
    "start.bsp 700000",
  ]);

  const copies = `${here.path}/copies`;
  await Deno.mkdir(`${copies}/tar`, { recursive: true });
  await output("cp", "-r", `${root}/id1`, `${copies}/cp`);
  await output("sh", "-c", 'tar -C "$1" -cf - . | tar -C "$2" -xf -', "sh", `${root}/id1`, `${copies}/tar`);
  await output("diff", "-r", `${copies}/cp`, `${copies}/tar`);
  await output("diff", "-r", `${root}/id1`, `${copies}/cp`);
  assertEquals(await manifest(`${copies}/cp`), await expectedManifest("quake", `${here.path}/quake/id1`));
  await output("cmp", `${root}/id1/big.loose`, `${here.path}/quake/id1/big.loose`);
  assertEquals((await run("cmp", [`${root}/id1/gfx/palette.lmp`, `${root}/mod/gfx/palette.lmp`])).code, 1);
});

function sorted(text: string): string[] {
  return text.split("\n").filter((line) => line !== "").sort();
}

Deno.test(
  "memory maps, reads at any offset and many readers at once see the same bytes",
  needs("python3", "unzip"),
  async () => {
    await using here = await workspace();
    const root = `${await mountQuake3(here)}/baseq3`;
    const copy = `${here.path}/copy`;
    await output("unzip", "-q", `${here.path}/quake3/baseq3/pak0.pk3`, "-d", copy);
    await python(
      `
import mmap, os, random, sys
from concurrent.futures import ProcessPoolExecutor

root, copy = sys.argv[1:]
names = ["textures/stored.tga", "textures/wall.tga", "textures/small.tga", "late.txt"]

def mapped(name):
    with open(os.path.join(root, name), "rb") as file, open(os.path.join(copy, name), "rb") as other:
        with mmap.mmap(file.fileno(), 0, prot=mmap.PROT_READ) as map:
            assert map[:] == other.read(), name
            assert map[-1:] == map[len(map) - 1 :]

def pieces(seed):
    chance = random.Random(seed)
    for _ in range(150):
        name = chance.choice(names)
        with open(os.path.join(root, name), "rb") as file, open(os.path.join(copy, name), "rb") as other:
            size = os.fstat(file.fileno()).st_size
            offset, length = chance.randrange(size + 10), chance.randrange(1, 70000)
            assert os.pread(file.fileno(), length, offset) == os.pread(other.fileno(), length, offset), (name, offset)
            assert os.pread(file.fileno(), 100, size) == b""

for name in names:
    mapped(name)
with ProcessPoolExecutor(8) as pool:
    list(pool.map(pieces, range(8)))
    list(pool.map(mapped, names * 8))
`,
      root,
      copy,
    );
  },
);

Deno.test("eight readers that all want the same cold members at once get them", needs("python3"), async () => {
  await using here = await workspace();
  const members = Array.from({ length: 40 }, (_, index) => ({
    name: `m${index}`,
    content: `${index} `.repeat(40_000 + index * 997),
    method: index % 3 === 0 ? 0 : 8,
  }));
  await writeFiles(`${here.path}/game`, { "baseq3/pak0.pk3": zip(members) });
  await here.mount(`${here.path}/game`);
  const sums = await python(
    `
import hashlib, os, sys
from concurrent.futures import ProcessPoolExecutor
root = sys.argv[1]
def read(_):
    return [hashlib.sha256(open(os.path.join(root, "m%d" % i), "rb").read()).hexdigest() for i in range(40)]
with ProcessPoolExecutor(8) as pool:
    results = list(pool.map(read, range(8)))
assert all(result == results[0] for result in results)
print("\\n".join(results[0]))
`,
    `${here.mountPoint}/game/baseq3`,
  );
  const expected = await expectedManifest("ioquake3", `${here.path}/game/baseq3`);
  assertEquals(sums.trim().split("\n").sort(), expected.map((line) => line.slice(0, 64)).sort());
  const { counters } = await here.status();
  assertEquals(counters.decoded, 40, "each member is decompressed once, however many want it");
});

Deno.test("writing of every kind fails with EROFS and changes nothing", needs("python3"), async () => {
  await using here = await workspace();
  const root = await mountQuake(here);
  const attempts = await pythonJson(
    `
import errno, json, os, socket, sys
root = sys.argv[1]
file, directory = root + "/id1/autoexec.cfg", root + "/id1/maps"
def chain(*calls):
    return lambda: [call() for call in calls]
attempts = {
    "open for writing": lambda: os.open(file, os.O_WRONLY),
    "open for both": lambda: os.open(file, os.O_RDWR),
    "append": lambda: os.open(file, os.O_WRONLY | os.O_APPEND),
    "truncate by open": lambda: os.open(file, os.O_WRONLY | os.O_TRUNC),
    "create": lambda: os.open(root + "/id1/new", os.O_WRONLY | os.O_CREAT),
    "create exclusively": lambda: os.open(root + "/id1/new", os.O_WRONLY | os.O_CREAT | os.O_EXCL),
    "create at the root": lambda: os.open(root + "/../new", os.O_WRONLY | os.O_CREAT),
    "truncate": lambda: os.truncate(file, 0),
    "mkdir": lambda: os.mkdir(root + "/id1/new"),
    "mkdir a view": lambda: os.mkdir(root + "/new"),
    "rmdir": lambda: os.rmdir(directory),
    "unlink": lambda: os.unlink(file),
    "rename": lambda: os.rename(file, root + "/id1/other"),
    "rename a directory": lambda: os.rename(directory, root + "/id1/other"),
    "chmod": lambda: os.chmod(file, 0o777),
    "chown": lambda: os.chown(file, 1, 1),
    "utime": lambda: os.utime(file, (0, 0)),
    "link": lambda: os.link(file, root + "/id1/link"),
    "symlink": lambda: os.symlink("x", root + "/id1/link"),
    "mknod": lambda: os.mknod(root + "/id1/fifo", 0o010644),
    "bind a socket": lambda: socket.socket(socket.AF_UNIX).bind(root + "/id1/socket"),
    "setxattr": lambda: os.setxattr(file, "user.x", b"y"),
    "removexattr": lambda: os.removexattr(file, "user.pakfs.view"),
}
results = {}
for name, attempt in attempts.items():
    try:
        attempt()
        results[name] = "nothing"
    except OSError as error:
        results[name] = errno.errorcode[error.errno]
print(json.dumps(results))
`,
    root,
  );
  const names = Object.keys(attempts as Record<string, string>);
  assertEquals(attempts, Object.fromEntries(names.map((name) => [name, "EROFS"])));
  assert(names.length > 20);
  for (
    const [program, ...parameters] of [["touch", "/id1/x"], ["rm", "-f", "/id1/autoexec.cfg"], ["rm", "-rf", "/id1"]]
  ) {
    const { code, stderr } = await run(program ?? "", parameters.map((word) => word.replace("/id1", `${root}/id1`)));
    assertEquals(code, 1);
    assertMatch(stderr, /Read-only file system/);
  }
  assertEquals(await output("cat", `${root}/id1/autoexec.cfg`), "echo needle in id1\n");
});

Deno.test(
  "missing names are ENOENT, again and again, and wrong kinds have their own errors",
  needs("python3"),
  async () => {
    await using here = await workspace();
    const root = await mountQuake(here);
    const errors = await pythonJson(
      `
import errno, json, os, sys
root = sys.argv[1]
names = ["/none", "/id1/none", "/id1/maps/none.bsp", "/id1/maps/START.BSP", "/id1/none/none", "/id1/pak0.pak", "/none/x",
         "/id1/unreachable.txt", "/id1/" + "n" * 255, "/id1/\\u00fc", "/id1/maps/start.bsp/x"]
results = []
for name in names * 2:
    try:
        os.stat(root + name)
        results.append("there")
    except OSError as error:
        results.append(errno.errorcode[error.errno])
for attempt in (lambda: open(root + "/id1/maps"), lambda: os.listdir(root + "/id1/autoexec.cfg"),
                lambda: os.readlink(root + "/id1/autoexec.cfg")):
    try:
        attempt()
        results.append("nothing")
    except OSError as error:
        results.append(errno.errorcode[error.errno])
print(json.dumps(results))
`,
      root,
    );
    const once = [...Array.from({ length: 10 }, () => "ENOENT"), "ENOTDIR"];
    assertEquals(errors, [...once, ...once, "EISDIR", "ENOTDIR", "EINVAL"]);
  },
);

Deno.test("stat reports sizes, times, modes, owner and inode numbers that stay", needs("python3"), async () => {
  await using here = await workspace();
  await writeFiles(`${here.path}/game`, {
    "baseq3/pak0.pk3": zip([{ name: "sub/d.txt", content: wall, method: 8, dos: (21 << 9 | 3 << 5 | 4) * 65536 }]),
    "baseq3/loose.txt": "12345",
    "mod/x.txt": "",
  });
  const base = `${here.path}/game/baseq3`;
  await Deno.utime(`${base}/loose.txt`, 1_234_567_890.5, 1_234_567_890.5);
  await here.mount(`${here.path}/game`);
  const root = `${here.mountPoint}/game/baseq3`;
  const lines = await output(
    "stat",
    "-c",
    "%F %a %h %u %s %Y",
    `${root}/sub/d.txt`,
    `${root}/loose.txt`,
    `${root}/sub`,
    here.mountPoint,
  );
  const user = Deno.uid();
  const time = Date.UTC(2001, 2, 4) / 1000;
  const [deflated, loose, ...directories] = lines.trim().split("\n");
  assertEquals(deflated, `regular file 444 1 ${user} ${wall.length} ${time}`);
  assertEquals(loose, `regular file 444 1 ${user} 5 1234567890`);
  assertEquals((await output("stat", "-c", "%y", `${root}/loose.txt`)).includes(":30.5"), true);
  for (const directory of directories) {
    assertMatch(directory, new RegExp(`^directory 555 2 ${user} 4096 \\d+$`));
  }
  const inodes = await pythonJson(
    `
import ctypes, json, os, sys
root = sys.argv[1]
libc = ctypes.CDLL(None)
libc.opendir.restype = libc.readdir.restype = ctypes.c_void_p
libc.readdir.argtypes = libc.closedir.argtypes = [ctypes.c_void_p]
def dots(path):
    # scandir leaves them out.
    found = {}
    directory = libc.opendir(path.encode())
    while entry := libc.readdir(directory):
        found[ctypes.string_at(entry + 19)] = ctypes.c_uint64.from_address(entry).value
    libc.closedir(directory)
    return found[b"."], found[b".."]
def walk(path):
    found = {}
    if path != root:
        assert dots(path) == (os.stat(path).st_ino, os.stat(os.path.dirname(path)).st_ino), path
    for entry in os.scandir(path):
        found[entry.path] = entry.inode()
        assert entry.inode() == os.stat(entry.path).st_ino, entry.path
        if entry.is_dir():
            found.update(walk(entry.path))
    return found
first = walk(root)
assert first == walk(root)
assert len(set(first.values())) == len(first), "two files share an inode number"
handle = os.open(root, os.O_RDONLY)
print(json.dumps(len(first)))
`,
    here.mountPoint,
  );
  assertEquals(inodes, 10);
  const { stdout } = await run("stat", ["-f", "-c", "%t %l", root]);
  assertEquals(stdout, "65735546 255\n", "a FUSE filesystem with names of 255 bytes");
  const options = (await output("findmnt", "-n", "-o", "FSTYPE,OPTIONS", here.mountPoint)).trim();
  assertMatch(options, /^fuse\.pakfs +ro,nosuid,nodev,(noatime|relatime,noatime)/);
});

Deno.test("extended attributes say where each file comes from", needs("python3", "unzip"), async () => {
  await using here = await workspace();
  const root = await mountQuake3(here);
  const found = await pythonJson(
    `
import errno, json, os, sys
root = sys.argv[1]
def attributes(path):
    return {name: os.getxattr(path, name).decode() for name in os.listxattr(path)}
results = [attributes(root + path) for path in
           ["/baseq3/textures/wall.tga", "/baseq3/A", "/baseq3/scripts/base.shader", "/mod/b", "/baseq3", "/baseq3/scripts"]]
for name in ["user.pakfs.none", "user.other", "security.selinux", "user.pakfs."]:
    try:
        os.getxattr(root + "/baseq3/A", name)
        results.append("there")
    except OSError as error:
        results.append(errno.errorcode[error.errno])
print(json.dumps(results))
`,
    root,
  );
  const base = `${here.path}/quake3/baseq3`;
  const [wallAttributes, loose, shader, modFile, view, directory, ...errors] = found as Record<string, string>[];
  const { "user.pakfs.crc32": checksum, ...rest } = wallAttributes ?? {};
  assertEquals(rest, {
    "user.pakfs.source": `${base}/pak0.pk3`,
    "user.pakfs.member": "textures/wall.tga",
    "user.pakfs.offset": String(30 + "textures/stored.tga".length + 100_000),
    "user.pakfs.method": "deflate",
    "user.pakfs.shadows": "0",
    "user.pakfs.view": "quake3/baseq3",
  });
  const listing = await output("unzip", "-v", `${base}/pak0.pk3`, "textures/wall.tga");
  assert(checksum !== undefined && listing.includes(checksum));
  assertEquals(loose, {
    "user.pakfs.source": base,
    "user.pakfs.member": "A",
    "user.pakfs.offset": "0",
    "user.pakfs.method": "store",
    "user.pakfs.shadows": "1",
    "user.pakfs.view": "quake3/baseq3",
  });
  assertEquals([shader?.["user.pakfs.member"], shader?.["user.pakfs.shadows"]], ["Scripts/base.shader", "1"]);
  assertEquals([modFile?.["user.pakfs.source"], modFile?.["user.pakfs.view"]], [
    `${here.path}/quake3/mod/zz_u.pk3`,
    "quake3/mod",
  ]);
  assertEquals([view, directory], [{}, {}]);
  assertEquals(errors.map(String).filter((error) => error !== "EOPNOTSUPP"), [
    "ENODATA",
    "ENODATA",
    "ENODATA",
    "ENODATA",
  ]);
});

Deno.test("packs are reachable unmerged, though not listed", needs("python3"), async () => {
  await using here = await workspace();
  const root = await mountQuake(here);
  const packs = `${here.mountPoint}/.packs`;
  assertEquals(await output("ls", "-A", here.mountPoint), "quake\n");
  assertEquals(await output("ls", "-A", packs), "quake\n");
  assertEquals(await output("ls", `${packs}/quake`), "hipnotic\nid1\nmod\n");
  assertEquals(await output("ls", `${packs}/quake/id1`), "pak0.pak\npak1.pak\npak3.pak\n");
  assertEquals(await output("cat", `${packs}/quake/id1/pak3.pak/unreachable.txt`), "after a gap");
  assertEquals(
    await manifest(`${packs}/quake/id1/pak0.pak`),
    await expectedManifest("archive", `${here.path}/quake/id1/pak0.pak`),
  );
  assertEquals(
    await output("sh", "-c", 'cd "$1" && cd ../.. && ls', "sh", `${packs}/quake/id1/pak0.pak/gfx`),
    "hipnotic\nid1\nmod\n".replace("hipnotic\nid1\nmod", "pak0.pak\npak1.pak\npak3.pak"),
  );
  // The ignored pack is an ordinary file of the view.
  await output("cmp", `${root}/id1/pak3.pak`, `${here.path}/quake/id1/pak3.pak`);
});
