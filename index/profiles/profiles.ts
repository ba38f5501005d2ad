/**
 * The rules of each engine, as data: the one table that resolution, `which` and the documentation are made from. The
 * rows are in one file per family of engines, with the sources of every row beside it.
 * @module
 */
import { doomRows } from "./doom_rows.ts";
import { otherRows } from "./other_rows.ts";
import type { Profile } from "./profile.ts";
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
