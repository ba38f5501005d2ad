/**
 * Limits of engines, as data, each with the consequence of exceeding it. They are reported, and enforced for games that
 * are indexed strictly.
 *
 * Sources: id-Software/Quake WinQuake/common.c, id-Software/Quake-2 qcommon/files.c, sezero/quakespasm Quake/common.c,
 * yquake2/yquake2 src/common/filesystem.c, DarkPlacesEngine/darkplaces fs.c, id-Software/Quake-III-Arena
 * code/qcommon/files.c and q_shared.h, ioquake/ioq3 code/renderergl1/tr_shader.c, ec-/Quake3e code/renderer/tr_shader.c.
 * @module
 */
import { at } from "../columns/columns.ts";
import type { Game } from "./game.ts";
import type { Snapshot } from "../columns/snapshot.ts";
import { ownEntryCount, type Source } from "../columns/source.ts";

/** Kind of a limit. */
export type LimitKind = "pack-files" | "pack-name" | "path-name" | "directory-packs" | "shader-files";

/** One limit of an engine. */
export interface EngineLimit {
  readonly kind: LimitKind;
  /** Maximum number of files, bytes or packs. */
  readonly most: number;
  /** Consequence of exceeding it, a clause after the engine's name. */
  readonly then: string;
  /** Refused under strict rules: the pack or the file; null if unknown or harmless. */
  readonly refuses: "pack" | "file" | null;
}

/** Title of each limit, for people. */
export const limitTitles: Readonly<Record<LimitKind, string>> = {
  "pack-files": "files in one PAK",
  "pack-name": "bytes of a name in a PAK",
  "path-name": "bytes of a path",
  "directory-packs": "packs in one directory",
  "shader-files": "shader files",
};

const packFiles = (most: number, then: string, refuses: "pack" | null = "pack"): EngineLimit => ({
  kind: "pack-files",
  most,
  then,
  refuses,
});

/** The field for a name has 56 bytes, and the engine wants a NUL among them. */
const packName = (then: string): EngineLimit => ({ kind: "pack-name", most: 55, then, refuses: "file" });

const readsOn = "reads past a name that fills its field, and cannot find the file";

/** MAX_QPATH is 64 with the NUL. */
const quake3Path: EngineLimit = {
  kind: "path-name",
  most: 63,
  then: "refuses longer names of models, sounds and images",
  refuses: "file",
};

const shaderFiles = (most: number): EngineLimit => ({
  kind: "shader-files",
  most,
  then: `reads only the first ${String(most).replace(/\d{3}$/, ",$&")} that it lists`,
  refuses: null,
});

const limits: Readonly<Record<string, readonly EngineLimit[]>> = {
  quake: [packFiles(2048, "refuses to start"), packName(readsOn)],
  quakespasm: [packFiles(2048, "refuses to start"), packName(readsOn)],
  darkplaces: [packFiles(65536, "ignores the pack"), packName("cuts the name, and finds the file under what is left")],
  quake2: [packFiles(4096, "refuses to start"), packName(readsOn)],
  yquake2: [packFiles(4096, "warns, and loads it", null), packName(readsOn)],
  quake3: [
    quake3Path,
    {
      kind: "directory-packs",
      most: 1024,
      then: "loads only the first 1,024 that the file system lists",
      refuses: null,
    },
    shaderFiles(4096),
  ],
  ioquake3: [quake3Path, shaderFiles(4096)],
  quake3e: [quake3Path, shaderFiles(16_384)],
};

/** Returns the limits of a game's engine. */
export function limitsOf({ profile }: Game): readonly EngineLimit[] {
  return limits[profile.name] ?? limits[profile.kin] ?? [];
}

/** Returns the bytes of an entry's name as its archive spells it. */
export function memberNameBytes(snapshot: Snapshot, entry: number): number {
  const { entryRawNames, rawNameStarts, entryNodes } = snapshot.columns;
  const raw = at(entryRawNames, entry);
  if (raw !== 0) return at(rawNameStarts, raw) - at(rawNameStarts, raw - 1);
  return pathBytes(snapshot, at(entryNodes, entry));
}

/** Returns the bytes of a node's path. */
export function pathBytes(snapshot: Snapshot, node: number): number {
  const { nodeParents, nodeNames, nameStarts } = snapshot.columns;
  let bytes = -1;
  for (let step = node; step !== 0; step = at(nodeParents, step)) {
    const name = at(nodeNames, step);
    bytes += 1 + at(nameStarts, name + 1) - at(nameStarts, name);
  }
  return Math.max(0, bytes);
}

/** Returns an entry's share of a limit; 0 if the limit does not concern it. */
export function entryMeasure(snapshot: Snapshot, { kind }: EngineLimit, source: Source, entry: number): number {
  if (kind === "pack-name") return source.format === "quake-pak" ? memberNameBytes(snapshot, entry) : 0;
  if (kind === "path-name") return pathBytes(snapshot, at(snapshot.columns.entryNodes, entry));
  return 0;
}

/** Returns why a strict engine would not load a pack, as a clause, or null. */
export function packRefusal(game: Game, source: Source): string | null {
  if (!game.strict || source.format !== "quake-pak") return null;
  const limit = limitsOf(game).find(({ kind, most, refuses }) =>
    kind === "pack-files" && refuses === "pack" && ownEntryCount(source) > most
  );
  if (!limit) return null;
  return `${source.name} holds ${
    ownEntryCount(source)
  } files; with more than ${limit.most} ${game.profile.engine} ${limit.then}`;
}

/** Returns why a strict engine would not find a file, as a clause, or null. */
export function fileRefusal(game: Game, snapshot: Snapshot, source: Source, entry: number): string | null {
  if (!game.strict) return null;
  for (const limit of limitsOf(game)) {
    if (limit.refuses !== "file") continue;
    const bytes = entryMeasure(snapshot, limit, source, entry);
    if (bytes > limit.most) {
      return `its name has ${bytes} bytes; with more than ${limit.most} ${game.profile.engine} ${limit.then}`;
    }
  }
  return null;
}
