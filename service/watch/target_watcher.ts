/**
 * Watches one target: a directory with its whole content, or some files of a directory.
 * @module
 */
import { basename, dirname } from "@std/path";
import { isInside, messageOf } from "../../formats/parts.ts";
import { inodeKey } from "../../index/mod.ts";
import { type DirectoryWatches, readFileSystems } from "../../system/mod.ts";
import type { WatchRow } from "../../protocol/rows.ts";
import type { WatchTarget } from "./targets.ts";
import { TreeWatcher } from "./tree_watcher.ts";

/** The part of an index watcher that a target needs. */
export interface TargetHost {
  /** The kernel's watches, or the reason why targets are polled. */
  readonly watches: DirectoryWatches | string;
  /** Called when something has changed, or may have. */
  touch(): void;
  /** Called when the kernel does not report the changes of a path. */
  explain(path: string, because: string): void;
}

/** Reason for polling a target whose watches are not complete yet. */
const settingUp = "its watches are being set up";

/** Notices changes of a target. Call {@linkcode check} from time to time. */
export class TargetWatcher {
  readonly target: WatchTarget;
  readonly #host: TargetHost;
  #mode: WatchRow["mode"] = "missing";
  #because: string | null = null;
  #tree: TreeWatcher | undefined;
  /** Device and inode of the watched directory or file. */
  #identity: string | null = null;
  #realPath: string | undefined;
  /** Whether it is on a remote file system, or contains one. */
  #isRemote = false;
  #isClosed = false;

  constructor(target: WatchTarget, host: TargetHost) {
    this.target = target;
    this.#host = host;
  }

  /** The row for `status`. */
  get row(): WatchRow {
    return { path: this.target.path, mode: this.#mode, because: this.#because };
  }

  /** Whether it must be polled, as the kernel reports no changes. */
  get isPolled(): boolean {
    return this.#mode === "polling";
  }

  /** Returns whether a mount at `path` hides, shows or is part of the target. */
  isAffectedBy(path: string): boolean {
    const own = this.#realPath ?? (this.#isRemote ? this.#directory : undefined);
    if (own === undefined) return false;
    if (isInside(own, path)) return true;
    // In the directory of an archive, only the files of the archive matter.
    const { matches } = this.target;
    return matches ? dirname(path) === own && matches(basename(path)) : isInside(path, own);
  }

  /**
   * Starts watching, and restarts if the file at the path was removed, has returned or was replaced.
   * @returns The current identity of the path, from {@linkcode identityOfPath}; `undefined` on a remote file system,
   * which may hang: refreshes check it.
   */
  async check(): Promise<string | null | undefined> {
    if (this.#identity === null && !this.#isRemote) this.#findRemote();
    if (this.#isRemote) return undefined;
    const identity = await identityOfPath(this.#directory);
    if (identity !== this.#identity && !this.#isClosed) {
      this.#end("missing", null);
      if (identity !== null) await this.#begin(identity);
      this.#host.touch();
    }
    return this.target.matches ? await identityOfPath(this.target.path) : identity;
  }

  /** Makes the next check renew the watches, since they may be for directories that are hidden now. */
  renew(): void {
    if (this.#tree || this.#isRemote) this.#end("missing", null);
  }

  /** Stops watching. */
  close(): void {
    this.#isClosed = true;
    this.#end("missing", null);
  }

  /** Directory that the kernel watches. */
  get #directory(): string {
    return this.target.matches ? dirname(this.target.path) : this.target.path;
  }

  /** Polls a target on a remote file system. */
  #findRemote(): void {
    const because = this.#obstacle();
    if (because === null || this.#isClosed) return;
    const { watches } = this.#host;
    this.#poll(typeof watches === "string" ? watches : because);
    this.#isRemote = true;
  }

  async #begin(identity: string): Promise<void> {
    const { watches } = this.#host;
    this.#identity = identity;
    if (typeof watches === "string") return this.#poll(watches);
    try {
      this.#realPath = await Deno.realPath(this.#directory);
    } catch (error) {
      // Removed since the check: the next one checks again.
      if (error instanceof Deno.errors.NotFound) return this.#end("missing", null);
      return this.#poll(`it cannot be found (${messageOf(error)})`);
    }
    if (this.#isClosed) return;
    this.#mode = "polling";
    this.#because = settingUp;
    const tree: TreeWatcher = new TreeWatcher(watches, this.#realPath, {
      isRecursive: this.target.matches === undefined,
      onChange: (name) => {
        if (tree === this.#tree && (name === null || (this.target.matches?.(name) ?? true))) this.#host.touch();
      },
      onLost: () => tree === this.#tree && this.#lose(),
      onFailure: (reason) => tree === this.#tree && this.#poll(reason),
    });
    this.#tree = tree;
    await tree.ready;
    if (tree !== this.#tree) return;
    this.#mode = "events";
    this.#because = null;
  }

  /** Returns the reason why the kernel's reports are insufficient, or null. */
  #obstacle(): string | null {
    const systems = readFileSystems();
    const remote = this.target.matches ? systems.remoteOf(this.#directory) : systems.remoteIn(this.#directory);
    return remote ? `${remote.mountPoint} is on ${remote.type}, where the kernel does not report every change` : null;
  }

  /** Stops watching until the next check. */
  #lose(): void {
    this.#end("missing", null);
    this.#host.touch();
  }

  /** Polls from now on, as the kernel cannot watch the target. */
  #poll(because: string): void {
    this.#end("polling", this.#identity, because);
    this.#host.explain(this.target.path, because);
    this.#host.touch();
  }

  #end(mode: WatchRow["mode"], identity: string | null, because: string | null = null): void {
    const tree = this.#tree;
    this.#tree = undefined;
    this.#mode = mode;
    this.#isRemote = false;
    this.#identity = identity;
    this.#because = because;
    tree?.close();
  }
}

/** Returns the identity of a path, as written by {@linkcode inodeKey}; null if it is inaccessible. */
async function identityOfPath(path: string): Promise<string | null> {
  try {
    return inodeKey(await Deno.stat(path));
  } catch {
    return null;
  }
}
