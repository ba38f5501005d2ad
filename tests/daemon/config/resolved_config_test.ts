// deno-lint-ignore-file no-await-in-loop -- one configuration after the other
/** Compares the settings in effect of random configurations with the written ones, also after printing and parsing. */
import { assert, assertEquals, assertThrows } from "@std/assert";
import { ConfigError, parseConfig } from "../../../daemon/config/config_file.ts";
import { gameSettings } from "../../../daemon/config/config_settings.ts";
import { MountOptionError, parseMountOptions } from "../../../mount/shared/mount_options.ts";
import { configPath, defaultIndexCache } from "../../../daemon/config/paths.ts";
import { configAt } from "../../../daemon/config/resolved_config.ts";
import { installation, zipOf } from "../../index/fixtures.ts";
import { numbersFrom, seed } from "../../support/chance.ts";
import { environment } from "../../support/environment.ts";

Deno.test("what is written takes effect, all else is the default, and what is printed has the same effect", async () => {
  await using root = await installation({
    "q3/baseoa/pak0.pk3": zipOf("a"),
    "q3/mod/a.pk3": zipOf("b"),
    "odd \"name\" 'x'/id1/a.txt": "x",
  });
  const { path } = root;
  const chance = numbersFrom(seed);
  const some = <Value>(...values: readonly Value[]): Value | undefined => values[chance(values.length + 1)];
  const counted = { problems: 0, games: 0 };
  for (let round = 0; round < 120; round++) {
    const top = {
      mount: some("mnt", "a \"b\" 'c'", "ü\\n"),
      socket: some("s", "run/s"),
      cache: some("1M", "300K"),
      watch: some(true, false),
      options: some([], ["noexec"], ["allow_root", "umask=077"]),
      hung: some("wait", "error"),
      hungAfter: some(1, 77),
      showPacks: some(true, false),
      showAs: some(true, false),
    };
    const games = Array.from({ length: chance(4) }, (_, index) => ({
      name: `game ${index}`,
      profile: some("ioquake3", "quake"),
      sources: [some("q3", "odd \"name\" 'x'", "gone") ?? "q3"],
      base: some("baseoa", "id1"),
      mods: some([], ["mod"], ["mod", "b'\""]),
      pure: some(["pak0"], ["pak0", "b"]),
      with: some(["a"]),
      nested: some(true, false),
      followSymlinks: some(true, false),
      strict: some(true, false),
      names: some([], ["a.txt", 'b "c".txt']),
      hash: some("crc32", "fnv1a+lower"),
    }));
    const line = ([key, value]: [string, unknown]) => value === undefined ? "" : `${key} = ${JSON.stringify(value)}\n`;
    const text = [
      ...Object.entries(top).map(line),
      ...games.flatMap((game) => ["[[game]]\n", ...Object.entries(game).map(line)]),
    ].join("");
    await Deno.writeTextFile(`${path}/config.toml`, text);
    const { resolved, toml } = await configAt(`${path}/config.toml`, () => false);
    const about = `round ${round}, PAKFS_SEED=${seed}\n${text}\n${toml}`;
    const { mount, socket, cache, watch, options, hung, hungAfter, showPacks, showAs, exists } = resolved;
    assertEquals({ mount, cache, watch, options, hung, hungAfter, showPacks, showAs, exists }, {
      mount: top.mount === undefined ? null : `${path}/${top.mount}`,
      cache: top.cache === undefined ? 8 * 2 ** 20 : top.cache === "1M" ? 2 ** 20 : 300 * 2 ** 10,
      watch: top.watch ?? true,
      options: top.options ?? [],
      hung: top.hung ?? "wait",
      hungAfter: top.hungAfter ?? 10,
      showPacks: top.showPacks ?? false,
      showAs: top.showAs ?? false,
      exists: true,
    }, about);
    if (top.socket !== undefined) assertEquals(socket, `${path}/${top.socket}`, about);
    assertEquals(resolved.games.length, games.length);
    for (const [index, game] of games.entries()) {
      const shown = resolved.games[index];
      assert(shown, about);
      counted.games++;
      const { name, sources, mods = null, pure = null, with: words = null } = game;
      assertEquals([shown.name, shown.sources, shown.mods, shown.pure, shown.with], [
        name,
        sources.map((source) => `${path}/${source}`),
        mods,
        pure,
        words,
      ], about);
      const { nested = false, followSymlinks = false, strict = false, names, hash = null } = game;
      const seen = [shown.nested, shown.followSymlinks, shown.strict, shown.names, shown.hash];
      assertEquals(
        seen,
        [nested, followSymlinks, strict, names?.map((file) => `${path}/${file}`) ?? null, hash],
        about,
      );
      assertEquals([shown.iwad, shown.files, shown.autoload], [null, null, null]);
      for (const key of Object.keys(gameSettings)) assert(key in shown, `${key} is printed`);
      if (game.profile !== undefined) assertEquals(shown.profile, game.profile, about);
      if (game.base !== undefined) assertEquals(shown.base, game.base, about);
      assertEquals(shown.problem !== null && sources[0] === "gone", sources[0] === "gone", about);
      if (shown.problem === null) continue;
      counted.problems++;
      assert(toml.includes(`# problem: `), about);
    }
    await Deno.writeTextFile(`${path}/again.toml`, toml);
    const again = (await configAt(`${path}/again.toml`, () => false)).resolved;
    const plain = ({ games, ...others }: typeof resolved) => ({
      ...others,
      path: "",
      games: games.map((game) => ({ ...game, because: "" })),
    });
    assertEquals(plain(again), plain(resolved), about);
  }
  for (const [kind, count] of Object.entries(counted)) assert(count > 20, `${count} ${kind}`);
});

Deno.test("of a game with an IWAD files are named from the configuration's directory, switches are as they are", () => {
  const chance = numbersFrom(seed);
  const words = ["-file", "a.wad", "../b.wad", "/c.wad", "-deh", "sub/-d.deh"];
  const expected = ["-file", "/etc/games/a.wad", "/etc/b.wad", "/c.wad", "-deh", "/etc/games/sub/-d.deh"];
  for (let round = 0; round < 100; round++) {
    const chosen = Array.from({ length: chance(6) }, () => chance(words.length));
    const hasFiles = chance(4) > 0;
    const files = hasFiles ? `files = ${JSON.stringify(chosen.map((index) => words[index]))}\n` : "";
    const autoload = chance(2) === 0 ? 'autoload = "auto"\n' : "";
    const text = `[[game]]\niwad = "doom.wad"\n${files}${autoload}`;
    const [game] = parseConfig(text, "/etc/games/config.toml").games;
    assertEquals(game?.iwad, "/etc/games/doom.wad");
    assertEquals(game?.files, hasFiles ? chosen.map((index) => expected[index] ?? "") : undefined, text);
    assertEquals(game?.autoload, autoload === "" ? undefined : "/etc/games/auto");
  }
  for (const sources of ["", 'sources = ["x"]\niwad = "y"\n']) {
    assertThrows(() => parseConfig(`[[game]]\n${sources}`, "/c"), ConfigError);
  }
});

Deno.test("options of a mount reach libfuse in their order, except the umask and options that every mount has", () => {
  const chance = numbersFrom(seed);
  const options = ["ro", "", "allow_other", "umask=077", "umask=0", "noexec", "umask=222", "max_read=9", "row", "o"];
  for (let round = 0; round < 500; round++) {
    const chosen = Array.from({ length: chance(5) }, () => options[chance(options.length)] ?? "");
    const masks = chosen.filter((option) => option.startsWith("umask="));
    assertEquals(parseMountOptions(chosen), {
      umask: Number.parseInt(masks.at(-1)?.slice(6) ?? "222", 8),
      libfuse: chosen.filter((option) => !["ro", ""].includes(option) && !option.startsWith("umask=")),
    }, chosen.join());
    for (const wrong of ["rw", "umask=", "umask=8", "umask=01777", "umask=0x7"]) {
      assertThrows(() => parseMountOptions([...chosen, wrong]), MountOptionError, wrong);
    }
  }
});

Deno.test("files of a user are where the variables say, empty ones being as good as none", () => {
  const values = [undefined, "", "/a", "/b c"];
  for (let round = 0; round < 4 ** 4; round++) {
    const [own, base, home, option] = [0, 1, 2, 3].map((digit) => values[Math.floor(round / 4 ** digit) % 4]);
    const ownOrOff = own === "/b c" ? "off" : own;
    using _ = environment({
      PAKFS_CONFIG: own,
      PAKFS_INDEX_CACHE: ownOrOff,
      XDG_CONFIG_HOME: base,
      XDG_CACHE_HOME: base,
      HOME: home,
    });
    const directory = base || `${home === "" ? "" : home ?? ""}${home === "" ? "" : "/"}.config`;
    const shown = configPath(option);
    assertEquals(shown, option ?? (own || `${directory}/pakfs/config.toml`), JSON.stringify([own, base, home, option]));
    const caches = base ? `${base}/pakfs/index` : home ? `${home}/.cache/pakfs/index` : undefined;
    assertEquals(defaultIndexCache()?.directory, ownOrOff === "off" ? undefined : ownOrOff || caches);
  }
});
