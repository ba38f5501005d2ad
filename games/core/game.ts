/**
 * The type of a game's file: how the game is detected, where it is installed, and which engines play it.
 * @module
 */
import type { Engine } from "../../engines/mod.ts";
import type { FormatName } from "../../formats/parts.ts";

/** A game that is known by name. */
export interface KnownGame {
  /** Name for the configuration. */
  readonly name: string;
  readonly title: string;
  /** Titles of other games that are detected and played in the same way. */
  readonly relatives?: readonly string[];
  /** Name of the original game of an edition: engines keep files of both in one directory. */
  readonly editionOf?: string;
  /** Engines that play it, the default first. */
  readonly engines: readonly Engine[];
  /** Base game directories, the most common first; empty: the base directory itself. */
  readonly bases: readonly string[];
  /** Files that identify a directory of the game. */
  readonly signature: Signature;
  /**
   * A file that the base must hold, for games whose base shares its name with others'; null: none. Default: the file
   * that the {@linkcode signature} names.
   */
  readonly file?: RegExp | null;
  /** A file next to the base, for editions whose base shares its name with others'. */
  readonly next?: RegExp;
  /** A file in the base that no other game has: then {@linkcode next} and {@linkcode file} are not required. */
  readonly ownFile?: RegExp;
  /** Packs that come with it, known by their sizes: data/*.yaml of Debian's game-data-packager. */
  readonly packs?: readonly KnownPack[];
  /** Packs of this game in a differently named game directory, where its engines do not find them. */
  readonly misplaced?: RegExp;
  /** Titles of its mission packs and mods, by their directories in lower case. */
  readonly mods?: Readonly<Record<string, string>>;
  /** Steam's directory of downloaded add-ons, and the engine that searches it. */
  readonly addOns?: AddOns;
  /** Names of its directory below `/usr/share/games` and similar; default: its own name. */
  readonly installedAs?: readonly string[];
  /**
   * Steam app ids of the game and its mission packs: game-data-packager, luxtorpeda-dev/packages
   * metadata/packagessniper_v2.json, and for games of Valve alliedmodders/blaster valve/appids.go.
   */
  readonly steam?: readonly number[];
}

/** A base game directory, identified by its name. */
export interface BaseSignature {
  readonly kind: "base";
  /** Extension of packs in it; absent: none required. */
  readonly packs?: string;
  /** A file in it; absent: none required. */
  readonly inside?: RegExp;
  /** End of a sentence that begins with its path. */
  readonly says: string;
  /** End of a sentence about {@linkcode KnownGame.next}. */
  readonly nextSays?: string;
  /** The assumed engine, if it is not the default; null: the evidence of an engine is required. */
  readonly engine?: Engine | null;
}

/** A file of a game directory that lists its sources. */
export interface ListSignature {
  readonly kind: "list";
  readonly file: string;
  /** Content of the file. */
  readonly holds: RegExp;
  /** End of a sentence that begins with its path. */
  readonly says: string;
}

/** IWADs, identified by their lumps. */
export interface IwadSignature {
  readonly kind: "iwads";
}

/** A pack next to the program, identified by name and format, as other games use the same name. */
export interface PackSignature {
  readonly kind: "pack";
  readonly name: RegExp;
  readonly format: FormatName;
  /** End of a sentence that begins with its path. */
  readonly says: string;
}

/** Files that identify a directory of a game. */
export type Signature = BaseSignature | ListSignature | IwadSignature | PackSignature;

/** A pack that comes with a game, identified by its size. */
export interface KnownPack {
  /** Path below the base directory, in lower case. */
  readonly path: string;
  readonly size: number;
  /** Game of the file, as the end of a sentence that begins with the path. */
  readonly of: string;
}

/** A directory of add-ons, which are game directories and are searched before the installation. */
export interface AddOns {
  readonly engine: Engine;
  /** Path below `steamapps` of the game's library. */
  readonly path: string;
}
