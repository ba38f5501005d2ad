/**
 * Errors of games, and names for those that have none.
 * @module
 */
import { basename } from "@std/path";

/** Error of a game's directory, name or profile. The message is for the user. */
export class GameError extends Error {
  /** Name of the class. */
  override readonly name = "GameError";
  /** The path or word that the message is about. */
  readonly subject: string;

  /** Makes an error about `subject`. */
  constructor(message: string, subject: string) {
    super(message);
    this.subject = subject;
  }
}

/** Returns the last name of a game's first root, after which a game without a name is called; empty for `/`. */
export function nameOfRoots(roots: readonly string[]): string {
  return basename(roots[0] ?? "").replace("/", "");
}
