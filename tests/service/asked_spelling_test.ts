// deno-lint-ignore-file no-await-in-loop -- one after the other, to see which one fails
/**
 * Paths in several spellings: which file answers depends on the requested spelling, in process and over the socket.
 */
import { assert, assertEquals } from "@std/assert";
import type { Connection } from "../../protocol/connection.ts";
import type { FileRow } from "../../questions/rows.ts";
import { RpcError } from "../../protocol/messages.ts";
import { pak, zip } from "../formats/bytes.ts";
import { installation } from "../index/fixtures.ts";
import { bothConnections } from "../support/both_connections.ts";
import fc from "../support/fast_check.ts";
import {
  baseOf,
  damagedGame,
  filesOf,
  rootsOf,
  type Said,
  saidByHand,
  type SpelledGame,
  spelledGame,
} from "../support/spelled_games.ts";
import { openLocalGames } from "../../service/local.ts";

const view = "q3/baseq3";

/** A pk3 of files that contain `pack` and their name. */
function packOf(...names: readonly string[]): Uint8Array {
  return zip(names.map((name) => ({ name, content: `pack ${name}` })));
}

function opened(files: Parameters<typeof bothConnections>[0]) {
  return bothConnections(files, (root) => [{ sources: [root], profile: "ioquake3", name: "q3" }]);
}

/** Content, `directory`, or null; asserts that `stat`, `read`, `ls` and `which` agree. */
async function said(connection: Pick<Connection, "call">, name: string, qpath: string): Promise<Said> {
  const orNull = (error: unknown) => {
    if (error instanceof RpcError) return null;
    throw error;
  };
  const row = await connection.call("stat", { view: name, qpath }).catch(orNull);
  const listed = await connection.call("ls", { view: name, path: qpath }).catch(orNull);
  const which = await connection.call("which", { view: name, qpath });
  const winner = which.candidates.find(({ usable }) => usable);
  const read = await connection.call("read", { view: name, qpath, offset: 0 }).catch(orNull);
  assertEquals(row === null, listed === null, `stat and ls of ${qpath}`);
  if (row === null || row.type === "directory") {
    assertEquals(winner, undefined, `which ${qpath}`);
    assertEquals(read, null, `read ${qpath}`);
    for (const child of listed?.rows ?? []) {
      // Listed files are found again, as the same files.
      const again = await connection.call("stat", { view: name, qpath: child.qpath });
      const { dataOffset: _, ...plain } = "dataOffset" in again ? again : { ...again, dataOffset: 0 };
      assertEquals(plain, child, `${child.qpath} in a listing of ${qpath}`);
    }
    return row === null ? null : { isDirectory: true };
  }
  if (row.damaged !== undefined) {
    assertEquals([winner, read], [undefined, null], `which and read ${qpath}`);
    return { isDamaged: true };
  }
  assertEquals([winner?.source, winner?.member], [row.source, row.member], `which and stat of ${qpath}`);
  const shown = await connection.call("which", { view: name, qpath: row.qpath });
  assertEquals(row.shadows, shown.candidates.filter(({ usable }) => usable).length - 1, `shadows of ${row.qpath}`);
  assertEquals(listed?.rows.length, 1);
  assert(read);
  return { content: new TextDecoder().decode(Uint8Array.fromBase64(read.data)) };
}

Deno.test("one capitalised directory: each spelling has its own answer, and listings show the packs' spelling", async () => {
  await using here = await opened({
    "baseq3/Maps/readme.txt": "capital readme",
    "baseq3/maps/x.bsp": "loose x",
    "baseq3/pak0.pk3": packOf("maps/x.bsp"),
  });
  const contents = async (qpath: string) => await said(here, view, qpath);
  assertEquals(await contents("maps/x.bsp"), { content: "loose x" });
  assertEquals(await contents("Maps/x.bsp"), { content: "pack maps/x.bsp" });
  assertEquals(await contents("MAPS/X.BSP"), { content: "pack maps/x.bsp" });
  assertEquals(await contents("Maps/readme.txt"), { content: "capital readme" });
  assertEquals(await contents("maps/readme.txt"), null);
  assertEquals((await here.call("ls", { view })).rows.map(({ qpath }) => qpath), ["maps", "Maps"]);
  assertEquals((await here.call("ls", { view, path: "MAPS" })).rows.map(({ qpath }) => qpath), ["MAPS/x.bsp"]);
  assertEquals((await here.call("ls", { view, path: "Maps" })).rows.map(({ qpath }) => qpath), [
    "Maps/readme.txt",
    "Maps/x.bsp",
  ]);
  const { rows } = await here.call("shadowed", { view });
  assertEquals(rows.map(({ qpath, source, winner, decidedBy }) => [qpath, source, winner.source, decidedBy]), [
    ["maps/x.bsp", "baseq3/pak0.pk3", "baseq3", "loose-over-pack"],
  ]);
  const [usage] = (await here.call("usage", { view, path: "Maps", depth: 0 })).rows;
  assertEquals([usage?.files, usage?.size], [2, "capital readmepack maps/x.bsp".length]);
});

Deno.test("a file in another spelling than the listed one can be read before anything else", async () => {
  await using here = await opened({ "baseq3/Maps/mine.cfg": "mine", "baseq3/pak0.pk3": packOf("maps/q3dm1.bsp") });
  const { data } = await here.call("read", { view, qpath: "Maps/mine.cfg", offset: 0 });
  assertEquals(new TextDecoder().decode(Uint8Array.fromBase64(data)), "mine");
});

Deno.test("a loose file in capitals does not answer for the file of a pack in small letters", async () => {
  await using here = await opened({ "baseq3/Maps/X.cfg": "loose", "baseq3/pak0.pk3": packOf("maps/x.cfg") });
  assertEquals(await said(here, view, "maps/x.cfg"), { content: "pack maps/x.cfg" });
  assertEquals(await said(here, view, "Maps/X.cfg"), { content: "loose" });
  assertEquals(await said(here, view, "Maps/x.cfg"), { content: "pack maps/x.cfg" });
  assertEquals(
    (await here.call("find", { view, patterns: ["*.cfg"] })).rows.map(({ qpath, source }) => [qpath, source]),
    [
      ["maps/x.cfg", "baseq3/pak0.pk3"],
      ["Maps/X.cfg", "baseq3"],
    ],
  );
  assertEquals((await here.call("shadowed", { view })).rows, []);
});

Deno.test("a path that packs are passed over for is found in them in another spelling, as the engine finds it", async () => {
  await using here = await opened({ "baseq3/pak0.pk3": packOf("autoexec.cfg", "Q3Config.cfg") });
  assertEquals(await said(here, view, "autoexec.cfg"), null);
  assertEquals(await said(here, view, "Autoexec.cfg"), { content: "pack autoexec.cfg" });
  assertEquals(await said(here, view, "q3config.cfg"), null);
  assertEquals(await said(here, view, "Q3Config.cfg"), { content: "pack Q3Config.cfg" });
  assertEquals((await here.call("ls", { view })).rows.map(({ qpath }) => qpath), ["Q3Config.cfg"]);
});

Deno.test("a listing shows the same spelling whatever pack is searched first", async () => {
  const shown = async (first: string, second: string) => {
    await using root = await installation({
      "baseq3/pak0.pk3": packOf(`${first}/a.bsp`),
      "baseq3/pak1.pk3": packOf(`${second}/b.bsp`),
      "baseq3/mAPs/c.bsp": "loose",
    });
    const index = await openLocalGames([{ sources: [root.path], profile: "ioquake3", name: "q3" }]);
    const { rows } = await index.call("find", { view, patterns: ["*.bsp"] });
    await index.close();
    return rows.map(({ qpath }) => qpath);
  };
  assertEquals(await shown("MAPS", "Maps"), ["Maps/a.bsp", "Maps/b.bsp", "mAPs/c.bsp"]);
  assertEquals(await shown("Maps", "MAPS"), ["Maps/a.bsp", "Maps/b.bsp", "mAPs/c.bsp"]);
  assertEquals(await shown("maps", "MAPS"), ["maps/a.bsp", "maps/b.bsp", "mAPs/c.bsp"]);
});

Deno.test("of a damaged member and a loose file in another spelling each answers to its own", async () => {
  const cut = pak([["maps/x.bsp", "whole"], ["sound.txt", "sound"]]);
  // The last eight bytes of a record are its offset and its size.
  new DataView(cut.buffer).setInt32(cut.length - 64 - 4, 1 << 20, true);
  await using here = await bothConnections(
    { "baseq2/pak0.pak": cut, "baseq2/maps/X.bsp": "loose" },
    (root) => [{ sources: [root], profile: "yquake2", name: "q2" }],
  );
  const { candidates } = await here.call("which", { view: "q2/baseq2", qpath: "maps/X.bsp" });
  assertEquals(candidates.map(({ kind, usable }) => [kind, usable]), [["loose", true], ["pack", false]]);
  const loose = await here.call("stat", { view: "q2/baseq2", qpath: "maps/X.bsp" });
  const compressed = await here.call("stat", { view: "q2/baseq2", qpath: "maps/x.bsp" });
  assertEquals([loose, compressed].map((row) => row.type === "file" && [row.format, row.damaged !== undefined]), [
    ["loose", false],
    ["quake-pak", true],
  ]);
});

/** Asserts that questions about all files of a view return the files of `find`, each once. */
async function agrees(
  connection: Pick<Connection, "call">,
  name: string,
  found: readonly FileRow[],
  loose: readonly string[],
): Promise<void> {
  const paths = found.map(({ qpath }) => qpath).toSorted();
  assertEquals(paths, Array.from(new Set(paths)), "each once");
  const listed = new Set<string>();
  const waiting = [""];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    for (const row of (await connection.call("ls", { view: name, path })).rows) {
      if (row.type === "file") listed.add(row.qpath);
      else waiting.push(row.qpath);
    }
  }
  assertEquals(paths.filter((path) => !listed.has(path)), [], "what find lists, ls lists");
  for (const qpath of loose) {
    const { candidates: [winner] } = await connection.call("which", { view: name, qpath });
    const isOwn = winner?.usable && winner.kind === "loose" && winner.member === qpath;
    if (isOwn) assert(found.some((row) => row.source === winner.source && row.member === qpath), `no ${qpath}`);
  }
  const { rows: [all] } = await connection.call("usage", { view: name, depth: 0 });
  assertEquals([all?.files, all?.size], [found.length, found.reduce((sum, { size }) => sum + size, 0)]);
  const parameters = { view: name, patterns: ["*"], limit: 2 };
  const pages: string[] = [];
  let page = await connection.call("qpaths", parameters);
  pages.push(...page.rows);
  while (page.cursor !== null) {
    page = await connection.call("qpaths", { ...parameters, cursor: page.cursor });
    pages.push(...page.rows);
  }
  assertEquals(pages, found.map(({ qpath }) => qpath), "in pages");
}

/** Paths of loose files, as they are spelled. */
function loosePathsOf({ sources }: SpelledGame): string[] {
  return sources.flatMap(({ isPack, names }) => isPack ? [] : names);
}

Deno.test("in any spelling stat, ls, read and which say what a naive model of the engine says, over a socket or not", async () => {
  const holds = async (game: SpelledGame) => {
    const base = baseOf(game);
    await using here = await bothConnections(
      filesOf(game),
      (root) => [{ sources: rootsOf(root), profile: game.profile, name: "game", base }],
    );
    for (const qpath of game.asked) {
      assertEquals(await said(here, `game/${base}`, qpath), saidByHand(game, qpath), qpath);
    }
    const { rows } = await here.call("find", { view: `game/${base}`, patterns: ["*"] });
    if (game.sources.every(({ damaged }) => damaged === undefined)) {
      await agrees(here, `game/${base}`, rows, loosePathsOf(game));
    }
    for (const { qpath } of rows.filter((row) => !/other\.txt$|\.pk3$|\.pak$/.test(row.qpath))) {
      assertEquals(await said(here, `game/${base}`, qpath), saidByHand(game, qpath), `listed: ${qpath}`);
    }
  };
  await fc.assert(fc.asyncProperty(spelledGame, holds), { numRuns: 30 });
  await fc.assert(fc.asyncProperty(damagedGame, holds), { numRuns: 30 });
});
