/**
 * An id whose bytes the kernel may have cached is never reused. Random installations change, disappear, return and are
 * reloaded; a model of a kernel that caches names and pages until they are invalidated must agree with a kernel that
 * caches nothing.
 */
import { assert, assertEquals } from "@std/assert";
import { Errno } from "deno-fuse-ffi";
import { crc32 } from "node:zlib";
import { catalogAfter, catalogMessage } from "../../mount/shared/catalog_messages.ts";
import { Counters, createCounterBuffer } from "../../mount/shared/counters.ts";
import { createDecodeBuffers, DecodeMemory } from "../../mount/shared/decode_memory.ts";
import { GameFileSystem } from "../../mount/session/game_file_system.ts";
import type { Shown } from "../../mount/session/shown.ts";
import { MountLayout } from "../../mount/layout/mount_layout.ts";
import { type CachedName, FreshNumbers } from "../../mount/layout/mounted_tree.ts";
import { ReadAhead } from "../../mount/session/read_ahead.ts";
import { indexFrom, type IndexParts } from "../../index/columns/indexed_games.ts";
import { Catalog } from "../../views/catalog.ts";
import { scanCatalog } from "../support/catalogs.ts";
import { isDirectorySource } from "../../index/columns/source.ts";
import { filePathOf } from "../../index/columns/source.ts";
import { numbersFrom, seed } from "../support/chance.ts";
import { settle } from "../support/settle.ts";
import { temporaryDirectory } from "../support/temporary.ts";
import { Disk } from "./changing_disk.ts";
import { type Answer, ask, lookup, type Node, read, rootNode } from "./kernel_requests.ts";

const encoder = new TextEncoder();
const decoder = new TextDecoder();
const idOf = ({ high, low }: Pick<Node, "high" | "low">) => `${high}.${low}`;

const root = rootNode;

/** Id, size and times of a file in an answer. */
function fileOf({ attributes }: Answer): readonly unknown[] {
  assert(attributes);
  const { nodeHigh, nodeLow, mode, size, modifiedSeconds, modifiedNanoseconds } = attributes;
  return [nodeHigh, nodeLow, mode, size, modifiedSeconds, modifiedNanoseconds];
}

function list(files: GameFileSystem, { high, low }: Node): [string, Node][] {
  const { listed } = ask((request) => files.readdirplus(request, high, low, 2));
  return listed.map(({ name, node }) => [name, node]);
}

/** A kernel with unlimited caches, cleared only by invalidation. */
class Kernel {
  readonly #names = new Map<string, Map<string, Node | null>>();
  readonly #pages = new Map<string, string>();
  readonly #files: GameFileSystem;

  constructor(files: GameFileSystem) {
    this.#files = files;
  }

  /** The node of a path; null if it does not exist, an error number if the lookup fails. */
  find(path: readonly string[], from: Node = root): Node | null | number {
    let node = from;
    for (const name of path) {
      if (!node.isDirectory) return null;
      const names = this.#namesIn(node);
      let found = names.get(name);
      if (found === undefined) {
        const answer = lookup(this.#files, node, name);
        if (answer.errno !== undefined) return answer.errno;
        found = answer.node ?? null;
        if ((answer.node?.timeout ?? answer.missingFor ?? 0) > 0) names.set(name, found);
      }
      if (found === null) return null;
      node = found;
    }
    return node;
  }

  /** Lists a directory with attributes, which equals looking up all of its names. */
  list(directory: Node): void {
    for (const [name, node] of list(this.#files, directory)) {
      if (node.timeout > 0) this.#namesIn(directory).set(name, node);
    }
  }

  /** The bytes of a file, from cached pages if it was read before. */
  read(node: Node): string | number {
    const known = this.#pages.get(idOf(node));
    if (known !== undefined) return known;
    const { bytes, errno } = read(this.#files, node);
    if (bytes === undefined) return errno ?? 0;
    this.#pages.set(idOf(node), bytes);
    return bytes;
  }

  /** Nodes below a name stay as long as they are referenced: here always. */
  forget(names: readonly CachedName[]): void {
    for (const { high, low, name } of names) this.#names.get(idOf({ high, low }))?.delete(decoder.decode(name));
  }

  #namesIn(directory: Node): Map<string, Node | null> {
    const known = this.#names.get(idOf(directory)) ?? new Map<string, Node | null>();
    this.#names.set(idOf(directory), known);
    return known;
  }
}

/** Bytes of every entry on disk at the time of indexing. */
function contentOf({ snapshot }: Catalog, version: number): Shown["content"] {
  const packs = new Map<string, number>();
  const bytes = Array.from({ length: snapshot.entryCount }, (_, entry) => {
    const source = snapshot.sourceOf(entry);
    if (snapshot.isDirectory(entry)) return "";
    if (isDirectorySource(source)) return Deno.readTextFileSync(filePathOf(source, snapshot.memberOf(entry)));
    const sum = packs.get(source.path) ?? crc32(Deno.readFileSync(source.path));
    packs.set(source.path, sum);
    return `${sum} ${snapshot.memberOf(entry)}`;
  });
  return {
    version,
    prepare: () => {},
    canLookUp: () => true,
    startOf: () => undefined,
    isKnownToBeSound: () => true,
    aheadDescriptor: () => -1,
    serve: (request, entry) => request.replyData(encoder.encode(bytes[entry])),
  };
}

/** A mount without a kernel, and a record of everything it ever showed. */
class ModelMount {
  readonly files: GameFileSystem;
  readonly kernel: Kernel;
  #shown: Shown;
  #version = 0;
  /** Bytes of each file id ever assigned, and path of each directory id. */
  readonly #bytes = new Map<string, string>();
  readonly #gone = new Set<string>();
  #present = new Map<string, Node>();
  readonly #paths = new Set<string>();
  readonly #open: {
    readonly node: Node;
    readonly file: readonly unknown[];
    readonly bytes: string;
    readonly version: number;
  }[] = [];
  readonly #directories: { readonly node: Node; readonly path: string }[] = [];

  readonly #view: string | null;
  /** The last index sent, and the session's copy of it. */
  #sent: IndexParts;
  #received: Catalog;

  constructor(catalog: Catalog, view: string | null) {
    this.#view = view;
    this.#sent = catalog.index;
    this.#received = new Catalog(indexFrom(structuredClone(this.#sent)));
    this.#shown = this.#shownOf(this.#received);
    this.files = new GameFileSystem(
      this.#shown,
      {
        counters: new Counters(createCounterBuffer(1), 0),
        readAhead: new ReadAhead(new DecodeMemory(createDecodeBuffers(0))),
        onListAgain: () => {},
      },
      { userId: 0, groupId: 0, generation: 0, mounted: 0, umask: 0o222 },
      () => {},
    );
    this.kernel = new Kernel(this.files);
  }

  /** Number of ids seen. */
  get idCount(): number {
    return this.#present.size + this.#gone.size;
  }

  /** Ids of all existing files and directories, by path. */
  get present(): ReadonlyMap<string, string> {
    return new Map(this.#present.entries().map(([path, node]) => [path, idOf(node)]));
  }

  show(catalog: Catalog): readonly CachedName[] {
    const message = structuredClone(catalogMessage(this.#sent, catalog.index));
    this.#sent = catalog.index;
    this.#received = new Catalog(indexFrom(catalogAfter(this.#received.index, message)));
    const next = this.#shownOf(this.#received, this.#shown.layout);
    const names = next.layout.replacePrevious();
    this.#shown = next;
    names.push(...this.files.show(next));
    this.kernel.forget(names);
    return names;
  }

  /** Compares everything; opens and enters random files and directories. */
  check(chance: (below: number) => number): void {
    const before = this.#present;
    this.#present = this.#walk(chance);
    const ids = new Set(this.#present.values().map(idOf));
    for (const node of before.values()) if (!ids.has(idOf(node))) this.#gone.add(idOf(node));
    for (const [path, node] of this.#present) {
      assert(!this.#gone.has(idOf(node)), `${path} has the id ${idOf(node)} of what had disappeared`);
      const bytes = node.isDirectory ? `directory ${path}` : read(this.files, node).bytes;
      assertEquals(this.#bytes.get(idOf(node)) ?? bytes, bytes, `${path} has an id of other bytes`);
      this.#bytes.set(idOf(node), bytes ?? "");
    }
    for (const path of this.#paths) this.#compare(path);
    for (const { node, file, bytes, version } of this.#open) {
      const now = read(this.files, node);
      const mayBeGone = version < this.#version - 2;
      assert(
        now.bytes === bytes || (mayBeGone && now.errno === Errno.EIO),
        `an open file of ${bytes} reads ${now.bytes}`,
      );
      const described = ask((request) => this.files.getattr(request, node.high, node.low));
      if (now.bytes === undefined) assertEquals(described.errno, Errno.ESTALE);
      else assertEquals(fileOf(described), file, `an open file of ${bytes} has the attributes that it had`);
    }
    for (const { node, path } of this.#directories) {
      const isThere = idOf(this.#present.get(path) ?? root) === idOf(node);
      for (const name of ["f.dat", "g.dat", "maps"]) {
        const found = lookup(this.files, node, name);
        const expected = isThere ? this.#fresh(`${path}/${name}`) : null;
        assertEquals(found.node ? idOf(found.node) : null, expected && idOf(expected), `${name} of a shell in ${path}`);
      }
      const { high, low } = node;
      // A directory above the trees stays valid for processes in it.
      if (high === 0) continue;
      const answers = [
        ask((request) => this.files.getattr(request, high, low)),
        lookup(this.files, node, "."),
        ask((request) => this.files.readdir(request, high, low, 0)),
        read(this.files, node),
      ];
      const there = isThere ? [undefined, undefined, undefined, Errno.EISDIR] : undefined;
      const [stale, io] = [Errno.ESTALE, Errno.EIO];
      assertEquals(answers.map(({ errno }) => errno), there ?? [stale, stale, stale, io], `a shell in ${path}`);
    }
    this.#openSome(chance);
  }

  #openSome(chance: (below: number) => number): void {
    const there = Array.from(this.#present);
    const [path, node] = there[chance(there.length)] ?? ["", root];
    // Only the newest are kept: files that disappeared long ago stay errors.
    if (this.#directories.length > 20) this.#directories.shift();
    if (this.#open.length > 20) this.#open.shift();
    if (node.isDirectory) this.#directories.push({ node, path });
    else {
      const file = fileOf(ask((request) => this.files.getattr(request, node.high, node.low)));
      this.#open.push({ node, file, bytes: this.#bytes.get(idOf(node)) ?? "", version: this.#version - 1 });
    }
  }

  /** Whether a caching kernel finds the same as one without a cache. */
  #compare(path: string): void {
    const components = path.split("/").filter((name) => name !== "");
    const fresh = this.#fresh(path);
    const known = this.kernel.find(components);
    const seen = typeof known === "object" && known !== null ? idOf(known) : known;
    assertEquals(seen, fresh && idOf(fresh), `${path} as the kernel remembers it`);
    if (!fresh || fresh.isDirectory || known === null || typeof known === "number") return;
    assertEquals(this.kernel.read(known), this.#bytes.get(idOf(fresh)), `the pages of ${path}`);
  }

  #fresh(path: string): Node | null {
    let node = root;
    for (const name of path.split("/").filter((part) => part !== "")) {
      const found = node.isDirectory ? lookup(this.files, node, name).node : undefined;
      if (!found) return null;
      node = found;
    }
    return node;
  }

  /** All listed names, names found only by lookup, and names in upper case. */
  #walk(chance: (below: number) => number): Map<string, Node> {
    const found = new Map<string, Node>();
    const directories: [string, Node][] = [["", root]];
    for (const [path, directory] of directories) {
      const depth = path.split("/").length - 1;
      const asked = depth === 0 ? [".packs"] : depth === 1 ? ["mod+other", "other+mod", "mod+none"] : [];
      if (chance(2) === 0) this.kernel.list(directory);
      const listed = list(this.files, directory).map(([name]) => name);
      const ids = new Set(listed.map((name) => idOf(lookup(this.files, directory, name).node ?? root)));
      const respelled = depth > 1 ? ["maps", "Maps", "F.dat", "a", ...listed.map((name) => name.toUpperCase())] : [];
      for (const name of [...listed, ...asked, ...respelled]) {
        const { node } = lookup(this.files, directory, name);
        this.#paths.add(`${path}/${name}`);
        if (depth > 1) this.#paths.add(`${path}/${name.toUpperCase()}`);
        // Another spelling of a name may be another file, or the same.
        if (!node || (!listed.includes(name) && ids.has(idOf(node)))) continue;
        ids.add(idOf(node));
        found.set(`${path}/${name}`, node);
        if (node.isDirectory) directories.push([`${path}/${name}`, node]);
      }
    }
    return found;
  }

  #shownOf(catalog: Catalog, previous?: MountLayout): Shown {
    return {
      layout: new MountLayout(catalog, { view: this.#view, showPacks: false, showAs: false }, previous),
      snapshot: catalog.snapshot,
      content: contentOf(catalog, this.#version++),
    };
  }
}

for (const view of [null, "one/mod", "two/mod"]) {
  const shown = view ?? "all games";
  Deno.test(`no id is ever given to other bytes, and the kernel forgets what is no longer true: ${shown}`, () =>
    changeAtRandom(view));
}

async function changeAtRandom(view: string | null): Promise<void> {
  const steps = Number(Deno.env.get("PAKFS_IDENTITY_STEPS") ?? 100);
  const chance = numbersFrom(seed);
  await using directory = await temporaryDirectory();
  const disk = new Disk(directory.path, chance);
  await disk.fill();
  let games = disk.games;
  let catalog = scanCatalog(disk.options);
  const mount = new ModelMount(catalog, view);
  mount.check(chance);
  const refresh = (keepsNumbers: boolean) => {
    const before = games;
    const numbers = disk.games.map((game) => before.indexOf(game));
    const next = scanCatalog(disk.options, keepsNumbers ? { previous: catalog, previousNumbers: numbers } : {});
    // If the view at its root is gone, a mount keeps its content.
    if (view !== null && !next.views.some(({ name }) => name === view)) return [];
    games = disk.games;
    catalog = next;
    const names = mount.show(catalog);
    mount.check(chance);
    return names;
  };
  for (let step = 0; step < steps; step++) {
    // deno-lint-ignore no-await-in-loop -- one change after the other
    for (let changes = chance(3); changes >= 0; changes--) await disk.change();
    // Sometimes too many names are unused, so that the next index renumbers all of them.
    refresh(chance(5) !== 0);
  }
  assert(mount.idCount > steps, `${mount.idCount} ids`);

  // Unchanged files keep their ids, also in views made by name: the kernel has cached their pages.
  disk.games = [0, 1];
  await disk.editLoose();
  refresh(true);
  await settle();
  refresh(true);
  const before = mount.present;
  await disk.editLoose();
  const names = refresh(true).map(({ name }) => decoder.decode(name));
  assertEquals(new Set(names).difference(new Set(["f.dat", "F.DAT"])), new Set());
  for (const [path, id] of before) if (!/f\.dat$/i.test(path)) assertEquals(mount.present.get(path), id, path);
}

Deno.test("a mount that has used all numbers refuses to show another index instead of using one again", () => {
  const numbers = new FreshNumbers(2 ** 32 - 3);
  assertEquals([numbers.next(), numbers.next()], [2 ** 32 - 2, 2 ** 32 - 1]);
  try {
    numbers.next();
  } catch (error) {
    assert(error instanceof RangeError);
    return;
  }
  throw new Error("a number was used again");
});
