/** Real engines load the demo's maps. */
import { assertStringIncludes } from "@std/assert";
import { writeDemoInstallation } from "../../../daemon/demo/installation.ts";
import { debianLibraries, debianPackage } from "../../support/debian_data.ts";
import { needs } from "../../support/programs.ts";
import { temporaryDirectory } from "../../support/temporary.ts";

/** Runs an engine with a home of its own; returns its output. */
async function printed(program: string, root: string, args: readonly string[], libraries: readonly string[] = []) {
  const { stdout, stderr } = await new Deno.Command("timeout", {
    args: ["-k", "1", "600", program, ...args],
    env: { HOME: `${root}/home`, LD_LIBRARY_PATH: libraries.join(":") },
    stdin: "null",
  }).output();
  return [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes)).join("");
}

Deno.test("DarkPlaces reads the demo's map of Quake", needs("debian:darkplaces-server"), async () => {
  await using root = await temporaryDirectory();
  await writeDemoInstallation(root.path);
  const engine = `${await debianPackage("darkplaces-server")}/usr/games/darkplaces-server`;
  const args = ["-basedir", `${root.path}/quake`, "-userdir", `${root.path}/home`, "-port", "0", "+developer", "1"];
  // Without a program of the game it ends when it has read the map.
  const output = await printed(engine, root.path, [...args, "+map", "lamphall", "+quit"], [
    ...await debianLibraries("darkplaces-server"),
  ]);
  assertStringIncludes(output, `Stats for q1bsp model "maps/lamphall.bsp": 46 faces, 46 nodes, 8 leafs`);
});

Deno.test({
  name: "ioquake3 starts the demo's maps of Quake III, with the game of OpenArena",
  ...needs("debian:ioquake3-server", "debian:openarena-server"),
  fn: async () => {
    await using root = await temporaryDirectory();
    await writeDemoInstallation(root.path);
    // In a directory called baseq3 the engine requires id's own packs.
    await Deno.rename(`${root.path}/quake3/baseq3`, `${root.path}/quake3/hall`);
    const game = `${await debianPackage("openarena-server")}/usr/lib/openarena-server/baseoa`;
    for await (const { name } of Deno.readDir(game)) {
      if (name.startsWith("qagame")) await Deno.copyFile(`${game}/${name}`, `${root.path}/quake3/hall/${name}`);
    }
    const values = {
      ...{ fs_basepath: `${root.path}/quake3`, fs_homepath: `${root.path}/home`, fs_game: "nightfall", vm_game: "0" },
      ...{ com_standalone: "1", com_basegame: "hall", dedicated: "1", net_enabled: "0" },
    };
    const settings = Object.entries(values).flatMap(([name, value]) => ["+set", name, value]);
    const engine = `${await debianPackage("ioquake3-server")}/usr/lib/ioquake3/ioq3ded`;
    const maps = ["arena1", "night1"].flatMap((map) => ["+map", map, "+status"]);
    const output = await printed(engine, root.path, [...settings, ...maps, "+quit"]);
    // The engine prints the name of a running map.
    assertStringIncludes(output, "\nmap: arena1\n");
    assertStringIncludes(output, "\nmap: night1\n");
  },
});
