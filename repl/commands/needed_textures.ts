/**
 * Tables of composed textures for an archive of what maps need: Doom's engines take `TEXTURE1`, `TEXTURE2` and `PNAMES` of a
 * mod instead of the game's, so that only textures are left out which neither a map nor the game itself shows.
 * @module
 */
import { MediaError, prunedDefinitions, prunedTextures, readPatchTextures } from "../../media/mod.ts";
import type { FileRow } from "../../protocol/rows.ts";
import { ask, type Context, fieldsOf, inView } from "../command/command.ts";
import { content } from "../command/content.ts";
import { CommandError } from "../output/failure.ts";

/** Tables of textures, and lumps that say which of them are animated or are switches. */
const tableNames = ["TEXTURE1", "TEXTURE2"];
const textName = "TEXTURES";
/** Folders of the pictures that sprites and pictures of `TEXTURES` are composed of. */
const pictureFolders = ["", "patches/", "sprites/", "graphics/", "textures/", "flats/"];
const animationNames = ["ANIMATED", "SWITCHES", "ANIMDEFS"];

/** A file that is added. */
export type AddedFile = Pick<FileRow, "qpath" | "size" | "source">;

/** Changes of the files of textures. */
export interface NeededTextures {
  /** Contents by path, instead of the view's. */
  readonly replaced: ReadonlyMap<string, Uint8Array>;
  /** Files of mods that are needed in addition, with the reason. */
  readonly added: readonly (AddedFile & { readonly why: string })[];
  /** Number of textures that are left out. */
  readonly omitted: number;
}

async function bytesOf(context: Context, qpath: string, candidate?: number): Promise<Uint8Array> {
  const pieces = candidate === undefined ? content(context, qpath) : content(context, qpath, { candidate });
  return await new Response(ReadableStream.from(pieces)).bytes();
}

/** Returns the names of textures in tables that are not written: the game looks some up by name. */
async function namesBelow(
  context: Context,
  table: string,
  isWritten: boolean,
): Promise<{ names: string[]; sources: string[] }> {
  const { candidates } = await ask(context, "which", { ...inView(context), qpath: table });
  const names: string[] = [];
  const sources: string[] = [];
  for (const { rank, usable, source } of candidates) {
    if (rank === 1 && isWritten || !usable) continue;
    // deno-lint-ignore no-await-in-loop -- few files
    const textures = readPatchTextures(await bytesOf(context, table, rank));
    names.push(...textures.map(({ name }) => name.toUpperCase()));
    sources.push(source);
  }
  return { names, sources };
}

/** Tables with what is left of them, and the names of the pictures that they need. */
interface Pruned {
  readonly replaced: ReadonlyMap<string, Uint8Array>;
  readonly wanted: readonly (readonly [qpath: string, why: string])[];
  readonly omitted: number;
}

const nothing: Pruned = { replaced: new Map(), wanted: [], omitted: 0 };

/** Prunes `TEXTURE1`, `TEXTURE2` and `PNAMES`. */
async function prunedTables(
  context: Context,
  files: ReadonlySet<string>,
  textures: ReadonlySet<string>,
  below: readonly string[],
): Promise<Pruned> {
  const tables = tableNames.filter((name) => files.has(name));
  if (tables.length === 0) return nothing;
  const known = new Set([...textures, ...below]);
  const before = await Promise.all(tables.map((name) => bytesOf(context, name)));
  const pruned = prunedTextures(before, await bytesOf(context, "PNAMES"), (name) => known.has(name));
  const replaced = new Map(tables.map((name, index) => [name, pruned.tables[index] ?? new Uint8Array(0)]));
  replaced.set("PNAMES", pruned.patchNames);
  const count = (all: readonly Uint8Array[]) => all.reduce((sum, bytes) => sum + readPatchTextures(bytes).length, 0);
  const wanted = [
    ...["PNAMES", ...animationNames].map((name) => [name, "textures"] as const),
    ...pruned.patches.flatMap((name) => [[name, "patch"], [`patches/${name}`, "patch"]] as const),
  ];
  return { replaced, wanted, omitted: count(before) - count(pruned.tables) };
}

/** Prunes `TEXTURES` of these sources to one file, as GZDoom reads all of them. */
async function prunedText(
  context: Context,
  files: ReadonlySet<string>,
  textures: ReadonlySet<string>,
  sources: ReadonlySet<string>,
): Promise<Pruned> {
  if (!files.has(textName)) return nothing;
  const { candidates } = await ask(context, "which", { ...inView(context), qpath: textName });
  const ranks = candidates.filter(({ usable, source }) => usable && sources.has(source)).map(({ rank }) => rank);
  // Code may show sprites and pictures.
  const isKept = ({ name, isSurface }: { name: string; isSurface: boolean }) =>
    !isSurface || textures.has(name.toUpperCase());
  const parts = [];
  for (const rank of ranks.toReversed()) {
    // deno-lint-ignore no-await-in-loop -- few files
    parts.push(prunedDefinitions(await bytesOf(context, textName, rank), isKept));
  }
  const bytes = await new Blob(parts.flatMap(({ bytes }, index) => index === 0 ? [bytes] : ["\n", bytes])).bytes();
  const layers = parts.flatMap(({ kept }) => kept).filter(({ isSurface }) => !isSurface)
    .flatMap(({ layers }) => layers.map(({ name }) => name));
  const wanted = layers.flatMap((name) => pictureFolders.map((folder) => [folder + name, "patch"] as const));
  return {
    replaced: new Map([[textName, bytes]]),
    wanted,
    omitted: parts.reduce((sum, { omitted }) => sum + omitted, 0),
  };
}

/**
 * Prunes the tables of textures among needed files.
 * @param files Paths of the needed files.
 * @param textures Names of the textures that are needed.
 * @param sources Packs that define them.
 * @returns undefined if the files have no such table.
 * @throws {CommandError} if a table is damaged.
 */
export async function neededTextures(
  context: Context,
  files: ReadonlySet<string>,
  textures: ReadonlySet<string>,
  sources: ReadonlySet<string>,
): Promise<NeededTextures | undefined> {
  if (![textName, ...tableNames].some((name) => files.has(name))) return undefined;
  try {
    const below = await Promise.all(
      tableNames.map((name) => namesBelow(context, name, files.has(name)).catch(() => undefined)),
    );
    const base = new Set(below.flatMap((one) => one?.sources ?? []));
    const all = [
      await prunedTables(context, files, textures, below.flatMap((one) => one?.names ?? [])),
      await prunedText(context, files, textures, sources),
    ];
    const reasons = new Map(
      all.flatMap(({ wanted }) => wanted).filter(([name]) => !files.has(name))
        .map(([name, why]) => [name.toUpperCase(), why]),
    );
    const added: (AddedFile & { why: string })[] = [];
    const patterns = [...reasons.keys()].map((name) => name.replace(/[\\*?[\]{}]/g, "\\$&"));
    const fields = ["qpath", "size", "source"] as const;
    for await (const row of fieldsOf(context, "find", { ...inView(context), patterns }, fields)) {
      const why = reasons.get(row.qpath.toUpperCase());
      if (why !== undefined && !base.has(row.source) && !files.has(row.qpath)) added.push({ ...row, why });
    }
    const replaced = new Map(all.flatMap((one) => [...one.replaced]));
    return { replaced, added, omitted: all.reduce((sum, { omitted }) => sum + omitted, 0) };
  } catch (error) {
    if (!(error instanceof MediaError)) throw error;
    throw new CommandError(`cannot leave textures out: ${error.message}`, { cause: error });
  }
}
