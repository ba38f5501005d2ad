/**
 * Small installations on disk, and helpers that query their indexes.
 * @module
 */
import { assertEquals } from "@std/assert";
import type { Catalog } from "../../views/catalog.ts";
import { none } from "../../index/columns/columns.ts";
import type { GameOptions } from "../../index/columns/game.ts";
import { scanCatalog } from "../support/catalogs.ts";
import type { View } from "../../views/view.ts";
import { filePathOf } from "../../index/columns/source.ts";
import { type CandidateRow, whichCandidates } from "../../views/which.ts";
import { pak, zip } from "../formats/bytes.ts";
import { type TemporaryDirectory, temporaryDirectory } from "../support/temporary.ts";

/** Files by path below the installation; the value is the file's content. Paths that end in `/` are directories. */
export type Files = Readonly<Record<string, Uint8Array | string>>;

/** Writes files below `root`, making the directories above them. */
export async function writeFiles(root: string, files: Files): Promise<void> {
  await Promise.all(
    Object.entries(files).map(async ([path, content]) => {
      const target = `${root}/${path}`;
      await Deno.mkdir(path.endsWith("/") ? target : target.slice(0, target.lastIndexOf("/")), { recursive: true });
      if (path.endsWith("/")) return;
      await Deno.writeFile(target, typeof content === "string" ? new TextEncoder().encode(content) : content);
    }),
  );
}

/**
 * Sets the clock of indexing an hour ahead until it is disposed of: files written just now are then old enough to be
 * trusted, without waiting.
 */
export function anHourLater(): Disposable {
  const { now } = Date;
  Date.now = () => now() + 3_600_000;
  return { [Symbol.dispose]: () => void (Date.now = now) };
}

/** Lists directories in the order of names until it is disposed of, whatever the order of the file system. */
export function inOrderOfNames(): Disposable {
  const { readDirSync } = Deno;
  const sorted = (path: string | URL) =>
    Array.from(readDirSync(path)).sort((a, b) => a.name < b.name ? -1 : 1)[Symbol.iterator]();
  Object.assign(Deno, { readDirSync: sorted });
  return { [Symbol.dispose]: () => void Object.assign(Deno, { readDirSync }) };
}

/** Waits until the file system's clock has ticked: later writes get other time stamps than earlier ones. */
export async function nextTimeStamp(): Promise<void> {
  const path = await Deno.makeTempFile();
  const stamp = async () => {
    await Deno.writeTextFile(path, "");
    return (await Deno.stat(path)).mtime?.getTime();
  };
  try {
    const first = await stamp();
    // deno-lint-ignore no-await-in-loop -- one look after the other
    while (await stamp() === first);
  } finally {
    await Deno.remove(path);
  }
}

/** A temporary directory with these files. */
export async function installation(files: Files): Promise<TemporaryDirectory> {
  const directory = await temporaryDirectory();
  await writeFiles(directory.path, files);
  return directory;
}

/** A Quake PAK of files that contain their own name. */
export function pakOf(...names: readonly string[]): Uint8Array {
  return pak(names.map((name) => [name, name] as const));
}

/** A zip of files that contain their own name. */
export function zipOf(...names: readonly string[]): Uint8Array {
  return zip(names.map((name) => ({ name, content: name })));
}

/** Indexes directories below `root`, the highest first. */
export function scan(root: string, options: Omit<GameOptions, "sources"> & { sources?: readonly string[] }): Catalog {
  const sources = (options.sources ?? [""]).map((source) => source === "" ? root : `${root}/${source}`);
  return scanCatalog([{ ...options, sources }]);
}

/** Returns a path relative to the installation. */
export function below(root: string, path: string): string {
  return path === root ? "." : path.replace(`${root}/`, "");
}

/** The candidates of a path, paths shortened. */
export function candidates(root: string, view: View, qpath: string): CandidateRow[] {
  return whichCandidates(view, qpath).map((row) => ({ ...row, source: below(root, row.source) }));
}

/**
 * Returns the winner of `qpath`: the pack's path below `root`, or `loose` and the directory; null if none. Asserts that
 * `which` and the tree agree.
 */
export function winner(root: string, view: View, qpath: string): string | null {
  const [first] = whichCandidates(view, qpath).filter((row) => row.usable);
  const said = first === undefined ? null : shown(root, first.kind, first.source);
  const node = view.tree.find(qpath);
  const entry = node === none ? none : view.tree.entries[node] ?? none;
  if (entry === none) {
    assertEquals(said, null, `which names ${said} for ${qpath}, and the tree has no such file`);
    return null;
  }
  const source = view.snapshot.sourceOf(entry);
  assertEquals(shown(root, source.kind, source.path), said, `the tree and which differ about ${qpath}`);
  if (source.kind === "loose") {
    const path = filePathOf(source, view.snapshot.memberOf(entry));
    assertEquals(Deno.statSync(path).size, view.snapshot.columns.entrySizes[entry]);
  }
  return said;
}

function shown(root: string, kind: string, path: string): string {
  return kind === "loose" ? `loose ${below(root, path)}` : below(root, path);
}
