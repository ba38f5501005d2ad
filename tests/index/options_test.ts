/**
 * Changes every option of a game and every key of a profile alone: a refreshed index must answer as one made from
 * scratch.
 */
// deno-lint-ignore-file no-await-in-loop -- one change after the other, to see which one fails
import { assert, assertEquals, assertNotEquals, assertStrictEquals } from "@std/assert";
import { deflateSync } from "node:zlib";
import { hashName } from "../../formats/core/name_hashes.ts";
import { variantNamed } from "../../formats/mod.ts";
import { IndexCache } from "../../index/cache/index_cache.ts";
import type { GameOptions } from "../../index/columns/game.ts";
import { GameError } from "../../games/game_error.ts";
import type { Profile } from "../../engines/core/profile.ts";
import { profiles } from "../../engines/table.ts";
import { scanCatalog } from "../support/catalogs.ts";
import { checkProfile } from "../../engines/settings/check_profile.ts";
import { keysOf, SettingError } from "../../engines/settings/fields.ts";
import { profileSettings } from "../../engines/settings/profile_settings.ts";
import type { Catalog } from "../../views/catalog.ts";
import { openLiveIndex } from "../../service/live_index.ts";
import { pak, text, wad, zip } from "../formats/bytes.ts";
import { hashedPack } from "../formats/hashed.ts";
import { numbersFrom, type Random, seed } from "../support/chance.ts";
import { temporaryDirectory } from "../support/temporary.ts";
import { assertSame, fingerprint } from "./answers.ts";
import { anHourLater, type Files, installation, pakOf, zipOf } from "./fixtures.ts";

const hash = "crc32+lower+backslash";

/** A hashed pack of one file. */
function hashed(path: string): Uint8Array {
  const variant = variantNamed(hash);
  assert(variant);
  return hashedPack([{
    hash: hashName(path, variant),
    data: new Uint8Array(deflateSync(text(path))),
    size: path.length,
  }]);
}

/** A zip of members that engines treat differently. */
const oddZip = zip([
  { name: "Sound/Loud.wav", content: "capitals" },
  { name: "back\\slash.txt", content: "backslash" },
  { name: "odd..name.txt", content: "refused" },
  { name: ".hidden/a.txt", content: "hidden" },
  { name: "odd%name.txt", content: "odd" },
  { name: "twice.txt", content: "first" },
  { name: "twice.txt", content: "second" },
  { name: "bzip2.txt", content: "method", method: 12 },
  { name: "empty.txt", content: "" },
  { name: "autoexec.cfg", content: "pack" },
  { name: "maps.lst", content: "pack" },
  { name: "default.cfg", content: "pack" },
  { name: "maps/map.bsp", content: "map" },
  { name: "in.pk3", content: zipOf("inside.txt", "twice.txt") },
  { name: "in.pak", content: pakOf("inside.txt") },
  { name: "in.wad", content: wad([["LUMP", "lump"]]) },
]);

/** Subjects of the keys of profiles. */
const files: Files = {
  "main/pak0.pk3": oddZip,
  "main/pak1.pak": pak([["/rooted.txt", "a"], [`${"x".repeat(52)}.txt`, "b"], ["twice.txt", "c"], ["twice.txt", "d"]]),
  "main/PAK2.pak": pakOf("capitals.txt"),
  "main/pak5.pk3": zipOf("gap.txt", "twice.txt"),
  "main/B.pk3": zipOf("twice.txt", "b.txt"),
  "main/a.pk3": zipOf("twice.txt", "a.txt"),
  "main/dl_z.pk3": zipOf("twice.txt", "z.txt"),
  "main/addon.pk4": zipOf("addon.conf", "twice.txt"),
  "main/binary.pk3": zipOf("binary.conf", "twice.txt"),
  "main/unvanquished_1.0.dpk": zipOf("twice.txt", "one.txt"),
  "main/unvanquished_1.1.dpk": zip([{ name: "DEPS", content: "tex 1.0\n" }, { name: "twice.txt", content: "dpk" }]),
  "main/tex_1.0.dpk": zipOf("tex.txt"),
  "main/unknown.pak": hashed("sound/door.wav"),
  "main/some.wad": wad([["LUMP", "lump"]]),
  "main/pak.lst": "a.pk3\npak1.pak\n",
  "main/downloads/in.pk3": zipOf("downloaded.txt", "twice.txt"),
  "main/refonly/in.pk3": zipOf("referenced.txt"),
  "main/maps/in.pk3": zipOf("of maps.txt"),
  "main/other/in.pk3": zipOf("of folder.txt"),
  "main/zz.pk3dir/twice.txt": "directory",
  "main/zz.pk3dir/autoexec.cfg": "directory",
  "main/zz.pk3dir/in.pk3": zipOf("in directory.txt"),
  "main/Twice.txt": "loose",
  "main/maps/Map.bsp": "loose",
  "main/autoexec.cfg": "loose",
  "main/custom/c.txt": "custom",
  "main/gameinfo.txt":
    '"GameInfo"\n{\n"FileSystem"\n{\n"SearchPaths"\n{\ngame "|gameinfo_path|."\ngame "main/a.pk3"\n}\n}\n}\n',

  "mod/liblist.gam": 'basedir "other"\nfallback_dir "rogue"\n',
  "mod/pak0.pk3": zipOf("twice.txt", "autoexec.cfg", "default.cfg", "mod.txt"),
  "mod/autoexec.cfg": "mod",
  "mod/a.txt": "mod",
  "main_german/g.txt": "german",
  "main_hd/hd.txt": "hd",
  "main_downloads/d.txt": "downloads",
  "qw/qw.txt": "qw",
  "fte/fte.txt": "fte",
  "ezquake/e.txt": "ezquake",
  "basemod/twice.txt": "override",
  "rogue/twice.txt": "mission pack",
  "missionpack/twice.txt": "mission pack",
  "other/other.txt": "other",
  "Mod/folded.txt": "folded",
  "baseq3/pak0.pk3": zipOf("twice.txt"),
  "id1/twice.txt": "base",
  "doom2.wad": wad([["MAP01", ""], ["TITLEPIC", "title"]], "IWAD"),
  "quakespasm.pak": pakOf("engine.txt"),
  "ironwail.pak": pakOf("engine.txt"),
  "QuakeEX.kpf": zipOf("engine.txt"),
  "Q2Game.kpf": zipOf("engine.txt"),
};

/** Number of values tried per key of profiles; other seeds try others. */
const maxValues = 5;

/** Returns some of the values, in random order. */
function drawn<Value>(values: readonly Value[], chance: Random): Value[] {
  const places = values.map((value) => ({ value, place: chance(1_000_000) })).sort((a, b) => a.place - b.place);
  return places.slice(0, maxValues).map(({ value }) => value);
}

/** An index of one game made from scratch or from an earlier one; null if the game does not exist. */
function indexed(options: GameOptions, previous?: Catalog): Catalog | null {
  try {
    return scanCatalog([options], previous ? { previous } : {});
  } catch (error) {
    if (error instanceof GameError) return null;
    throw error;
  }
}

/** Compares two indexes; computes the differences only if there are any. */
function assertAlike(followed: Catalog | null, fresh: Catalog, what: string): void {
  assert(followed, what);
  if (fingerprint(followed) === fingerprint(fresh)) return;
  assertSame(followed, fresh);
  assertEquals(fingerprint(followed), fingerprint(fresh), what);
}

function isPossible(profile: Profile): boolean {
  try {
    checkProfile(profile);
    return true;
  } catch (error) {
    if (error instanceof SettingError) return false;
    throw error;
  }
}

Deno.test("a change of any one key of a profile is followed as by an index made from nothing", async () => {
  await using root = await installation(files);
  using _clock = anHourLater();
  const chance = numbersFrom(seed);
  // The names of programs only select a profile.
  const unseen = new Set(keysOf(profileSettings));
  // It only selects a profile.
  unseen.delete("programs");
  for (const key of keysOf(profileSettings)) {
    const others = Array.from(new Map(profiles.map((one) => [JSON.stringify(one[key]), one])).values());
    for (const other of drawn(others, chance)) {
      const value = other[key];
      // The last rule and the key of duplicates must agree.
      const { rules } = other;
      const change: Partial<Profile> = { [key]: value, ...key === "duplicates" ? { rules } : {} };
      const parents = profiles.filter((one) =>
        JSON.stringify(one[key]) !== JSON.stringify(value) && isPossible({ ...one, ...change })
      );
      const parent = parents[chance(parents.length)];
      if (!parent) continue;
      const before: GameOptions = { sources: [root.path], name: "game", profile: { ...parent, bases: ["main"] } };
      const after: GameOptions = { ...before, profile: { ...parent, bases: ["main"], ...change } };
      const [first, fresh] = [indexed(before), indexed(after)];
      if (!first || !fresh) continue;
      unseen.delete(key);
      const what = `${parent.name}: ${key} = ${JSON.stringify(value)}`;
      assertAlike(indexed(after, first), fresh, what);
      assertAlike(indexed(before, fresh), first, `${what}, and back`);
    }
  }
  assertEquals(Array.from(unseen), [], "these keys were not changed");
});

/** Every option of a game: a missing option is a compile error. */
const optionNames = Object.keys(
  {
    sources: true,
    union: true,
    iwad: true,
    files: true,
    autoload: true,
    name: true,
    profile: true,
    ownEngines: true,
    base: true,
    with: true,
    mods: true,
    nested: true,
    pure: true,
    names: true,
    hash: true,
    strict: true,
    followSymlinks: true,
  } satisfies Record<keyof GameOptions, true>,
);

/** Games, and other values of their options. */
function gamesBelow(
  root: string,
): { plain: GameOptions; others: { [Key in keyof GameOptions]?: GameOptions[Key][] } }[] {
  const [iwad, a, b] = ["doom2", "a", "b"].map((name) => `${root}/doom/${name}.wad`);
  assert(iwad !== undefined && a !== undefined && b !== undefined);
  return [
    {
      plain: { sources: [`${root}/game`], name: "game", profile: "openjk", base: "main" },
      others: {
        sources: [[`${root}/game`, `${root}/more`], [`${root}/more`, `${root}/game`]],
        name: ["other"],
        profile: ["quake3", "ioquake3", "generic"],
        base: ["mod"],
        with: [["dl_z"], ["dl_z.pk3", "other"]],
        mods: [["mod"], []],
        nested: [true],
        pure: [["pak0"], []],
        strict: [true],
        followSymlinks: [true],
      },
    },
    {
      plain: { sources: [iwad, a, b], iwad, files: [a, b], name: "doom", profile: "chocolate" },
      others: {
        iwad: [`${root}/doom/other.wad`],
        files: [[b, a], ["-merge", a, b]],
        autoload: [`${root}/doom/autoload`],
        profile: ["boom"],
      },
    },
    {
      plain: { sources: [`${root}/own`], name: "own" },
      others: {
        ownEngines: profiles.filter(({ name }) => name === "darkplaces").map((one) => [{ ...one, programs: ["mine"] }]),
      },
    },
    {
      plain: { sources: [`${root}/elsewhere`], name: "union", profile: "generic" },
      others: { union: [true], sources: [[`${root}/elsewhere`, `${root}/more/main/pak9.pk3`]] },
    },
    {
      plain: { sources: [`${root}/hashed`], name: "hashed", profile: "hashed", names: [`${root}/names`] },
      others: { names: [[], [`${root}/other names`]], hash: [hash, "crc32"] },
    },
  ];
}

Deno.test("a change of any one option of a game is followed by scans, exchanges, refreshes and caches", async () => {
  const sign = (name: string) => wad([["MAP01", ""], ["TITLEPIC", name], ["S_START", ""], ["S_END", ""]], "IWAD");
  await using root = await installation({
    ...Object.fromEntries(Object.entries(files).map(([path, content]) => [`game/${path}`, content])),
    "game/main/long.pk3": zipOf("x".repeat(300)),
    "more/main/pak9.pk3": zipOf("twice.txt"),
    "elsewhere/far.txt": "far",
    "own/id1/pak0.pak": pakOf("x"),
    "own/id1/x": "loose",
    "own/mine": "",
    "doom/doom2.wad": sign("doom2"),
    "doom/other.wad": sign("other"),
    "doom/a.wad": wad([["TITLEPIC", "a"]]),
    "doom/b.wad": wad([["TITLEPIC", "b"]]),
    "doom/autoload/doom-all/c.wad": wad([["TITLEPIC", "c"]]),
    "doom/autoload/doom2.wad/d.wad": wad([["TITLEPIC", "d"]]),
    "hashed/base.pack": hashed("sound/door.wav"),
    "names": "sound/door.wav\n",
    "other names": "sound/bell.wav\n",
  });
  await Deno.symlink(`${root.path}/elsewhere`, `${root.path}/game/main/link`);
  await using directory = await temporaryDirectory();
  using _clock = anHourLater();
  const cache = new IndexCache(directory.path, { minEntries: 0 });
  const unseen = new Set(optionNames);
  for (const { plain, others } of gamesBelow(root.path)) {
    const first = scanCatalog([plain]);
    const changed = Object.entries(others).flatMap(([key, values]) =>
      values.map((value) => ({ key, options: { ...plain, [key]: value } }))
    );
    await cache.write([plain], first);
    for (const { key, options } of changed) {
      unseen.delete(key);
      const fresh = scanCatalog([options]);
      const what = `${plain.name}: ${key} = ${JSON.stringify(options[key as keyof GameOptions])}`;
      assertNotEquals(fingerprint(fresh), fingerprint(first), `${what} shows in nothing`);
      assertAlike(indexed(options, first), fresh, what);
      assertAlike(indexed(plain, fresh), first, `${what}, and back`);
      assertEquals(cache.read([options]), undefined, `${what}: the cache of another game`);
      await using index = await openLiveIndex([plain]);
      await index.exchange([options]);
      assertAlike(index.catalog, fresh, `${what}, exchanged`);
      const { catalog } = index;
      await index.refresh();
      assertStrictEquals(index.catalog, catalog, `${what}, exchanged and refreshed`);
      await index.exchange([plain]);
      assertAlike(index.catalog, first, `${what}, exchanged and back`);
    }
  }
  assertEquals(Array.from(unseen), [], "these options were not changed");
});
