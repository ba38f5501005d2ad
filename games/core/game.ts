/**
 * The type of a game's file: how the game is recognised, where it is installed, and the engines that play it.
 * @module
 */
import type { Engine } from "../../engines/mod.ts";
import type { FormatName } from "../../formats/parts.ts";

/** A game that is known by name. */
export interface KnownGame {
  /** Name for the configuration. */
  readonly name: string;
  readonly title: string;
  /** Titles of other games that are found and played alike. */
  readonly relatives?: readonly string[];
  /** Name of the game whose edition it is: engines keep files of both in one directory. */
  readonly editionOf?: string;
  /** Engines that play it, the usual one first. */
  readonly engines: readonly Engine[];
  /** Base game directories, the most common first; empty: the base directory itself. */
  readonly bases: readonly string[];
  /** Files that show that a directory holds the game. */
  readonly signature: Signature;
  /** A file that the base must hold, for games whose base has the same name as others'; null: none. */
  readonly file: RegExp | null;
  /** A file next to the base, for editions whose base has the same name as others'. */
  readonly next?: RegExp;
  /** A file in the base that no other game has: then {@linkcode next} and {@linkcode file} are not required. */
  readonly ownFile?: RegExp;
  /** Packs that come with it, known by their sizes: data/*.yaml of Debian's game-data-packager. */
  readonly packs: readonly KnownPack[];
  /** Packs of this game in a game directory of another name, which its engines do not find. */
  readonly misplaced?: RegExp;
  /** Titles of its mission packs and mods, by their directories in lower case. */
  readonly mods: Readonly<Record<string, string>>;
  /** Where Steam keeps add-ons that the game downloads, and the engine that searches them. */
  readonly addOns?: AddOns;
  /** Names of its directory below `/usr/share/games` and the like. */
  readonly installedAs: readonly string[];
  /**
   * Numbers of it and its mission packs on Steam: game-data-packager, luxtorpeda-dev/packages
   * metadata/packagessniper_v2.json, and for games of Valve alliedmodders/blaster valve/appids.go.
   */
  readonly steam: readonly number[];
}

/** A base game directory, by its name. */
export interface BaseSignature {
  readonly kind: "base";
  /** The ending of packs in it; absent: none required. */
  readonly packs?: string;
  /** A file in it; absent: none required. */
  readonly inside?: RegExp;
  /** End of a sentence that begins with its path. */
  readonly says: string;
  /** End of a sentence about {@linkcode KnownGame.next}. */
  readonly nextSays?: string;
  /** The engine that is assumed, if that is not the usual one; null: the evidence of an engine is required. */
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

/** IWADs, known by their lumps. */
export interface IwadSignature {
  readonly kind: "iwads";
}

/** A pack next to the program, by its name and its format, as other games name packs alike. */
export interface PackSignature {
  readonly kind: "pack";
  readonly name: RegExp;
  readonly format: FormatName;
  /** End of a sentence that begins with its path. */
  readonly says: string;
}

/** Files that show that a directory holds a game. */
export type Signature = BaseSignature | ListSignature | IwadSignature | PackSignature;

/** A pack that comes with a game, known by its size. */
export interface KnownPack {
  /** Path below the base directory, in lower case. */
  readonly path: string;
  readonly size: number;
  /** Its game, for the end of a sentence that begins with the path. */
  readonly of: string;
}

/** A directory of add-ons, which are game directories, searched before the installation. */
export interface AddOns {
  readonly engine: Engine;
  /** Path below `steamapps` of the library that holds the game. */
  readonly path: string;
}
