/**
 * Roots that are missing while a game is served: a disk was pulled, a server cannot be reached, or a directory is being
 * replaced. The content of a missing root in an earlier index is kept, so that the other sources are unchanged and no
 * loser becomes a winner. A root that has never existed is awaited.
 * @module
 */
import { messageOf } from "../../formats/parts.ts";

/** State of {@linkcode RootPresence}, for another thread. */
export interface RootPresenceState {
  readonly there: ReadonlyMap<string, string>;
  readonly seen: ReadonlyMap<string, string | null>;
  readonly silences: ReadonlyMap<string, string>;
}

/** Roots as they were at the last check. */
export class RootPresence {
  /** Device and inode of each root when it last existed. */
  readonly #there = new Map<string, string>();
  /** Results of {@linkcode RootPresence.seen}. */
  readonly #seen = new Map<string, string | null>();
  /** Reasons why directories and lists of names cannot be accessed without hanging: clauses after their paths. */
  #silences: ReadonlyMap<string, string> = new Map();

  /** Restores the state from another thread. */
  static from(state: RootPresenceState): RootPresence {
    const presence = new RootPresence();
    presence.restore(state);
    return presence;
  }

  /** Returns the state for another thread. */
  state(): RootPresenceState {
    return { there: this.#there, seen: this.#seen, silences: this.#silences };
  }

  /** Applies the findings of another thread. */
  restore({ there, seen, silences }: RootPresenceState): void {
    for (const [path, identity] of there) this.#there.set(path, identity);
    for (const [path, identity] of seen) this.#seen.set(path, identity);
    this.#silences = silences;
  }

  /** Sets the paths that are not accessed from now on, because their file systems do not reply. */
  silence(silences: ReadonlyMap<string, string>): void {
    this.#silences = silences;
  }

  /** Returns the reason why a root or a list of names must not be accessed, a clause after its path, or `undefined`. */
  silenceOf(path: string): string | undefined {
    return this.#silences.get(path);
  }

  /** Returns the reason why a root cannot be indexed now, a clause after its path, or null. */
  absence(path: string): string | null {
    this.#seen.set(path, null);
    const silence = this.#silences.get(path);
    if (silence !== undefined) return silence;
    try {
      const information = Deno.statSync(path);
      const identity = inodeKey(information);
      this.#seen.set(path, identity);
      const before = this.#there.get(path);
      const isOther = before !== undefined && before !== identity;
      // A mount point without its disk is an empty directory.
      if (information.isDirectory && isEmpty(path) && isOther) return "is empty, and not the earlier directory";
      this.#there.set(path, identity);
      return null;
    } catch (error) {
      if (error instanceof Deno.errors.NotFound) return "is missing";
      return `cannot be read (${messageOf(error)})`;
    }
  }

  /**
   * Device and inode at `path` at the last check, as written by {@linkcode inodeKey}; null if it was missing, undefined
   * if it was never checked.
   */
  seen(path: string): string | null | undefined {
    return this.#seen.get(path);
  }
}

/** Returns the identity of a file or directory: device and inode. */
export function inodeKey({ dev, ino }: Pick<Deno.FileInfo, "dev" | "ino">): string {
  return `${dev}:${ino}`;
}

/** Returns whether a directory is empty. */
export function isEmpty(path: string): boolean {
  for (const _item of Deno.readDirSync(path)) return false;
  return true;
}
