import { assertEquals } from "@std/assert";
import { none } from "../../index/columns/columns.ts";
import { candidates, type Files, installation, pakOf, scan } from "../index/fixtures.ts";
import { bothConnections } from "../support/both_connections.ts";

const files: Files = {
  "id1/pak0.pak": pakOf(
    "maps/a.bsp",
    "maps/b.bsp",
    "maps/c.bsp",
    "maps/a.lit",
    "maps/b.lit",
    "maps/c.ent",
    "maps/d.vis",
  ),
  "mod/pak0.pak": pakOf("maps/a.bsp", "maps/b.lit"),
  "mod/maps/c.ent": "",
  "other/pak0.pak": pakOf("maps/c.bsp"),
};

async function reasons(profile: string, view: string, qpath: string): Promise<[string, string | null][]> {
  await using root = await installation(files);
  const catalog = scan(root.path, { profile, name: "quake" });
  return candidates(root.path, catalog.view(`quake/${view}`), qpath).map(({ source, reason }) => [source, reason]);
}

const ignored = (map: string, from: string, directory: string) =>
  `${map} is loaded from ${from}, and QuakeSpasm ignores files next to a map that are from a lower game directory such ` +
  `as ${directory}`;

// Quake/gl_model.c: Mod_LoadLighting, Mod_LoadEntities, Mod_LoadVisibilityExternal
Deno.test("quakespasm: a .lit from a lower game directory than the map's is ignored", async () => {
  assertEquals(await reasons("quakespasm", "mod", "maps/a.lit"), [
    ["id1/pak0.pak", ignored("maps/a.bsp", "mod", "id1")],
  ]);
});

Deno.test("quakespasm: a file next to a map counts from the map's game directory and from higher ones", async () => {
  assertEquals(await reasons("quakespasm", "id1", "maps/a.lit"), [["id1/pak0.pak", null]]);
  assertEquals(await reasons("quakespasm", "mod", "maps/b.lit"), [["mod/pak0.pak", null], ["id1/pak0.pak", null]]);
  assertEquals(await reasons("quakespasm", "mod", "maps/c.ent"), [["mod", null], ["id1/pak0.pak", null]]);
});

Deno.test("quakespasm: in a stack all that are below the map are ignored, the one that would win too", async () => {
  assertEquals(await reasons("quakespasm", "mod+other", "maps/c.ent"), [
    ["mod", ignored("maps/c.bsp", "other", "mod")],
    ["id1/pak0.pak", ignored("maps/c.bsp", "other", "id1")],
  ]);
  assertEquals(await reasons("quakespasm", "other+mod", "maps/c.ent"), [
    ["mod", null],
    ["id1/pak0.pak", ignored("maps/c.bsp", "other", "id1")],
  ]);
});

Deno.test("quakespasm: without a map nothing is ignored", async () => {
  assertEquals(await reasons("quakespasm", "mod", "maps/d.vis"), [["id1/pak0.pak", null]]);
});

Deno.test("other engines take a file next to a map from anywhere", async () => {
  for (const profile of ["quake", "darkplaces"]) {
    // deno-lint-ignore no-await-in-loop -- one after the other, so that a failure names its profile
    assertEquals(await reasons(profile, "mod", "maps/a.lit"), [["id1/pak0.pak", null]], profile);
  }
});

Deno.test("shadowed lists what QuakeSpasm ignores, with the map and the reason that which gives", async () => {
  await using here = await bothConnections(
    files,
    (root) => [{ sources: [root], profile: "quakespasm", name: "quake" }],
  );
  const lost = async (view: string) => {
    const { rows } = await here.call("shadowed", { view, patterns: ["*.ent", "*.lit"] });
    return rows.map(({ source, member, winner, because }) => [source, member, winner.member, because]);
  };
  assertEquals(await lost("quake/mod"), [
    ["id1/pak0.pak", "maps/a.lit", "maps/a.bsp", `${ignored("maps/a.bsp", "mod", "id1")}.`],
    ["id1/pak0.pak", "maps/b.lit", "maps/b.lit", "mod is searched before id1."],
    ["id1/pak0.pak", "maps/c.ent", "maps/c.ent", "mod is searched before id1."],
  ]);
  assertEquals((await lost("quake/mod+other")).slice(2), [
    ["mod", "maps/c.ent", "maps/c.bsp", `${ignored("maps/c.bsp", "other", "mod")}.`],
    ["id1/pak0.pak", "maps/c.ent", "maps/c.bsp", `${ignored("maps/c.bsp", "other", "id1")}.`],
  ]);
});

Deno.test("what QuakeSpasm opens and ignores stays in the tree", async () => {
  await using root = await installation(files);
  const { tree } = scan(root.path, { profile: "quakespasm", name: "quake" }).view("quake/mod");
  assertEquals(tree.find("maps/a.lit") === none, false);
});
