/**
 * One place that is watched: a source directory with all that is in it, or a few files of a directory.
 * @module
 */
import { dirname } from "node:path";
import { identityOf } from "../../index/scan/kept.ts";
import { unreportedFileSystem } from "./file_systems.ts";
import type { WatchRow } from "../protocol.ts";

/** What is to be watched. */
export interface WatchTarget {
  /** Absolute path: a directory with all that is in it, or a file. */
  readonly path: string;
  /** Of a file: names beside it that matter. Absent for a directory. */
  readonly matches?: (name: string) => boolean;
  /** Directories in it that may be on other file systems. */
  readonly inside: readonly string[];
}

/** What a place needs of its watcher. */
export interface PlaceHost {
  /** Ask nothing of the kernel: look by oneself. */
  readonly onlyPolling: boolean;
  /** Something has changed, or may have. */
  touch(): void;
  /** The kernel does not tell of changes here. */
  explain(path: string, because: string): void;
}

/** A place, and how changes in it are noticed. Call {@linkcode check} now and then. */
export class WatchedPlace {
  readonly target: WatchTarget;
  readonly #host: PlaceHost;
  #mode: WatchRow["mode"] = "missing";
  #because: string | null = null;
  #watcher: Deno.FsWatcher | undefined;
  /** Device and inode of what is watched. */
  #identity: string | null = null;
  #isChecking = false;
  #isClosed = false;
  /** What the files were when they were looked at last. */
  #signature = "";

  constructor(target: WatchTarget, host: PlaceHost) {
    this.target = target;
    this.#host = host;
  }

  /** The row of `status`. */
  get row(): WatchRow {
    return { path: this.target.path, mode: this.#mode, because: this.#because };
  }

  /** Whether somebody has to look, as the kernel does not tell. */
  get isPolled(): boolean {
    return this.#mode === "polling";
  }

  /** Begins to watch, and begins anew where what is at the path has gone, come back or become another. */
  async check(): Promise<void> {
    if (this.#isChecking || this.#isClosed) return;
    this.#isChecking = true;
    try {
      const identity = await identityAt(this.#directory);
      if (identity !== this.#identity) {
        // What is closed may be opened again only after a while: the kernel's last words about it come later, and would
        // be taken to speak of its successor. So what has come is watched from the next look on.
        const wasWatched = this.#watcher !== undefined;
        this.#end("missing", null);
        if (identity !== null && !wasWatched) await this.#begin(identity);
        this.#host.touch();
      }
    } finally {
      this.#isChecking = false;
    }
  }

  /** Lets the kernel's watch be set up again by the next look: it may be for what is not there any more. */
  renew(): void {
    if (this.#watcher) this.#end("missing", null);
  }

  close(): void {
    this.#isClosed = true;
    this.#end("missing", null);
  }

  /** What the kernel is asked to watch. */
  get #directory(): string {
    return this.target.matches ? dirname(this.target.path) : this.target.path;
  }

  async #begin(identity: string): Promise<void> {
    const because = this.#host.onlyPolling ? "PAKFS_WATCH=poll asks for it" : await this.#obstacle();
    if (this.#isClosed) return;
    this.#identity = identity;
    this.#mode = because === null ? "events" : "polling";
    this.#because = because;
    if (because !== null) return this.#host.explain(this.target.path, because);
    try {
      // Deno tells only of what lies below the path that it was given, links resolved.
      const path = await Deno.realPath(this.#directory);
      if (this.#isClosed) return;
      this.#watcher = Deno.watchFs(path, { recursive: this.target.matches === undefined });
      this.#listen(this.#watcher);
    } catch (error) {
      this.#poll(error);
    }
  }

  /** Why the kernel's word is not enough, or null. */
  async #obstacle(): Promise<string | null> {
    for (const path of [this.#directory, ...this.target.inside]) {
      // deno-lint-ignore no-await-in-loop -- few, and the first is enough
      const name = await unreportedFileSystem(path);
      if (name !== null) return `${path} is on ${name}, where the kernel does not tell of every change`;
    }
    return null;
  }

  async #listen(watcher: Deno.FsWatcher): Promise<void> {
    try {
      for await (const _event of watcher) {
        if (watcher !== this.#watcher) return;
        // Deno drops events where there are many, so which files they are about is no help.
        if (!this.target.matches || await this.#haveFilesChanged()) this.#host.touch();
      }
    } catch (error) {
      if (watcher === this.#watcher) this.#poll(error);
    }
  }

  async #haveFilesChanged(): Promise<boolean> {
    const { matches = () => true } = this.target;
    const parts: string[] = [];
    try {
      for await (const { name } of Deno.readDir(this.#directory)) {
        if (!matches(name)) continue;
        const { ino, size, mtime, ctime } = await Deno.stat(`${this.#directory}/${name}`);
        parts.push([name, ino, size, mtime?.getTime(), ctime?.getTime()].join(":"));
      }
    } catch {
      return true; // something went away just now
    }
    const signature = parts.sort().join("\n");
    const isSame = signature === this.#signature;
    this.#signature = signature;
    return !isSame;
  }

  /** Goes on without the kernel, which has no watch left, or lost its own. */
  #poll(error: unknown): void {
    const message = error instanceof Error ? error.message : String(error);
    const because = /watch limit/i.test(message)
      ? "the kernel watches no more directories for this user; raise fs.inotify.max_user_watches"
      : `the kernel cannot watch it (${message})`;
    this.#end("polling", this.#identity, because);
    this.#host.explain(this.target.path, because);
    this.#host.touch();
  }

  #end(mode: WatchRow["mode"], identity: string | null, because: string | null = null): void {
    const watcher = this.#watcher;
    this.#watcher = undefined;
    this.#mode = mode;
    this.#identity = identity;
    this.#because = because;
    try {
      watcher?.close();
    } catch {
      // It has ended by itself.
    }
  }
}

/** Which file or directory is at a path, as {@linkcode identityOf} writes it; null: none that can be looked at. */
export async function identityAt(path: string): Promise<string | null> {
  try {
    return identityOf(await Deno.stat(path));
  } catch {
    return null;
  }
}
