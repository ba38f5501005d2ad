import { assertEquals, assertStringIncludes } from "@std/assert";
import { wad, zip } from "../formats/bytes.ts";
import { writeFiles } from "../index/fixtures.ts";
import { output, run, until, workspace } from "./mounting.ts";

const iwad = wad([
  ["MAP01", ""],
  ["THINGS", "things of doom2"],
  ["TITLEPIC", "title of doom2"],
  ["S_START", ""],
  ["TROOA1", "imp of doom2"],
  ["S_END", ""],
], "IWAD");
const map = wad([["MAP01", ""], ["THINGS", "things of the WAD in mod.pk3"], ["BEHAVIOR", "scripts"]]);
const mod = zip([
  { name: "map01.wad", content: map, method: 8 },
  { name: "graphics/titlepic.png", content: "title of mod.pk3" },
  { name: "zscript.txt", content: "version" },
  { name: "filter/doom.id.doom2/zscript.txt", content: "version for Doom II" },
]);

Deno.test("an IWAD with files is mounted by namespaces, read as the engine reads it, and refreshed", async () => {
  await using here = await workspace("events");
  await writeFiles(here.path, {
    "doom2.wad": iwad,
    "mod.pk3": mod,
    "patch.wad": wad([["TITLEPIC", "title of patch"]]),
  });
  const [doom2 = "", pk3 = "", patch = ""] = ["doom2.wad", "mod.pk3", "patch.wad"].map((name) =>
    `${here.path}/${name}`
  );
  await here.mount("--profile", "gzdoom", "--iwad", doom2, "--view", "doom2", pk3, patch);
  const ls = async (path: string) => (await output("ls", `${here.mountPoint}/${path}`)).trim().split("\n");
  const cat = (path: string) => output("cat", `${here.mountPoint}/${path}`);
  assertEquals(await ls(""), [
    ...["MAP01", "S_END", "S_START", "TITLEPIC", "ZSCRIPT"],
    ...["graphics", "maps", "sprites", "zscript.txt"],
  ]);
  assertEquals(await ls("graphics"), ["TITLEPIC", "titlepic.png"]);
  assertEquals(await ls("maps/MAP01"), ["BEHAVIOR", "THINGS"]);
  assertEquals(await cat("maps/MAP01/THINGS"), "things of the WAD in mod.pk3");
  assertEquals(await cat("sprites/TROOA1"), "imp of doom2");
  assertEquals(await cat("zscript.txt"), "version for Doom II");
  assertEquals([await cat("TITLEPIC"), await cat("graphics/TITLEPIC")], ["title of patch", "title of patch"]);
  assertEquals(await cat("graphics/titlepic.png"), "title of mod.pk3");
  const which = await here.pakfs("which", "TITLEPIC", "--json");
  const { candidates } = JSON.parse(which.stdout);
  assertEquals(candidates.map(({ because }: { because: string | null }) => because), [
    null,
    "patch.wad is loaded after doom2.wad, and the file that is loaded last wins.",
  ]);
  await Deno.rename(patch, `${patch}.old`);
  await writeFiles(here.path, { "patch.wad": wad([["OTHER", ""], ["TITLEPIC", "another title of patch"]]) });
  // Until the index follows, a file that was replaced cannot be read.
  const shown = async () => (await run("cat", [`${here.mountPoint}/TITLEPIC`])).stdout;
  await until("the new file is shown", async () => await shown() === "another title of patch");
  assertEquals((await here.status()).problems, []);
});

Deno.test("a configuration names an IWAD and files, by paths relative to its directory", async () => {
  await using here = await workspace();
  await writeFiles(here.path, {
    "games/doom2.wad": iwad,
    "games/a.wad": wad([["TITLEPIC", "title of a"]]),
    "games/b.wad": wad([["TITLEPIC", "title of b"]]),
    "games/config.toml": `[[game]]\nname = "vanilla"\nprofile = "chocolate"\niwad = "doom2.wad"\n` +
      `files = ["-file", "a.wad", "-merge", "b.wad"]\n`,
  });
  const config = `${here.path}/games/config.toml`;
  const shown = await here.pakfs("config", "--config", config);
  assertStringIncludes(
    shown.stdout,
    `iwad = "${here.path}/games/doom2.wad"\nfiles = [\n  "-file",\n  "${here.path}/games/a.wad",\n`,
  );
  const { finished } = await here.foreground("daemon", "--config", config, "--no-mount");
  assertEquals((await here.pakfs("cat", "TITLEPIC")).stdout, "title of a");
  await here.stop();
  assertEquals((await finished).code, 0);
});
