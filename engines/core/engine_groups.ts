/**
 * Games, and the engines that play each, the usual one first.
 * @module
 */
import type { Profile } from "./profile.ts";

/** A game that several engines may play. */
export interface EngineGroup {
  /** Title for people. */
  readonly title: string;
  /** Base game directories. */
  readonly bases: readonly string[];
  /** Names of profiles, the usual one first. */
  readonly engines: readonly string[];
}

/** The games, in the order of their engines' profiles. */
export const engineGroups: readonly EngineGroup[] = [
  {
    title: "Quake",
    bases: ["id1"],
    engines: ["quake", "quakespasm", "ironwail", "vkquake", "qss", "darkplaces", "ftequake", "ezquake"],
  },
  { title: "Nexuiz, Xonotic", bases: ["data"], engines: ["darkplaces"] },
  { title: "Half-Life", bases: ["valve"], engines: ["xash3d"] },
  { title: "Quake II", bases: ["baseq2"], engines: ["yquake2", "q2pro", "q2rtx", "quake2"] },
  {
    title: "Quake III Arena",
    bases: ["baseq3", "demoq3"],
    engines: ["ioquake3", "quake3e", "quake3", "chomenor", "spearmint"],
  },
  { title: "OpenArena", bases: ["baseoa"], engines: ["ioquake3", "quake3e", "chomenor"] },
  { title: "Elite Force", bases: ["baseEF"], engines: ["ioquake3", "chomenor"] },
  { title: "Return to Castle Wolfenstein", bases: ["main"], engines: ["iortcw-mp", "iortcw-sp"] },
  { title: "Wolfenstein: Enemy Territory", bases: ["etmain"], engines: ["etlegacy"] },
  { title: "Jedi Academy, Jedi Outcast", bases: ["base"], engines: ["openjk"] },
  {
    title: "Half-Life 2, Team Fortress 2, Portal and others",
    bases: [
      "hl2",
      "tf",
      "cstrike",
      "dod",
      "portal",
      "portal2",
      "left4dead",
      "left4dead2",
      "garrysmod",
      "csgo",
      "hl2mp",
    ],
    engines: ["source"],
  },
  { title: "Doom, Heretic, Hexen, Strife", bases: [], engines: ["gzdoom", "boom", "chocolate"] },
  { title: "Doom 3", bases: ["base"], engines: ["dhewm3"] },
  { title: "Doom 3 BFG Edition", bases: ["base"], engines: ["rbdoom3bfg"] },
  { title: "Unvanquished", bases: ["pkg"], engines: ["daemon"] },
];

/** Reason for a profile that the user chose. */
export const chosenByUser = "it was asked for";

/** Returns whether two engines, by the names of their profiles, play any game in common. */
export function playSameGame(one: string, other: string): boolean {
  return engineGroups.some(({ engines }) => engines.includes(one) && engines.includes(other));
}

/** Returns the names of the profiles that play a game, that of the game itself first; none where that plays no game. */
export function enginesOf({ profile, base }: { readonly profile: Profile; readonly base: string }): string[] {
  const groups = engineGroups.filter(({ engines }) =>
    engines.includes(profile.name) || engines.includes(profile.origin)
  );
  const isOfBase = ({ bases }: EngineGroup) => bases.some((name) => name.toLowerCase() === base.toLowerCase());
  const group = groups.find(isOfBase) ?? groups[0];
  return group ? [profile.name, ...group.engines.filter((name) => name !== profile.name)] : [];
}
