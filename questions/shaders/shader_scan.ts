/**
 * Content of a shader or declaration file, whatever its language.
 * @module
 */

/** One definition in a file. Offsets and lengths in bytes of the file, lines from 1. */
export interface Definition {
  /** `shader` for Quake III's; else Doom 3's type, in lower case: `material`, `table`. */
  readonly type: string;
  /** Lower-cased, as engines compare names. */
  readonly name: string;
  /** Where the search for it began: comments before it are between this and `offset`. */
  readonly start: number;
  /** Where the definition itself starts: its name, or the type before it. */
  readonly offset: number;
  /** Just after its closing brace. */
  readonly end: number;
  /** Where its name starts, quote included. */
  readonly nameOffset: number;
  /** Line of the name. */
  readonly line: number;
}

/** A sentence about a line of a file. */
export interface ScanWarning {
  readonly line: number;
  readonly message: string;
}
