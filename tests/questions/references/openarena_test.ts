// deno-lint-ignore-file no-await-in-loop -- one map after the other, to see which one fails
/**
 * Maps of OpenArena: compares `needs` with an independent walk of the map's bytes, and release packs on a fresh
 * installation with the files that a real ioquake3 server opens.
 */
import { assert, assertEquals } from "@std/assert";
import { pages } from "../../../protocol/connection.ts";
import type { NeedRow } from "../../../protocol/rows.ts";
import { openLocal, openLocalGames } from "../../../service/local.ts";
import { output, string } from "../../formats/bytes.ts";
import { jsonRows, runLine } from "../../repl/harness.ts";
import { debianPackage } from "../../support/debian_data.ts";
import { needs } from "../../support/programs.ts";
import { temporaryDirectory } from "../../support/temporary.ts";

const maps = ["am_galmevish", "oa_dm3", "oa_dm4", "dm6ish", "oacmpdm1"];

const directory = "usr/share/games/openarena/baseoa";
const basePacks = [
  ["openarena-data", "pak0.pk3"],
  ["openarena-081-misc", "pak6-misc.pk3"],
  ["openarena-085-data", "pak6-patch085.pk3"],
  ["openarena-088-data", "pak6-patch088.pk3"],
] as const;
const otherPacks = [
  ["openarena-081-maps", "pak1-maps.pk3"],
  ["openarena-081-textures", "pak4-textures.pk3"],
  ["openarena-oacmp1", "z_oacmp-volume1-v3.pk3"],
] as const;

const data = [...basePacks, ...otherPacks].map(([name]) => `debian:${name}`);

/** Makes an installation from Debian's packs; returns their paths. */
async function install(root: string, packs: readonly (readonly [string, string])[]): Promise<string[]> {
  await Deno.mkdir(`${root}/baseoa`, { recursive: true });
  return await Promise.all(packs.map(async ([debian, pack]) => {
    const target = `${debianPackage(debian)}/${directory}/${pack}`;
    await Deno.symlink(target, `${root}/baseoa/${pack}`);
    return target;
  }));
}

/** Names of a map that a renderer shows: shaders of surfaces (lump 13 of 1) and of fogs (lump 12). */
function shownNames(bsp: Uint8Array): Set<string> {
  const view = new DataView(bsp.buffer, bsp.byteOffset, bsp.length);
  const lump = (number: number) => [view.getInt32(8 + number * 8, true), view.getInt32(12 + number * 8, true)] as const;
  const nameAt = (offset: number) => string(bsp.subarray(offset, offset + 64)).split("\0")[0] ?? "";
  const [shaders] = lump(1);
  const [surfaces, surfaceBytes] = lump(13);
  const names = new Set<string>();
  for (let at = surfaces; at < surfaces + surfaceBytes; at += 104) {
    names.add(nameAt(shaders + view.getInt32(at, true) * 72));
  }
  const [fogs, fogBytes] = lump(12);
  for (let at = fogs; at < fogs + fogBytes; at += 72) names.add(nameAt(at));
  names.delete("noshader");
  return names;
}

/** Images of all definitions of each shader, found line by line. */
function shaderImages(text: string): Map<string, Set<string>[]> {
  const found = new Map<string, Set<string>[]>();
  let depth = 0;
  let last = "";
  let images = new Set<string>();
  for (const line of text.replaceAll(/\/\/.*$/gm, "").replaceAll(/([{}])/g, "\n$1\n").split("\n")) {
    const words = line.trim().split(/\s+/);
    const [word = "", ...rest] = words;
    if (word === "{") {
      if (depth++ === 0) {
        images = new Set();
        found.set(last, [...found.get(last) ?? [], images]);
      }
    } else if (word === "}") depth = Math.max(0, depth - 1);
    else if (depth === 0 && word !== "") last = word.toLowerCase();
    else {
      const key = word.toLowerCase();
      const named = key === "map" || key === "clampmap"
        ? rest.slice(0, 1)
        : key === "animmap"
        ? rest.slice(1)
        : key === "skyparms" && rest[0] !== "-" && rest[0]?.toLowerCase() !== "full"
        ? ["rt", "bk", "lf", "ft", "up", "dn"].map((side) => `${rest[0]}_${side}`)
        : [];
      for (const name of named) if (!/^[$*-]/.test(name)) images.add(plain(name));
    }
  }
  return found;
}

function plain(path: string): string {
  return path.replace(/\.[^./]*$/, "").toLowerCase();
}

Deno.test(
  "what maps of OpenArena need is what their surfaces, and the shaders of those, name",
  needs("unzip", ...data),
  async () => {
    await using temporary = await temporaryDirectory();
    const packs = await install(temporary.path, [...basePacks, ...otherPacks]);
    const texts = await Promise.all(
      packs.map((pack) => output("unzip", "-p", pack, "scripts/*.shader").catch(() => "")),
    );
    const definitions = shaderImages(texts.map((text) => typeof text === "string" ? text : string(text)).join("\n"));
    const listed = await Promise.all(packs.map(async (pack) => string(await output("unzip", "-Z1", pack)).split("\n")));
    const files = new Set(listed.flat().map((name) => name.toLowerCase()));
    await using connection = await openLocal({ sources: [temporary.path], profile: "ioquake3", game: "oa" });
    for (const map of maps) {
      const pack = packs.findLast((_, index) => listed[index]?.includes(`maps/${map}.bsp`)) ?? "";
      const names = shownNames(await output("unzip", "-p", pack, `maps/${map}.bsp`));
      const rows = await Array.fromAsync(pages(connection, "needs", { files: [map] }));
      assertEquals(rows.filter(({ qpath }) => qpath === null), [], map);
      const ofMap = rows.filter(({ by, why }) => by === `maps/${map}.bsp` && (why === "surface" || why === "fog"));
      const withShader = new Set(names.values().map(plain).filter((name) => definitions.has(name)));
      assertEquals(
        new Set(ofMap.map(({ kind, name }) => kind === "shader" ? name : plain(name))),
        new Set(names.values().map(plain)),
        map,
      );
      assertEquals(new Set(ofMap.filter(({ kind }) => kind === "shader").map(({ name }) => name)), withShader, map);
      // Other tests cover shaders that packs define in different ways.
      for (const { kind, name, needs } of ofMap) {
        if (kind !== "shader") continue;
        const possible = definitions.get(name) ?? [];
        const images = new Set(needs.filter((need) => !/\.(roq|wav)$/.test(need)).map(plain));
        assert(possible.some((one) => one.symmetricDifference(images).size === 0), `${name} of ${map}: ${needs}`);
      }
      for (const { qpath } of rows) assert(files.has(qpath?.toLowerCase() ?? ""), `${qpath} of ${map}`);
      assertEquals(rows.some(({ qpath }) => qpath === `maps/${map}.aas`), files.has(`maps/${map}.aas`));
    }
  },
);

/** Files that a server opens when it starts a map, with the pack. */
async function openedByServer(root: string, map: string): Promise<Map<string, string>> {
  const settings = {
    fs_basepath: root,
    fs_homepath: `${root}/home`,
    com_standalone: "1",
    com_basegame: "baseoa",
    vm_game: "0",
    bot_enable: "1",
    dedicated: "1",
    net_enabled: "0",
    fs_debug: "1",
  };
  const engine = debianPackage("ioquake3-server");
  const game = `${debianPackage("openarena-server")}/usr/lib/openarena-server/baseoa`;
  await Deno.mkdir(`${root}/home/baseoa`, { recursive: true });
  for await (const { name } of Deno.readDir(game)) {
    if (name.endsWith(".so")) await Deno.copyFile(`${game}/${name}`, `${root}/home/baseoa/${name}`);
  }
  const args = Object.entries(settings).flatMap(([name, value]) => ["+set", name, value]);
  const { stdout, stderr } = await new Deno.Command(`${engine}/usr/lib/ioquake3/ioq3ded`, {
    args: [...args, "+map", map, "+quit"],
    cwd: root,
    env: { HOME: `${root}/home`, LC_ALL: "C" },
    stdin: "null",
  }).output();
  const said = `${string(stdout)}\n${string(stderr)}`;
  const found = said.matchAll(/^FS_FOpenFileRead: (.+) \(found in '(.+)'\)$/gm);
  return new Map(Array.from(found, ([, name = "", pack = ""]) => [name.toLowerCase(), pack]));
}

/** All fields of a row except its sources, which differ between installations. */
function withoutSource(row: NeedRow): Partial<NeedRow> {
  const { source: _source, view: _view, base: _base, ...rest } = row;
  return rest;
}

Deno.test(
  "a release pack and the base packs are all that maps of OpenArena need on a fresh installation",
  needs("debian:ioquake3-server", "debian:openarena-server", ...data),
  async () => {
    await using temporary = await temporaryDirectory();
    const { path } = temporary;
    await install(`${path}/full`, [...basePacks, ...otherPacks]);
    await install(`${path}/base`, basePacks);
    const games = ["full", "base"].map((name) => ({ name, sources: [`${path}/${name}`], profile: "ioquake3" }));
    await using connection = await openLocalGames(games);
    for (const map of maps) {
      const full = await Array.fromAsync(pages(connection, "needs", { view: "full/baseoa", files: [map] }));
      const line = `archive create ${path}/release.pk3 --needs ${map} --without base/baseoa --view full/baseoa --json`;
      const created = await runLine(line, { connection });
      assertEquals(created.code, 0, created.err);
      const archived = jsonRows(created.out) as { qpath?: string }[];
      const given = new Set(archived.flatMap(({ qpath }) => qpath ?? []));
      // The archive has needed files only, and of the base packs only those that another pack replaces.
      assertEquals(given.difference(new Set(full.map(({ qpath }) => qpath ?? ""))).size, 0);
      assert(given.size > 3 && given.size < full.length, `${given.size} files for ${map}`);

      const fresh = `${path}/fresh-${map}`;
      await install(fresh, basePacks);
      await Deno.copyFile(`${path}/release.pk3`, `${fresh}/baseoa/zz-${map}.pk3`);
      await using installed = await openLocal({ sources: [fresh], profile: "ioquake3", game: "fresh" });
      const needs = await Array.fromAsync(pages(installed, "needs", { files: [map] }));
      assertEquals(needs.map(withoutSource), full.map(withoutSource), map);
      assertEquals(needs.filter(({ qpath }) => qpath === null), [], map);

      const opened = await openedByServer(fresh, map);
      const release = `${fresh}/baseoa/zz-${map}.pk3`;
      assertEquals(opened.get(`maps/${map}.bsp`), release);
      const ofMap = [...opened].filter(([name]) => name.startsWith("maps/"));
      assertEquals(ofMap.map(([name]) => name).sort(), [`maps/${map}.aas`, `maps/${map}.bsp`]);
      for (const [name, pack] of ofMap) {
        assertEquals(needs.find(({ qpath }) => qpath?.toLowerCase() === name)?.source, pack, `${name} for ${map}`);
      }
      for (const { qpath } of needs.filter(({ why }) => why === "arena")) assert(opened.has(qpath ?? ""), `${qpath}`);
    }
  },
);
