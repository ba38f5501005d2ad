/**
 * Packs of a pure server's list in a view.
 * @module
 */
import { packChecksum } from "../index/mod.ts";
import { type PureListItem, settingsText, type View, ViewError } from "../views/mod.ts";
import { type Question, QuestionError, type ViewParameter } from "./question.ts";

/** A row of {@linkcode PureResult}: one pack of a pure list. */
export interface PureRow {
  /** Rank on the list; 1 is searched first. */
  rank: number;
  /** Item of the list: a checksum or a name. For the list of a view: the checksum. */
  wanted: string;
  /** Signed 32-bit integer; null if only a name is known. */
  checksum: number | null;
  /** File name of the pack; null if it is missing. */
  pack: string | null;
  /** Name of its game directory, or null. */
  gameDirectory: string | null;
  /** Absolute path, or null. */
  source: string | null;
}

/** Answer of `pure`. */
export interface PureResult {
  /** Name of the view with the list; without a list, of the view with these packs. */
  view: string;
  /** Name of the engine profile. */
  profile: string;
  /** The list, in order. */
  packs: PureRow[];
  /** Number of missing packs. */
  missing: number;
}

/** Maximum characters of a list in the name of its view. */
const maxListLength = 65_536;

/** Parameters of `pure`. */
export interface PureParameters extends ViewParameter {
  /**
   * A pure server's list, names or checksums; default: the list of the view, or the list of a server with its packs.
   */
  list?: string[];
}

/** Returns the view with a pure server's list, which replaces the list in the view's name, and its packs. */
export const pure: Question<PureParameters, PureResult> = {
  parameters: { view: "string", list: "strings" },
  answer: ({ catalog }, { view: name, list }) => {
    const length = list?.reduce((sum, word) => sum + word.length + 1, 0) ?? 0;
    if (length > maxListLength) {
      throw new QuestionError("invalid", `"list" has ${length} characters; the maximum is ${maxListLength}`);
    }
    const view = catalog.view(name);
    const found = list === undefined ? view : catalog.view(pureName(view, list));
    const items = found.pure?.items ?? serverList(found);
    const packs = items.map((item, index): PureRow => ({
      rank: index + 1,
      wanted: item.word,
      checksum: item.checksum,
      pack: item.source?.name ?? null,
      gameDirectory: item.source?.gameDirectory ?? null,
      source: item.source?.path ?? null,
    }));
    const missing = packs.filter((row) => row.source === null).length;
    return { view: found.name, profile: found.game.profile.name, packs, missing };
  },
};

function pureName(view: View, list: readonly string[]): string {
  const plain = view.name.slice(0, view.name.length - settingsText(view.settings).length);
  return `${plain}${settingsText({ ...view.settings, pure: list })}`;
}

/** Returns the list of a server with this search path: `sv_paks`, its packs in search order. */
function serverList(view: View): PureListItem[] {
  const { snapshot, game } = view;
  if (game.profile.pure === null) throw new ViewError(`${game.profile.engine} knows no pure servers`, []);
  return view.searchPath.flatMap((source) => {
    const checksum = packChecksum(snapshot, game.profile, source)?.checksum;
    return checksum === undefined ? [] : [{ word: String(checksum), checksum, source }];
  });
}
