/**
 * Roots that are missing while a game is served: a disk was pulled, a server cannot be reached, or a directory is being
 * replaced. What an earlier index knows of a missing root is kept, so that the other sources stay as they are and no
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

/** Roots as they were when they were last looked at. */
export class RootPresence {
  /** Device and inode of each when it was there last. */
  readonly #there = new Map<string, string>();
  /** Results of {@linkcode RootPresence.seen}. */
  readonly #seen = new Map<string, string | null>();
  /** Why directories and lists of names cannot be looked at without hanging: clauses after their paths. */
  #silences: ReadonlyMap<string, string> = new Map();

  /** Restores what another thread knows. */
  static from(state: RootPresenceState): RootPresence {
    const presence = new RootPresence();
    presence.restore(state);
    return presence;
  }

  /** Returns the state for another thread. */
  state(): RootPresenceState {
    return { there: this.#there, seen: this.#seen, silences: this.#silences };
  }

  /** Takes over what another thread has found out. */
  restore({ there, seen, silences }: RootPresenceState): void {
    for (const [path, identity] of there) this.#there.set(path, identity);
    for (const [path, identity] of seen) this.#seen.set(path, identity);
    this.#silences = silences;
  }

  /** From now on these paths, and no others, are not looked at: their file systems do not answer. */
  silence(silences: ReadonlyMap<string, string>): void {
    this.#silences = silences;
  }

  /** Returns why a root or a list of names is not to be looked at, a clause after its path; `undefined` if it may be. */
  silenceOf(path: string): string | undefined {
    return this.#silences.get(path);
  }

  /** Returns why a root cannot be indexed as it is now, a clause after its path; null if it can. */
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
      if (information.isDirectory && isEmpty(path) && isOther) return "is empty, and not the directory it was";
      this.#there.set(path, identity);
      return null;
    } catch (error) {
      if (error instanceof Deno.errors.NotFound) return "is missing";
      return `cannot be read (${messageOf(error)})`;
    }
  }

  /**
   * Device and inode of what was at `path` when it was looked at last, as {@linkcode inodeKey} writes them; null if
   * it was missing, undefined if it was never looked at.
   */
  seen(path: string): string | null | undefined {
    return this.#seen.get(path);
  }
}

/** Returns which file or directory this is: device and inode. */
export function inodeKey({ dev, ino }: Pick<Deno.FileInfo, "dev" | "ino">): string {
  return `${dev}:${ino}`;
}

/** Returns whether nothing is in a directory. */
export function isEmpty(path: string): boolean {
  for (const _item of Deno.readDirSync(path)) return false;
  return true;
}
