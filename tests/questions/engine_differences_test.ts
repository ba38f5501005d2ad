/** Compares the bounded count of files that another engine answers differently with the difference of the two trees. */
import { assert, assertEquals } from "@std/assert";
import { difference } from "../../questions/diff.ts";
import { EngineComparison } from "../../questions/engine_differences.ts";
import { profileNamed } from "../../engines/table.ts";
import { enginesOf } from "../../games/engines_of_game.ts";
import { numbersFrom, type Random, seed } from "../support/chance.ts";
import { pak, zip } from "../formats/bytes.ts";
import { type Files, installation, scan } from "../index/fixtures.ts";

const treeCount = 25;

/** Names of members and loose files; one-letter names have one spelling only. */
const names = ["a", "b/c", "b/d", "q3config.cfg", "e.dat", "l".repeat(50) + "o".repeat(20)];
const twins = ["f", "F", "b/g", "B/g"];

/** Flag of a zip's member that engines cannot read. */
const encrypted = 1;

function some(list: readonly string[], chance: Random): string[] {
  return list.filter(() => chance(2) === 0);
}

/** A random installation of a game in two roots. */
function randomFiles(base: string, packs: readonly string[], chance: Random): Files {
  const all = chance(3) === 0 ? [...names, ...twins] : names;
  const files: Record<string, string | Uint8Array> = { [`base/${base}/`]: "" };
  for (const root of ["home", "base"]) {
    for (const pack of some(packs, chance)) {
      // Half of the members are the same in several packs.
      const content = (name: string) => chance(2) === 0 ? name : `${name} of ${root}/${pack}`;
      files[`${root}/${base}/${pack}`] = pack.endsWith("pak")
        ? pak(some(all, chance).filter((name) => name.length < 56).map((name) => [name, content(name)]))
        // One in eight members no engine can read.
        : zip(
          some(all, chance).map((name) => ({ name, content: content(name), flags: chance(8) === 0 ? encrypted : 0 })),
        );
    }
    for (const name of some(all, chance)) files[`${root}/${base}/${name}`] = `loose ${name}`;
  }
  return files;
}

/** Compares engines on a random installation; returns the numbers of complete and of partial counts. */
async function compare(profile: string, base: string, packs: readonly string[], number: number, paths: number) {
  const chance = numbersFrom(number);
  await using root = await installation(randomFiles(base, packs, chance));
  const found = await Array.fromAsync(Deno.readDir(root.path), ({ name }) => name);
  const sources = ["home", "base"].filter((name) => found.includes(name));
  const catalog = scan(root.path, { profile, name: "game", base, sources, strict: chance(3) === 0 });
  const [game] = catalog.games;
  assert(game);
  const counts = { whole: 0, part: 0 };
  const differences = new EngineComparison(catalog, { files: 0, paths }).differences(game, enginesOf(game).slice(1));
  for (const { profile: other, files, isPart } of differences) {
    if (files === null) continue;
    const wanted = difference(catalog.view(), catalog.view(`game:profile=${other}`)).before.length;
    const what = `seed ${number}, ${profile} and ${other}: ${files} of ${wanted}`;
    if (isPart) assert(files <= wanted, what);
    else assertEquals(files, wanted, what);
    if (files > 0) counts[isPart ? "part" : "whole"]++;
  }
  return counts;
}

async function compareAll(paths: number): Promise<{ whole: number; part: number }> {
  const counts = { whole: 0, part: 0 };
  for (let number = seed; number < seed + treeCount; number++) {
    // deno-lint-ignore no-await-in-loop -- one installation at a time
    const found = await Promise.all([
      compare("ioquake3", "baseq3", ["pak0.pk3", "pak1.pk3", "Zz.pk3"], number, paths),
      compare("quakespasm", "id1", ["pak0.pak", "pak1.pak", "pak0.pk3", "zz.pak"], number, paths),
    ]);
    for (const { whole, part } of found) {
      counts.whole += whole;
      counts.part += part;
    }
  }
  return counts;
}

Deno.test("a bounded comparison counts the files of the difference, or says that there may be more", async () => {
  const { whole, part } = await compareAll(10_000);
  assert(whole > treeCount && part > 0, `${whole} whole, ${part} in part`);
});

Deno.test("a comparison that may decide few paths says that there may be more", async () => {
  const { whole, part } = await compareAll(4);
  assert(part > whole, `${whole} whole, ${part} in part`);
});

Deno.test("limits are all that differs between two engines in a strict game, and nothing does in another", async () => {
  const name = "l".repeat(40);
  await using root = await installation({ "id1/pak0.pak": pak([[name, "x"], ["a", "x"]]) });
  const limits = [{ kind: "pack-name", most: 20, then: "refuses it", refuses: "file" }] as const;
  const quakespasm = profileNamed("quakespasm");
  assert(quakespasm);
  const profile = { ...quakespasm, name: "own", limits };
  const differences = [true, false].map((strict) => {
    const catalog = scan(root.path, { profile, name: "game", base: "id1", strict });
    const [game] = catalog.games;
    assert(game);
    return new EngineComparison(catalog).differences(game, ["quakespasm"]);
  });
  const other = { profile: "quakespasm", isPart: false };
  assertEquals(differences, [[{ ...other, files: 1 }], [{ ...other, files: 0 }]]);
});

Deno.test("after a member that no engine reads the order of what is below it is compared", async () => {
  await using root = await installation({
    "home/baseq3/pak0.pk3": zip([{ name: "e.dat", content: "unreadable", flags: encrypted }]),
    "base/baseq3/pak1.pk3": zip([{ name: "e.dat", content: "of pak1" }]),
    "base/baseq3/e.dat": "loose",
  });
  const catalog = scan(root.path, { profile: "ioquake3", name: "game", base: "baseq3", sources: ["home", "base"] });
  const [game] = catalog.games;
  assert(game);
  const whole = enginesOf(game).slice(1).map((profile) => ({
    profile,
    files: difference(catalog.view(), catalog.view(`game:profile=${profile}`)).before.length,
    isPart: false,
  }));
  assert(whole.some(({ files }) => files === 1), "no engine has another order");
  const limits = { files: 0, paths: 100 };
  assertEquals(new EngineComparison(catalog, limits).differences(game, enginesOf(game).slice(1)), whole);
});
