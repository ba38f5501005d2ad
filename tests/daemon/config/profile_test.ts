import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import { ConfigError, parseConfig } from "../../../daemon/config/config_file.ts";
import { allProfiles, profileCalled } from "../../../daemon/config/profiles.ts";
import { resolveConfig } from "../../../daemon/config/resolved_config.ts";
import { chosenByUser } from "../../../games/engines_of_game.ts";
import { UsageError } from "../../../system/command_line/usage.ts";
import { profileNamed, profiles } from "../../../engines/table.ts";
import { scanCatalog } from "../../support/catalogs.ts";
import { candidates, installation, zipOf } from "../../index/fixtures.ts";

const path = "/etc/games/config.toml";
const quake3 = profileNamed("ioquake3");

Deno.test("a profile of the configuration is used by its games, wherever it is written", async () => {
  await using root = await installation({
    "q3/baseq3/pak0.pk3": zipOf("a.txt"),
    "q3/baseq3/a.txt": "loose",
    "q3/mod/z.pk3": zipOf("b.txt"),
  });
  const config = parseConfig(
    `[[game]]
sources = ["q3"]
profile = "strict"

[[profile]]
name = "early"
extends = "ioquake3"
rules = ["game-directory", "source-directory", "pack-over-loose", "pack-name", "last-in-pack"]

[[profile]]
name = "strict"
extends = "early"
title = "mine"
`,
    `${root.path}/config.toml`,
  );
  assertEquals(config.profiles.map((profile) => [profile.name, profile.title, profile.origin]), [
    ["early", quake3?.title ?? "", "ioquake3"],
    ["strict", "mine", "ioquake3"],
  ]);
  const catalog = scanCatalog(config.games);
  const [first, second] = candidates(root.path, catalog.view("q3"), "a.txt");
  assertEquals([first?.source, second?.decidedBy], ["q3/baseq3/pak0.pk3", "pack-over-loose"]);
});

Deno.test("a program of an engine of the configuration selects its profile, and a chosen profile stays", async () => {
  await using root = await installation({
    "q/id1/x.cfg": "",
    "q/MyQuake-sdl": "",
    "q/quakespasm": "",
    "o/id1/x.cfg": "",
  });
  const { games } = parseConfig(
    `[[profile]]
name = "mine"
extends = "darkplaces"
engine = "My Quake"
programs = ["other", "myquake*"]

[[game]]
sources = ["q"]

[[game]]
sources = ["q"]
profile = "quake"

[[game]]
sources = ["o"]
`,
    `${root.path}/config.toml`,
  );
  assertEquals(scanCatalog(games).games.map(({ profile, because }) => [profile.name, because]), [
    ["mine", `${root.path}/q/MyQuake-sdl belongs to My Quake`],
    ["quake", chosenByUser],
    ["quake", `${root.path}/o has id1`],
  ]);
});

Deno.test("mistakes in profiles are reported with their lines and a suggestion", () => {
  const wrong: [text: string, message: string][] = [
    [
      '[[profile]]\nname = "m"\n\nextend = "quake"',
      "line 4: unknown key profile.extend; did you mean extends?",
    ],
    ['[[profile]]\nname = "m"\nextends = "quak"', 'line 3: "extends" cannot be "quak"; did you mean quake?'],
    [
      '[[profile]]\nname = "m"\npacks = [\n  { kind = "sorted" },\n  { kind = "sorted", sufixes = [] },\n]',
      "line 5: unknown key profile.packs.sufixes; did you mean suffixes?",
    ],
    [
      '[[profile]]\nname = "m"\n[[profile.packs]]\nkind = "sorted"\n[[profile.packs]]\nkind = "sort"',
      'line 6: "kind" cannot be "sort"; did you mean sorted?',
    ],
    [
      '[[profile]]\nname = "m"\nrules = [\n  "game-directory",\n  "game-dir",\n]',
      'line 5: "rules" cannot be "game-dir"; did you mean game-directory?',
    ],
    ['[[profile]]\nname = "m"\n[[profile]]\nextends = "quake"', 'line 3: a profile needs "name": a quoted string'],
    ['[[profile]]\nname = "quake"', "line 2: profile quake already exists; choose another name"],
    [
      '[[profile]]\nname = "m"\n[[profile]]\nname = "m"',
      "line 4: profile m already exists; choose another name",
    ],
    ['[[profile]]\nname = "a"\nextends = "b"\n[[profile]]\nname = "b"', 'line 3: "extends" cannot be "b"'],
    ["profile = 1", "line 1: profiles are written as tables: [[profile]]"],
    [
      '[[game]]\nsources = ["x"]\nprofile = "mien"\n[[profile]]\nname = "mine"',
      "line 3: unknown profile mien; did you mean mine?",
    ],
  ];
  for (const [text, message] of wrong) {
    const reported = assertThrows(() => parseConfig(text, path), ConfigError, undefined, text).message;
    assertEquals(reported.slice(0, path.length + 2 + message.length), `${path}, ${message}`);
  }
});

Deno.test("a profile is found by its name, in the configuration if it did not come with pakfs", async () => {
  await using root = await installation({ "config.toml": '[[profile]]\nname = "mine"\nextends = "quake"\n' });
  const file = `${root.path}/config.toml`;
  assertEquals((await profileCalled("mine", file)).packs, profileNamed("quake")?.packs);
  assertEquals(await profileCalled("quake", `${root.path}/none.toml`), profileNamed("quake"));
  const error = await assertRejects(() => profileCalled("mien", file), UsageError);
  assertEquals(error.message, "unknown profile mien; did you mean mine?");
  assertEquals((await allProfiles(file)).map(({ profile, source }) => [profile.name, source]), [
    ...profiles.map(({ name }) => [name, null]),
    ["mine", file],
  ]);
});

Deno.test("the configuration that takes effect is printed in full, and read again it is the same", async () => {
  await using root = await installation({
    "q3/baseoa/pak0.pk3": zipOf("a"),
    "config.toml":
      'mount = "mnt"\nsocket = "s"\n[[game]]\nsources = ["q3"]\n[[game]]\nsources = ["gone"]\nmods = ["a"]\n' +
      '[[profile]]\nname = "mine"\nextends = "quake"\n',
  });
  const file = `${root.path}/config.toml`;
  const { resolved, toml } = await resolveConfig(file);
  const others = {
    pure: null,
    with: null,
    nested: false,
    followSymlinks: false,
    strict: false,
    names: null,
    hash: null,
  };
  assertEquals(resolved, {
    path: file,
    exists: true,
    mount: `${root.path}/mnt`,
    socket: `${root.path}/s`,
    cache: 8 * 2 ** 20,
    watch: true,
    options: [],
    showPacks: false,
    showAs: false,
    hung: "wait",
    hungAfter: 10,
    profiles: ["mine"],
    games: [
      {
        name: "q3",
        profile: "ioquake3",
        because: `${root.path}/q3/baseoa has pk3 files`,
        sources: [`${root.path}/q3`],
        iwad: null,
        files: null,
        autoload: null,
        base: "baseoa",
        mods: null,
        ...others,
        problem: null,
        warnings: [],
      },
      {
        name: "gone",
        profile: null,
        because: null,
        sources: [`${root.path}/gone`],
        iwad: null,
        files: null,
        autoload: null,
        base: null,
        mods: ["a"],
        ...others,
        problem: resolved.games[1]?.problem ?? "",
        warnings: [],
      },
    ],
  });
  assertEquals(resolved.games[1]?.problem?.startsWith(`${root.path}/gone cannot be read`), true);
  await Deno.writeTextFile(`${root.path}/second.toml`, toml);
  const again = (await resolveConfig(`${root.path}/second.toml`)).resolved;
  const games = resolved.games.map((game) => ({ ...game, because: game.because && "it was requested" }));
  assertEquals(again, { ...resolved, path: `${root.path}/second.toml`, games });
});
