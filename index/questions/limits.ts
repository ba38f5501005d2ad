/**
 * How near a view is to the limits of its engine, and what is beyond them.
 * @module
 */
import { none } from "../columns/columns.ts";
import { type EngineLimit, entryMeasure, type LimitKind, limitsOf, limitTitles } from "../profiles/engine_limits.ts";
import type { Game } from "../profiles/game.ts";
import { ownEntryCount, type Source } from "../columns/source.ts";
import type { View } from "../views/view.ts";
import { type Listing, numbered, type ViewParameter } from "./question.ts";

/** Something beyond a limit. */
export interface OffenderRow {
  /** Absolute path of the pack or directory; name of the view where the limit is about all of it. */
  source: string;
  /** Name inside `source`, where the limit is about single files. */
  member: string | null;
  /** How many files, bytes or packs it has. */
  value: number;
}

/** One limit of an engine, and how a view stands to it. */
export interface LimitRow {
  /** The view, as `game/gamedirectory`. */
  view: string;
  /** What is limited. */
  limit: LimitKind;
  /** The same for people. */
  title: string;
  /** The most that the engine takes: files, bytes or packs. */
  most: number;
  /** The most that there is. */
  largest: number;
  /** How many packs, files or directories are beyond the limit. */
  over: number;
  /** The first few of them. */
  offenders: OffenderRow[];
  /** What the engine does with more, as a sentence. */
  effect: string;
  /** Whether what is beyond it is left out: the game is indexed strictly, and it can be told what the engine leaves out. */
  enforced: boolean;
}

/** Lists the limits of a view's engine, and how near the view is to them. */
export const limits: Listing<ViewParameter, LimitRow> = {
  parameters: { view: "text" },
  list: ({ catalog }, { view }, from) => numbered(limitRows(catalog.view(view)), from),
};

/** Offenders that are listed of one limit. */
const maxOffenders = 20;

/** Rows of the limits of a view's engine. One pass over the entries of its game directories. */
export function limitRows(view: View): LimitRow[] {
  return limitsOf(view.game).map((limit) => new Measurement(view, limit).row());
}

/** What of a pack is beyond a limit of the engine, as a sentence, or null; names are not looked at. */
export function packLimitSentence(game: Game, source: Source): string | null {
  const limit = limitsOf(game).find(({ kind, most }) =>
    kind === "pack-files" && source.format === "quake-pak" && ownEntryCount(source) > most
  );
  if (!limit) return null;
  const { engine } = game.profile;
  return `it holds ${ownEntryCount(source)} files; with more than ${limit.most} ${engine} ${limit.then}`;
}

/** Looks at everything that one limit is about. */
class Measurement {
  readonly #view: View;
  readonly #limit: EngineLimit;
  readonly #offenders: OffenderRow[] = [];
  #largest = 0;
  #over = 0;

  constructor(view: View, limit: EngineLimit) {
    this.#view = view;
    this.#limit = limit;
  }

  row(): LimitRow {
    this.#measure();
    const { kind, most, then, refuses } = this.#limit;
    const { game, name } = this.#view;
    return {
      view: name,
      limit: kind,
      title: limitTitles[kind],
      most,
      largest: this.#largest,
      over: this.#over,
      offenders: this.#offenders,
      effect: `With more ${game.profile.engine} ${then}.`,
      enforced: game.strict && refuses !== null,
    };
  }

  #measure(): void {
    const { kind } = this.#limit;
    const sources = this.#sources();
    if (kind === "shader-files") this.#countShaderFiles();
    else if (kind === "directory-packs") this.#countPacks(sources);
    else if (kind === "pack-files") {
      for (const source of sources) {
        if (source.format === "quake-pak") this.#add(source.path, ownEntryCount(source), none);
      }
    } else for (const source of sources) this.#measureNames(source);
  }

  /** All that the engine would load, with what a strict index leaves out. */
  #sources(): Source[] {
    const { snapshot, game, gameDirectories } = this.#view;
    return snapshot.sources.filter((source) =>
      source.game === game.id && source.ignored === null && gameDirectories.includes(source.gameDirectory)
    );
  }

  #measureNames(source: Source): void {
    const { snapshot } = this.#view;
    for (let entry = source.firstEntry; entry < source.firstEntry + source.entryCount; entry++) {
      if (!snapshot.isDirectory(entry)) {
        this.#add(source.path, entryMeasure(snapshot, this.#limit, source, entry), entry);
      }
    }
  }

  #countPacks(sources: readonly Source[]): void {
    const counts = new Map<string, { first: Source; count: number }>();
    for (const source of sources) {
      if (source.kind !== "pack") continue;
      const directory = `${source.rootIndex} ${source.gameDirectory}`;
      const { first, count } = counts.get(directory) ?? { first: source, count: 0 };
      counts.set(directory, { first, count: count + 1 });
    }
    for (const { first, count } of counts.values()) {
      const directory = first.path.slice(0, first.path.lastIndexOf("/"));
      this.#add(directory, count, none);
    }
  }

  #countShaderFiles(): void {
    const { tree } = this.#view;
    const directory = tree.find("scripts");
    const isThere = directory !== none && tree.isDirectory(directory);
    const first = isThere ? tree.firstChildren[directory] ?? 0 : 0;
    let count = 0;
    for (let node = first; isThere && node < first + (tree.childCounts[directory] ?? 0); node++) {
      if (!tree.isDirectory(node) && /\.shader$/i.test(tree.nameOf(node))) count++;
    }
    this.#add(this.#view.name, count, none);
  }

  #add(source: string, value: number, entry: number): void {
    this.#largest = Math.max(this.#largest, value);
    if (value <= this.#limit.most) return;
    this.#over++;
    if (this.#offenders.length >= maxOffenders) return;
    const member = entry === none ? null : this.#view.snapshot.memberOf(entry);
    this.#offenders.push({ source, member, value });
  }
}
