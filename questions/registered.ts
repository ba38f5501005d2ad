/**
 * Quake's checks for the registered version and for modified data.
 *
 * `COM_CheckRegistered` of id-Software/Quake WinQuake/common.c compares 256 bytes of `gfx/pop.lmp` with a table in the
 * program; `COM_LoadPackFile` counts every pack as a modification unless the number of files and the CRC-16 of the file
 * table identify it as id's `pak0.pak`. QuakeSpasm (Quake/common.c) knows three versions of that pack and skips its
 * own. DarkPlaces (fs.c) only checks that the file exists.
 * @module
 */
import { ArchiveError, crc32, FileByteReader } from "../formats/parts.ts";
import { none, quakePakDirectoryCrc, type Source } from "../index/mod.ts";
import type { RegisteredCheck } from "../engines/mod.ts";
import type { View } from "../views/mod.ts";
import { type HolderRow, holderRow } from "./holder_row.ts";
import type { Question, QuestionContext, ViewParameter } from "./question.ts";

/** The file that only the registered version has. */
const proof = "gfx/pop.lmp";
/** Number of compared bytes; engines have them as a table, here their CRC-32 is enough. */
const proofSize = 256;
const proofCrc = 0xa3c89ff2;

/** Versions of id's `pak0.pak` by number of files and CRC-16 of the file table (QuakeSpasm Quake/common.c). */
const ownPackVersions: readonly (readonly [files: number, crc: number, version: string])[] = [
  [339, 32981, "Quake 1.06"],
  [339, 62751, "Quake 1.01"],
  [339, 13900, "Quake 1.00"],
  [308, 28804, "Quake 0.91 or 0.92"],
];
const ownPackFiles = 339;

/** A PAK on the search path, for the check. */
export interface RegisteredPackRow {
  /** File name. */
  pack: string;
  /** Absolute path. */
  source: string;
  /** Number of files. */
  files: number;
  /** CRC-16 of its file table; null if not computed, because the number of files decides. */
  crc16: number | null;
  /** Version of id's pack, or null. */
  known: string | null;
}

/** Reply of `registered`. */
export interface RegisteredResult {
  /** The view, as `game/gamedirectory`. */
  view: string;
  /** Name of the engine profile. */
  profile: string;
  /** Result of the check; `unchecked` if the engine has none. */
  state: "registered" | "shareware" | "corrupt" | "unchecked";
  /** The reason, as a sentence. */
  because: string;
  /** The deciding file, or null. */
  file: HolderRow | null;
  /** Whether the engine sees modified data; null if it does not check. */
  modified: boolean | null;
  /** Modifications, one sentence each. */
  modifications: string[];
  /** Consequences for the engine, one sentence each. */
  consequences: string[];
  /** The PAKs of the search path, in search order. */
  packs: RegisteredPackRow[];
}

/** Checks whether a view's engine sees the registered version of Quake. */
export const registered: Question<ViewParameter, RegisteredResult> = {
  parameters: { view: "string" },
  answer: (context, { view }) => checkRegistered(context.catalog.view(view), context.read),
};

/**
 * Checks a game like the view's engine.
 * @throws {ArchiveError} if the deciding file cannot be read.
 */
async function checkRegistered(view: View, read: QuestionContext["read"]): Promise<RegisteredResult> {
  const { profile } = view.game;
  const { engine } = profile;
  const check = profile.registered;
  const answer = { view: view.name, profile: profile.name };
  if (!check) {
    const because = `${engine} does not look for the registered version of Quake.`;
    return {
      ...answer,
      state: "unchecked",
      because,
      file: null,
      modified: null,
      modifications: [],
      consequences: [],
      packs: [],
    };
  }
  const entry = view.tree.entryAt(proof);
  const { state, because } = await judge(view, entry, check, read);
  const packs = view.searchPath.filter((source) => source.format === "quake-pak").map(packRow);
  const modifications = check.ownPacks === null ? [] : modificationsOf(view, packs, check.ownPacks);
  const modified = check.ownPacks === null ? null : modifications.length > 0;
  return {
    ...answer,
    state,
    because,
    file: entry === none ? null : holderRow(view.snapshot, entry),
    modified,
    modifications,
    consequences: consequencesOf(engine, check, state, modified === true),
    packs,
  };
}

async function judge(
  view: View,
  entry: number,
  check: RegisteredCheck,
  read: QuestionContext["read"],
): Promise<Pick<RegisteredResult, "state" | "because">> {
  const { engine } = view.game.profile;
  if (entry === none) {
    return {
      state: "shareware",
      because: `Nothing on the search path has ${proof}, which only the registered version has.`,
    };
  }
  const source = view.snapshot.sourceOf(entry);
  const found = `${proof} is in ${source.path}`;
  if (!check.comparesContent) return { state: "registered", because: `${found}; ${engine} does not look into it.` };
  const bytes = await read(entry, 0, proofSize);
  if (bytes.length === proofSize && crc32(bytes) === proofCrc) {
    return { state: "registered", because: `${found} and is id's.` };
  }
  return { state: "corrupt", because: `${found}, but is not id's: its first ${proofSize} bytes differ.` };
}

function packRow({ name, path, entryCount }: Source): RegisteredPackRow {
  const crc16 = ownPackVersions.some(([files]) => files === entryCount) ? directoryCrc(path) : null;
  const known = ownPackVersions.find(([files, crc]) => files === entryCount && crc === crc16)?.[2] ?? null;
  return { pack: name, source: path, files: entryCount, crc16, known };
}

function directoryCrc(path: string): number | null {
  try {
    using file = new FileByteReader(path);
    return quakePakDirectoryCrc(file);
  } catch (error) {
    if (error instanceof ArchiveError || error instanceof Deno.errors.NotFound) return null;
    throw error;
  }
}

function modificationsOf(view: View, packs: readonly RegisteredPackRow[], ownPacks: readonly number[]): string[] {
  const { game, gameDirectories } = view;
  const { enginePack, missionPacks } = game.profile;
  const mods = gameDirectories.filter((name) => name !== game.base && !missionPacks.includes(name));
  const isEnginePack = ({ source }: RegisteredPackRow) =>
    enginePack !== null && game.roots.some((directory) => source === `${directory}/${enginePack.name}`);
  const counted = packs.filter((pack) => !isEnginePack(pack));
  return [
    ...mods.map((name) => `${name} is a game directory of its own (-game ${name}).`),
    ...counted.filter(({ files }) => files !== ownPackFiles)
      .map(({ source, files }) => `${source} has ${files} files, and id's own pak0.pak ${ownPackFiles}.`),
    ...counted.filter(({ files, crc16 }) => files === ownPackFiles && (crc16 === null || !ownPacks.includes(crc16)))
      .map(({ source, crc16 }) => `${source} is not id's: the CRC-16 of its file table is ${crc16 ?? "not known"}.`),
  ];
}

function consequencesOf(
  engine: string,
  check: RegisteredCheck,
  state: RegisteredResult["state"],
  modified: boolean,
): string[] {
  if (!check.comparesContent) return [];
  if (state === "corrupt") return [`${engine} refuses to start: "Corrupted data file."`];
  if (state !== "shareware") return [];
  return [
    ...modified ? [`${engine} refuses to start: "You must have the registered version to use modified games."`] : [],
    `${engine} finds loose files only at the top of a game directory, not in directories such as maps/.`,
  ];
}
