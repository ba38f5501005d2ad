/**
 * `deno task mutants [ROOM...] [--sample N] [--seed N] [--file TEXT] [--list]`: makes one subtle mistake at a time in a
 * copy of the tree, runs the room's tests, and prints which mistakes nothing noticed. Exits with 1 if fewer than 85 of
 * 100 are noticed. Mistakes that change nothing a program could see count as survivors here: judge those by reading.
 * @module
 */
import { parseArgs } from "@std/cli";
import { seed as defaultSeed } from "../support/chance.ts";
import { listMutants, type Mutant, MutantTree, sample } from "./mutants.ts";
import { type Room, rooms } from "./rooms.ts";

const minimumRate = 0.85;
/** Milliseconds for the tests of a room without a mistake. */
const maxBaseline = 20 * 60_000;
const root = new URL("../..", import.meta.url).pathname.replace(/\/$/, "");

const words = parseArgs(Deno.args, { string: ["sample", "seed", "file"], boolean: ["list"] });
const wanted = words._.map(String);
const count = Number(words.sample ?? 60);
const seed = Number(words.seed ?? defaultSeed);
const unknown = wanted.find((name) => !rooms.some((room) => room.name === name));

function print(line: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(`${line}\n`));
}

if (unknown !== undefined || !(count > 0) || !Number.isSafeInteger(seed)) {
  print("deno task mutants [ROOM...] [--sample N] [--seed N] [--file TEXT] [--list]\n");
  print(`rooms: ${rooms.map(({ name }) => name).join(", ")}`);
  Deno.exit(2);
}

const oneLine = (text: string) => text.replace(/\s+/g, " ").slice(0, 100);
const describe = ({ file, line, kind, original, replacement }: Mutant) =>
  `${file}:${line}  ${kind}: ${oneLine(original)}  ->  ${oneLine(replacement)}`;

/** Tries a sample of a room's mutants. Returns the share that was noticed. */
async function tryRoom(room: Room): Promise<number> {
  const all = (await listMutants(root, room.sources)).filter(({ file }) => file.includes(words.file ?? ""));
  const chosen = sample(all, count, seed);
  print(`${room.name}: ${chosen.length} of ${all.length} mutants, seed ${seed}`);
  if (words.list) {
    chosen.forEach((mutant) => print(`  ${describe(mutant)}`));
    return 1;
  }
  await using tree = await MutantTree.make(root, room);
  const baseline = await tree.measure(maxBaseline);
  if (baseline === undefined) throw new Error(`the tests of ${room.name} fail without a mistake`);
  print(`  its tests take ${(baseline / 1000).toFixed(0)} s`);
  let noticed = 0;
  for (const [index, mutant] of chosen.entries()) {
    // deno-lint-ignore no-await-in-loop -- one mistake at a time
    const outcome = await tree.try(mutant, 3 * baseline + 60_000);
    if (outcome !== "survived") noticed++;
    if (outcome === "survived" || Deno.stdout.isTerminal()) {
      print(`  ${index + 1}/${chosen.length} ${outcome}  ${describe(mutant)}`);
    }
  }
  const rate = chosen.length === 0 ? 1 : noticed / chosen.length;
  print(`  ${room.name}: ${noticed} of ${chosen.length} noticed (${(100 * rate).toFixed(0)} %)`);
  return rate;
}

const rates: number[] = [];
for (const room of rooms) {
  if (wanted.length > 0 && !wanted.includes(room.name)) continue;
  // deno-lint-ignore no-await-in-loop -- one after the other
  rates.push(await tryRoom(room));
}
Deno.exitCode = rates.every((rate) => rate >= minimumRate) ? 0 : 1;
