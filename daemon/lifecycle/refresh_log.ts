/**
 * What the log says of refreshes. A pack that is being copied is another one each second, and damaged until its end: so
 * what is wrong is told when it has stayed so for a while, once, and again when it is well.
 * @module
 */
import { sourceProblems } from "../../index/scan/assemble.ts";
import type { Catalog } from "../../index/views/catalog.ts";
import type { LiveIndex, Replacement } from "../../service/live_index.ts";
import type { Log } from "../../system/log.ts";

/** A problem must stay so long before it is told; milliseconds. */
const patience = 3000;

/** Writes about the refreshes of an index. What is wrong when it is made has been told already. */
export class RefreshLog implements Disposable {
  readonly #log: Log;
  readonly #index: LiveIndex;
  /** What was told: by what it is about, the sentence. */
  #told: ReadonlyMap<string, string>;
  /** What is wrong but has not been told, with the time when it was seen first. */
  #waiting = new Map<string, number>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Packs that changed in the last refresh. */
  #changing = new Set<string>();

  constructor(log: Log, index: LiveIndex) {
    this.#log = log;
    this.#index = index;
    this.#told = problemsOf(index.catalog);
  }

  /** Another index has taken the place of the one before. */
  replaced({ changes }: Replacement): void {
    const { packs, files } = changes;
    const { added, removed, changed } = packs;
    const isNews = added.length + removed.length + files.added + files.removed > 0 ||
      changed.some((path) => !this.#changing.has(path)) || (changed.length === 0 && files.changed > 0);
    if (isNews) {
      this.#log.write(
        "info",
        `refreshed; packs: ${counts(added.length, removed.length, changed.length)}; ` +
          `files: ${counts(files.added, files.removed, files.changed)}`,
      );
    }
    this.#changing = new Set([...added, ...changed]);
    this.#look();
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
  }

  #look(): void {
    clearTimeout(this.#timer);
    const now = Date.now();
    const problems = problemsOf(this.#index.catalog);
    const told = new Map<string, string>();
    for (const [subject, sentence] of this.#told) {
      if (problems.has(subject)) told.set(subject, sentence);
      else this.#log.write("notice", `no longer so: ${sentence}`);
    }
    const waiting = new Map<string, number>();
    for (const [subject, sentence] of problems) {
      if (told.has(subject)) continue;
      const since = this.#waiting.get(subject) ?? now;
      if (now - since < patience) waiting.set(subject, since);
      else {
        this.#log.write("warning", sentence);
        told.set(subject, sentence);
      }
    }
    this.#told = told;
    this.#waiting = waiting;
    if (waiting.size > 0) this.#timer = setTimeout(() => this.#look(), patience);
  }
}

/** The problems of an index by what they are about: a pack's change while it is written, and are still about the pack. */
function problemsOf({ problems, snapshot }: Catalog): Map<string, string> {
  const subjects = new Map(
    snapshot.sources.flatMap((source) => sourceProblems(source).map((sentence) => [sentence, source.path] as const)),
  );
  return new Map(problems.map((sentence) => [subjects.get(sentence) ?? sentence, sentence]));
}

function counts(added: number, removed: number, changed: number): string {
  return `${added} added, ${removed} removed, ${changed} changed`;
}
