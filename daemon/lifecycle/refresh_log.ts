/**
 * Logs refreshes.
 *
 * Faults are logged once they have lasted three seconds: a pack that is being copied is damaged in another way each
 * second. A message is logged when a fault is resolved, too.
 * @module
 */
import { sourceProblems } from "../../index/mod.ts";
import type { Catalog } from "../../views/mod.ts";
import type { LiveIndex, Replacement } from "../../service/mod.ts";
import type { Log } from "../../system/mod.ts";

/** Time that a problem must last before it is logged; milliseconds. */
const timeout = 3000;

/** Logs the refreshes of an index. Problems of the first index are logged by its owner. */
export class RefreshLog implements Disposable {
  readonly #log: Log;
  readonly #index: LiveIndex;
  /** Messages that were logged, by subject. */
  #logged: ReadonlyMap<string, string>;
  /** Subjects of problems that were not logged yet, with the time when they were first seen. */
  #waiting = new Map<string, number>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Packs that changed in the last refresh. */
  #changing = new Set<string>();

  constructor(log: Log, index: LiveIndex) {
    this.#log = log;
    this.#index = index;
    this.#logged = problemsOf(index.catalog);
  }

  /** Logs a refresh. */
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
    this.#check();
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
  }

  #check(): void {
    clearTimeout(this.#timer);
    const now = Date.now();
    const problems = problemsOf(this.#index.catalog);
    const logged = new Map<string, string>();
    for (const [subject, sentence] of this.#logged) {
      if (problems.has(subject)) logged.set(subject, sentence);
      else this.#log.write("notice", `resolved: ${sentence}`);
    }
    const waiting = new Map<string, number>();
    for (const [subject, sentence] of problems) {
      if (logged.has(subject)) continue;
      const since = this.#waiting.get(subject) ?? now;
      if (now - since < timeout) waiting.set(subject, since);
      else {
        this.#log.write("warning", sentence);
        logged.set(subject, sentence);
      }
    }
    this.#logged = logged;
    this.#waiting = waiting;
    if (waiting.size > 0) this.#timer = setTimeout(() => this.#check(), timeout);
  }
}

/**
 * Returns the problems of an index by subject, which stays the same while a pack is written and its problems change.
 */
function problemsOf({ problems, snapshot }: Catalog): Map<string, string> {
  const subjects = new Map(
    snapshot.sources.flatMap((source) => sourceProblems(source).map((sentence) => [sentence, source.path] as const)),
  );
  return new Map(problems.map((sentence) => [subjects.get(sentence) ?? sentence, sentence]));
}

function counts(added: number, removed: number, changed: number): string {
  return `${added} added, ${removed} removed, ${changed} changed`;
}
