/** Every answer of the file system, for whole installations in every layout, compared with the files on disk. */
import { assert, assertEquals } from "@std/assert";
import { Errno, NodeAttributes, S_IFDIR, S_IFREG } from "deno-fuse-ffi";
import type { LayoutOptions } from "../../mount/layout/mount_layout.ts";
import type { GameFileSystem } from "../../mount/session/game_file_system.ts";
import { TracedFileSystem } from "../../mount/session/traced_file_system.ts";
import { createCounterBuffer, readCounters } from "../../mount/shared/counters.ts";
import { zip } from "../formats/bytes.ts";
import { scan, writeFiles } from "../index/fixtures.ts";
import { numbersFrom, seed } from "../support/chance.ts";
import { temporaryDirectory } from "../support/temporary.ts";
import { ask, lookup, type Node, read, requestsAsked, rootNode } from "./kernel_requests.ts";
import { generation, idOf, list, openFiles, timeMounted } from "./shown_files.ts";

/** A file: its source, and its expected content and attributes. */
interface Expected {
  readonly source: string;
  readonly member: string;
  readonly size: number;
  /** Seconds and nanoseconds of its modification. */
  readonly time: readonly [seconds: number, nanoseconds: number];
}

const year = 365 * 24 * 3600;
/** Local time of the members of all packs. */
const packed = [new Date(2017, 0, 15, 14).getTime() / 1000, 0] as const;

const packFiles = {
  "base/pak0.pk3": [
    "maps/a.bsp",
    "maps/b.bsp",
    "default.cfg",
    ...Array.from({ length: 40 }, (_, n) => `many/${n}.txt`),
  ],
  "base/pak1.pk3": ["maps/b.bsp", "deep/er/still/c.txt"],
  "mod/mod.pk3": ["default.cfg", "mod.txt"],
};
/** Loose files with their times: with a fraction, before 1970, and one that overrides a pack. */
const looseFiles = {
  "base/loose.txt": 1_234_567.891,
  "base/many/old.txt": -5.5,
  "base/maps/b.bsp": 77,
  "mod/loose.txt": 99.25,
};

const sizeOf = (path: string) => 10 + path.length;

async function install(root: string): Promise<void> {
  const packs = Object.entries(packFiles).map(([path, names]) =>
    [
      path,
      zip(names.map((name, index) => ({ name, content: "x".repeat(sizeOf(name)), method: index % 2 * 8 }))),
    ] as const
  );
  const loose = Object.keys(looseFiles).map((path) => [path, "y".repeat(sizeOf(path))] as const);
  await writeFiles(root, Object.fromEntries([...packs, ...loose]));
  await Promise.all(Object.entries(looseFiles).map(([path, time]) => Deno.utime(`${root}/${path}`, time, time)));
}

/** Files of a pack, by path in it. */
function filesOfPack(root: string, path: string, names: readonly string[]): [string, Expected][] {
  return names.map((member) => [member, { source: `${root}/${path}`, member, size: sizeOf(member), time: packed }]);
}

/** Files of a game directory: later packs win, and loose files over all. */
function filesOfDirectory(root: string, directory: string): Map<string, Expected> {
  const files = new Map<string, Expected>();
  for (const [path, names] of Object.entries(packFiles)) {
    if (!path.startsWith(`${directory}/`)) continue;
    for (const [name, file] of filesOfPack(root, path, names)) files.set(name, file);
  }
  for (const [path, time] of Object.entries(looseFiles)) {
    if (!path.startsWith(`${directory}/`)) continue;
    const member = path.slice(directory.length + 1);
    const seconds = Math.floor(time);
    const nanoseconds = Math.round((time - seconds) * 1000) * 1e6;
    files.set(member, { source: `${root}/${directory}`, member, size: sizeOf(path), time: [seconds, nanoseconds] });
  }
  return files;
}

/** Expected files of a mount, by path. */
function expectedMount(root: string, view: string | null): Map<string, Expected> {
  const base = filesOfDirectory(root, "base");
  const views = { "q3/base": base, "q3/mod": new Map([...base, ...filesOfDirectory(root, "mod")]) };
  const all = new Map<string, Expected>();
  for (const [name, files] of Object.entries(views)) {
    if (view !== null && view !== name) continue;
    for (const [path, file] of files) all.set(view === null ? `${name}/${path}` : path, file);
  }
  for (const [path, names] of Object.entries(packFiles)) {
    for (const [name, file] of filesOfPack(root, path, names)) all.set(`.packs/q3/${path}/${name}`, file);
  }
  return all;
}

/** Paths of all directories, the root as an empty string. */
function directoriesOf(files: ReadonlyMap<string, unknown>): Set<string> {
  const parents = Array.from(files.keys()).flatMap((path) =>
    path.split("/").map((_, index, parts) => parts.slice(0, index).join("/"))
  );
  return new Set(parents);
}

const layouts: readonly (LayoutOptions & { readonly umask: number })[] = [
  { view: null, showPacks: false, showAs: false, umask: 0o222 },
  { view: null, showPacks: true, showAs: false, umask: 0o277 },
  { view: "q3/mod", showPacks: false, showAs: false, umask: 0o222 },
  { view: "q3/base", showPacks: true, showAs: false, umask: 0o227 },
];

for (const { umask, ...layoutOptions } of layouts) {
  const { view, showPacks } = layoutOptions;
  const title = `${view ?? "all views"}, packs ${showPacks ? "listed" : "hidden"}`;
  Deno.test(`every name, attribute, listing and error is as the kernel must see it: ${title}`, async () => {
    await using directory = await temporaryDirectory();
    const root = directory.path;
    await install(root);
    const catalog = scan(root, { name: "q3", profile: "ioquake3", base: "base" });
    const { snapshot } = catalog;
    const counts = createCounterBuffer(1);
    const unreadable = new Set<number>();
    const { files: inner } = openFiles(catalog, { ...layoutOptions, umask }, { counts, unreadable });
    const lines: string[] = [];
    // Logging requests does not change their answers.
    const files = showPacks ? new TracedFileSystem(inner, (line) => lines.push(line)) : inner;
    const asked = requestsAsked();
    const expected = expectedMount(root, view);
    const directories = directoriesOf(expected);
    const chance = numbersFrom(seed);
    const nodes = new Map<string, Node>([["", rootNode]]);
    const describe = (path: string, { high, low }: Node): Record<string, number> => {
      const file = expected.get(path);
      const [seconds, nanoseconds] = file?.time ?? [timeMounted, 0];
      return {
        nodeHigh: high,
        nodeLow: low,
        generation: high === 0 && low === 1 ? 0 : generation,
        mode: file ? S_IFREG | (0o666 & ~umask) : S_IFDIR | (0o777 & ~umask),
        size: file?.size ?? 4096,
        linkCount: file ? 1 : 2,
        userId: 12,
        groupId: 34,
        blockSize: 4096,
        accessedSeconds: seconds,
        accessedNanoseconds: nanoseconds,
        modifiedSeconds: seconds,
        modifiedNanoseconds: nanoseconds,
        changedSeconds: seconds,
        changedNanoseconds: nanoseconds,
        entryTimeout: year,
        attributeTimeout: year,
      };
    };
    const inodes = new Map<number, string>();
    const plain = (attributes: NodeAttributes = new NodeAttributes()) => {
      const { inodeNumber, ...others } = attributes;
      const id = idOf({ high: attributes.nodeHigh, low: attributes.nodeLow });
      // Programs of 32 bits know no larger ones.
      assert(inodeNumber > 0 && inodeNumber < 2 ** 32, `${inodeNumber} of ${id}`);
      assertEquals(inodes.get(inodeNumber) ?? id, id, "two nodes with one inode number");
      inodes.set(inodeNumber, id);
      return others;
    };
    const nodeAt = (path: string): Node => {
      const known = nodes.get(path);
      if (known) return known;
      const end = path.lastIndexOf("/");
      const found = lookup(files, nodeAt(path.slice(0, Math.max(0, end))), path.slice(end + 1));
      assert(found.node && found.attributes, `${path} is found`);
      assertEquals(plain(found.attributes), describe(path, found.node), path);
      nodes.set(path, found.node);
      return found.node;
    };
    const pathAbove = (path: string) => path.slice(0, Math.max(0, path.lastIndexOf("/")));

    for (const path of [...directories, ...expected.keys()]) {
      const node = nodeAt(path);
      const own = describe(path, node);
      const { high, low } = node;
      assertEquals(plain(ask((request) => files.getattr(request, high, low)).attributes), own, path);
      assertEquals(plain(lookup(files, node, ".").attributes), own, `${path}/.`);
      const above = pathAbove(path);
      assertEquals(plain(lookup(files, node, "..").attributes), describe(above, nodeAt(above)), `${path}/..`);
      assertEquals(inner.pathOf(high, low), `/${path}`);
    }
    assertEquals(new Set(nodes.values().map(idOf)).size, nodes.size, "each has an id of its own");

    for (const path of directories) {
      const node = nodeAt(path);
      const isBelow = (one: string) => one !== "" && pathAbove(one) === path;
      const names = [...directories, ...expected.keys()].filter(isBelow).map((one) =>
        one.slice(path === "" ? 0 : path.length + 1)
      );
      const shown = names.filter((name) => path !== "" || showPacks || name !== ".packs");
      for (const plus of [false, true]) {
        const [whole, ...pieces] = [Infinity, 1, 2, 0].map((room) =>
          list(files, node, plus, () => room === 0 ? 1 + chance(7) : room)
        );
        assert(whole);
        for (const other of pieces) assertEquals(other, whole, `${path}: the same in pieces`);
        assertEquals(whole.map(({ name }) => name).slice(0, 2), [".", ".."]);
        assertEquals(whole.slice(2).map(({ name }) => name).sort(), shown.toSorted());
        for (const { name, node: listed, attributes } of whole) {
          const at = name === "." ? path : name === ".." ? pathAbove(path) : path === "" ? name : `${path}/${name}`;
          assertEquals([idOf(listed), listed.isDirectory], [idOf(nodeAt(at)), directories.has(at)], `${path}: ${name}`);
          if (plus) assertEquals(plain(attributes), describe(at, nodeAt(at)), `${path}: ${name}`);
        }
      }
      assertEquals(read(files, node).errno, Errno.EISDIR);
      const { high, low } = node;
      assertEquals(ask((request) => files.listxattr(request, high, low)).bytes, "");
      const wanted = new TextEncoder().encode("user.pakfs.source");
      assertEquals(ask((request) => files.getxattr(request, high, low, wanted)).errno, Errno.ENODATA);
      assert((lookup(files, node, "none").missingFor ?? 0) > 0, path);
      assert((lookup(files, node, "ß".repeat(127) + "n").missingFor ?? 0) > 0, path);
      assertEquals(lookup(files, node, "ß".repeat(128)).errno, Errno.ENAMETOOLONG);
    }

    const entries = new Map<string, number>();
    for (const [path, { source, member }] of expected) {
      const node = nodeAt(path);
      const text = read(files, node).bytes ?? "";
      assert(text.startsWith(`${source} ${member} `), `${path} reads ${text}`);
      entries.set(path, Number(text.split(" ").at(-1)));
      const { high, low } = node;
      const keys = (ask((request) => files.listxattr(request, high, low)).bytes ?? "").split("\0").slice(0, -1);
      const found = Object.fromEntries(
        keys.map((key) =>
          [key, ask((request) => files.getxattr(request, high, low, new TextEncoder().encode(key))).bytes] as const
        ),
      );
      const isPack = path.startsWith(".packs/");
      assertEquals([found["user.pakfs.source"], found["user.pakfs.member"]], [source, member]);
      assertEquals(found["user.pakfs.view"], isPack ? undefined : view ?? path.split("/").slice(0, 2).join("/"));
      assertEquals(found["user.pakfs.method"] === undefined, false);
    }

    // Members that may be damaged without being marked are listed without attributes; looking them up fails.
    const [path = "", entry = 0] = Array.from(entries)[chance(entries.size)] ?? [];
    unreadable.add(entry);
    assertEquals(lookup(files, nodeAt(pathAbove(path)), path.slice(path.lastIndexOf("/") + 1)).errno, Errno.EIO);
    const listed = list(files, nodeAt(pathAbove(path)), true, () => Infinity);
    assertEquals(
      listed.filter(({ attributes }) => !attributes).map(({ name, node }) => [name, idOf(node)]),
      [[path.slice(path.lastIndexOf("/") + 1), idOf(nodeAt(path))]],
    );
    unreadable.clear();

    // Unassigned ids, and ids of other trees.
    const highest = Math.max(...nodes.values().map(({ high }) => high));
    for (const [high, low] of [[highest + 1, 1], [highest, 2 ** 32 - 2], [2 ** 32 - 1, 0]] as const) {
      const strange = { high, low };
      assertEquals(lookup(files, strange, "a").errno, Errno.ESTALE);
      assertEquals(lookup(files, strange, ".").errno, Errno.ESTALE);
      assertEquals(ask((request) => files.getattr(request, high, low)).errno, Errno.ESTALE);
      assertEquals(ask((request) => files.readdir(request, high, low, 0)).errno, Errno.ESTALE);
      assertEquals(ask((request) => files.readdirplus(request, high, low, 0)).errno, Errno.ESTALE);
      assertEquals(read(files, strange).errno, Errno.EIO);
      assertEquals(ask((request) => files.listxattr(request, high, low)).bytes, "");
      assertEquals(inner.pathOf(high, low), `node ${high}.${low}`);
    }

    const { statistics } = ask((request) => files.statfs(request));
    assertEquals(readCounters(counts).requests, requestsAsked() - asked);
    const members = Object.values(packFiles).flat().map(sizeOf);
    const bytes = [...members, ...Object.keys(looseFiles).map(sizeOf)].reduce((sum, size) => sum + size);
    assertEquals(statistics, {
      blocks: Math.ceil(bytes / 4096),
      blockSize: 4096,
      fragmentSize: 4096,
      files: snapshot.entryCount,
      nameLength: 255,
    });

    if (!showPacks) return;
    assertEquals(lines.length, requestsAsked() - asked);
    const line = (call: () => unknown) => (call(), lines.at(-1)?.replace(/ \(\d+ microseconds\)$/, ""));
    const { high, low } = nodeAt(path);
    const described = `node ${high}.${low}, ${expected.get(path)?.size} bytes`;
    const name = path.slice(path.lastIndexOf("/") + 1);
    const above = nodeAt(pathAbove(path));
    assertEquals(
      [
        line(() => ask((request) => files.getattr(request, high, low))),
        line(() => lookup(files, above, name)),
        line(() => lookup(files, above, "none")),
        line(() => lookup(files, above, "ß".repeat(128))),
        line(() => read(files, { high, low })),
        line(() => ask((request) => files.readdir(request, above.high, above.low, 99_999))),
        line(() => ask((request) => files.statfs(request))),
        line(() => files.interrupt(7n)),
      ],
      [
        `fuse: test /${path}: ${described}`,
        `fuse: test /${pathAbove(path)} "${name}": ${described}`,
        `fuse: test /${pathAbove(path)} "none": ENOENT`,
        `fuse: test /${pathAbove(path)} "${"ß".repeat(128)}": ENAMETOOLONG`,
        `fuse: test /${path} 4096 bytes at 0: ${read(inner, { high, low }).bytes?.length} bytes`,
        `fuse: test /${pathAbove(path)} from 99999: 0 bytes of names`,
        "fuse: test /: statistics",
        "fuse: interrupt 7",
      ],
    );
  });
}

Deno.test("a directory in another spelling lists what can be looked up in it, whichever comes first", async () => {
  await using directory = await temporaryDirectory();
  const root = directory.path;
  await install(root);
  // One more spelling, which the engine knows as another directory on disk.
  await writeFiles(root, { "base/MAPS/own.bsp": "own", "base/Maps/Deep/c.bsp": "deep" });
  const catalog = scan(root, { name: "q3", profile: "ioquake3", base: "base" });
  const names = [
    "a.bsp",
    "b.bsp",
    "own.bsp",
    "deep",
    "Deep",
    "DEEP",
    "c.bsp",
    "er",
    "ER",
    "still",
    "STILL",
    "c.txt",
    "C.TXT",
  ];
  const children = (files: GameFileSystem, node: Node, listsFirst: boolean): [string[], string[]] => {
    const listed = () => list(files, node, true, () => Infinity).map(({ name }) => name).slice(2).sort();
    const before = listsFirst ? listed() : [];
    const found = names.filter((name) => lookup(files, node, name).node);
    return [listsFirst ? before : listed(), found];
  };
  let compared = 0;
  for (
    const path of [
      "MAPS",
      "Maps",
      "mAPS",
      "Maps/Deep",
      "MAPS/DEEP",
      "DEEP",
      "DEEP/ER",
      "Deep/er/STILL",
      "deep/Er/still",
    ]
  ) {
    const [listedFirst, lookedUpFirst] = [true, false].map((listsFirst) => {
      const { files } = openFiles(catalog, { view: "q3/base", showPacks: false, showAs: false, umask: 0 });
      let node: Node | undefined = rootNode;
      for (const name of path.split("/")) node = node && lookup(files, node, name).node;
      return node && children(files, node, listsFirst);
    });
    assertEquals(listedFirst, lookedUpFirst, path);
    if (!listedFirst) continue;
    compared++;
    const [listed, found] = listedFirst;
    assert(listed.length > 0, `${path} lists something`);
    assertEquals(listed.filter((name) => !found.includes(name)), [], `${path} lists what is not there`);
    const folded = new Set(listed.map((name) => name.toLowerCase()));
    assertEquals(found.filter((name) => !folded.has(name.toLowerCase())), [], `${path} lists all that is there`);
  }
  assert(compared > 5, `${compared} directories`);
});
