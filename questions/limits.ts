/**
 * How close a view is to the limits of its engine, and what exceeds them.
 * @module
 */
import { shaderRulesOf } from "./shaders/shader_rules.ts";
import { none, ownEntryCount, type Source } from "../index/mod.ts";
import { type EngineLimit, type LimitKind, limitTitles, tiedPacks, tieKey } from "../engines/mod.ts";
import { entryMeasure, type View } from "../views/mod.ts";
import { numbered, type PagedQuestion, type ViewParameter } from "./question.ts";

/** A pack, file or directory that exceeds a limit. */
export interface OffenderRow {
  /** Absolute path of the pack or directory; name of the view if the limit applies to all of it. */
  source: string;
  /** Name inside `source`, if the limit applies to single files. */
  member: string | null;
  /** Number of files, bytes or packs. */
  value: number;
}

/** A limit of an engine, and how close a view is to it. */
export interface LimitRow {
  /** The view, as `game/gamedirectory`. */
  view: string;
  /** Kind of the limit. */
  limit: LimitKind;
  /** The kind in words. */
  title: string;
  /** Maximum that the engine accepts: files, bytes or packs. */
  most: number;
  /** Highest value in the view. */
  largest: number;
  /** Number of packs, files or directories that exceed the limit. */
  over: number;
  /** The first few of these. */
  offenders: OffenderRow[];
  /** Behaviour of the engine beyond the limit, as a sentence. */
  effect: string;
  /** Whether excess files are omitted: the game is indexed strictly, and it is known which files the engine omits. */
  enforced: boolean;
}

/** Lists the limits of a view's engine, and how close the view is to them. */
export const limits: PagedQuestion<ViewParameter, LimitRow> = {
  parameters: { view: "string" },
  list: ({ catalog }, { view }, from) => numbered(limitRows(catalog.view(view)), from),
};

/** Maximum number of listed offenders per limit. */
const maxOffenders = 20;

/**
 * Returns a row for each limit of a view's engine, and one for packs whose order depends on the file system, if any.
 * One pass over the entries of its game directories.
 */
export function limitRows(view: View): LimitRow[] {
  const rows = view.game.profile.limits.map((limit) => new Measurement(view, limit).row());
  const ties = new Measurement(view, tiedPacks).row();
  return ties.over > 0 ? [...rows, ties] : rows;
}

/** Measures everything that one limit applies to. */
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
    else if (kind === "directory-packs") this.#countPacks(sources, () => "");
    else if (kind === "tied-packs") {
      const { packs } = this.#view.game.profile;
      this.#countPacks(sources, ({ group, folder, name, identity: { mtime } }) => {
        const key = tieKey(packs[group], { name, mtime });
        return key === undefined ? undefined : `${group} ${folder} ${key}`;
      });
    } else if (kind === "pack-files") {
      for (const source of sources) {
        if (source.format === "quake-pak") this.#add(source.path, ownEntryCount(source), none);
      }
    } else for (const source of sources) this.#measureNames(source);
  }

  /** Returns all sources that the engine would load, including those that a strict index omits. */
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

  /**
   * @param keyOf Returns the same key for packs of one directory that count together, `undefined` for others.
   */
  #countPacks(sources: readonly Source[], keyOf: (pack: Source) => string | undefined): void {
    const counts = new Map<string, { first: Source; count: number }>();
    for (const source of sources) {
      const key = source.kind === "pack" ? keyOf(source) : undefined;
      if (key === undefined) continue;
      const directory = `${source.rootIndex} ${source.gameDirectory} ${key}`;
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
    const files = tree.childrenAt(shaderRulesOf(this.#view).folder.directory)
      .filter((node) => !tree.isDirectory(node) && /\.shader$/i.test(tree.nameOf(node)));
    this.#add(this.#view.name, files.length, none);
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
