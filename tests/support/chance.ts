/**
 * Random numbers of tests: the same in every run, so that failures can be repeated. `PAKFS_SEED=random` takes another
 * seed each time, `PAKFS_SEED=N` repeats such a run.
 * @module
 */

const defaultSeed = 20_261_121;

/** The seed of this run, a whole number below 2^31. */
export const seed = seedOf(Deno.env.get("PAKFS_SEED"));

function seedOf(text: string | undefined): number {
  if (text === undefined) return defaultSeed;
  if (text === "random") return (crypto.getRandomValues(new Uint32Array(1))[0] ?? 0) >>> 1;
  if (/^\d{1,10}$/.test(text) && Number(text) < 2 ** 31) return Number(text);
  throw new RangeError(`PAKFS_SEED must be "random" or a whole number below ${2 ** 31}, not "${text}"`);
}

/** Returns a whole number from 0 to below a limit. */
export type Random = (limit: number) => number;

/** Makes a source of numbers, the same ones for the same start (Marsaglia's xorshift). */
export function numbersFrom(start: number): Random {
  let state = start || 1;
  return (limit) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % limit;
  };
}
