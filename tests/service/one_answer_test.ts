// deno-lint-ignore-file no-await-in-loop -- one after the other, to see which one fails
/**
 * Whatever is asked has one answer: over random installations of every engine `find`, `qpaths`, `ls`, `which`, `read`,
 * `grep`, `usage` and SQL, the commands `extract`, `du` and `cat`, the library, the socket and the file system that a mount
 * has agree about each path of a view, and about paths in other spellings.
 *
 * `PAKFS_VIEWS` asks for more views, `PAKFS_SEED` for those of an earlier run.
 */
import { assert, assertEquals } from "@std/assert";
import { openLocalGames } from "../../service/local.ts";
import { connectSocket } from "../../protocol/client.ts";
import { type Connection, pages } from "../../protocol/connection.ts";
import { RpcError } from "../../protocol/messages.ts";
import type { PagedMethod, ParamsOf, RowOf } from "../../protocol/methods.ts";
import type { FileRow } from "../../questions/rows.ts";
import type { Profile } from "../../engines/core/profile.ts";
import { profiles } from "../../engines/table.ts";
import type { GameOptions } from "../../index/columns/game.ts";
import type { Catalog } from "../../views/catalog.ts";
import { builtEngines } from "../../tools/oracle/built_engines.ts";
import { engines } from "../../tools/oracle/engines.ts";
import { Chance } from "../../tools/oracle/random.ts";
import { type RandomTree, randomTree, type TreeKind } from "../../tools/oracle/trees.ts";
import { wad, zip } from "../formats/bytes.ts";
import { type Files, writeFiles } from "../index/fixtures.ts";
import { lookup, type Node, read, rootNode } from "../mount/kernel_requests.ts";
import { list, openFiles } from "../mount/shown_files.ts";
import { runLine } from "../repl/harness.ts";
import { scanCatalog } from "../support/catalogs.ts";
import { seed } from "../support/chance.ts";
import { serve } from "../support/serving.ts";
import { temporaryDirectory } from "../support/temporary.ts";

const viewCount = Number(Deno.env.get("PAKFS_VIEWS") ?? 60);

/** Numbers of paths in other spellings that are requested from a view, and of its files that are compared in full. */
const maxAsked = 12;
const maxFiles = 12;

/** An installation, its index options, and paths to request. */
interface Installation {
  readonly files: Files;
  readonly options: (root: string) => GameOptions;
  readonly asked: readonly string[];
}

/** Installations as the comparison with real engines makes them, from a profile. */
function kindOf({ packs, bases }: Profile): TreeKind {
  const names = packs.flatMap((step) => step.kind === "numbered" ? [0, 1, 2, 10].map((at) => step.prefix + at) : []);
  const endings = packs.flatMap((step) =>
    step.kind === "numbered" ? [step.suffix, ...step.otherSuffixes] : step.kind === "sorted" ? step.suffixes : []
  );
  const [directory = null] = packs.flatMap((step) => step.kind === "sorted" ? step.directories : []);
  const [ending = ".pak", ...others] = endings;
  return {
    roots: ["home", "base"],
    base: bases[0] ?? "base",
    stacks: [[], ["tmod"]],
    packNames: ["zz", "Abc", "map-x", ...names],
    packEndings: [ending, ...others, ".zip"],
    packCharacters: "_-.019aAzZx",
    oddNames: 10,
    packDirectory: directory,
    enginePacks: [],
    maxPacks: 5,
    emptyPacks: true,
    duplicates: true,
    scripts: [],
    looseTwins: true,
    oddMembers: ["dot", "rooted", "double", "backslash", "colon"],
    unknownMethods: true,
    mixedFormats: true,
    unordered: null,
    encrypted: true,
    packTwins: true,
    backslashes: true,
  };
}

/** A list of files of Doom: an IWAD, and WADs and zips of some names. */
function doomList(profile: string, number: number): Installation {
  const chance = new Chance(number);
  const names = ["TITLEPIC", "PIC", "TROOA1", "FLOOR4_8", "MAP01", "THINGS", "S_START", "S_END", "F_START", "F_END"];
  const text = () => `answer ${chance.below(1000)}`.padEnd(16 + chance.below(90), ".");
  const lumps = () => Array.from({ length: chance.below(9) }, () => [chance.pick(["PIC", ...names]), text()] as const);
  const members = [
    "sprites/trooa1.png",
    "graphics/titlepic.png",
    "pic.lmp",
    "pic",
    "a/b.txt",
    "Maps/MAP01.wad",
    "z.wad",
  ];
  const content = (name: string) => name.endsWith(".wad") ? wad(lumps(), "PWAD") : text();
  const zipped = () =>
    zip(
      Array.from({ length: chance.below(6) }, () => chance.pick(["sub/pic.png", ...members]))
        .map((name) => ({ name, content: content(name), method: chance.pick([0, 8]) })),
    );
  const loaded = ["a.wad", "b.pk3", "c.wad", "d.zip", "lump.lmp"].filter(() => chance.happens(60));
  const iwad = wad([...names, "FLAT2", "TROOB2B8"].map((name) => [name, text()] as const), "IWAD");
  const made = loaded.map((name) =>
    [name, /wad$/.test(name) ? wad(lumps(), "PWAD") : name === "lump.lmp" ? text() : zipped()] as const
  );
  return {
    files: { "doom2.wad": iwad, ...Object.fromEntries(made) },
    options: (root) => {
      const files = loaded.map((name) => `${root}/${name}`);
      return { name: "game", profile, sources: [`${root}/doom2.wad`], iwad: `${root}/doom2.wad`, files };
    },
    asked: [...names, ...members, "titlepic", "sprites/TROOA1", "maps/MAP01/THINGS", "graphics/TITLEPIC"],
  };
}

function installationOf(profile: Profile, number: number): Installation {
  if (profile.loadList) return doomList(profile.name, number);
  const engine = [...engines, ...builtEngines].find((one) => one.profile === profile.name);
  const kind = engine?.kind ?? kindOf(profile);
  const tree: RandomTree = engine?.tree?.(number) ?? randomTree(kind, number);
  const files = { [`${kind.roots.at(-1)}/${kind.base}/there`]: "", ...tree.files };
  const roots = kind.roots.filter((root) => Object.keys(files).some((name) => name.startsWith(`${root}/`)));
  return {
    files,
    options: (root) => ({
      name: "game",
      profile: profile.name,
      base: kind.base,
      sources: roots.map((one) => `${root}/${one}`),
      ...tree.options,
    }),
    asked: tree.questions,
  };
}

/** Two connections that must give the same answers. */
class Both {
  readonly #connections: readonly [Connection, Connection];

  constructor(local: Connection, remote: Connection) {
    this.#connections = [local, remote];
  }

  async rows<M extends PagedMethod>(method: M, params: ParamsOf<M>): Promise<RowOf<M>[]> {
    const [one, two] = await Promise.all(
      this.#connections.map((connection) => Array.fromAsync(pages(connection, method, params))),
    );
    assertEquals(two, one, `${method} over the socket`);
    return one ?? [];
  }

  async ask<M extends "which" | "stat">(method: M, params: ParamsOf<M>) {
    const [one, two] = await Promise.all(
      this.#connections.map((connection) => connection.call(method, params).catch(orNull)),
    );
    assertEquals(two, one, `${method} over the socket`);
    return one ?? null;
  }

  /** Returns all bytes of a file, or the reason why it cannot be read. */
  async bytes(view: string, qpath: string): Promise<Uint8Array | string> {
    const [one, two] = await Promise.all(
      this.#connections.map((connection) =>
        connection.call("read", { view, qpath, offset: 0 }).then(
          ({ data }) => Uint8Array.fromBase64(data),
          (error: unknown) => error instanceof RpcError ? error.message : Promise.reject(error),
        )
      ),
    );
    assertEquals(two, one, `read ${qpath} over the socket`);
    return one ?? "";
  }
}

function orNull(error: unknown): null {
  if (error instanceof RpcError) return null;
  throw error;
}

/** Identity of a file: its source and its name there. */
function originOf({ source, member }: Pick<FileRow, "source" | "member">): string {
  return `${source} ${member}`;
}

/** Files of a view as its mount shows them, by path. */
function mounted({ files }: ReturnType<typeof openFiles>, view: string): Map<string, string> {
  const found = new Map<string, string>();
  const walk = (node: Node, above: string) => {
    for (const { name, node: child } of list(files, node, false, () => 50).slice(2)) {
      if (child.isDirectory) walk(child, `${above}${name}/`);
      else found.set(above + name, mountedFile(files, child));
    }
  };
  const top = nodeAt(files, view);
  assert(top, `the mount has no ${view}`);
  walk(top, "");
  return found;
}

function mountedFile(files: ReturnType<typeof openFiles>["files"], node: Node): string {
  return (read(files, node).bytes ?? "").replace(/ \d+$/, "");
}

function nodeAt(files: ReturnType<typeof openFiles>["files"], path: string): Node | undefined {
  let node: Node | undefined = rootNode;
  for (const name of path.split("/")) node = node?.isDirectory ? lookup(files, node, name).node : undefined;
  return node;
}

async function listedBelow(both: Both, view: string): Promise<FileRow[]> {
  const found: FileRow[] = [];
  const waiting = [""];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    for (const row of await both.rows("ls", { view, path })) {
      if (row.type === "file") found.push(row);
      else waiting.push(row.qpath);
    }
  }
  return found;
}

function sorted<T extends { readonly qpath: string }>(rows: readonly T[]): T[] {
  return rows.toSorted((a, b) => a.qpath < b.qpath ? -1 : 1);
}

/** Returns the files below a directory, by path. */
async function filesBelow(directory: string, prefix = ""): Promise<Map<string, Uint8Array>> {
  const found = new Map<string, Uint8Array>();
  for await (const { name, isDirectory } of Deno.readDir(directory)) {
    const path = `${directory}/${name}`;
    if (!isDirectory) found.set(prefix + name, await Deno.readFile(path));
    else for (const [inner, bytes] of await filesBelow(path, `${prefix}${name}/`)) found.set(inner, bytes);
  }
  return found;
}

const decoder = new TextDecoder("latin1");

/** Connections and files that answer about a view. */
interface Sources {
  readonly both: Both;
  readonly local: Connection;
  readonly files: ReturnType<typeof openFiles>;
  readonly out: string;
}

async function assertOneAnswer(view: string, asked: readonly string[], { both, local, files, out }: Sources) {
  const found = sorted(await both.rows("find", { view, patterns: [] }));
  const paths = found.map(({ qpath }) => qpath);
  assertEquals(paths, Array.from(new Set(paths)), "find lists each path once");
  assertEquals((await both.rows("qpaths", { view, patterns: [] })).toSorted(), paths.toSorted(), "qpaths and find");
  // A directory in another spelling lists the files found under that spelling.
  const listed = new Map((await listedBelow(both, view)).map((row) => [row.qpath, row]));
  assertEquals(found.map(({ qpath }) => listed.get(qpath)), found, "ls and find");
  const sql = await local.call("sql", {
    statement: `SELECT path, source, member, size FROM files WHERE view = '${view}' ORDER BY path`,
  });
  assertEquals(
    sql.rows,
    found.map(({ qpath, source, member, size }) => [qpath, source, member, size])
      .toSorted(([a], [b]) => String(a) < String(b) ? -1 : 1),
    "SQL and find",
  );
  // A mount lists one spelling of a directory, and finds the files of the others.
  const shown = mounted(files, view);
  for (const { qpath } of found) {
    const node = shown.has(qpath) ? undefined : nodeAt(files.files, `${view}/${qpath}`);
    if (node) shown.set(qpath, mountedFile(files.files, node));
  }
  assertEquals(
    Object.fromEntries(Array.from(shown).toSorted()),
    Object.fromEntries(found.map((row): [string, string] => [row.qpath, originOf(row)]).toSorted()),
    "the mount and find",
  );

  const contents = new Map<string, Uint8Array>();
  for (const row of found) {
    const bytes = await both.bytes(view, row.qpath);
    if (typeof bytes !== "string") contents.set(row.qpath, bytes);
    assertEquals(typeof bytes === "string", row.damaged !== undefined, `read and find about damage of ${row.qpath}`);
    if (typeof bytes !== "string") assertEquals(bytes.length, row.size, `size of ${row.qpath}`);
  }
  const { rows: [all] } = await local.call("usage", { view, depth: 0 });
  assertEquals([all?.files, all?.size], [found.length, found.reduce((sum, { size }) => sum + size, 0)], "usage");
  const du = await runLine(`du -d 0 --json --view ${view}`, { connection: local });
  assertEquals(JSON.parse(du.out || "{}").files ?? 0, found.length, `du: ${du.err}`);

  const target = `${out}/${view.replaceAll("/", "_")}`;
  const extracted = await runLine(`extract '*' -o ${target} --view ${view}`, { connection: local });
  const written = found.length === 0 ? new Map<string, Uint8Array>() : await filesBelow(target);
  assertEquals([...written.keys()].toSorted(), [...contents.keys()].toSorted(), `extract: ${extracted.err}`);
  for (const [path, bytes] of written) assertEquals(bytes, contents.get(path), `extract and read of ${path}`);

  // A file with two paths is searched once.
  const origins = new Map(found.map((row): [string, string] => [row.qpath, originOf(row)]));
  const originsOf = (list: readonly string[]) => Array.from(new Set(list.map((path) => origins.get(path)))).toSorted();
  const holding = await both.rows("grep", { view, expression: "answer", patterns: ["*"], first: true });
  const isText = (path: string) => !(contents.get(path) ?? [0]).includes(0);
  assertEquals(
    originsOf(holding.map(({ qpath }) => qpath).filter(isText)),
    originsOf(paths.filter(isText).filter((path) => decoder.decode(contents.get(path)).includes("answer"))),
    "grep and read",
  );

  const chance = new Chance(found.length + asked.length);
  const some = (list: readonly string[], most: number) =>
    list.length <= most ? list : Array.from({ length: most }, () => list[chance.below(list.length)] ?? "");
  const known = new Set(paths);
  const spelled = Array.from(listed.keys()).filter((path) => !known.has(path));
  for (const qpath of new Set([...some(paths, maxFiles), ...some(spelled, maxFiles), ...some(asked, maxAsked)])) {
    await assertOneFile(view, qpath, { both, local, files, out }, listed.get(qpath));
  }
}

/** Asserts that `stat`, `which`, `read`, `cat` and a kernel lookup find the same file for a path. */
async function assertOneFile(
  view: string,
  qpath: string,
  { both, local, files }: Sources,
  listed: FileRow | undefined,
): Promise<void> {
  const stat = await both.ask("stat", { view, qpath });
  const which = await both.ask("which", { view, qpath });
  assert(which && "candidates" in which);
  const winner = which.candidates.find(({ usable }) => usable);
  const row = stat && "type" in stat && stat.type === "file" ? stat as FileRow : undefined;
  if (listed) assertEquals(row && originOf(row), originOf(listed), `stat and ls of ${qpath}`);
  const bytes = await both.bytes(view, qpath);
  if (row?.damaged === undefined) {
    assertEquals(winner && originOf(winner), row && originOf(row), `which and stat of ${qpath}`);
  } else if (winner) assertEquals(originOf(winner), originOf(row), `which and stat of damaged ${qpath}`);
  assertEquals(typeof bytes === "string", row === undefined || row.damaged !== undefined, `read ${qpath}: ${bytes}`);
  const cat = await runLine(`cat --force --view ${view} -- '${qpath}'`, { connection: local });
  assertEquals(cat.code === 0, typeof bytes !== "string", `cat ${qpath}: ${cat.err}`);
  if (typeof bytes !== "string") assertEquals(cat.bytes, bytes, `cat and read of ${qpath}`);
  // The kernel looks up one component at a time, and never these.
  if (/[\\]|^\.?\/|\/\.?\//.test(qpath)) return;
  const node = nodeAt(files.files, `${view}/${qpath}`);
  // A path may open a file of another name, which a directory lookup does not find.
  if (row && !node) return assertEquals(row.qpath.toLowerCase() === qpath.toLowerCase(), false, `lookup of ${qpath}`);
  const isFile = node !== undefined && !node.isDirectory;
  assertEquals(
    isFile ? mountedFile(files.files, node) : undefined,
    row && originOf(row),
    `lookup and stat of ${qpath}`,
  );
}

async function viewsOf(profile: Profile, number: number): Promise<number> {
  await using directory = await temporaryDirectory();
  const { path } = directory;
  const { files: written, options, asked } = installationOf(profile, number);
  await writeFiles(`${path}/game`, written);
  const games = [options(`${path}/game`)];
  const catalog: Catalog = scanCatalog(games);
  const local = await openLocalGames(games);
  await using _serving = await serve(catalog, `${path}/run/pakfs.sock`);
  const remote = await connectSocket(`${path}/run/pakfs.sock`, { client: "test" });
  try {
    const both = new Both(local, remote);
    const files = openFiles(catalog, { view: null, showPacks: false, showAs: false, umask: 0 });
    for (const { name } of catalog.views) {
      await assertOneAnswer(name, asked, { both, local, files, out: `${path}/out` });
    }
    return catalog.views.length;
  } catch (error) {
    if (error instanceof Error) error.message = `PAKFS_SEED=${number}, ${profile.name}: ${error.message}`;
    throw error;
  } finally {
    await remote.close();
    await local.close();
  }
}

Deno.test(`all questions, commands, the socket and the mount have one answer in ${viewCount} views of all engines from seed ${seed}`, async () => {
  let views = 0;
  for (let number = 0; views < viewCount; number++) {
    const profile = profiles[(seed + number) % profiles.length];
    assert(profile);
    views += await viewsOf(profile, seed + number);
  }
});
