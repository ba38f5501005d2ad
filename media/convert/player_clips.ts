/**
 * Names of the animations of Quake III's players, from a file next to their models.
 * @module
 */
import type { Clip, Geometry } from "../models/geometry.ts";
import type { Surroundings } from "./converter.ts";

/** Animations in the order of the lines of the file (id-Software/Quake-III-Arena code/game/bg_public.h, `animNumber_t`). */
const both = ["BOTH_DEATH1", "BOTH_DEAD1", "BOTH_DEATH2", "BOTH_DEAD2", "BOTH_DEATH3", "BOTH_DEAD3"];
const torso = ["GESTURE", "ATTACK", "ATTACK2", "DROP", "RAISE", "STAND", "STAND2"].map((name) => `TORSO_${name}`);
const legs = ["WALKCR", "WALK", "RUN", "BACK", "SWIM", "JUMP", "LAND", "JUMPB", "LANDB", "IDLE", "IDLECR", "TURN"].map(
  (name) => `LEGS_${name}`,
);
const names = [...both, ...torso, ...legs];

/** Maximum bytes of the file, as in the game (code/cgame/cg_players.c, `CG_ParseAnimationFile`). */
const maxText = 20_000;

/**
 * Returns the clips of the upper or the lower part of a player; for other models the geometry's clips. Frame numbers of
 * legs exclude the torso's frames.
 */
export async function playerClips(
  qpath: string,
  geometry: Geometry,
  surroundings: Surroundings,
): Promise<readonly Clip[]> {
  const part = /^(.*\/)(upper|lower)(?:_\d)?\.\w+$/i.exec(qpath);
  if (!part) return geometry.clips;
  const file = await surroundings.file(`${part[1]}animation.cfg`);
  if (!file) return geometry.clips;
  const frames = geometry.meshes[0]?.frames.length ?? 0;
  const rows = new TextDecoder("windows-1252").decode(file.bytes.subarray(0, maxText)).split("\n").flatMap((line) => {
    const [, first, count, , rate] = /^\s*(\d+)\s+(-?\d+)\s+(\d+)\s+([\d.]+)/.exec(line) ?? [];
    return first === undefined ? [] : [{ first: Number(first), count: Math.abs(Number(count)), rate: Number(rate) }];
  });
  const skipped = (rows[both.length + torso.length]?.first ?? 0) - (rows[both.length]?.first ?? 0);
  const isLower = part[2]?.toLowerCase() === "lower";
  const clips = names.flatMap((name, index): Clip[] => {
    const row = rows[index];
    const isTorso = torso.includes(name);
    const isLegs = legs.includes(name);
    if (!row || row.count === 0 || (isLower ? isTorso : isLegs)) return [];
    const first = isLegs ? row.first - skipped : row.first;
    return first >= 0 && first + row.count <= frames ? [{ name, first, count: row.count, rate: row.rate }] : [];
  });
  return clips.length > 0 ? clips : geometry.clips;
}
