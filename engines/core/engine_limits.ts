/**
 * Limits of engines, as data, each with the consequence of exceeding it. They are reported, and enforced for games that
 * are indexed strictly.
 *
 * Sources: id-Software/Quake WinQuake/common.c, id-Software/Quake-2 qcommon/files.c, sezero/quakespasm Quake/common.c,
 * yquake2/yquake2 src/common/filesystem.c, DarkPlacesEngine/darkplaces fs.c, id-Software/Quake-III-Arena
 * code/qcommon/files.c and q_shared.h, ioquake/ioq3 code/renderergl1/tr_shader.c, ec-/Quake3e code/renderer/tr_shader.c.
 * @module
 */

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

/** Returns the limits of an engine. */
export function limitsOf({ name, kin }: { readonly name: string; readonly kin: string }): readonly EngineLimit[] {
  return limits[name] ?? limits[kin] ?? [];
}
