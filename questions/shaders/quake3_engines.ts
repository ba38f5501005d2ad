/**
 * How engines of Quake III's family read shader files. Fact sources: `ScanAndLoadShaderFiles` and `FindShaderInShaderText` of
 * ioquake/ioq3 and zturtleman/spearmint code/renderergl1/tr_shader.c, id-Software/Quake-III-Arena and ec-/Quake3e
 * code/renderer/tr_shader.c (with `loadShaderBuffers`), JACoders/OpenJK codemp/rd-vanilla/tr_shader.cpp, iortcw
 * MP/code/renderer/tr_shader.c, and etlegacy src/renderer/tr_shader.c (with `BuildShaderChecksumLookup`).
 * @module
 */

/** Reads shader files as one engine does. */
export interface Quake3Engine {
  readonly name: "ioquake3" | "quake3" | "quake3e" | "openjk" | "iortcw" | "etlegacy";
  /** Name in sentences. */
  readonly title: string;
  /** Directory of the files, in small letters. */
  readonly directory: string;
  /**
   * Which files it ignores: none; those with a shader that lacks a brace, or an opening one; or the former, but in front of
   * the first whole shader only the lines up to the fault.
   */
  readonly ignores: "nothing" | "unclosed" | "unopened" | "unclosed after the first";
  /** From which text comments are removed before shaders are looked for: from that of all files, of each, or from none. */
  readonly compresses: "all" | "each" | "none";
  /** Whether `#` begins a comment. */
  readonly hasHashComments: boolean;
  /**
   * Which of equal names answers. The text of the file that is listed last comes first.
   * - `first`: the first of the text.
   * - `last`: the last of the text.
   * - `first of files`: the first shaders of all files come before the others, as the original compares wrong addresses.
   * - `hash`: the first of the text, but if an earlier shader has the same hash, the last.
   */
  readonly order: "first" | "last" | "first of files" | "hash";
  /** Shaders of Quake III's own files that it leaves out, by the comments that it puts there. */
  readonly omissions: readonly Omission[];
}

/** A file that is known by its size and some of its bytes, and offsets at which it gets a comment's begin and end. */
export interface Omission {
  /** Name in the directory. */
  readonly file: string;
  readonly size: number;
  readonly offset: number;
  readonly text: string;
  readonly comments: readonly (readonly [begin: number, end: number])[];
}

/** The engine whose rules hold where none are known. */
export const ioquake3: Quake3Engine = {
  name: "ioquake3",
  title: "ioquake3",
  directory: "scripts",
  ignores: "unclosed",
  compresses: "all",
  hasHashComments: false,
  order: "first",
  omissions: [],
};

/** The engines, by the name of a profile. Those that are not here read as ioquake3 does, or have rules of their own. */
export const quake3Engines: Readonly<Record<string, Quake3Engine>> = {
  ioquake3,
  quake3: {
    ...ioquake3,
    name: "quake3",
    title: "Quake III Arena",
    ignores: "nothing",
    compresses: "each",
    order: "first of files",
  },
  quake3e: {
    ...ioquake3,
    name: "quake3e",
    title: "Quake3e",
    ignores: "unclosed after the first",
    compresses: "each",
    order: "last",
    omissions: [
      {
        file: "sky.shader",
        size: 35_910,
        offset: 0x3d3e,
        text: "\tcloudparms ",
        comments: [[0x27d7, 0x2a93], [0x3ca9, 0x3fc2]],
      },
      {
        file: "sfx.shader",
        size: 116_073,
        offset: 93_457,
        text: "textures/sfx/xfinalfog\r\n",
        comments: [[93_457, 93_663]],
      },
    ],
  },
  openjk: { ...ioquake3, name: "openjk", title: "OpenJK", directory: "shaders", hasHashComments: true },
  "iortcw-mp": { ...ioquake3, name: "iortcw", title: "iortcw", ignores: "unopened" },
  "iortcw-sp": { ...ioquake3, name: "iortcw", title: "iortcw", ignores: "unopened" },
  etlegacy: {
    ...ioquake3,
    name: "etlegacy",
    title: "ET: Legacy",
    ignores: "nothing",
    compresses: "none",
    order: "hash",
  },
};
