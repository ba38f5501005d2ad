/**
 * `deno task mutants [ROOM...] [--sample N] [--seed N] [--seconds N] [--only N,N] [--file TEXT] [--list]`: makes one
 * subtle mistake at a time in a copy of the last commit, runs the tests of the room, and prints which mistakes no test
 * noticed. Exits with 1 if fewer than 85 of 100 are noticed. Mistakes that change nothing a program could see count as
 * survivors here: judge those by reading. `--seconds` limits the tests that each mistake is tried with, the nearest and
 * fastest first, and `--only` tries these numbers of the sample, such as those that survived.
 * @module
 */
import { seed as defaultSeed } from "../../tests/support/chance.ts";
import { readCommandLine } from "../command_line.ts";
import { listMutants, type Mutant, MutantTree, sample } from "./mutants.ts";
import { type Room, rooms } from "./rooms.ts";
import { print } from "../../tests/support/harness.ts";

const minimumRate = 0.85;
const root = new URL("../..", import.meta.url).pathname.replace(/\/$/, "");

const { words: wanted, values: options, flags, mistake } = readCommandLine(
  ["sample", "seed", "file", "seconds", "only"],
  ["list"],
);
const count = Number(options.sample ?? 60);
const seed = Number(options.seed ?? defaultSeed);
const maxSeconds = Number(options.seconds ?? Infinity);
const only = options.only?.split(",").map(Number);
const unknown = wanted.find((name) => !rooms.some((room) => room.name === name));

if (
  mistake !== undefined || unknown !== undefined || !(count > 0) || !(maxSeconds > 0) || !Number.isSafeInteger(seed)
) {
  print("deno task mutants [ROOM...] [--sample N] [--seed N] [--seconds N] [--only N,N] [--file TEXT] [--list]\n");
  print(`rooms: ${rooms.map(({ name }) => name).join(", ")}`);
  Deno.exit(2);
}

const oneLine = (text: string) => text.replace(/\s+/g, " ").slice(0, 100);
const describe = ({ file, line, kind, original, replacement }: Mutant) =>
  `${file}:${line}  ${kind}: ${oneLine(original)}  ->  ${oneLine(replacement)}`;

/** Tries a sample of a room's mutants. Returns the share that was noticed. */
async function tryRoom(room: Room): Promise<number> {
  await using tree = await MutantTree.make(root, room);
  const all = (await listMutants(tree.root, room.sources)).filter(({ file }) => file.includes(options.file ?? ""));
  const chosen = sample(all, count, seed);
  print(`${room.name}: ${chosen.length} of ${all.length} mutants of ${tree.commit.slice(0, 7)}, seed ${seed}`);
  if (flags.list) {
    chosen.forEach((mutant) => print(`  ${describe(mutant)}`));
    return 1;
  }
  const reported = new Set<string>();
  let noticed = 0;
  let tried = 0;
  for (const [index, mutant] of chosen.entries()) {
    if (only && !only.includes(index + 1)) continue;
    // deno-lint-ignore no-await-in-loop -- one mistake at a time
    const { kind, test } = await tree.try(mutant, maxSeconds);
    for (const [test, { passes, seconds }] of tree.baselines) {
      if (reported.has(test)) continue;
      reported.add(test);
      print(`  ${test}: ${seconds.toFixed(0)} s${passes ? "" : "; left out, as it fails without a mistake"}`);
    }
    if (kind !== "refused by the compiler") tried++;
    if (kind === "killed" || kind === "timed out") noticed++;
    print(`  ${index + 1}/${chosen.length} ${kind}  ${describe(mutant)}${test === "" ? "" : `  [${test}]`}`);
  }
  const rate = tried === 0 ? 1 : noticed / tried;
  print(`  ${room.name}: ${noticed} of ${tried} noticed (${(100 * rate).toFixed(0)} %)`);
  return rate;
}

const rates: number[] = [];
for (const room of rooms) {
  if (wanted.length > 0 && !wanted.includes(room.name)) continue;
  // deno-lint-ignore no-await-in-loop -- one after the other
  rates.push(await tryRoom(room));
}
Deno.exitCode = rates.every((rate) => rate >= minimumRate) ? 0 : 1;
