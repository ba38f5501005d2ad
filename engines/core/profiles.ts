/**
 * The rules of each engine, as data: the one table that resolution, `which` and the documentation are made from. The
 * rows are in one file per family of engines, with the sources of every row beside it.
 * @module
 */
import { doomRows } from "./doom_rows.ts";
import { otherRows } from "./other_rows.ts";
import type { EngineSetting, Profile } from "./profile.ts";
import { quake2Rows } from "./quake2_rows.ts";
import { quake3Rows } from "./quake3_rows.ts";
import { quakeRows } from "./quake_rows.ts";

/** All profiles. */
export const profiles: readonly Profile[] = [...quakeRows, ...quake2Rows, ...quake3Rows, ...doomRows, ...otherRows]
  .map((row) => ({ ...row, kin: row.kin ?? row.name }));

/** Returns the profile of that name, or `undefined`. */
export function profileNamed(name: string): Profile | undefined {
  return profiles.find((profile) => profile.name === name);
}

/** Returns the rules of an engine under the settings that are among some words; the profile itself if none is. */
export function withSettings(profile: Profile, words: readonly string[]): Profile {
  return profile.settings.filter(({ name }) => words.includes(name)).reduce(changed, profile);
}

function changed(profile: Profile, { name: _name, note: _note, legacy, ...changes }: EngineSetting): Profile {
  const { dependencies } = profile;
  const isOther = dependencies !== null && legacy !== undefined;
  return { ...profile, ...changes, dependencies: isOther ? { ...dependencies, legacy } : dependencies };
}
