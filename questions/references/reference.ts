/**
 * Types of the names in a file's bytes, before an engine's rules say which files answer.
 * @module
 */
import type { ReferenceKind } from "../../engines/mod.ts";

/** A name in a file. */
export interface Reference {
  readonly kind: ReferenceKind;
  /** The name; more than one if the engine looks for the next where nothing has the one before. */
  readonly names: readonly [string, ...string[]];
  /** Reason for loading it, as a short phrase: `surface`, `sky box`. */
  readonly why: string;
  /** Whether the engine does without it. */
  readonly isOptional: boolean;
}

/** Returns a reference that the engine cannot do without. */
export function needed(kind: ReferenceKind, name: string, why: string): Reference {
  return { kind, names: [name], why, isOptional: false };
}

/** Returns a reference that is loaded if it exists. */
export function optional(kind: ReferenceKind, why: string, ...names: readonly [string, ...string[]]): Reference {
  return { kind, names, why, isOptional: true };
}

/** Suffixes of the six sides of a sky box. */
export const skySides: readonly string[] = ["rt", "bk", "lf", "ft", "up", "dn"];
