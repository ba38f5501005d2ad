/**
 * The row type of the table of converters: files of games to files that any program opens.
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

/** Answers for the files that a conversion needs besides its own, as the view's engine resolves them. */
export interface Surroundings {
  /** Returns the file at a path; undefined if the view has none. */
  file(qpath: string): Promise<NamedFile | undefined>;
  /**
   * Returns the picture that the engine draws for a texture or shader: the first image of the shader, else the image with
   * an extension that the engine tries.
   */
  image(name: string): Promise<NamedFile | undefined>;
  /** Returns the text of the definition that the engine uses for a shader; undefined if it has none. */
  shader?(name: string): Promise<string | undefined>;
  /** Palette that is used instead of the view's. */
  readonly palette?: Palette | undefined;
}

/** Surroundings that answer every question, with the palette of their view. */
export type WholeSurroundings = Required<Omit<Surroundings, "palette">>;

/** A way to convert a kind of files: a row of the table. */
export interface Converter {
  /** Name: `lmp-png`. */
  readonly name: string;
  /** Title: `Pictures of Quake (LMP)`. */
  readonly title: string;
  /** Extensions of the files in lower case; "" for lumps without one. */
  readonly extensions: readonly string[];
  /** Paths to which the row is limited, matched in lower case: lumps without an extension are named by their directory. */
  readonly paths?: RegExp;
  /** Format of the result. */
  readonly to: Target;
  /**
   * Returns whether a file whose path says little can be of this kind, by its first {@linkcode startBytes}; rows without it
   * are for all files of their extensions.
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
   * Returns the exact bytes of the result by the beginning of the file; undefined if it must be converted to know. A result may
   * still fail to be made. {@linkcode startBytes} are enough.
   */
  size?(start: Uint8Array, fileSize: number): number | undefined;
}

/** Bytes of a file's beginning that {@linkcode Converter.size} may need. */
export const startBytes = 4096;
