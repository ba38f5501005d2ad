/** The files of engines and games: each holds all about its own subject, and no other file knows an engine by name. */
import { assert, assertEquals } from "@std/assert";
import { collations } from "../../engines/settings/pack_step_settings.ts";
import { lumpRules } from "../../engines/settings/profile_settings.ts";
import { engines } from "../../engines/table.ts";
import { games } from "../../games/table.ts";
import { readProgramModules } from "../support/program_modules.ts";

const root = new URL("../..", import.meta.url).pathname;

Deno.test("no file outside engines/ and games/ knows an engine by name", async () => {
  // Names that also mean something else: a game, a value of a key, an everyday word.
  const others = new Set([
    ...games.map(({ name }) => name),
    ...Object.keys(collations),
    ...Object.keys(lumpRules),
    "source",
    "daemon",
  ]);
  const names = engines.map(({ name }) => name).filter((name) => !others.has(name));
  assert(names.length > 20);
  const known = new RegExp(`"(${names.join("|")})"`);
  const found: string[] = [];
  for (const [path, text] of await readProgramModules()) {
    if (/^(engines|games)\//.test(path)) continue;
    const code = text.replace(/\/\*\*[\s\S]*?\*\//g, "");
    const [, name] = known.exec(code) ?? [];
    if (name !== undefined) found.push(`${path} knows ${name}`);
  }
  assertEquals(found, []);
});

Deno.test("each engine has a name, a file and a place in the table of its own", async () => {
  const names = engines.map(({ name }) => name);
  assertEquals(names, [...new Set(names)]);
  const files = await Array.fromAsync(Deno.readDir(`${root}engines`), ({ name }) => name);
  const modules = files.filter((name) => name.endsWith(".ts") && !/^(table|mod)\.ts$/.test(name)).sort();
  assertEquals(modules, names.map((name) => `${name.replaceAll("-", "_")}.ts`).sort());
});

Deno.test("no engine has the directories or the evidence of the engine that it is made from", () => {
  for (const key of ["homes", "evidence"] as const) {
    const own = engines.map((engine) => engine[key]).filter(({ length }) => length > 0);
    assertEquals(own.length, new Set(own).size, key);
  }
});

Deno.test("what an engine says of games is about games that it plays", () => {
  for (const engine of engines) {
    const played = games.filter((game) => game.engines.includes(engine));
    const unknown = engine.homes.filter(({ game }) => !played.some(({ name }) => name === game));
    assertEquals(unknown, [], engine.name);
    const bases = new Set(played.flatMap((game) => game.bases));
    assertEquals(engine.evidence.filter(({ base }) => !bases.has(base)), [], engine.name);
  }
});

Deno.test("each game is played by an engine, and has a name and a file of its own", async () => {
  const names = games.map(({ name }) => name);
  assertEquals(names, [...new Set(names)]);
  assertEquals(games.filter((game) => game.engines.length === 0), []);
  assertEquals(games.filter(({ editionOf }) => editionOf !== undefined && !names.includes(editionOf)), []);
  const files = await Array.fromAsync(Deno.readDir(`${root}games`), ({ name }) => name);
  const inRows = games.filter(({ signature }) => signature.kind === "list").length;
  const modules = files.filter((name) =>
    !/^(table|mod|source_games|game_error|engines_of_game)\.ts$/.test(name) && name.endsWith(".ts")
  );
  assertEquals(modules.length, games.length - inRows);
});
