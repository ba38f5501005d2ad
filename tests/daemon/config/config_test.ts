import { assertEquals, assertMatch, assertRejects, assertThrows } from "@std/assert";
import { ConfigError, parseConfig, readConfig } from "../../../daemon/config/config_file.ts";
import { configPath } from "../../../daemon/config/paths.ts";
import { joinOptions, mountRequest } from "../../../daemon/lifecycle/mount_request.ts";
import { parseSize } from "../../../system/command_line/sizes.ts";
import { environment } from "../../support/environment.ts";
import { temporaryDirectory } from "../../support/temporary.ts";

const path = "/etc/games/config.toml";

Deno.test("a good configuration is understood whole", () => {
  const home = Deno.env.get("HOME") ?? "/";
  const config = parseConfig(
    `
# Where and how
mount = "~/games"
socket = "run/pakfs.sock"
cache = "1.5G"

[[game]]
name = "quake"
profile = "quakespasm"
sources = ["~/.quakespasm", "/usr/share/games/quake", "../quake"]
base = "id1"
mods = ["hipnotic", "rogue"]
names = ["~/names.txt", "more.txt"]
hash = "fnv1a+lower"
strict = true

[[game]]
sources = ["oa"]
nested = true
`,
    path,
  );
  assertEquals(config, {
    mount: `${home}/games`,
    socket: "/etc/games/run/pakfs.sock",
    cache: 1.5 * 2 ** 30,
    profiles: [],
    games: [
      {
        name: "quake",
        profile: "quakespasm",
        sources: [`${home}/.quakespasm`, "/usr/share/games/quake", "/etc/quake"],
        base: "id1",
        mods: ["hipnotic", "rogue"],
        names: [`${home}/names.txt`, "/etc/games/more.txt"],
        hash: "fnv1a+lower",
        strict: true,
      },
      { sources: ["/etc/games/oa"], nested: true },
    ],
  });
});

Deno.test("a running daemon that is asked to serve a configuration understands it as its own daemon would", () => {
  const { games, hung = "wait", hungAfter = 0 } = parseConfig(
    `
hung = "error"
hungAfter = 30

[[profile]]
name = "ours"
extends = "darkplaces"
programs = ["ours"]

[[profile]]
name = "mine"
extends = "ours"
programs = []

[[game]]
name = "quake"
sources = ["quake"]
base = "id1"
with = ["a"]
mods = ["hipnotic"]
nested = true
pure = ["pak0"]
names = ["names.txt"]
hash = "crc32"
followSymlinks = true
strict = true

[[game]]
profile = "mine"
sources = ["other"]

[[game]]
profile = "gzdoom"
iwad = "doom2.wad"
files = ["a.wad", "-merge", "b.wad"]
autoload = "gzdoom.ini"
`,
    path,
  );
  const asked = {
    games,
    mountPoint: "/mnt",
    layout: { view: null, showPacks: false, showAs: false },
    mountOptions: { umask: 0o222, libfuse: ["allow_other"] },
    hung: { mode: hung, timeout: hungAfter * 1000 },
  };
  const request = mountRequest({
    ...asked,
    awaitsSources: true,
    config: path,
    cacheBytes: 0,
    keepsIndex: false,
    watchMode: "events",
    quiet: true,
    logFormat: "text",
    announcement: "nothing",
    debugsFuse: false,
  });
  assertEquals(joinOptions(JSON.parse(JSON.stringify(request))), asked);
});

Deno.test("an empty configuration has no games", () => {
  assertEquals(parseConfig("", path), { games: [], profiles: [] });
  assertEquals(parseConfig("# nothing\n", path), { games: [], profiles: [] });
});

Deno.test("what is wrong with a configuration is said with its line", () => {
  const wrong: [text: string, message: string][] = [
    ['mont = "x"', "line 1: unknown key mont; did you mean mount?"],
    [
      "\n\nxyzzy = 1\n",
      "line 3: unknown key xyzzy; known: mount, socket, cache, watch, options, showPacks, showAs, hung, hungAfter, game, profile",
    ],
    ['[[game]]\nsources = ["x"]\nprofil = "quake"', "line 3: unknown key game.profil; did you mean profile?"],
    ["[[games]]\n", "line 1: unknown key games; did you mean game?"],
    ["mount = 5", 'line 1: "mount" must be a string in quotes'],
    ["\nsocket = []", 'line 2: "socket" must be a string in quotes'],
    ["cache = 64", 'line 1: "cache" must be a string in quotes'],
    ['cache = "much"', 'line 1: "much" is not a size like 64M'],
    ['cache = "-1M"', 'line 1: "-1M" is not a size like 64M'],
    ["[game]\nsources = []", "line 1: games are written as tables: [[game]]"],
    ["game = [1]", "line 1: games are written as tables: [[game]]"],
    ['[[game]]\nname = "x"', "line 1: a game needs sources: its directories, the highest first; or an iwad"],
    ["[[game]]\nsources = []", "line 1: a game needs sources: its directories, the highest first; or an iwad"],
    ['[[game]]\nsources = "x"', 'line 2: "sources" must be a list of strings: ["...", "..."]'],
    ['[[game]]\nsources = ["x", 1]', 'line 2: "sources" must be a list of strings: ["...", "..."]'],
    ['[[game]]\nsources = ["x"]\nnested = "y"', 'line 3: "nested" must be true or false'],
    ['[[game]]\nsources = ["x"]\nstrict = "yes"', 'line 3: "strict" must be true or false'],
    ['[[game]]\nsources = ["x"]\nmods = "y"', 'line 3: "mods" must be a list of strings: ["...", "..."]'],
    ['[[game]]\nsources = ["x"]\nbase = 1', 'line 3: "base" must be a string in quotes'],
  ];
  for (const [text, message] of wrong) {
    assertEquals(assertThrows(() => parseConfig(text, path), ConfigError).message, `${path}, ${message}`);
  }
});

Deno.test("the line of a mistake is its own, not that of another game's key", () => {
  const text = '[[game]]\nsources = ["x"]\nname = "first"\n\n[[game]]\nsources = ["y"]\nname = 2\n';
  assertEquals(
    assertThrows(() => parseConfig(text, path), ConfigError).message,
    `${path}, line 7: "name" must be a string in quotes`,
  );
  const missing = '[[game]]\nsources = ["x"]\n\n[[game]]\nname = "y"\n';
  assertEquals(
    assertThrows(() => parseConfig(missing, path), ConfigError).message,
    `${path}, line 4: a game needs sources: its directories, the highest first; or an iwad`,
  );
});

Deno.test("broken TOML is reported with its line", () => {
  const error = assertThrows(() => parseConfig('mount = "x"\n\nsocket = \n', path), ConfigError);
  assertMatch(error.message, /^\/etc\/games\/config\.toml, line 3: /);
  assertEquals(error.message.includes("\n"), false);
});

Deno.test("a missing configuration is reported with an example", async () => {
  await using directory = await temporaryDirectory();
  const missing = `${directory.path}/config.toml`;
  const error = await assertRejects(() => readConfig(missing), ConfigError);
  assertEquals(
    error.message,
    `${missing} does not exist; create it with at least:\n\n  mount = "~/games"\n\n` +
      `  [[game]]\n  sources = ["/path/to/quake"]\n\n"pakfs init" finds your games and writes it.`,
  );
  await Deno.writeTextFile(missing, '[[game]]\nsources = ["quake"]\n');
  assertEquals(await readConfig(missing), { games: [{ sources: [`${directory.path}/quake`] }], profiles: [] });
  assertEquals(
    (await assertRejects(() => readConfig(directory.path), ConfigError)).message,
    `${directory.path}: not a regular file`,
  );
});

Deno.test("the configuration is where the option, PAKFS_CONFIG or XDG_CONFIG_HOME says", () => {
  const variables = { HOME: "/home/me", XDG_CONFIG_HOME: undefined, PAKFS_CONFIG: undefined };
  const path = (changed: Record<string, string>, option?: string) => {
    using _set = environment({ ...variables, ...changed });
    return configPath(option);
  };
  assertEquals(path({}), "/home/me/.config/pakfs/config.toml");
  assertEquals(path({ XDG_CONFIG_HOME: "/xdg" }), "/xdg/pakfs/config.toml");
  assertEquals(path({ XDG_CONFIG_HOME: "/xdg", PAKFS_CONFIG: "/mine.toml" }), "/mine.toml");
  assertEquals(path({ PAKFS_CONFIG: "/mine.toml" }, "given.toml"), "given.toml");
});

Deno.test("sizes as people write them", () => {
  const sizes: [string, number | undefined][] = [
    ["0", 0],
    ["4096", 4096],
    ["64M", 64 * 2 ** 20],
    ["64m", 64 * 2 ** 20],
    ["64MiB", 64 * 2 ** 20],
    ["64MB", 64 * 2 ** 20],
    [" 1.5 G ", 1.5 * 2 ** 30],
    ["2T", 2 * 2 ** 40],
    ["1e3", undefined],
    ["M", undefined],
    ["", undefined],
    ["1 2", undefined],
    ["99999999999999999999", undefined],
    ["9999999T", undefined],
  ];
  for (const [text, bytes] of sizes) assertEquals(parseSize(text), bytes, text);
});
