import { assertEquals } from "@std/assert";
import { FileSystems } from "../../system/file_systems.ts";
import { RemoteSources } from "../../index/content/remote/remote_sources.ts";
import { numbersFrom, seed } from "../support/chance.ts";
import { temporaryDirectory } from "../support/temporary.ts";

type Mount = readonly [path: string, type: string, device: string, source?: string, options?: string];

/** A table of mounts: mount point, type and device of each. */
function table(...mounts: readonly Mount[]): string {
  return mounts.map(([path, type, device, source = "x", options = "rw"], index) =>
    `${index + 20} 1 ${device} / ${path} rw - ${type} ${source} ${options}\n`
  ).join("");
}

const root = ["/", "ext4", "8:1"] as const;

Deno.test("a path is remote where a mount above it is of a type that is not known to be local", () => {
  const systems = new FileSystems(
    table(root, ["/net", "nfs4", "0:50"], ["/net/disk", "xfs", "8:2"], ["/odd", "newfs", "0:51"], [
      "/mnt",
      "fuse.x",
      "0:52",
    ]),
  );
  const devices = ["/", "/netto", "/net", "/net/a/b", "/net/disk/a", "/odd/x", "/mnt/../net/c", "/mnt/a"]
    .map((path) => systems.remoteOf(path)?.device);
  // A disk below a remote directory is reached through it.
  assertEquals(devices, [undefined, undefined, "0:50", "0:50", "0:50", "0:51", "0:50", "0:52"]);
});

Deno.test("a local file system that shows files of a remote one is as remote, however many are between them", () => {
  const files: Readonly<Record<string, string>> = { 0: "/net/disk.img", 1: "/over/b.img", 2: "/home/c.img", 3: "gone" };
  const systems = new FileSystems(
    table(
      root,
      // The upper mount comes first: order does not matter.
      ["/second", "ext4", "7:1", "/dev/loop1"],
      ["/first", "iso9660", "7:0", "/dev/loop0p2"],
      ["/local", "squashfs", "7:2", "/dev/loop2"],
      ["/lost", "squashfs", "7:3", "/dev/loop3"],
      [
        "/over",
        "overlay",
        "0:70",
        "overlay",
        "rw,lowerdir=/usr:/first/a\\134:b::/srv,upperdir=/home/u,workdir=/home/w",
      ],
      ["/under", "overlay", "0:71", "overlay", "rw,lowerdir=/usr:/netto,upperdir=/home/u,workdir=/net"],
      ["/top", "overlay", "0:72", "overlay", "rw,lowerdir+=/usr,lowerdir+=/odd\\040name,datadir+=/x"],
      ["/up", "overlay", "0:73", "overlay", "rw,lowerdir=l/ABC,upperdir=/second/u"],
      ["/colon", "overlay", "0:74", "overlay", "rw,lowerdir=/usr\\134:/net,lowerdir+=/usr:/net,upperdir=/home:/net"],
      ["/net", "nfs4", "0:50"],
      ["/odd\\040name", "cifs", "0:51"],
      ["/block", "ext4", "43:0", "/dev/nbd0p1"],
    ),
    [],
    (number) => files[number],
  );
  const names = ["first", "second", "over", "top", "up", "block", "local", "lost", "under", "colon"];
  const devices = names.map((name) => systems.remoteOf(`/${name}/x`)?.device);
  const remote = ["7:0", "7:1", "0:70", "0:72", "0:73", "43:0"];
  assertEquals(devices, [...remote, undefined, undefined, undefined, undefined]);
  assertEquals(systems.remoteIn("/over")?.type, "overlay");
});

Deno.test("links are followed up to a remote file system, and never beyond it", async () => {
  await using directory = await temporaryDirectory();
  const { path } = directory;
  // Only the table lists this mount, and the path below it must not be accessed.
  await Deno.mkdir(`${path}/remote`);
  await Deno.symlink(`${path}/remote/deep/pak0.pk3`, `${path}/pak0.pk3`);
  await Deno.symlink("remote", `${path}/relative`);
  await Deno.symlink("loop", `${path}/loop`);
  await Deno.mkdir(`${path}/local`);
  const systems = new FileSystems(table(root, [`${path}/remote`, "fuse.sshfs", "0:60"]));
  const isRemote = (name: string) => systems.remoteOf(`${path}/${name}`) !== undefined;
  assertEquals(["pak0.pk3", "relative/x", "local/x", "loop", "missing"].map(isRemote), [
    true,
    true,
    false,
    false,
    false,
  ]);
  await Deno.symlink(path, `${path}/local/up`);
  assertEquals([path, `${path}/local/up`].map((root) => systems.remoteIn(root)?.device), ["0:60", "0:60"]);
  assertEquals(systems.remoteIn(`${path}/local`), undefined);
});

Deno.test("what shows the kernel is no remote file system, so that no pack has to be looked for on it", () => {
  const kernel = table(root, ["/dev/pts", "devpts", "0:20"], ["/sys/fs/cgroup", "cgroup2", "0:21"], [
    "/proc/sys/fs/binfmt_misc",
    "autofs",
    "0:22",
  ]);
  assertEquals(new FileSystems(kernel).hasRemotes, false);
  assertEquals(new FileSystems(kernel + table(["/home/proc/x", "autofs", "0:23"])).hasRemotes, true);
});

Deno.test("one's own mount is no remote file system, and what is mounted last at a place counts", () => {
  const text = table(root, ["/mnt", "fuse.pakfs", "0:40"], ["/a", "nfs", "0:41"], ["/a", "ext4", "8:3"]);
  assertEquals(new FileSystems(text, ["/mnt"]).remoteIn("/"), undefined);
  assertEquals(new FileSystems(text).remoteIn("/")?.device, "0:40");
});

Deno.test("numbers of file systems fit in a byte, and those beyond share the last", () => {
  const mounts = Array.from({ length: 300 }, (_, number) => [`/far${number}`, "nfs4", `0:${number + 100}`] as const);
  const remotes = new RemoteSources({
    readTable: () => table(root, ...mounts),
    ownMounts: () => ["/far7"],
  });
  const order = mounts.filter(([path]) => path !== "/far7");
  const numbers = order.map(([path]) => remotes.numberOf(`${path}/x`));
  assertEquals(numbers, order.map((_, index) => Math.min(255, index + 1)));
  assertEquals(
    numbers.map((number) => remotes.fileSystem(number)?.mountPoint).slice(0, 255),
    order.map(([path]) => path).slice(0, 255),
  );
  assertEquals([remotes.fileSystem(256), remotes.fileSystem(0)], [undefined, undefined]);
  // Mounts of this program itself are not remote.
  assertEquals(["/far8/x", "/far7/x", "/home"].map((path) => remotes.isRemote(path)), [true, false, false]);
});

Deno.test("a source stays remote while its file system is unmounted, and another one in its place is local", () => {
  let mounts = table(root, ["/net", "fuse.sshfs", "0:50"]);
  const remotes = new RemoteSources({ readTable: () => mounts });
  const pack = (id: number, path: string, inode: number) => {
    const identity = { device: 0, inode, size: 0, mtime: 0, ctime: 0 };
    return { id, game: 0, path, format: "quake-pak", identity, byteLayout: null };
  };
  const numbersOf = (inode: number) => {
    const sources = [pack(0, "/net/id1/pak0.pak", 7), pack(1, "/home/id1/pak0.pak", inode)];
    return [...remotes.numbersOf({ games: [], snapshot: { sources } })];
  };
  assertEquals(numbersOf(8), [1, 0]);
  mounts = table(root);
  assertEquals(numbersOf(8), [1, 0]);
  mounts = table(root, ["/home", "nfs4", "0:51"]);
  assertEquals(numbersOf(8), [1, 2]);
  mounts = table(root);
  assertEquals([numbersOf(8), numbersOf(9)], [[1, 2], [1, 0]]);
});

Deno.test("a source stays remote after others have left its index and its file system is unmounted", () => {
  let mounts = table(root, ["/net", "nfs4", "0:50"]);
  const remotes = new RemoteSources({ readTable: () => mounts });
  const sources = Array.from({ length: 5 }, (_, id) => ({
    id,
    game: 0,
    path: `/net/id1/pak${id}.pak`,
    format: "quake-pak",
    identity: { device: 0, inode: id, size: 0, mtime: 0, ctime: 0 },
    byteLayout: null,
  }));
  const numbersOf = (count: number) => [
    ...remotes.numbersOf({ games: [], snapshot: { sources: sources.slice(0, count) } }),
  ];
  const numbers = [numbersOf(5), numbersOf(1)];
  mounts = table(root);
  assertEquals([...numbers, numbersOf(1)], [[1, 1, 1, 1, 1], [1], [1]]);
});

Deno.test("numbers that are known from before are those that a first look would find, whatever has changed", () => {
  const chance = numbersFrom(seed);
  let mounts = table(root);
  const remotes = new RemoteSources({ readTable: () => mounts });
  const identity = { device: 0, inode: 0, size: 0, mtime: 0, ctime: 0 };
  const parts = ["/net/part", "/far/part"].map((path) => ({ kind: "disk" as const, path, identity }));
  const plain = { format: "loose", byteLayout: null };
  const kinds = [
    plain,
    { format: "pk3dir", byteLayout: null },
    { format: "zip", byteLayout: null },
    {
      format: "zip",
      byteLayout: { files: parts, ranges: { starts: [], files: [], offsets: [], size: 0 }, nested: [] },
    },
  ];
  const source = (id: number) => {
    const kind = chance(kinds.length);
    const path = ["/net/q", "/home/q", "/home/q/far/a", "/other"][chance(4)] ?? "";
    // No two kinds of source are the same file.
    const inode = 10 * kind + chance(3);
    return { id, game: chance(2), path, identity: { ...identity, inode }, ...kinds[kind] ?? plain };
  };
  let sources = Array.from({ length: 6 }, (_, id) => source(id));
  let follows = [false, false];
  for (let step = 0; step < 2000; step++) {
    // Mounts stay once made, as each source keeps its number.
    if (step === 500) mounts = table(root, ["/net", "nfs4", "0:50"]);
    if (step === 1000) mounts = table(root, ["/net", "nfs4", "0:50"], ["/home/q/far", "nfs4", "0:51"]);
    if (step === 1500) {
      mounts = table(root, ["/net", "nfs4", "0:50"], ["/home/q/far", "nfs4", "0:51"], ["/far", "nfs4", "0:52"]);
    }
    if (chance(2) === 0) follows = follows.map(() => chance(2) === 0);
    if (chance(2) === 0) sources = sources.map((one, id) => chance(3) === 0 ? source(id) : one);
    const games = follows.map((followSymlinks) => ({ followSymlinks }));
    const [known, first] = [remotes, new RemoteSources({ readTable: () => mounts })].map((one) =>
      Array.from(
        one.numbersOf({ games, snapshot: { sources: [...sources] } }),
        (number) => one.fileSystem(number)?.device,
      )
    );
    assertEquals(known, first, `step ${step}, PAKFS_SEED=${seed}`);
  }
});
