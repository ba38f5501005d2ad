/**
 * Checksums by which Quake III's engines identify a pack.
 * @module
 */
import { packChecksum } from "../index/mod.ts";
import { packNamed } from "./named_sources.ts";
import { type Question, QuestionError } from "./question.ts";

/** Reply of `checksum`: the checksums by which Quake III's engines identify a pk3, as they print them. */
export interface ChecksumResult {
  /** File name. */
  pack: string;
  /** Absolute path. */
  source: string;
  /** Signed 32-bit integer, as in `sv_paks`. */
  checksum: number;
  /** The same number without its sign, as in some lists. */
  unsigned: number;
  /** The checksum that a client sends to a pure server with this feed; signed. */
  pure: number;
  /** The server's `sv_checksumFeed`. */
  feed: number;
}

/** Parameters of `checksum`. */
export interface ChecksumParameters {
  /** Name of a view whose packs are preferred; default: none. */
  view?: string;
  /** File name, path or end of a path; if several packs match, the view's come first. */
  pack: string;
  /** The server's `sv_checksumFeed`; default 0. */
  feed?: number;
}

/** Returns the checksums of a pack. */
export const checksum: Question<ChecksumParameters, ChecksumResult> = {
  parameters: { view: "string", pack: "required string", feed: "integer32" },
  answer: ({ catalog }, { view, pack, feed = 0 }) => {
    const source = packNamed(catalog, catalog.optionalView(view), pack);
    const numbers = packChecksum(catalog.snapshot, catalog.games[source.game]?.profile, source, feed);
    if (!numbers) {
      const message = `${source.path} is not a zip: only pk3 and similar packs have this checksum`;
      throw new QuestionError("notFound", message, { path: source.path });
    }
    return {
      pack: source.name,
      source: source.path,
      checksum: numbers.checksum,
      unsigned: numbers.checksum >>> 0,
      pure: numbers.pure,
      feed: numbers.feed,
    };
  },
};
