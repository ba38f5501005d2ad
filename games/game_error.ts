/**
 * Errors of games, and names for games without one.
 * @module
 */
import { basename } from "@std/path";

/** Error of a game's directory, name or profile. The message is for the user. */
export class GameError extends Error {
  /** Name of the class. */
  override readonly name = "GameError";
  /** Path or word that caused the error. */
  readonly subject: string;

  /** Makes an error about `subject`. */
  constructor(message: string, subject: string) {
    super(message);
    this.subject = subject;
  }
}

/** Returns the name of a game without one: the last component of its first root; empty for `/`. */
export function nameOfRoots(roots: readonly string[]): string {
  return basename(roots[0] ?? "").replace("/", "");
}

/** Returns a name that is valid for a directory, and not among `used`. */
export function unusedName(wanted: string, used: ReadonlySet<string>): string {
  const plain = wanted.replaceAll(/[/\0]/g, "_").replace(/^\.+/, "") || "game";
  let name = plain;
  for (let number = 2; used.has(name); number++) name = `${plain}-${number}`;
  return name;
}
