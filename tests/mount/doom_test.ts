import { storedPng } from "../../media/pictures/png_writer.ts";
import { dmx, instruments, mus, patch } from "../media/convert/samples.ts";
import { testPalette } from "../media/handmade.ts";
import { type Plain, readGlb } from "../media/convert/gltf.ts";
import { composedTextures, patchNames, roomMap } from "../media/handmade_doom.ts";
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

Deno.test("below .as lumps have the names of what their content is, and everything there can be read", async () => {
  await using here = await workspace();
  const lumps = [
    ...([["PLAYPAL", testPalette()], ["TITLEPIC", patch()], ["DSPISTOL", dmx(...new Array(64).fill(128))]] as const),
    ...([["D_RUNNIN", mus(Uint8Array.of(0x60))], ["DEHACKED", "Patch File for DeHackEd"], [
      "GENMIDI",
      instruments(),
    ]] as const),
    ...([["P_START", ""], ["PIC", storedPng({ width: 1, height: 1, rgba: new Uint8Array(4) })], [
      "P_END",
      "",
    ]] as const),
    ...([["S_START", ""], ["TROOA1", patch()], ["TROOB1", "no picture"], ["S_END", ""]] as const),
    ...([["F_START", ""], ["F1_START", ""], ["FLOOR", new Uint8Array(4096)], ["F1_END", ""], ["F_END", ""]] as const),
  ] as const;
  const wallOf = (name: string, patch: string) =>
    [["PNAMES", patchNames([patch])], ["TEXTURE1", composedTextures([[name, [0]]])]] as const;
  await writeFiles(here.path, {
    "doom2.wad": wad([...lumps, ...wallOf("OLD", "TROOA1"), ...roomMap("MAP01", ["FLOOR", "F_SKY1", "OLD"])]),
    "mod.wad": wad([...wallOf("NEW", "TITLEPIC"), ...roomMap("MAP02", ["FLOOR", "F_SKY1", "NEW"])]),
  });
  const parameters = ["--profile", "gzdoom", "--iwad", `${here.path}/doom2.wad`, "--show-as"];
  await here.foreground("mount", ...parameters, `${here.path}/mod.wad`, here.mountPoint);
  const [game = ""] = (await output("ls", `${here.mountPoint}/.as`)).trim().split("\n");
  const [view = ""] = (await output("ls", `${here.mountPoint}/.as/${game}`)).trim().split("\n");
  const root = `${here.mountPoint}/.as/${game}/${view}`;
  const ls = async (directory: string) => (await output("ls", `${root}/${directory}`)).trim().split("\n");
  const plain = ["DEHACKED", "DSPISTOL.wav", "D_RUNNIN.mid", "GENMIDI.txt"];
  const named = (await ls("")).filter((name) => plain.includes(name) || /^(PLAYPAL|TITLEPIC|PIC)/.test(name));
  assertEquals(named.sort(), [...plain, "PIC.png", "PLAYPAL.png", "TITLEPIC.png"].sort());
  assertEquals((await ls("")).filter((name) => name.startsWith("MAP")), ["MAP01.glb", "MAP02.glb"]);
  // GZDoom adds the textures of a WAD to the game's textures.
  for (const [map, wall] of [["MAP01", "OLD"], ["MAP02", "NEW"]]) {
    // deno-lint-ignore no-await-in-loop -- two small files
    const { json } = readGlb(await Deno.readFile(`${root}/${map}.glb`));
    assertEquals(json.materials.map(({ name, extras }: Plain) => [name, extras]), [
      ["FLOOR", undefined],
      [wall, undefined],
    ]);
  }
  assertEquals((await ls("maps/MAP01")).filter((name) => name.startsWith("LINEDEFS")), ["LINEDEFS.svg"]);
  assertEquals((await ls("sprites")).filter((name) => name.startsWith("TROO")), ["TROOA1.png", "TROOB1"]);
  assertEquals((await ls("flats")).filter((name) => !name.endsWith("_END") && !name.endsWith("_START")), ["FLOOR.png"]);
  const read = await run("find", [root, "-type", "f", "-exec", "cat", "{}", ";"]);
  assertEquals([read.code, read.stderr], [0, ""]);
});
