// deno-lint-ignore-file no-await-in-loop -- one after the other, to see which one fails
/** Results of `mount` for directories other than one game's base directory. */
import { assertEquals, assertRejects } from "@std/assert";
import { findMountSources } from "../../daemon/mount_sources.ts";
import { GameError } from "../../games/game_error.ts";
import { pak, zip } from "../formats/bytes.ts";
import { writeFiles } from "../index/fixtures.ts";
import { temporaryDirectory } from "../support/temporary.ts";
import { output, withoutChoice, workspace } from "./mounting.ts";

const files = {
  "games/quake/id1/pak0.pak": pak([["a.txt", "a"]]),
  "games/quake/hipnotic/pak0.pak": pak([["b.txt", "b"]]),
  "games/quake/docs/readme.txt": "no mod",
  "games/deep/er/q3/baseq3/pak0.pk3": zip([{ name: "c.txt", content: "c" }]),
  "home/.q3a/baseq3/extra.pk3": zip([{ name: "d.txt", content: "d" }]),
  "home/mods/mymod/autoexec.cfg": "",
  "packs/one.pak": pak([["e.txt", "e"]]),
  "plain/notes.txt": "text",
  "empty/": "",
};

Deno.test("sources become the games that they hold, and each that means another is reported", async () => {
  await using root = await temporaryDirectory();
  await writeFiles(root.path, files);
  const at = (path: string) => `${root.path}/${path}`;
  const surroundings = { home: at("nobody"), root: at("none"), variable: () => undefined };
  const found = async (...sources: string[]) => {
    const { games, notes } = await findMountSources(sources.map(at), () => false, surroundings);
    return {
      games: games.map(({ roots }) => roots.map((path) => path.replace(`${root.path}/`, ""))),
      notes: notes.length,
    };
  };
  const [quake, q3, home] = ["games/quake", "games/deep/er/q3", "home/.q3a"];
  const cases: [sources: string[], games: string[][], notes: number][] = [
    [[quake], [[quake]], 0],
    [["games/quake/id1"], [[quake]], 1],
    [["games/quake/hipnotic"], [[quake]], 1],
    [["games/quake/id1", quake], [[quake]], 1],
    [["games"], [[quake], [q3]], 2],
    [[quake, q3], [[quake], [q3]], 1],
    [[home, q3], [[home, q3]], 0],
    [["home/mods", q3], [["home/mods", q3]], 0],
    [["packs"], [["packs"]], 0],
    [["packs/one.pak"], [["packs/one.pak"]], 0],
  ];
  for (const [sources, games, notes] of cases) assertEquals(await found(...sources), { games, notes }, sources.join());
  const refusals: [sources: string[], message: string][] = [
    [["nowhere"], "does not exist; name a game's directory or an archive"],
    [["empty"], "is empty; looked for game directories such as id1, baseq2 and baseq3"],
    [["plain"], "has no game; looked for game directories such as id1"],
    [["games/quake/docs"], "or mount plain files with --profile generic"],
    [["packs", quake, q3], "could belong to any of 2 games;"],
  ];
  for (const [sources, message] of refusals) await assertRejects(() => found(...sources), GameError, message);
  const apart = await findMountSources(
    [at("games")],
    (path) => path.startsWith(at("games/deep")),
    surroundings,
  );
  assertEquals([apart.games, apart.notes.length], [[{ roots: [at(quake)] }], 2], "nor is one below a directory");
  const remote = await findMountSources([at("empty")], () => true, surroundings);
  assertEquals(
    remote,
    { games: [{ roots: [at("empty")] }], notes: [] },
    "a file system that may hang is not looked into",
  );
});

Deno.test("mount shows the games of a parent directory, and corrects a game directory to its game", async () => {
  await using here = await workspace();
  await writeFiles(here.path, files);
  const path = (name: string) => `${here.path}/${name}`;
  const mounted = async (...parameters: string[]) => {
    const { code, stdout, stderr } = await here.pakfs("mount", ...parameters, here.mountPoint);
    assertEquals([code, stdout], [0, ""], stderr);
    const games = await output("ls", here.mountPoint);
    await here.status();
    await here.stop();
    return [games, withoutChoice(stderr).replaceAll(here.path, "ROOT")];
  };
  const [games, quake, q3] = ["ROOT/games", "ROOT/games/quake", "ROOT/games/deep/er/q3"];
  assertEquals(await mounted(path("games")), [
    "q3\nquake\n",
    `${games} is not a game; mounting the games below it\n2 games: ${quake}, ${q3}\n`,
  ]);
  assertEquals(await mounted(path("games/quake/id1")), [
    "quake\n",
    `${quake}/id1 is a game directory of ${quake}; mounting ${quake}, with all its game directories\n`,
  ]);
  assertEquals(await mounted(path("games/quake"), path("games/deep/er/q3")), [
    "q3\nquake\n",
    `2 games: ${quake}, ${q3}\n`,
  ]);
  assertEquals(await mounted("--profile", "generic", path("plain")), ["plain\n", ""]);
  const refused = await here.pakfs("mount", path("empty"), here.mountPoint);
  assertEquals([refused.code, refused.stdout], [1, ""]);
  const several = await here.pakfs("mount", "--game", "one", path("games"), here.mountPoint);
  assertEquals(several.code, 2, several.stderr);
});

Deno.test("mount prints one JSON object with --json, and nothing with --quiet", async () => {
  await using here = await workspace();
  await writeFiles(here.path, files);
  const source = `${here.path}/games/quake`;
  const { code, stdout, stderr } = await here.pakfs("mount", "--json", source, here.mountPoint);
  const { pid, socket, ...row } = JSON.parse(stdout);
  assertEquals([code, stderr, socket, pid], [0, "", here.socket, (await here.status()).pid]);
  assertEquals(row, { mount: here.mountPoint, rootView: null, games: ["quake"], views: 3, packs: 2, files: 5 });
  await Deno.mkdir(`${here.path}/b`);
  const joined = await here.pakfs("mount", "--json", "--game", "two", source, `${here.path}/b`);
  assertEquals(JSON.parse(joined.stdout).games, ["two"]);
  assertEquals((await here.pakfs("unmount", `${here.path}/b`)).code, 0);
  const quiet = await here.pakfs("mount", "-q", source, `${here.path}/b`);
  assertEquals([quiet.code, quiet.stdout, quiet.stderr], [0, "", ""]);
  await here.stop();
});

Deno.test("detect, init, mount and --source choose one engine, with its directories in the home", async () => {
  await using here = await workspace();
  const game = (name: string, files: Record<string, string | Uint8Array> = {}) =>
    Object.fromEntries(
      Object.entries({ "id1/pak0.pak": pak([["a.txt", "a"]]), ...files })
        .map(([path, content]) => [`${name}/${path}`, content]),
    );
  await writeFiles(here.path, {
    ...game("plain"),
    ...game("own", { "quakespasm.pak": pak([["b.txt", "b"]]) }),
    ...game("pk3", { "id1/more.pk3": zip([{ name: "c.txt", content: "c" }]) }),
    "q3/baseq3/pak0.pk3": zip([{ name: "d.txt", content: "d" }]),
    "home/.ironwail/mymod/autoexec.cfg": "",
    "home/.q3a/baseq3/mine.pk3": zip([{ name: "f.txt", content: "f" }]),
    "system/share/games/quake3/baseq3/pak0.pk3": zip([{ name: "e.txt", content: "e" }]),
  });
  const path = (name: string) => `${here.path}/${name}`;
  const json = async (...parameters: string[]): Promise<Record<string, unknown>> => {
    const { code, stdout, stderr } = await here.pakfs(...parameters, "--json");
    assertEquals(code, 0, stderr);
    return JSON.parse(stdout.split("\n")[0] ?? "");
  };
  const cases: [source: string, profile: string, roots: string[]][] = [
    ["plain", "ironwail", ["home/.ironwail", "plain"]],
    ["own", "quakespasm", ["own"]],
    ["pk3", "darkplaces", ["pk3"]],
    ["q3", "ioquake3", ["home/.q3a", "q3"]],
    ["home/.q3a", "ioquake3", ["home/.q3a", "system/share/games/quake3"]],
  ];
  for (const [source, profile, roots] of cases) {
    const expected = { profile, roots: roots.map(path) };
    const { sources, ...detected } = await json("detect", path(source));
    const rootPaths = (sources as { path: string }[]).map((root) => root.path);
    assertEquals({ profile: detected.profile, roots: rootPaths }, expected, `detect ${source}`);
    const { text } = await json("init", "--dry-run", path(source));
    const [, list = ""] = /^sources = (\[.*?\])$/ms.exec(String(text)) ?? [];
    const configured = Array.from(list.matchAll(/"(.*?)"/g), ([, root = ""]) => root.replace("~", path("home")));
    assertEquals(configured, expected.roots, `init ${source}`);
    assertEquals(/^profile = "(.*)"$/m.exec(String(text))?.[1], profile, `init ${source}`);
    const asked = await json("games", "--source", path(source));
    assertEquals({ profile: asked.profile, roots: asked.sources }, expected, `--source ${source}`);
    await here.mount(path(source));
    const mounted = await json("games");
    assertEquals({ profile: mounted.profile, roots: mounted.sources }, expected, `mount ${source}`);
    assertEquals(mounted.game, asked.game);
    assertEquals(mounted.game, roots.at(-1)?.split("/").at(-1), "an engine's directory gives no name");
    await here.stop();
  }
  // Several roots all belong to the game; an engine's directory among them selects the engine as if detected.
  await here.mount(path("home/.ironwail"), path("plain"));
  const typed = await json("games");
  assertEquals([typed.profile, typed.sources], ["ironwail", [path("home/.ironwail"), path("plain")]]);
});
