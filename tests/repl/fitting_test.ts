// deno-lint-ignore-file no-await-in-loop -- command lines run one after another
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { writeDemoInstallation } from "../../daemon/demo/installation.ts";
import { withoutColours } from "../../repl/output/colour.ts";
import { widthOf } from "../../repl/output/text.ts";
import { doom } from "../../games/doom.ts";
import { commandTable } from "../../repl/commands/table.ts";
import { openLocalGames } from "../../service/local.ts";
import { wad } from "../formats/bytes.ts";
import { installation, zipOf } from "../index/fixtures.ts";
import { commandLines } from "../support/command_lines.ts";
import { environment } from "../support/environment.ts";
import { temporaryDirectory } from "../support/temporary.ts";
import { runLine } from "./harness.ts";

/** Commands that print bytes, file content, or input for another program. */
const unwrapped = ["hexdump", "head", "grep", "man", "completions", "complete", "diff quake/id1 quake/lanterns --text"];

/** Returns the lines cut by a terminal of `columns` that could have been wrapped or shortened. */
function cutLines(text: string, columns: number): string[] {
  return withoutColours(text).split("\n").filter((line) => {
    // A name wider than the screen is printed whole, on a line of its own.
    return widthOf(line) > columns && /\S\s+\S/.test(line.trim());
  });
}

for (const columns of [60, 80, 200]) {
  Deno.test(`nothing that a command prints on ${columns} columns is cut inside a word`, async () => {
    await using directory = await temporaryDirectory();
    await writeDemoInstallation(directory.path);
    const connection = await openLocalGames(
      ["quake", "quake3"].map((name) => ({ sources: [`${directory.path}/${name}`] })),
    );
    try {
      const shown = commandLines.filter((line) => !unwrapped.some((name) => line.startsWith(name)));
      const helps = commandTable.filter(({ hidden }) => !hidden).map(({ name }) => `help ${name}`);
      for (const line of [...shown, ...helps, "profiles quake", "which nothing", "find --size wrong"]) {
        const typed = line.replaceAll("~", directory.path);
        const { out } = await runLine(typed, { connection, terminal: true, columns });
        const cut = cutLines(out, columns);
        assert(cut.length === 0, `${line}:\n${cut.join("\n")}`);
      }
    } finally {
      await connection.close();
    }
  });
}

Deno.test("commands and sentences are whole on 60 columns: examples are continued as in a shell", async () => {
  await using directory = await temporaryDirectory();
  await writeDemoInstallation(directory.path);
  const out = withoutColours((await runLine("help mount", { terminal: true, columns: 60 })).out);
  assertStringIncludes(
    out,
    "\n  mount --profile ioquake3 ~/.q3a \\\n    /usr/share/games/quake3 ~/mnt\n      home path before base path\n",
  );
  assertStringIncludes(out, "\nIndex game directories or one archive and mount them\nread-only.\n");
  for (const { name } of commandTable.filter(({ hidden }) => !hidden)) {
    const { out: help } = await runLine(`help ${name}`, { terminal: true, columns: 60 });
    assertEquals(help.match(/.*….*/g), null, name);
  }
  const detected = await runLine(`detect ${directory.path}/quake`, { terminal: true, columns: 60 });
  const shortened = detected.out.match(/.*….*/g) ?? [];
  assertEquals(shortened.filter((line) => !line.includes("/")), [], "only paths are shortened");
  await using connection = await openLocalGames([
    { name: "a-game-with-a-long-name", sources: [`${directory.path}/quake`] },
  ]);
  for (const line of ["games", "profiles", "formats", "shadowed"]) {
    const { out: table } = await runLine(line, { connection, terminal: true, columns: 60 });
    assertEquals(table.match(/.*….*/g), null, line);
  }
  const packs = await runLine("packs", { connection, terminal: true, columns: 60 });
  assertMatch(withoutColours(packs.out), /^GAME DIRECTORY .* SIZE$/m);
  const games = await runLine("games", { connection, terminal: true, columns: 60 });
  assertMatch(withoutColours(games.out), /^GAME .* FILES(?: .*)?$/m);
});

Deno.test("the titles of installed games are whole on 60 columns", async () => {
  const iwad = (...lumps: string[]) => wad(lumps.map((name) => [name, ""]), "IWAD");
  await using machine = await installation({
    "home/": "",
    "share/games/doom/freedm.wad": iwad("MAP01", "FREEDM"),
    "share/games/doom/freedoom1.wad": iwad("E1M1", "E2M1", "E3M1", "FREEDOOM"),
    "share/games/doom/freedoom2.wad": iwad("MAP01", "FREEDOOM"),
    "share/games/openarena/baseoa/pak0.pk3": zipOf("a"),
  });
  using _set = environment({
    HOME: `${machine.path}/home`,
    PAKFS_SYSTEM_ROOT: machine.path,
    XDG_DATA_DIRS: "/share",
    XDG_CONFIG_HOME: undefined,
    XDG_DATA_HOME: undefined,
    XDG_STATE_HOME: undefined,
  });
  const { out, err } = await runLine("games --installed", { terminal: true, columns: 60 });
  assertEquals(withoutColours(out).replaceAll(machine.path, "ROOT").split("\n").filter((line) => !line.includes("/")), [
    "GAME       TITLE                      PROFILE   MODS  BASE",
    "      SOURCES; OTHER ENGINES",
    "openarena  OpenArena                  ioquake3     0  baseoa",
    "      quake3e, chomenor",
    "doom  FreeDM, Freedoom: Phase 1, Freedoom: Phase 2  gzdoom",
    "      0  .",
    `      ${doom.engines.slice(1).map((engine) => engine.name).join(", ")}`,
    "",
  ]);
  assertEquals(err, "2 games found; detect shows details, detect DIR only one game's\n");
});
