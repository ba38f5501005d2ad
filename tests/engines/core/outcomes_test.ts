// deno-lint-ignore-file no-await-in-loop -- each writes the same list
/**
 * Compares how rules decide between random candidates, and how pack names are parsed and ordered, with recorded
 * results.
 */
import { type Candidate, modLevels } from "../../../engines/core/candidate.ts";
import { comparePackNames, secondKey } from "../../../engines/core/pack_names.ts";
import { comparePaks, compareVersions, pakNameOf } from "../../../engines/core/pak_names.ts";
import { candidateOrder, decide, explain, ruleContext } from "../../../engines/core/rules.ts";
import { collations } from "../../../engines/settings/pack_step_settings.ts";
import { ruleNames } from "../../../engines/settings/rule_notes.ts";
import { profiles } from "../../../engines/table.ts";
import { parseValveData, parseValvePairs } from "../../../games/detect/valve_data.ts";
import { string, text } from "../../formats/bytes.ts";
import { numbersFrom, type Random } from "../../support/chance.ts";
import { compareOutcomes, compareValues } from "../../support/outcomes.ts";

const list = new URL("../outcomes.txt", import.meta.url);
/** Fixed instead of the run's seed: recorded results belong to these candidates. */
const start = 20_261_123;
const one = <T>(random: Random, values: readonly T[]): T => values[random(values.length)] as T;

const packNames = [
  "pak0.pk3",
  "pak1.pk3",
  "PAK1.pk3",
  "pak10.pk3",
  "z_z.pk3",
  "zz.pk3",
  "é.pk3",
  "a b.pk3",
  "pak2.pak",
  "a1.pk4",
];

function candidate(random: Random, entry: number): Candidate {
  const kind = one(random, ["pack", "pack", "pack", "loose"] as const);
  const gameDirectory = one(random, ["id1", "mod"]);
  const rootIndex = random(2);
  const name = kind === "loose" ? gameDirectory : one(random, packNames);
  const folder = one(random, ["", "", "downloads", "e.pk3dir"]);
  return {
    source: {
      id: random(4),
      gameDirectory,
      rootIndex,
      kind,
      format: kind === "loose" ? "loose" : one(random, ["zip", "zip", "quake-pak", "pk3dir"]),
      path: `/root${rootIndex}/${gameDirectory}/${name}`,
      name,
      folder,
      group: kind === "loose" ? -1 : one(random, [0, 1, 2, -2]),
      order: one(random, [0, 1, 2, 0.5, 1.5]),
      identity: { mtime: random(3) * 900 },
    },
    entry,
    offset: random(3) * 100,
    isMet: () => entry % 3 === 0,
    ...random(3) ? {} : { nestedPack: { rank: random(3), path: one(random, ["a.pak", "a.pak/b.pk3", "c.pk3"]) } },
    isAsked: random(2) === 0,
    ...random(4) ? {} : { isShader: random(2) === 0 },
    ...random(3) ? {} : { extension: { name: one(random, ["tga", "jpg", ""]), rank: random(3) } },
    gameDirectoryRank: random(3),
    isBelowInRoot: false,
    baseRank: random(2),
    listPosition: random(3),
    purePosition: one(random, [0, 1, Infinity]),
    modLevel: one(random, Object.values(modLevels)),
    coreRank: random(3),
    isMapPack: random(4) === 0,
    isDownload: random(4) === 0,
  };
}

Deno.test("each rule decides between random candidates as it did, with the same reason", async () => {
  const random = numbersFrom(start);
  const decisions = ruleNames.map((rule) =>
    Array.from({ length: 60 }, () => {
      const [a, b] = [candidate(random, 1), candidate(random, 2 + random(3))];
      const same = random(3) ? b : { ...b, source: a.source };
      const { order, rule: decided } = decide([rule], a, same);
      const [winner, loser] = order < 0 ? [a, same] : [same, a];
      return { sign: Math.sign(order), ordered: Math.sign(candidateOrder([rule])(a, same)), decided, winner, loser };
    })
  );
  await compareValues(
    list,
    "rules",
    decisions.map((some) => some.map(({ sign, decided, ordered }) => [sign, decided, ordered])),
  );
  for (const profile of profiles) {
    const context = ruleContext({ profile, roots: ["/root0", "/root1"] });
    await compareValues(list, `rules as ${profile.name} explains them`, [
      decisions.map((some) => some.map(({ decided, winner, loser }) => explain(decided, winner, loser, context))),
    ]);
  }
});

Deno.test("names of packs are ordered, and read, as they were", async () => {
  const random = numbersFrom(start);
  const letters = Array.from("abzABZ019_-.~^[{ /\\:éü日pak");
  const names = Array.from({ length: 60 }, () => {
    const length = random(7);
    return `${one(random, ["pak", "pak1", "", "PAK"])}${
      Array.from({ length }, () => one(random, letters)).join("")
    }.pk3`;
  });
  const pairs = names.map((name, index) => [name, names[(index * 7 + 1) % names.length] ?? ""] as const);
  const orders = (Object.keys(collations) as (keyof typeof collations)[]).map((collation) =>
    [...pairs, ...names.map((name) => [name, name.toUpperCase()] as const)].map(([a, b]) =>
      Math.sign(comparePackNames(a, b, collation))
    )
  );
  const versions = ["1", "1.0", "1.10", "1.9", "1~a", "1a", "1+", "", "01", "1.0.0", "1-b", "a", "10"];
  const paks = [
    "t_1.dpk",
    "t_1.dpkdir",
    "t_1_0123abcd.dpk",
    "t_1_0123ABCE.dpk",
    "t_2.dpk",
    "sub/t_1.dpk",
    "t.pk3",
    "t_1_x.dpk",
  ]
    .flatMap((path) => [false, true].flatMap((isLegacy) => pakNameOf(path, isLegacy) ?? []));
  await compareValues(list, "names of packs", [
    ...orders,
    versions.map((a) => versions.map((b) => Math.sign(compareVersions(a, b)))),
    paks,
    paks.map((a) => paks.map((b) => Math.sign(comparePaks(a, b)))),
    [-1, 0, 999, 1000, 1e12].map(secondKey),
  ]);
});

Deno.test("damaged files in Valve's format read as they did", async () => {
  const seed = text(`// a comment
"LibraryFolders" { "0" { "path" "/a \\"b\\"\\\\c" apps { 1 2 } } 'x' y #base "z" "Key" "other" [$X360] }
SearchPaths { game+mod tf/custom/* game "tf/one.vpk" } "last" "value"`);
  await compareOutcomes(list, "data of Valve", seed, (bytes) => {
    const written = string(bytes);
    return [parseValvePairs(written), parseValveData(written)];
  });
});
