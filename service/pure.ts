/**
 * The answer of `pure`: what a pure server's list of packs comes to in a view.
 * @module
 */
import type { Catalog } from "../index/views/catalog.ts";
import { packChecksum } from "../index/checksums/pack_checksum.ts";
import type { PureListItem } from "../index/views/pure_list.ts";
import type { View } from "../index/views/view.ts";
import { ViewError } from "../index/views/view_error.ts";
import { settingsText } from "../index/views/view_settings.ts";
import type { PureResult, PureRow } from "../protocol/messages.ts";

/**
 * The view under a list, and what became of each of its words; without a list that of the view itself.
 * @throws {ViewError} if the game's engine knows no pure servers.
 */
export function pureResult(catalog: Catalog, view: View, list: readonly string[] | undefined): PureResult {
  const found = list === undefined ? view : catalog.view(pureName(view, list));
  const items = found.pure?.items ?? serverList(found);
  const packs = items.map((item, place): PureRow => ({
    rank: place + 1,
    wanted: item.word,
    checksum: item.checksum,
    pack: item.source?.name ?? null,
    gameDirectory: item.source?.gameDirectory ?? null,
    source: item.source?.path ?? null,
  }));
  const missing = packs.filter((row) => row.source === null).length;
  return { view: found.name, profile: found.game.profile.name, packs, missing };
}

function pureName(view: View, list: readonly string[]): string {
  const plain = view.name.slice(0, view.name.length - settingsText(view.settings).length);
  return `${plain}${settingsText({ ...view.settings, pure: list })}`;
}

/** What a server with this search path would send: `sv_paks`, its packs in the order in which it searches them. */
function serverList(view: View): PureListItem[] {
  const { snapshot, game } = view;
  if (game.profile.pure === null) throw new ViewError(`${game.profile.engine} knows no pure servers`, []);
  return view.searchPath.flatMap((source) => {
    const checksum = packChecksum(snapshot, game.profile, source)?.checksum;
    return checksum === undefined ? [] : [{ word: String(checksum), checksum, source }];
  });
}
