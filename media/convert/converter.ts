/**
 * The row type of the table of converters, from game files to common file formats.
 * @module
 */

import type { Palette } from "../pictures/palette.ts";

/** A format that converters write, by its extension. */
export type Target = "png" | "wav" | "mid" | "glb" | "svg" | "json" | "txt";
/** Formats that converters write. */
export const targets: readonly Target[] = ["png", "wav", "mid", "glb", "svg", "json", "txt"];

/** A file and its path in the view. */
export interface NamedFile {
  readonly qpath: string;
  readonly bytes: Uint8Array;
}

/** A file, and the pack or directory that it is from. */
export interface LoadedFile extends NamedFile {
  readonly source: string;
}

/** Answers lookups for the other files that a conversion needs, as the view's engine resolves them. */
export interface Surroundings {
  /** Returns the file at a path; undefined if the view has none. */
  file(qpath: string): Promise<NamedFile | undefined>;
  /**
   * Returns the files at a path that the engine reads together, in load order: GZDoom adds later definitions to those
   * before. Other engines read only one.
   */
  files?(qpath: string): Promise<readonly LoadedFile[]>;
  /**
   * Returns the picture that the engine draws for a texture or shader: the first image of the shader, else the image
   * with an extension that the engine tries.
   */
  image(name: string): Promise<NamedFile | undefined>;
  /** Returns the text of the definition that the engine uses for a shader; undefined if it has none. */
  shader?(name: string): Promise<string | undefined>;
  /** Palette that is used instead of the view's. */
  readonly palette?: Palette | undefined;
}

/** Environment that answers every lookup, with the palette of its view. */
export type WholeSurroundings = Required<Omit<Surroundings, "palette">>;

/** A picture of a file that has several. */
export interface Part {
  /** Path without an extension, below the folder of the file. */
  readonly name: string;
  /**
   * Converts the part.
   * @throws {MediaError} if it is damaged.
   */
  convert(): Promise<Uint8Array>;
}

/** A converter for a kind of files: a row of the table. */
export interface Converter {
  /** Name: `lmp-png`. */
  readonly name: string;
  /** Title: `Pictures of Quake (LMP)`. */
  readonly title: string;
  /** Extensions of the files in lower case; "" for lumps without one. */
  readonly extensions: readonly string[];
  /**
   * Paths to which the row is limited, matched in lower case: lumps without an extension are identified by their
   * directory.
   */
  readonly paths?: RegExp;
  /** Format of the result. */
  readonly to: Target;
  /**
   * Returns whether a file can be of this kind, by its first {@linkcode startBytes}; absent if the extension determines
   * the kind.
   */
  accepts?(start: Uint8Array, fileSize: number): boolean;
  /** Whether the result is the file as it is, under a name that says what it is. */
  readonly isCopy?: boolean;
  /**
   * Converts a file.
   * @throws {MediaError} if the file is damaged or of a kind that is not converted.
   */
  convert(file: NamedFile, surroundings: Surroundings): Promise<Uint8Array>;
  /**
   * Converts a model without its animations, for a small picture.
   * @throws {MediaError} if the file is damaged.
   */
  still?(file: NamedFile, surroundings: Surroundings): Promise<Uint8Array>;
  /**
   * Returns all parts of a file, for programs that write each to a file of its own.
   * @throws {MediaError} if the file is damaged.
   */
  parts?(file: NamedFile, surroundings: Surroundings): Promise<readonly Part[]>;
  /**
   * Returns the exact size of the result from the beginning of the file; undefined if only converting determines it.
   * Conversion may still fail. {@linkcode startBytes} are enough.
   */
  size?(start: Uint8Array, fileSize: number): number | undefined;
}

/** Bytes of a file's beginning that {@linkcode Converter.size} may need. */
export const startBytes = 4096;
