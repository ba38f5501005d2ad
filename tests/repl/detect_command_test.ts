import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { quake } from "../../games/quake.ts";
import { type Files, installation, pakOf, zipOf } from "../index/fixtures.ts";
import { jsonRows } from "./harness.ts";

const root = new URL("../..", import.meta.url).pathname;

/** A home directory for commands run through the launcher with its permissions. */
async function home(files: Files) {
  const directory = await installation(files);
  const environment = {
    HOME: directory.path,
    PAKFS_SYSTEM_ROOT: directory.path,
    XDG_DATA_DIRS: "/share",
    XDG_CONFIG_HOME: `${directory.path}/config`,
    XDG_DATA_HOME: "",
    XDG_STATE_HOME: "",
    XDG_RUNTIME_DIR: `${directory.path}/run`,
    PAKFS_CONFIG: "",
    PAKFS_SOCKET: "",
    NO_COLOR: "1",
  };
  const run = async (...args: string[]) => {
    const options = { args, cwd: directory.path, env: environment, stdin: "null" as const };
    const { code, stdout, stderr } = await new Deno.Command(`${root}pakfs`, options).output();
    const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes).replaceAll(directory.path, "HOME");
    return { code, out: text(stdout), err: text(stderr) };
  };
  return { path: directory.path, run, [Symbol.asyncDispose]: () => directory[Symbol.asyncDispose]() };
}

const library = ".local/share/Steam/steamapps";

Deno.test("detect prints a report that a player understands", async () => {
  await using made = await home({
    "quake/id1/pak0.pak": pakOf("a"),
    "quake/id1/pak2.pak": pakOf("a"),
    "quake/hipnotic/pak0.pak": pakOf("a"),
    "quake/mymod/progs.dat": "",
    "quake/docs/readme.txt": "",
    ".darkplaces/id1/config.cfg": "",
  });
  const { code, out, err } = await made.run("detect", "quake");
  assertEquals({ code, err }, { code: 0, err: "" });
  const others = quake.engines.map(({ name }) => name).filter((name) => name !== "darkplaces");
  const alike = ["qss", "ftequake", "ezquake"];
  const differing = others.filter((name) => !alike.includes(name)).map((name) => `2 under ${name}`).join(", ");
  // The width of columns follows the length of the temporary directory's name.
  assertEquals(
    out.replaceAll(/(\S) {2,}/g, "$1  ").replaceAll(/^ {5,}(?=HOME|2 files|no file would|"pakfs which)/gm, "    "),
    `\
Quake  profile darkplaces
  because  HOME/quake/id1  is Quake's base game directory
    HOME/.darkplaces  is where DarkPlaces keeps its own files
  played by  darkplaces (chosen), ${others.join(", ")}
    ${
      differing.replace("2 under", "2 files would differ under")
    }: "pakfs diff --engine quake --source HOME/quake" lists them
    no file would differ under ${alike.join(", ")}
    "pakfs which FILE --all-engines --source HOME/quake" compares them
  searched  HOME/.darkplaces  DarkPlaces keeps its own files there
    HOME/quake  it was requested
  base game  id1  2 packs (pak0.pak, pak2.pak)
  edition  shareware  nothing that is loaded from id1 has gfx/pop.lmp
  mission packs  hipnotic  Scourge of Armagon, 1 pack (pak0.pak)
  mods  mymod  progs.dat
  not used  HOME/quake/docs  nothing in it makes it a mod: no pack, game code, map or settings

    [[game]]
    name = "quake"
    profile = "darkplaces"
    sources = [
      "HOME/.darkplaces",
      "HOME/quake",
    ]
    mods = ["hipnotic", "mymod"]

    pakfs mount --profile darkplaces --game quake HOME/.darkplaces HOME/quake MOUNTPOINT
`,
  );
});

Deno.test("games --installed and detect find what Steam, the system and the home have, without a daemon", async () => {
  await using made = await home({
    [`${library}/appmanifest_2200.acf`]: '"AppState" { "name" "Quake III Arena" "installdir" "Quake 3 Arena" }',
    [`${library}/common/Quake 3 Arena/baseq3/pak0.pk3`]: zipOf("a"),
    [`${library}/libraryfolders.vdf`]: '"libraryfolders" {',
    ".q3a/baseq3/mine.pk3": zipOf("a"),
    "share/games/openarena/baseoa/pak0.pk3": zipOf("a"),
  });
  const listed = await made.run("games", "--installed");
  assertEquals(listed.code, 0, listed.err);
  assertEquals(listed.out.split("\n").slice(0, 3).map((line) => line.replaceAll(/ +/g, " ")), [
    "GAME TITLE PROFILE MODS BASE SOURCES; OTHER ENGINES",
    `quake3 Quake III Arena ioquake3 0 baseq3 HOME/.q3a, HOME/${library}/common/Quake 3 Arena; quake3e, quake3, chomenor, spearmint`,
    "openarena OpenArena ioquake3 0 baseoa HOME/share/games/openarena; quake3e, chomenor",
  ]);
  assertStringIncludes(listed.err, `warning: HOME/${library}/libraryfolders.vdf: a "{" has no end`);
  const rows = jsonRows((await made.run("detect", "--json")).out) as { name: string; command: string }[];
  assertEquals(rows.slice(0, 2).map(({ name }) => name), ["quake3", "openarena"]);
  assertEquals(jsonRows((await made.run("games", "--installed", "--json")).out), rows);
});

Deno.test("detect says what it cannot look into", async () => {
  await using made = await home({});
  assertEquals(await made.run("detect", "gone"), {
    code: 1,
    out: "",
    err: "pakfs: gone does not exist; name a game's directory\n",
  });
});

Deno.test("profiles lists the engines and one's own, and prints one to be changed", async () => {
  await using made = await home({
    "config/pakfs/config.toml": '[[profile]]\nname = "mine"\nextends = "quakespasm"\ntitle = "My own"\n',
    "other.toml":
      (await Deno.readTextFile(`${root}docs/profiles.md`)).match(/```toml\n(\[\[profile\]\].*?)```/s)?.[1] ?? "",
  });
  const { code, out } = await made.run("profiles");
  const lines = out.split("\n").map((line) => line.replaceAll(/ {2,}/g, "|"));
  assertEquals([code, lines[0], lines.at(-2)], [
    0,
    "PROFILE|SOURCE|ENGINE",
    "mine|HOME/config/pakfs/config.toml|My own",
  ]);
  assert(lines.includes("ioquake3|pakfs|ioquake3, OpenArena and other games on it"));
  const printed = await made.run("profiles", "mine");
  assertEquals(printed.out.split("\n").slice(0, 2), ["[[profile]]", 'name = "mine"']);
  await Deno.writeTextFile(`${made.path}/config/pakfs/config.toml`, printed.out);
  assertEquals((await made.run("profiles", "mine")).out, printed.out);
  const [row] = jsonRows((await made.run("profiles", "strict", "--json", "--config", "other.toml")).out) as {
    name: string;
    rules: string[];
    source: string;
  }[];
  assertEquals([row?.name, row?.rules[3], row?.source], ["strict", "pack-over-loose", "other.toml"]);
  const wrong = await made.run("profiles", "mien");
  assertEquals([wrong.code, wrong.err], [1, "pakfs: unknown profile mien; did you mean mine?\n"]);
});

Deno.test("config prints what takes effect, and says what is wrong with a game", async () => {
  await using made = await home({
    "config/pakfs/config.toml": 'mount = "~/mnt"\n[[game]]\nsources = ["~/quake"]\n',
    "quake/id1/pak0.pak": pakOf("a"),
  });
  const { code, out, err } = await made.run("config");
  assertEquals({ code, err }, { code: 0, err: "" });
  assertEquals(
    out,
    `# HOME/config/pakfs/config.toml
mount = "HOME/mnt"
socket = "HOME/run/pakfs/pakfs.sock"
cache = "8388608"
watch = true
hung = "wait"
hungAfter = 10

[[game]]
name = "quake"
profile = "quake" # HOME/quake has id1
sources = ["HOME/quake"]
base = "id1"
`,
  );
  const [row] = jsonRows((await made.run("config", "--json")).out) as { exists: boolean; games: { base: string }[] }[];
  assertEquals([row?.exists, row?.games[0]?.base], [true, "id1"]);
  await Deno.writeTextFile(`${made.path}/bad.toml`, '[[game]]\nsources = ["gone"]\n');
  const bad = await made.run("config", "--config", "bad.toml");
  assertEquals(bad.code, 1);
  assertStringIncludes(bad.out, "# problem: HOME/gone cannot be read");
  await Deno.writeTextFile(`${made.path}/bad.toml`, "[[gam]]\n");
  assertEquals((await made.run("config", "--config", "bad.toml")).err.includes("did you mean game?"), true);
});

Deno.test("--profile takes a profile of the configuration", async () => {
  await using made = await home({
    "config/pakfs/config.toml": '[[profile]]\nname = "mine"\nextends = "ioquake3"\nbases = ["core"]\n',
    "game/core/pak0.pk3": zipOf("a"),
    "game/baseq3/pak0.pk3": zipOf("b"),
  });
  const views = await made.run("views", "--source", "game", "--profile", "mine", "--json");
  assertEquals(views.code, 0, views.err);
  assertEquals(
    (jsonRows(views.out) as { view: string; profile: string }[]).map(({ view, profile }) => [view, profile]),
    [
      ["game/core", "mine"],
      ["game/baseq3", "mine"],
    ],
  );
  const wrong = await made.run("views", "--source", "game", "--profile", "mien");
  assertEquals([wrong.code, wrong.err], [2, "pakfs: unknown profile mien; did you mean mine?\n"]);
});
