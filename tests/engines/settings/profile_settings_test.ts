import { assertEquals, assertThrows } from "@std/assert";
import { parse } from "smol-toml";
import type { Profile } from "../../../engines/core/profile.ts";
import { profileNamed, profiles } from "../../../engines/table.ts";
import { checkProfile } from "../../../engines/settings/check_profile.ts";
import { SettingError } from "../../../engines/settings/fields.ts";
import { profileSettings, profileToml, readProfile } from "../../../engines/settings/profile_settings.ts";

function builtIn(name: string): Profile {
  const profile = profileNamed(name);
  if (!profile) throw new Error(`there is no profile ${name}`);
  return profile;
}

/** Reads the first profile of a configuration. */
function read(toml: string): Profile {
  const { profile } = parse(toml) as { profile: unknown[] };
  return readProfile(profile[0], ["profile", 0]);
}

for (const profile of profiles) {
  Deno.test(`${profile.name}: written as TOML and read again it is the same`, () => {
    assertEquals(read(profileToml(profile)), profile);
    assertEquals(Object.keys(profile).sort(), Object.keys(profileSettings).sort());
  });

  Deno.test(`${profile.name}: its rules can work`, () => checkProfile(profile));
}

Deno.test("a profile that extends another has everything else from it", () => {
  const mine = read('[[profile]]\nname = "mine"\nextends = "ioquake3"\nmissionPacks = ["ta"]\n');
  assertEquals(mine, { ...builtIn("ioquake3"), name: "mine", missionPacks: ["ta"] });
  assertEquals(read('[[profile]]\nname = "plain"\n'), { ...builtIn("generic"), name: "plain" });
});

Deno.test("steps of packs may leave out what is usual", () => {
  const mine = read(`[[profile]]
name = "mine"
extends = "darkplaces"
packs = [
  { kind = "numbered", last = 9 },
  { kind = "sorted", suffixes = [".pk3"], collation = "strcasecmp" },
]
rules = ["game-directory", "source-directory", "loose-over-pack", "pack-type", "pack-name", "met-in-pack"]
`);
  assertEquals(mine.packs, [
    {
      kind: "numbered",
      title: "numbered packs",
      prefix: "pak",
      suffix: ".pak",
      otherSuffixes: [],
      last: 9,
      anyCase: false,
      capitals: false,
      stopsAtGap: true,
      emptyIsMissing: false,
      unreadableIsMissing: false,
      exceptTwins: false,
      formats: [],
      formatByEnding: false,
    },
    {
      kind: "sorted",
      title: "packs",
      suffixes: [".pk3"],
      directories: [],
      anyCase: true,
      exceptNumbered: false,
      emptyIsMissing: false,
      exceptTwins: false,
      collation: "strcasecmp",
      sortsAs: [],
      except: [],
      opensAs: [],
      formats: [],
      formatByEnding: false,
      bareEnding: false,
      belowLoose: false,
      folders: "any",
    },
  ]);
});

Deno.test("none is written false, and takes away what is inherited", () => {
  const mine = read('[[profile]]\nname = "mine"\nextends = "quakespasm"\nenginePack = false\n');
  assertEquals(mine.enginePack, null);
  assertEquals(builtIn("quakespasm").enginePack?.name, "quakespasm.pak");
});

Deno.test("what makes no sense in a profile is refused with its line", () => {
  const rules = '"game-directory", "source-directory"';
  const wrong: [toml: string, keyPath: string, message: string][] = [
    ["", "", 'a profile needs "name": a quoted string'],
    ['name = "a b"', "name", '"name" must be of letters, digits, "-" and "_", not "a b"'],
    ['name = "m"\nextends = "quak"', "extends", '"extends" cannot be "quak"'],
    ['name = "m"\nignoreCase = 1', "ignoreCase", '"ignoreCase" must be true or false'],
    ['name = "m"\nignorecase = true', "ignorecase", "unknown key profile.ignorecase"],
    [
      'name = "m"\nlooseCase = "any"',
      "looseCase",
      '"looseCase" can only be "own" where case is not ignored; set ignoreCase = true',
    ],
    [
      'name = "m"\nextends = "ftequake"\nnestedPacks = { suffixes = ["pk3"] }',
      "nestedPacks.suffixes.0",
      '"pk3" is not an ending: write its dot and lower case, such as .pk3',
    ],
    [
      'name = "m"\nextends = "ftequake"\nnestedPacks = { suffixes = ["a.pk3"] }',
      "nestedPacks.suffixes.0",
      '"a.pk3" is not an ending: write its dot and lower case, such as .pk3',
    ],
    [
      'name = "m"\nextends = "quakespasm"\nnestedPacks = { suffixes = [".pak"] }',
      "rules",
      "no rule decides between a pack and the packs in it: add one of nested-pack",
    ],
    [
      'name = "m"\nextends = "ftequake"\nnestedPacks = false',
      "rules.5",
      '"nested-pack" never decides: "nestedPacks" is empty or false',
    ],
    [
      'name = "m"\npacks = [{ suffix = ".pak" }]',
      "packs.0",
      'a step of packs needs "kind": one of "numbered", "sorted"',
    ],
    ['name = "m"\npacks = [{ kind = "sortd" }]', "packs.0.kind", '"kind" cannot be "sortd"'],
    [
      'name = "m"\npacks = [{ kind = "sorted" }, { kind = "numbered", suffixes = [] }]',
      "packs.1.suffixes",
      "unknown key profile.packs.suffixes",
    ],
    [
      'name = "m"\npacks = [{ kind = "sorted", suffixes = ["pk3"] }]',
      "packs.0.suffixes.0",
      '"pk3" is not an ending: write its dot and lower case, such as .pk3',
    ],
    [
      'name = "m"\npacks = [{ kind = "numbered", last = -1 }]',
      "packs.0.last",
      '"last" must be a whole number from 0 to 999999999',
    ],
    [
      'name = "m"\npacks = [{ kind = "numbered", last = 1.5 }]',
      "packs.0.last",
      '"last" must be a whole number from 0 to 999999999',
    ],
    ['name = "m"\nbases = ["a/b"]', "bases.0", '"a/b" is not the name of one directory or file'],
    ['name = "m"\nbases = [".."]', "bases.0", '".." is not the name of one directory or file'],
    [
      'name = "m"\nbases = ["id1"]\nmissionPacks = ["rogue", "id1"]',
      "missionPacks.1",
      '"id1" cannot be a mission pack and a base game directory',
    ],
    [
      'name = "m"\nenginePack = { name = "x" }',
      "enginePack",
      'enginePack needs "order": a number from -1000000 to 1000000',
    ],
    ['name = "m"\ninactive = 3', "inactive", '"inactive" must be 0, 1 or 2, or false for none'],
    ['name = "m"\nrules = "pack-name"', "rules", '"rules" must be a list'],
    [`name = "m"\nrules = [${rules}, "pack-nam"]`, "rules.2", '"rules" cannot be "pack-nam"'],
    [`name = "m"\nrules = [${rules}, "game-directory"]`, "rules.2", '"game-directory" is listed twice'],
    [
      `name = "m"\nrules = [${rules}, "pack-over-loose", "loose-over-pack"]`,
      "rules.3",
      '"loose-over-pack" never decides: "pack-over-loose" before it does',
    ],
    [
      `name = "m"\nrules = [${rules}, "pure-list"]`,
      "rules.2",
      '"pure-list" never decides: "pure" is empty or false',
    ],
    [
      'name = "m"\nrules = ["game-directory"]',
      "rules",
      "no rule decides between base directories: add one of source-directory",
    ],
    [
      `name = "m"\nrules = [${rules}, "loose-over-pack", "last-in-pack"]`,
      "rules",
      "no rule decides between packs: add one of pack-number, pack-name, pack-number-or-listing, pack-order",
    ],
    [
      `name = "m"\npacks = [{ kind = "sorted" }, { kind = "numbered" }]\nrules = [${rules}, "loose-over-pack", "pack-name", "last-in-pack"]`,
      "rules",
      "no rule decides between packs of different steps: add one of pack-type",
    ],
    [
      `name = "m"\nrules = [${rules}, "loose-over-pack", "pack-name", "pack-type", "last-in-pack"]`,
      "rules.4",
      '"pack-type" must come before "pack-name"',
    ],
    [
      `name = "m"\nrules = [${rules}, "loose-over-pack", "last-in-pack", "pack-name"]`,
      "rules.4",
      'the last rule must decide between equal names in one pack; "pack-name" does not',
    ],
    [
      `name = "m"\nrules = [${rules}, "loose-over-pack", "pack-name", "first-in-pack"]`,
      "rules.4",
      '"first-in-pack" takes another one of equal names than duplicates = "last"',
    ],
  ];
  for (const [toml, keyPath, message] of wrong) {
    const error = assertThrows(() => read(`[[profile]]\n${toml}\n`), SettingError, "", toml);
    assertEquals([error.keyPath.slice(2).join("."), error.message.slice(0, message.length)], [keyPath, message], toml);
  }
});
