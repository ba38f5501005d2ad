/**
 * The seek points of large deflated members, stored in files across mounts. Main thread.
 * @module
 */
import { messageOf } from "../formats/parts.ts";
import { isDirectorySource, seekFileName } from "../index/mod.ts";
import { type MadeSeekPoints, seekMemberOf } from "./shared/seek_members.ts";
import type { ShownIndex } from "./shown_indexes.ts";

/** Maximum bytes of all files together; the oldest are removed first. */
const maxTotal = 64 * 1024 * 1024;
/** Maximum bytes of one file. */
const maxFile = 20 * 1024 * 1024;
/** Age of files that dead processes left, in milliseconds. */
const oldestTemporary = 3600_000;

/** Directory for facts about members, across mounts. */
export interface MemberCache {
  readonly directory: string;
  /** Called with a message if stored data are not used, or cannot be written. */
  readonly onProblem: (sentence: string) => void;
}

/** The files with points. */
export class SeekPointCache {
  /** Directory of the files; undefined: none are stored. */
  readonly directory: string | undefined;
  readonly #onProblem: MemberCache["onProblem"];
  readonly #names = new Set<string>();
  #followed: ShownIndex | undefined;
  #writing: Promise<void> = Promise.resolve();

  constructor(cache: MemberCache | undefined) {
    this.directory = cache && `${cache.directory}/seek`;
    this.#onProblem = cache?.onProblem ?? (() => {});
  }

  /** Finds the points of earlier mounts, and marks their members in the shown index. Never fails. */
  async read(): Promise<void> {
    if (this.directory === undefined) return;
    try {
      for await (const { name } of Deno.readDir(this.directory)) this.#names.add(name);
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound)) this.#onProblem(messageOf(error));
    }
    this.#mark();
  }

  /** Switches to another index; call it before threads get the index. */
  follow(index: ShownIndex): void {
    this.#followed = index;
    this.#mark();
  }

  /** Stores the points of a member. Never fails. */
  add(made: MadeSeekPoints): void {
    this.#writing = this.#writing.then(() => this.#write(made));
  }

  /** Resolves when everything is written. */
  async end(): Promise<void> {
    await this.#writing;
  }

  /** Marks the members with stored points; a decoder checks whether they are usable. */
  #mark(): void {
    if (this.#names.size === 0 || !this.#followed) return;
    const { snapshot, states } = this.#followed;
    for (const source of snapshot.sources) {
      if (isDirectorySource(source)) continue;
      for (let entry = source.firstEntry; entry < source.firstEntry + source.entryCount; entry++) {
        const member = seekMemberOf(snapshot, entry);
        if (member && this.#names.has(seekFileName(member))) states.setSeekable(entry);
      }
    }
  }

  async #write({ member, version, entry, bytes }: MadeSeekPoints): Promise<void> {
    const { directory } = this;
    if (directory === undefined || bytes.length > maxFile) return;
    const name = seekFileName(member);
    const temporary = `${directory}/${name}.${crypto.randomUUID()}.tmp`;
    try {
      await Deno.mkdir(directory, { recursive: true, mode: 0o700 });
      await Deno.writeFile(temporary, bytes, { createNew: true, mode: 0o600 });
      await Deno.rename(temporary, `${directory}/${name}`);
      await this.#prune(directory);
    } catch (error) {
      this.#onProblem(`${directory}/${name} not written: ${messageOf(error)}`);
      await Deno.remove(temporary).catch(() => {}); // it may never have been created
      return;
    }
    this.#names.add(name);
    if (this.#followed?.number === version) this.#followed.states.setSeekable(entry);
  }

  /** Removes the oldest files beyond the limit, and files that dead processes have left. */
  async #prune(directory: string): Promise<void> {
    const names = (await Array.fromAsync(Deno.readDir(directory))).filter(({ isFile }) => isFile);
    const files = await Promise.all(names.map(async ({ name }) => {
      // Another process may have removed it.
      const state = await Deno.stat(`${directory}/${name}`).catch(() => undefined);
      return { name, size: state?.size ?? 0, time: state?.mtime?.getTime() ?? 0 };
    }));
    let total = 0;
    for (const { name, size, time } of files.sort((a, b) => b.time - a.time)) {
      total += size;
      const isLeft = name.endsWith(".tmp") && Date.now() - time > oldestTemporary;
      if (total <= maxTotal && !isLeft) continue;
      this.#names.delete(name);
      // Another process may be faster.
      // deno-lint-ignore no-await-in-loop -- there is hardly ever more than one
      await Deno.remove(`${directory}/${name}`).catch(() => {});
    }
  }
}
