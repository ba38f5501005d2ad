/**
 * Measures queries of a large index: resolving a view, finding, `which`, and bytes of memory; side by side in one run
 * with the minimum, one pass over the columns.
 *
 * ```sh
 * deno run -A tools/bench/index_bench.ts [FILES...]     # default: 250000 1000000
 * ```
 * @module
 */
import { EntryTable } from "../../formats/core/entry_table.ts";
import type { Caller } from "../../protocol/connection.ts";
import { connectSocket } from "../../protocol/client.ts";
import { Catalog } from "../../views/catalog.ts";
import { none, type SnapshotColumns } from "../../index/columns/columns.ts";
import { findFiles } from "../../questions/find.ts";
import { profileNamed } from "../../engines/table.ts";
import { SnapshotBuilder } from "../../index/columns/snapshot_builder.ts";
import type { View } from "../../views/view.ts";
import { whichCandidates } from "../../views/which.ts";
import { print } from "../../tests/support/harness.ts";
import { serve } from "../../tests/support/serving.ts";

const rounds = 7;
const questions = 2000;
const kinds = ["wall", "floor", "trim", "light", "sky", "door", "pipe", "grate", "stone", "metal"];

/**
 * Paths of one pack: a map with what belongs to it, textures and sounds. A quarter of these are also in a hundred
 * other packs, some in another case.
 */
function* pathsOf(pack: number, count: number): Generator<string> {
  const name = `map${String(pack).padStart(4, "0")}`;
  yield* [`maps/${name}.bsp`, `levelshots/${name}.tga`, `scripts/${name}.shader`];
  for (let number = 3; number < count; number++) {
    const set = number % 4 === 0 ? `${pack % 3 === 0 ? "Shared" : "shared"}${pack % 40}` : name;
    const kind = kinds[number % kinds.length];
    yield number % 10 === 9 ? `sound/${set}/${kind}${number}.wav` : `textures/${set}/${kind}${number}.jpg`;
  }
}

/** As many names of one directory, spread over the alphabet. */
function* flatPathsOf(pack: number, count: number): Generator<string> {
  for (let number = 0; number < count; number++) {
    yield `textures/${kinds[number % kinds.length]}${String(number).padStart(4, "0")}_${pack}.jpg`;
  }
}

/** Lumps of a map, after the one that opens it. */
const mapLumps = ["THINGS", "LINEDEFS", "SIDEDEFS", "VERTEXES", "SEGS", "SSECTORS", "NODES", "SECTORS", "REJECT"];

/**
 * Lumps of a WAD as pakfs names them, or files of a pk3: sprites, flats, graphics and maps. Half of the names are also in
 * other files of the list.
 */
function* lumpsOf(pack: number, count: number): Generator<string> {
  const isArchive = pack % 2 === 1;
  for (let number = 0; number < count; number++) {
    const name = `L${String(number % 2 === 0 ? number : number * 40 + pack).padStart(7, "0")}`;
    const folder = ["sprites", "flats", "graphics", "maps"][number % 4] ?? "";
    if (isArchive) yield folder === "maps" ? `textures/set${pack}/${name}.png` : `${folder}/${name}`;
    else if (folder === "graphics") yield name;
    else if (folder !== "maps") yield `${folder}/${name}`;
    else {
      const map = `MAP${String(Math.floor(number / 40)).padStart(2, "0")}`;
      const lump = mapLumps[Math.floor(number / 4) % 10 - 1];
      yield lump === undefined ? map : `maps/${map}/${lump}`;
    }
  }
}

/** A game of one game directory. */
interface Shape {
  readonly profile: string;
  readonly directory: string;
  /** Formats of packs and endings of their names, in turns. */
  readonly formats: readonly (readonly [format: string, ending: string])[];
  readonly packs: number;
  /** Whether a file of the game lists its packs. */
  readonly isListed: boolean;
}

const quake3: Shape = {
  profile: "ioquake3",
  directory: "baseq3",
  formats: [["zip", ".pk3"]],
  packs: 4000,
  isListed: false,
};

const source: Shape = {
  profile: "source",
  directory: "tf",
  formats: [["vpk", "_dir.vpk"]],
  packs: 60,
  isListed: true,
};

const gzdoom: Shape = {
  profile: "gzdoom",
  directory: "files",
  formats: [["wad", ".wad"], ["zip", ".pk3"]],
  packs: 40,
  isListed: true,
};

/** An index of that many files in one game directory. */
function makeCatalog(files: number, listing: typeof pathsOf, shape: Shape = quake3): Catalog {
  const { packs, directory } = shape;
  const builder = new SnapshotBuilder();
  const encoder = new TextEncoder();
  const sources: number[] = [];
  for (let pack = 0; pack < packs; pack++) {
    const table = new EntryTable();
    const count = Math.floor(files * (pack + 1) / packs) - Math.floor(files * pack / packs);
    for (const path of listing(pack, count)) {
      const fields = {
        offset: pack,
        packedSize: 9,
        size: 10,
        mtime: 1e12,
        crc32: pack,
        method: 0,
        flags: 2,
        damage: 0,
      };
      table.add(encoder.encode(path), fields);
    }
    const [format, ending] = shape.formats[pack % shape.formats.length] ?? ["zip", ".zip"];
    const name = `map${String(pack).padStart(4, "0")}${ending}`;
    sources.push(
      builder.addSource({
        game: 0,
        gameDirectory: directory,
        rootIndex: 0,
        kind: "pack",
        format,
        path: `/games/game/${directory}/${name}`,
        name,
        folder: "",
        byteLayout: null,
        recovery: null,
        group: 0,
        order: pack,
        ignored: null,
        failure: null,
        readAt: 0,
        identity: { device: 0, inode: pack, size: 0, mtime: 0, ctime: 0 },
      }, table).id,
    );
  }
  const profile = profileNamed(shape.profile);
  if (!profile) throw new Error(`unknown profile ${shape.profile}`);
  const list = shape.isListed ? { list: sources.map((number) => ({ source: number, choice: null })) } : {};
  const game = {
    id: 0,
    name: "game",
    profile,
    because: "it is said so",
    roots: ["/games/game"],
    base: directory,
    isArchive: false,
    gameDirectories: [{ name: directory, sources, ...list }],
    packEntries: new Map<number, number>(),
    pure: null,
    names: { lists: [], hash: null },
    strict: false,
    nested: false,
    followSymlinks: false,
  };
  return new Catalog({ snapshot: builder.finish(), games: [game], problems: [] });
}

/** Medians, lowest and highest values, in milliseconds. */
interface Time {
  readonly median: number;
  readonly min: number;
  readonly max: number;
}

function timed(work: () => void): Time {
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const start = performance.now();
    work();
    times.push(performance.now() - start);
  }
  return summary(times);
}

function summary(times: readonly number[]): Time {
  const sorted = times.toSorted((a, b) => a - b);
  return { median: sorted[Math.floor(sorted.length / 2)] ?? 0, min: sorted[0] ?? 0, max: sorted.at(-1) ?? 0 };
}

/** Reads every number of every column once. */
function passOver(columns: SnapshotColumns): number {
  let sum = 0;
  for (const column of Object.values(columns) as (Uint8Array | Uint32Array | Float64Array)[]) {
    for (let index = 0; index < column.length; index++) sum += column[index] ?? 0;
  }
  return sum;
}

/** A view whose tree has not been resolved. */
function freshView(catalog: Catalog): View {
  return new Catalog(catalog.index).view();
}

function somePaths(view: View): string[] {
  const { tree } = view;
  const paths: string[] = [];
  const step = Math.max(1, Math.floor(tree.length / questions));
  for (let index = 1; index < tree.length; index += step) if (!tree.isDirectory(index)) paths.push(tree.pathOf(index));
  return paths;
}

function row(what: string, value: string, target: string): void {
  print(`${what.padEnd(44)} ${value.padStart(28)}   ${target}`);
}

function milliseconds({ median, min }: Time): string {
  return `${median.toFixed(1)} ms (min ${min.toFixed(1)})`;
}

function microseconds({ median, min }: Time): string {
  return `${(median * 1000).toFixed(1)} µs (min ${(min * 1000).toFixed(1)})`;
}

/** Questions over a socket, one after the other, both ends in this process. */
async function askedOverSocket<Question>(
  catalog: Catalog,
  questions: readonly Question[],
  ask: (connection: Caller, question: Question) => Promise<unknown>,
): Promise<Time> {
  const directory = await Deno.makeTempDir({ prefix: "pakfs-bench-" });
  const socket = `${directory}/pakfs.sock`;
  const serving = await serve(catalog, socket);
  try {
    await using connection = await connectSocket(socket, { client: "bench" });
    const times: number[] = [];
    for (const question of questions) {
      const start = performance.now();
      // deno-lint-ignore no-await-in-loop -- one at a time is what is measured
      await ask(connection, question);
      times.push(performance.now() - start);
    }
    return summary(times);
  } finally {
    await serving[Symbol.asyncDispose]();
    await Deno.remove(directory, { recursive: true });
  }
}

async function measure(files: number, shape: Shape, listing = pathsOf): Promise<void> {
  const start = performance.now();
  const catalog = makeCatalog(files, listing, shape);
  const { snapshot } = catalog;
  print(
    `\n${files} files in ${shape.packs} packs of ${shape.profile}, indexed in ${
      (performance.now() - start).toFixed(0)
    } ms`,
  );
  const { names, nameStarts, rawNames, rawNameStarts } = snapshot.columns;
  const namesOnly = names.byteLength + nameStarts.byteLength + rawNames.byteLength + rawNameStarts.byteLength;
  const each = (snapshot.byteLength - namesOnly) / files;
  row("index per file, beyond the names", `${each.toFixed(1)} bytes`, "at most 100");
  const pass = timed(() => passOver(snapshot.columns));
  row("one pass over the columns", milliseconds(pass), "");
  const resolution = timed(() => freshView(catalog).tree);
  row("resolving a view", milliseconds(resolution), `at most 150 ms for a million; ${ratio(resolution, pass)} passes`);

  const view = freshView(catalog);
  const countOf = (pattern: string) => {
    let count = 0;
    for (const node of findFiles(view, [pattern])) if (node !== none) count++;
    return count;
  };
  row("files of the view", String(view.tree.fileCount), "");
  for (const pattern of ["*.wav", "textures/**/*wall1*.jpg", "*"]) {
    const time = timed(() => countOf(pattern));
    row(`find '${pattern}'`, milliseconds(time), `${countOf(pattern)} found; *.wav at most 100 ms for a million`);
  }
  const paths = somePaths(view);
  paths.forEach((path) => whichCandidates(view, path));
  const single = summary(paths.map((path) => {
    const began = performance.now();
    whichCandidates(view, path);
    return performance.now() - began;
  }));
  row("which, in this process", microseconds(single), "at most 20 µs");
  row(
    "which, over the socket",
    microseconds(
      await askedOverSocket(catalog, paths, (connection, qpath) => connection.call("which", { qpath })),
    ),
    "at most 200 µs",
  );
  await measureCompletion("completion over the socket, first", catalog, paths.slice(0, 1));
  await measureCompletion("completion over the socket", catalog, paths);
}

/** Measures completion of paths: after half of each name, and for every tenth path before its name. */
async function measureCompletion(what: string, catalog: Catalog, paths: readonly string[]): Promise<void> {
  const prefixes = paths.map((path, index) => {
    const name = path.lastIndexOf("/") + 1;
    return path.slice(0, index % 10 === 9 ? name : name + Math.ceil((path.length - name) / 2));
  });
  const time = await askedOverSocket(
    catalog,
    prefixes,
    (connection, prefix) => connection.call("complete", { kind: "qpath", prefix, limit: 500 }),
  );
  row(what, microseconds(time), `at most 50 ms for a million; the slowest took ${time.max.toFixed(1)} ms`);
}

/** All files in one directory. */
async function measureFlat(files: number): Promise<void> {
  const catalog = makeCatalog(files, flatPathsOf);
  print(`\n${files} files in one directory`);
  const { tree } = catalog.view();
  const paths = somePaths(catalog.view());
  row("names in the largest directory", String(tree.childCounts.reduce((max, count) => Math.max(max, count), 0)), "");
  await measureCompletion("completion over the socket, first", catalog, paths.slice(0, 1));
  await measureCompletion("completion over the socket", catalog, paths);
}

function ratio(a: Time, b: Time): string {
  return (a.median / b.median).toFixed(2);
}

const sizes = Deno.args.length > 0 ? Deno.args.map(Number) : [250_000, 1_000_000];
// deno-lint-ignore no-await-in-loop -- one after the other is the point
for (const files of sizes) await measure(files, quake3);
await measure(Math.min(...sizes), source);
await measure(Math.min(...sizes), gzdoom, lumpsOf);
await measureFlat(Math.max(...sizes));
