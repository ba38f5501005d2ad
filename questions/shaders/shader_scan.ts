/**
 * Content of a shader or declaration file in any language.
 * @module
 */

/** One definition in a file. Offsets and lengths in bytes of the file, lines from 1. */
export interface Definition {
  /** `shader` for Quake III's; else Doom 3's type, in lower case: `material`, `table`. */
  readonly type: string;
  /** Lower-cased name, as engines compare names. */
  readonly name: string;
  /** Offset at which the search for it began: comments before it are between this and `offset`. */
  readonly start: number;
  /** Offset of the definition: its name, or the type before it. */
  readonly offset: number;
  /** Offset after its closing brace. */
  readonly end: number;
  /** Offset of its name, including a quote. */
  readonly nameOffset: number;
  /** Line of the name. */
  readonly line: number;
}

/** A message about a line of a file. */
export interface ScanWarning {
  readonly line: number;
  readonly message: string;
}

/** Definitions that an engine finds in a file, and messages about what it skips. */
export interface ShaderScan {
  readonly definitions: readonly Definition[];
  readonly warnings: readonly ScanWarning[];
}
