// deno-lint-ignore-file no-await-in-loop -- each writes the same list
/**
 * Compares results of profiles with damaged settings, and of randomly named packs under such profiles, with recorded
 * ones.
 */
import { parse } from "smol-toml";
import {
  enginePackOrder,
  loadedLists,
  orderPacks,
  packDirectoryEndings,
  packFileEndings,
  packNameMeant,
  readPackList,
} from "../../../engines/core/pack_order.ts";
import type { PackFile } from "../../../engines/core/pack_steps.ts";
import type { Profile } from "../../../engines/core/profile.ts";
import { SettingError } from "../../../engines/settings/fields.ts";
import { profileToml, readProfile } from "../../../engines/settings/profile_settings.ts";
import { profiles } from "../../../engines/table.ts";
import { numbersFrom, type Random } from "../../support/chance.ts";
import { compareValues } from "../../support/outcomes.ts";

const list = new URL("../outcomes.txt", import.meta.url);
/** Number of damaged profiles of each engine, recorded as one checksum. */
const damaged = 30;
/** Number of sets of packs of each engine, recorded as one checksum. */
const sets = 40;
/** Fixed instead of the run's seed: recorded results belong to these profiles. */
const start = 20_261_123;

const one = <T>(random: Random, values: readonly T[]): T => values[random(values.length)] as T;

const odd: readonly unknown[] = [
  ...[0, -1, 1.5, 1e12, "", ".", "..", "a/b", "x", ".PAK", ".pak", "pak", true, false, [], {}, [""], ["a", "a"], null],
  ...[
    "game-directory",
    "pack-name",
    "last-in-pack",
    "case-match",
    "any",
    "own",
    ["pack-name"],
    ["zip", "zip"],
    "quake",
  ],
  ...[[{ kind: "numbered" }], [{ kind: "sorted", suffixes: [".x"] }], [{ kind: "listed" }], { name: "a" }, [{}]],
];

type Table = Record<string, unknown>;

/** Removes, replaces or adds one value somewhere in a table or list. */
function damage(value: Table | unknown[], random: Random): void {
  const keys = Object.keys(value);
  const table = value as Table;
  const key = one(random, keys);
  const inner = key === undefined ? undefined : table[key];
  if (typeof inner === "object" && inner !== null && random(3) > 0) return damage(inner as Table, random);
  if (key === undefined || random(12) === 0) {
    table[Array.isArray(value) ? keys.length : "other"] = structuredClone(one(random, odd));
  } else if (random(4) > 0) table[key] = structuredClone(one(random, odd));
  else if (!Array.isArray(value)) delete table[key];
  else if (random(2)) value.splice(Number(key), 1);
  else value.reverse();
}

const names = [
  ...["pak0.pak", "pak1.pak", "pak2.pak", "pak3.pak", "pak10.pak", "PAK0.PAK", "Pak1.pak", "pak01.pak", "pak2.PAK"],
  ...["pak0.pk3", "pak1.pk3", "PAK0.PK3", "pak8a.pk3", "mp_pak0.pk3", "sp_pak1.pk3", "zz.pk3", "Zz.pk3", "z_z.pk3"],
  ...[
    "a.pk4",
    "pak000.pk4",
    "game00.pk4",
    "x.pkz",
    "x.kpf",
    "b.zip",
    "c.wad",
    "c.WAD",
    "d.dat",
    "e.pk3dir",
    "E.PK3DIR",
  ],
  ...["x.dpk", "x_1.dpk", "x_1.dpkdir", "f.vpk", "pak01_dir.vpk", ".pk3", ".pak", "soft.pak", "Res00.pak", "a b.pk3"],
  ...[
    "é.pk3",
    "a-b.pk3",
    "a_b.pk3",
    "a.obb",
    "pak9999999999.pak",
    "pak-1.pak",
    "pak.pak",
    "x.resources",
    "_common.resources",
  ],
];

/** Some packs of one directory, each name once. */
function randomPacks(random: Random): PackFile[] {
  return names.filter(() => random(3) === 0).map((name) => ({
    name,
    isDirectory: /dir$/i.test(name),
    folder: random(9) ? "" : one(random, ["sub", "downloads"]),
    files: random(6) ? 3 : 0,
    failure: random(9) ? null : "it is damaged",
    format: random(9) ? (/\.pak$/i.test(name) ? "quake-pak" : /\.wad$/i.test(name) ? "wad2" : "zip") : "wad3",
    mtime: random(3) * 1000,
    key: random(1000),
  })).sort((a, b) => a.key - b.key);
}

/** Returns how a profile orders packs, and its notes on them. */
function packsBy({ packs: rules, engine, enginePack }: Profile, packs: readonly PackFile[], random: Random): unknown[] {
  const words = packs.filter(() => random(3) === 0).map(({ name }) => random(5) ? name : `"${name}"`);
  const text = [...words, "../x.pak", "// no", "soft", "gone.pak"].join(one(random, ["\n", " ", "\r\n"]));
  const lists = new Map(
    rules.flatMap((rule) =>
      rule.kind === "listed" && random(2) ? [[rule.file, readPackList(text, rule, random(2) === 0)]] : []
    ),
  );
  const orders = orderPacks(rules, packs, engine, lists);
  const loaded = packs.flatMap((pack, index) => {
    const order = orders[index];
    return order?.ignored === null ? [{ ...pack, ...order }] : [];
  });
  return [
    packs.map(({ name }) => [name, packNameMeant(rules, name)]),
    orders,
    loadedLists(rules, loaded),
    enginePackOrder({ enginePack, packs: rules }, lists),
    packFileEndings(rules),
    packDirectoryEndings(rules),
  ];
}

/** Records the first position of each key in a value, by its path without array indexes. */
function keysIn(
  value: unknown,
  path: string,
  found: Map<string, readonly (string | number)[]>,
  at: readonly (string | number)[],
): void {
  if (typeof value !== "object" || value === null) return;
  for (const [key, inner] of Object.entries(value)) {
    const where = `${path}.${Array.isArray(value) ? "" : key}`;
    if (!found.has(where)) found.set(where, [...at, key]);
    keysIn(inner, where, found, [...at, key]);
  }
}

/** Result of a table; the error message if it is refused. */
function readOrRefused(value: unknown): string {
  try {
    return JSON.stringify(readProfile(value, ["profile", 0]));
  } catch (error) {
    if (!(error instanceof SettingError)) throw error;
    return `${error.keyPath.join(".")}: ${error.message}`;
  }
}

Deno.test("each key with each wrong value is refused, or read, as it was", async () => {
  const known = new Map<string, readonly (string | number)[]>();
  const values: unknown[] = [];
  for (const profile of profiles) {
    const written = profileToml(profile);
    const read = () => (parse(written) as { profile: Table[] }).profile[0] ?? {};
    const own = new Map(known);
    keysIn(read(), "", own, []);
    for (const [where, path] of own) {
      if (known.has(where)) continue;
      known.set(where, path);
      const whole = read();
      const table = path.slice(0, -1).reduce((inner: Table, key) => inner[key] as Table, whole);
      values.push(odd.map((value) => {
        table[path.at(-1) ?? ""] = value;
        return readOrRefused(whole);
      }));
    }
  }
  await compareValues(list, "wrong settings", values);
});

Deno.test("damaged settings are refused, or read, as they were, and packs loaded by whole and damaged ones", async () => {
  for (const profile of profiles) {
    // Each engine has its own random numbers, so that a new engine does not change others.
    const random = numbersFrom(start);
    const settings = Array.from({ length: damaged }, () => {
      const [value] = (parse(profileToml(profile)) as { profile: Table[] }).profile;
      for (let count = 1 + random(2); value && count > 0; count--) damage(value, random);
      return readOrRefused(value);
    });
    const packs = Array.from({ length: sets }, (_, number) => {
      const plain = packsBy(profile, randomPacks(random), random);
      if (number % 2 === 0) return plain;
      const [value] = (parse(profileToml(profile)) as { profile: Table[] }).profile;
      damage(value?.["packs"] as unknown[], random);
      try {
        return [plain, packsBy(readProfile(value, []), randomPacks(random), random)];
      } catch (error) {
        if (!(error instanceof SettingError)) throw error;
        return plain;
      }
    });
    await compareValues(list, `damaged settings and packs of ${profile.name}`, [settings, packs]);
  }
});
