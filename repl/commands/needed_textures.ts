/**
 * Tables of composed textures for an archive of what maps need: Doom's engines take `TEXTURE1`, `TEXTURE2` and `PNAMES` of a
 * mod instead of the game's, so that only textures are left out which neither a map nor the game itself shows.
 * @module
 */
import { MediaError, prunedTextures, readPatchTextures } from "../../media/mod.ts";
import type { FileRow } from "../../protocol/rows.ts";
import { ask, type Context, fieldsOf, inView } from "../command/command.ts";
import { content } from "../command/content.ts";
import { CommandError } from "../output/failure.ts";

/** Tables of textures, and lumps that say which of them are animated or are switches. */
const tableNames = ["TEXTURE1", "TEXTURE2"];
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

/** Returns the names of textures that files which lose against a table define: the game looks some up by name. */
async function namesBelow(context: Context, table: string): Promise<{ names: string[]; sources: string[] }> {
  const { candidates } = await ask(context, "which", { ...inView(context), qpath: table });
  const names: string[] = [];
  const sources: string[] = [];
  for (const { rank, usable, source } of candidates) {
    if (rank === 1 || !usable) continue;
    // deno-lint-ignore no-await-in-loop -- few files
    const textures = readPatchTextures(await bytesOf(context, table, rank));
    names.push(...textures.map(({ name }) => name.toUpperCase()));
    sources.push(source);
  }
  return { names, sources };
}

/**
 * Prunes the tables of textures among needed files.
 * @param files Paths of the needed files.
 * @param textures Names of the textures that are needed.
 * @returns undefined if the files have no such table.
 * @throws {CommandError} if a table is damaged.
 */
export async function neededTextures(
  context: Context,
  files: ReadonlySet<string>,
  textures: ReadonlySet<string>,
): Promise<NeededTextures | undefined> {
  const tables = tableNames.filter((name) => files.has(name));
  if (tables.length === 0) return undefined;
  try {
    const below = await Promise.all(tableNames.map((name) => namesBelow(context, name).catch(() => undefined)));
    const known = new Set([...textures, ...below.flatMap((one) => one?.names ?? [])]);
    const base = new Set(below.flatMap((one) => one?.sources ?? []));
    const before = await Promise.all(tables.map((name) => bytesOf(context, name)));
    const pruned = prunedTextures(before, await bytesOf(context, "PNAMES"), (name) => known.has(name));
    const replaced = new Map(tables.map((name, index) => [name, pruned.tables[index] ?? new Uint8Array(0)]));
    replaced.set("PNAMES", pruned.patchNames);
    const count = (all: readonly Uint8Array[]) => all.reduce((sum, bytes) => sum + readPatchTextures(bytes).length, 0);
    const wanted = [
      ...["PNAMES", ...animationNames].map((name) => [name, "textures"] as const),
      ...pruned.patches.flatMap((name) => [[name, "patch"], [`patches/${name}`, "patch"]] as const),
    ].filter(([name]) => !files.has(name));
    const reasons = new Map(wanted.map(([name, why]) => [name.toUpperCase(), why]));
    const added: (AddedFile & { why: string })[] = [];
    const patterns = [...reasons.keys()].map((name) => name.replace(/[\\*?[\]{}]/g, "\\$&"));
    const fields = ["qpath", "size", "source"] as const;
    for await (const row of fieldsOf(context, "find", { ...inView(context), patterns }, fields)) {
      const why = reasons.get(row.qpath.toUpperCase());
      if (why !== undefined && !base.has(row.source) && !files.has(row.qpath)) added.push({ ...row, why });
    }
    return { replaced, added, omitted: count(before) - count(pruned.tables) };
  } catch (error) {
    if (!(error instanceof MediaError)) throw error;
    throw new CommandError(`cannot leave textures out: ${error.message}`, { cause: error });
  }
}
