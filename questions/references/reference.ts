/**
 * Types of references in a file's bytes, before they are resolved by an engine's rules.
 * @module
 */
import type { ReferenceKind } from "../../engines/mod.ts";

/** A name in a file. */
export interface Reference {
  readonly kind: ReferenceKind;
  /** The name; several if the engine tries the next when one is missing. */
  readonly names: readonly [string, ...string[]];
  /** Reason for loading it, as a short phrase: `surface`, `sky box`. */
  readonly why: string;
  /** Whether it is optional for the engine. */
  readonly isOptional: boolean;
}

/** Returns a required reference. */
export function needed(kind: ReferenceKind, name: string, why: string): Reference {
  return { kind, names: [name], why, isOptional: false };
}

/** Returns an optional reference. */
export function optional(kind: ReferenceKind, why: string, ...names: readonly [string, ...string[]]): Reference {
  return { kind, names, why, isOptional: true };
}

/** Suffixes of the six sides of a sky box. */
export const skySides: readonly string[] = ["rt", "bk", "lf", "ft", "up", "dn"];
