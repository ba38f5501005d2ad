// deno-lint-ignore-file no-await-in-loop -- one change after the other
/**
 * Views of converted files without a converter: names, ids, the responsible thread, and changes by a refresh, compared
 * with plain lists of the files on disk.
 */
import { assert, assertEquals } from "@std/assert";
import { Errno, type NodeAttributes } from "deno-fuse-ffi";
import { Counters, createCounterBuffer } from "../../mount/shared/counters.ts";
import { createDecodeBuffers, DecodeMemory } from "../../mount/shared/decode_memory.ts";
import { ConvertedFiles } from "../../mount/session/converted_files.ts";
import { GameFileSystem } from "../../mount/session/game_file_system.ts";
import { HandedRequests } from "../../mount/session/handed_requests.ts";
import { InputNotes } from "../../mount/shared/conversions.ts";
import { MountLayout } from "../../mount/layout/mount_layout.ts";
import { ReadAhead } from "../../mount/session/read_ahead.ts";
import { attributesWanted, createRequestQueueBuffer, RequestQueue } from "../../mount/shared/request_queue.ts";
import type { QueuedRequest } from "../../mount/shared/request_queue.ts";
import type { Shown } from "../../mount/session/shown.ts";
import { Catalog } from "../../views/catalog.ts";
import { scanCatalog } from "../support/catalogs.ts";
import { pak } from "../formats/bytes.ts";
import { writeFiles } from "../index/fixtures.ts";
import { numbersFrom, seed } from "../support/chance.ts";
import { replierOf } from "../support/replier.ts";
import { settle } from "../support/settle.ts";
import { temporaryDirectory } from "../support/temporary.ts";
import { type Answer, ask, lookup, type Node, rootNode } from "./kernel_requests.ts";

const row = { paths: undefined, isByContent: false };
const kinds = [
  { ...row, extensions: ["tga", "lmp"], to: "png" },
  { ...row, extensions: ["md3"], to: "glb" },
  { ...row, extensions: ["dat"], to: "txt", isByContent: true },
  { ...row, extensions: [""], to: "png", paths: /^flats\// },
  { ...row, extensions: [""], to: "txt", paths: /^texts\// },
  { ...row, extensions: [""], to: "png", paths: /^mixed\// },
  { ...row, extensions: [""], to: "wav", paths: /^mixed\// },
];

/** Returns the extension that a converted file gets, judged by its path. */
function endingOf(path: string): string | undefined {
  if (/\.(tga|lmp)$|^flats\/\w+$/.test(path)) return "png";
  return path.endsWith(".md3") ? "glb" : undefined;
}

const packed = [
  "textures/wall.tga",
  "textures/floor.tga",
  "both.tga",
  "gfx/palette.lmp",
  "gfx/a.lmp",
  "models/m.md3",
  "models/n.md3",
  "models/large.md3",
  "textures/large.tga",
  "deep/er/c.tga",
  "flats/rock",
  "texts/a",
  "mixed/a",
  "readme",
  "default.cfg",
  "x.dat",
];
/** Files written later, which hide files of the pack or take a converted file's name. */
const loose = [
  "textures/wall.tga",
  "gfx/palette.lmp",
  "gfx/new.lmp",
  "models/m.md3",
  "both.tga.png",
  "textures/wall.jpg",
];
/** Other paths that conversions request: all files in a directory, and images of any extension. */
const askedFor = [...packed.slice(0, 6), "gfx/new.lmp", "missing.tga", "gfx/", "textures/wall.*", "textures/floor.*"];

const views = ["id1", "mod"];
const threads = 4;
const idOf = ({ high, low }: Pick<Node, "high" | "low">) => `${high}.${low}`;
const directoryOf = (path: string) => path.slice(0, Math.max(0, path.lastIndexOf("/")));

/** A file of a view below `.as`. */
interface ShownFile {
  readonly path: string;
  readonly content: string;
  readonly isConverted: boolean;
}

/** Expected files by name, from contents by path. */
function shownFiles(contents: ReadonlyMap<string, string>): Map<string, ShownFile> {
  return new Map(Array.from(contents, ([path, content]) => {
    const name = `${path}.${endingOf(path)}`;
    const isConverted = endingOf(path) !== undefined && !contents.has(name);
    return [isConverted ? name : path, { path, content, isConverted }] as const;
  }));
}

/** Target of a path that a conversion requests. */
function answerOf(contents: ReadonlyMap<string, string>, asked: string): string {
  const isMeant = (path: string) =>
    asked.endsWith("/")
      ? path.startsWith(asked)
      : asked.endsWith(".*")
      ? /\.(tga|jpg)$/.test(path) && path.replace(/\.\w+$/, ".*") === asked
      : path === asked;
  return JSON.stringify(Array.from(contents).filter(([path]) => isMeant(path)).sort());
}

/** A mount with converted files whose converters are controlled by the test. */
class Mount {
  readonly files: GameFileSystem;
  readonly converted: ConvertedFiles;
  readonly notes: readonly InputNotes[];
  readonly entries = new Map<bigint, string>();
  readonly errors = new Map<bigint, number>();
  starts = 0;
  version = 0;
  catalog: Catalog;
  readonly #queues: readonly RequestQueue[];
  #layout: MountLayout;

  constructor(catalog: Catalog) {
    const buffers = Array.from({ length: threads }, createRequestQueueBuffer);
    const notes = buffers.map(() => new SharedArrayBuffer(2000));
    const replier = replierOf({
      entry: (address: bigint, { nodeHigh: high, nodeLow: low }: NodeAttributes) =>
        void this.entries.set(address, idOf({ high, low })),
      error: (address: bigint, errno: number) => void this.errors.set(address, errno),
    });
    this.notes = notes.map((buffer) => new InputNotes(buffer));
    this.#queues = buffers.map((buffer) => new RequestQueue(buffer));
    this.converted = new ConvertedFiles(kinds, new HandedRequests(buffers, replier, () => {}), notes);
    this.catalog = catalog;
    this.#layout = this.#layoutOf(catalog);
    this.files = new GameFileSystem(
      this.#shownOf(),
      {
        counters: new Counters(createCounterBuffer(1), 0),
        readAhead: new ReadAhead(new DecodeMemory(createDecodeBuffers(0))),
        onConverted: () => this.starts++,
        onListAgain: () => {},
      },
      { userId: 0, groupId: 0, generation: 0, mounted: 0, umask: 0o222 },
      () => {},
    );
    this.convert = (converted) => this.files.convert(converted, replier);
  }

  readonly convert: (converted: ConvertedFiles | undefined) => void;

  /** Shows another index; returns the names that the kernel must invalidate, with their directories. */
  show(catalog: Catalog): Set<string> {
    this.version++;
    // Each index is a new object, as in the session thread.
    this.catalog = new Catalog(catalog.index);
    this.#layout = this.#layoutOf(this.catalog, this.#layout);
    const names = this.#layout.replacePrevious(this.files.conversionChanges(this.#layout));
    names.push(...this.files.show(this.#shownOf()));
    return new Set(names.map((known) => `${idOf(known)} ${new TextDecoder().decode(known.name)}`));
  }

  /** Node of a path that needs no converter, or the answer to a lookup of its last name. */
  find(path: string): Node {
    let node = rootNode;
    for (const name of path.split("/").filter((part) => part !== "")) {
      const found = lookup(this.files, node, name).node;
      assert(found, `${path} is found`);
      node = found;
    }
    return node;
  }

  /** Returns the forwarded form of a request and its thread; it stays in its queue. */
  handed({ address }: Answer): QueuedRequest & { thread: number } {
    for (const [thread, queue] of this.#queues.entries()) {
      const found = queue.waiting().find((one) => one.address === address);
      if (found) return { ...found, thread };
    }
    throw new Error("the request was not handed on");
  }

  /** Removes requests from the queues, as if converters had answered. */
  answer(isMeant: (request: QueuedRequest) => boolean = () => true): void {
    for (const queue of this.#queues) {
      for (const request of queue.waiting().filter(isMeant)) {
        assert(queue.claim(request));
        queue.release(request);
      }
    }
  }

  /** Whether the sources of a view are on a remote file system. */
  isFar = (view: string) => view === "mod" && this.version % 3 === 2;

  #shownOf(): Shown {
    const { snapshot } = this.catalog;
    const isFar = this.isFar("mod");
    return {
      layout: this.#layout,
      snapshot,
      remotes: Uint8Array.from(snapshot.sources, ({ path }) => isFar && path.includes("/mod") ? 1 : 0),
      content: {
        version: this.version,
        prepare: () => {},
        canLookUp: () => true,
        startOf: () => undefined,
        isKnownToBeSound: () => true,
        aheadDescriptor: () => -1,
        serve: (request, entry) => request.replyData(new TextEncoder().encode(snapshot.memberOf(entry))),
      },
    };
  }

  #layoutOf(catalog: Catalog, previous?: MountLayout): MountLayout {
    return new MountLayout(catalog, { view: null, showPacks: false, showAs: true }, previous);
  }
}

/** Lists a directory with attributes, in several calls. */
function list(mount: Mount, { high, low }: Node, room: () => number): Answer["listed"] {
  const listed: Answer["listed"] = [];
  for (;;) {
    const from = listed.at(-1)?.next ?? 0;
    const answer = ask((request) => mount.files.readdirplus(request, high, low, from), room());
    if (answer.listed.length === 0) return listed.slice(2);
    listed.push(...answer.listed);
  }
}

/** Asserts that a view is as expected; returns ids by name of directories (which end with a slash) and files. */
function checkView(
  mount: Mount,
  view: string,
  contents: ReadonlyMap<string, string>,
  chance: (below: number) => number,
) {
  const { files } = mount;
  const { snapshot, views: all } = mount.catalog;
  const expected = shownFiles(contents);
  const ids = new Map<string, Node>();
  const checkHanded = (answer: Answer, { path, isConverted }: ShownFile, wanted: { offset: number; size: number }) => {
    assert(isConverted);
    const { thread, version, entry, offset, size, ...about } = mount.handed(answer);
    assertEquals([version, snapshot.memberOf(entry), { offset, size }], [mount.version, path, wanted]);
    assertEquals(all[about.view]?.name, `q/${view}`);
    assertEquals(new TextDecoder().decode(snapshot.nameBytes(about.node)), path.slice(path.lastIndexOf("/") + 1));
    if (mount.isFar(view)) assertEquals(thread, threads - 1);
    else if (path === "models/large.md3") assertEquals(thread, 0);
    else assert(thread > 0 && thread < threads - 1, `${path} is left to thread ${thread}`);
    return about;
  };
  const walk = (directory: string, node: Node) => {
    ids.set(`${directory}/`, node);
    const below = directory === "" ? "" : `${directory}/`;
    const listed = list(mount, node, () => 1 + chance(5));
    const isBelow = (name: string) => name.startsWith(below);
    const names = Array.from(expected.keys()).filter(isBelow).map((name) =>
      name.slice(below.length).split("/")[0] ?? ""
    );
    assertEquals(listed.map(({ name }) => name).sort(), Array.from(new Set(names)).sort(), `${view}/${directory}`);
    for (const { name, node: child, attributes } of listed) {
      const file = expected.get(below + name);
      assertEquals([child.isDirectory, attributes === undefined], [!file, file?.isConverted === true], below + name);
      const { high, low } = child;
      if (!file) walk(below + name, child);
      else if (file.isConverted) {
        const attributesOfNode = ask((request) => files.getattr(request, high, low));
        assertEquals(
          idOf(checkHanded(attributesOfNode, file, { offset: 0, size: attributesWanted.ofNode })),
          idOf(child),
        );
        // A server of NFS looks a node up by its own id.
        for (const found of [lookup(files, node, name), lookup(files, child, ".")]) {
          assertEquals(idOf(checkHanded(found, file, { offset: 0, size: attributesWanted.ofName })), idOf(child), name);
        }
        const read = ask((request) => files.read(request, high, low, 2 ** 33 + 5, 77));
        assertEquals(idOf(checkHanded(read, file, { offset: 2 ** 33 + 5, size: 77 })), idOf(child));
        const own = lookup(files, node, name.slice(0, name.lastIndexOf("."))).node;
        assertEquals(own && idOf(own), idOf(mount.find(`q/${view}/${file.path}`)), "the original by its own name");
      } else assertEquals(idOf(child), idOf(mount.find(`q/${view}/${file.path}`)), `${file.path} is the view's own`);
      if (file) ids.set(below + name, child);
      mount.answer();
    }
    for (
      const name of ["wall.png", "wall.tga.glb", "default.cfg.png", ".png", "er.png", "a.wav", "rock.", "x.dat.txt"]
    ) {
      const { node: found, missingFor } = lookup(files, node, name);
      assertEquals([found, missingFor !== undefined], [undefined, true], `${below}${name}`);
    }
  };
  const top = mount.find(`.as/q/${view}`);
  assertEquals(lookup(files, top, "..").node?.low, mount.find(".as/q").low);
  walk("", top);
  return ids;
}

Deno.test("names of converted files lead where they should, and a refresh changes the ids of those that others change", async () => {
  await using directory = await temporaryDirectory();
  const chance = numbersFrom(seed);
  const root = `${directory.path}/q`;
  let stamp = 0;
  const text = () => String(++stamp).padStart(6, "0");
  const base = new Map(packed.map((path) => [path, text().padEnd(path.includes("large") ? 2 ** 20 : 0, "x")]));
  const mod = new Map<string, string>();
  await writeFiles(root, { "id1/pak0.pak": pak(Array.from(base)), "mod/mod.txt": "mod" });
  mod.set("mod.txt", "mod");
  await settle();
  const games = [{ name: "q", profile: "quake", sources: [root] }];
  const mount = new Mount(scanCatalog(games));
  const { files } = mount;

  // Converters are loaded only when a view is looked up.
  const game = mount.find(".as/q");
  const bareViews = () =>
    list(mount, game, () => Infinity).map(({ name, attributes }) => [name, attributes === undefined]);
  assertEquals(bareViews(), views.map((view) => [view, true]));
  assertEquals(mount.starts, 0);
  for (const converted of [undefined, mount.converted]) {
    const waiting = views.map((view) => lookup(files, game, view).address ?? 0n);
    assertEquals([mount.starts, mount.entries.size, mount.errors.size], [converted ? 2 : 1, 0, converted ? 2 : 0]);
    mount.convert(converted);
    const ids = waiting.map((address) => mount.entries.get(address));
    if (converted) assertEquals(ids, list(mount, game, () => Infinity).map(({ node }) => idOf(node)));
    else assertEquals(waiting.map((address) => mount.errors.get(address)), [Errno.EIO, Errno.EIO]);
  }
  assertEquals(bareViews(), views.map((view) => [view, false]));

  const contentsOf = (view: string) => view === "id1" ? base : new Map([...base, ...mod]);
  const check = () => new Map(views.map((view) => [view, checkView(mount, view, contentsOf(view), chance)] as const));
  let ids = check();
  /** Paths requested by conversions, by id, and their targets at that time. */
  let noted = new Map<string, Set<string>>();
  const given = new Map<string, string>();
  const counted = { kept: 0, own: 0, asked: 0, waited: 0, lost: 0 };
  for (let step = 0; step < Number(Deno.env.get("PAKFS_CONVERTED_STEPS") ?? 30); step++) {
    const before = new Map(views.map((view) => [view, shownFiles(contentsOf(view))] as const));
    const contentsBefore = new Map(views.map((view) => [view, new Map(contentsOf(view))] as const));
    const waited = new Set<string>();
    for (const view of views) {
      for (const [name, { isConverted, path, content }] of before.get(view) ?? []) {
        if (!isConverted || chance(3) > 0) continue;
        const node = ids.get(view)?.get(name) ?? rootNode;
        given.set(idOf(node), `${view}/${path} ${content}`);
        const { thread } = mount.handed(ask((request) => files.read(request, node.high, node.low, 0, 10)));
        const asked = askedFor.filter(() => chance(5) === 0);
        noted.set(idOf(node), (noted.get(idOf(node)) ?? new Set()).union(new Set(asked)));
        if (asked.length > 0) mount.notes[thread]?.add({ ...node, paths: asked.join("\0") });
        if (chance(8) === 0) waited.add(idOf(node));
        else mount.answer((request) => idOf(request) === idOf(node));
      }
    }
    // The session takes notes before they exceed their limit.
    for (let count = step % 10 === 0 ? 100 : 0; count > 0; count--) {
      const node = ids.get("id1")?.get("gfx/a.lmp.png") ?? rootNode;
      const { thread } = mount.handed(ask((request) => files.read(request, node.high, node.low, 0, 10)));
      mount.notes[thread]?.add({ ...node, paths: "missing.tga" });
      mount.answer((request) => idOf(request) === idOf(node) && !waited.has(idOf(node)));
    }
    const isLost = chance(8) === 0;
    if (isLost) mount.notes[chance(threads)]?.add({ high: 1, low: 1, paths: "x".repeat(3000) });
    for (let changes = chance(3); changes > 0; changes--) {
      const path = loose[chance(loose.length)] ?? "";
      const isRemoved = mod.has(path) && chance(2) === 0;
      if (isRemoved) {
        mod.delete(path);
        await Deno.remove(`${root}/mod/${path}`);
        continue;
      }
      mod.set(path, text());
      await writeFiles(`${root}/mod`, { [path]: mod.get(path) ?? "" });
      await Deno.utime(`${root}/mod/${path}`, 2_000_000 + stamp, 2_000_000 + stamp);
    }
    const forgotten = mount.show(scanCatalog(games, { previous: mount.catalog, previousNumbers: [0] }));
    const next = check();
    const notedBefore = noted;
    noted = new Map();
    for (const view of views) {
      const [was, is] = [ids.get(view) ?? new Map<string, Node>(), next.get(view) ?? new Map<string, Node>()];
      const now = shownFiles(contentsOf(view));
      const isSameAnswer = (asked: string) =>
        answerOf(contentsBefore.get(view) ?? new Map(), asked) === answerOf(contentsOf(view), asked);
      for (const name of new Set([...was.keys(), ...is.keys()])) {
        const [old, node] = [was.get(name), is.get(name)];
        const [oldFile, file] = [before.get(view)?.get(name), now.get(name)];
        const text = `${view}/${name} in step ${step}, PAKFS_SEED=${seed}`;
        if (old && node && oldFile?.isConverted && file?.isConverted) {
          const isWaiting = waited.has(idOf(old));
          const isAsked = Array.from(notedBefore.get(idOf(old)) ?? []).some((asked) => !isSameAnswer(asked));
          const isOther = oldFile.content !== file.content;
          const isChanged = isOther || isWaiting || isAsked || isLost;
          assertEquals(idOf(old) !== idOf(node), isChanged, text);
          counted[isOther ? "own" : isWaiting ? "waited" : isAsked ? "asked" : isLost ? "lost" : "kept"]++;
          if (!isChanged) noted.set(idOf(old), notedBefore.get(idOf(old)) ?? new Set());
        }
        if (node && file?.isConverted) {
          const bytes = `${view}/${file.path} ${file.content}`;
          assertEquals(given.get(idOf(node)) ?? bytes, bytes, `${text} has the id of others`);
        }
        const above = was.get(`${directoryOf(name)}/`);
        // An unconverted file keeps its name in any case.
        const own = contentsOf(view).get(name);
        if (own !== undefined && contentsBefore.get(view)?.get(name) === own && !now.get(name)?.isConverted) continue;
        // Invalidating a directory's name covers its content.
        if (name.endsWith("/") || !above || !is.has(`${directoryOf(name)}/`)) continue;
        if (old && node && idOf(old) === idOf(node)) continue;
        assert(forgotten.has(`${idOf(above)} ${name.slice(name.lastIndexOf("/") + 1)}`), `the kernel forgets ${text}`);
      }
      // Open files keep their earlier bytes.
      for (const [name, file] of before.get(view) ?? []) {
        const node = was.get(name);
        if (!file.isConverted || !node || is.values().some((one) => idOf(one) === idOf(node))) continue;
        if (now.has(file.path)) continue;
        const read = mount.handed(ask((request) => files.read(request, node.high, node.low, 3, 4)));
        const found = mount.handed(ask((request) => files.getattr(request, node.high, node.low)));
        const size = attributesWanted.ofNode;
        assertEquals([read.version, read.offset, read.size], [mount.version - 1, 3, 4]);
        assertEquals([found.version, found.offset, found.size], [mount.version - 1, 0, size]);
      }
    }
    mount.answer();
    ids = next;
  }
  for (const [kind, count] of Object.entries(counted)) assert(count > 5, `${count} ${kind}`);
});
