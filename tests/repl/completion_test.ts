import { assertEquals } from "@std/assert";
import { commandTable } from "../../repl/commands/table.ts";
import { complete } from "../../repl/shell/completion.ts";
import { commonOptions } from "../../repl/command/global_options.ts";
import { splitPartial } from "../../repl/shell/grammar.ts";
import { findCommand } from "../../repl/command/lookup.ts";
import { printable } from "../../system/printable.ts";
import { Session } from "../../repl/command/session.ts";
import { environment } from "../support/environment.ts";
import { temporaryDirectory } from "../support/temporary.ts";
import { FakeConnection, hostileName } from "./fake_connection.ts";

/** The complete lines that Tab offers for `line`. */
async function completed(line: string, directory = "", connection = new FakeConnection()): Promise<string[]> {
  await using session = new Session(() => Promise.resolve(connection), "quake/hipnotic");
  session.directory = directory;
  const { matches, start } = await complete(line, { commands: commandTable, session });
  return matches.map((match) => line.slice(0, start) + match);
}

Deno.test("commands are completed, their verbs too", async () => {
  assertEquals(await completed("fi"), ["find "]);
  assertEquals(await completed("st"), ["stat", "status", "stop"]);
  assertEquals(await completed("archive c"), ["archive create "]);
  assertEquals(await completed("help hexd"), ["help hexdump "]);
  assertEquals(await completed("help archive v"), ["help archive verify "]);
  assertEquals(await completed("xyz"), []);
  assertEquals(await completed("xyz a"), []);
});

Deno.test("options and their values are completed", async () => {
  assertEquals(await completed("find --li"), ["find --limit "]);
  assertEquals(await completed("find --lo"), ["find --long "]);
  assertEquals(await completed("ls --color n"), ["ls --color never "]);
  assertEquals(await completed("ls --color=n"), ["ls --color=never "]);
  assertEquals(await completed("ls --view quake/h"), ["ls --view quake/hipnotic "]);
  assertEquals(await completed("find --in pak7"), ["find --in pak7.pak "]);
  assertEquals(await completed("find --limit "), []);
});

Deno.test("what follows a whole command line with any options is completed as without them", async () => {
  const ends = ["stat ma", "find --li", "shader tex", "overrides pak7", "help hexd", "use quake/i"];
  for (const end of ends) {
    const [, name = "", rest = ""] = /^(\w+)( .*)$/.exec(end) ?? [];
    const found = findCommand(commandTable, end.split(" "));
    // deno-lint-ignore no-await-in-loop -- one after the other
    const expected = (await completed(end)).map((line) => line.slice(name.length));
    for (const option of [...found?.command.options ?? [], ...commonOptions]) {
      const given = option.value === undefined
        ? [`--${option.name}`, ...option.short ? [`-${option.short}`] : []]
        : [`--${option.name} 7`, `--${option.name}=7`, ...option.short ? [`-${option.short} 7`] : []];
      for (const text of given) {
        // deno-lint-ignore no-await-in-loop -- one after the other
        const lines = await completed(`${name} ${text}${rest}`);
        assertEquals(lines.map((line) => line.slice(`${name} ${text}`.length)), expected, `${name} ${text}${rest}`);
      }
    }
  }
});

Deno.test("qpaths are completed as they were typed: relative, absolute, upwards", async () => {
  assertEquals(await completed("stat ma"), ["stat maps/"]);
  assertEquals(await completed("stat maps/"), ["stat maps/e1m1.bsp", "stat maps/hip1m1.bsp", 'stat "maps/my map.bsp"']);
  assertEquals(await completed("stat e1", "maps"), ["stat e1m1.bsp "]);
  assertEquals(await completed("stat ../gf", "maps"), ["stat ../gfx/"]);
  assertEquals(await completed("stat /gfx/p", "maps"), ["stat /gfx/palette.lmp "]);
  assertEquals(await completed("use quake/i"), ["use quake/id1 "]);
});

Deno.test("names that need quotes are quoted, and an open quote is kept", async () => {
  assertEquals(await completed("stat maps/my"), ['stat "maps/my map.bsp" ']);
  assertEquals(await completed('stat "maps/my'), ['stat "maps/my map.bsp" ']);
  assertEquals(await completed("stat 'maps/my m"), ["stat 'maps/my map.bsp' "]);
  assertEquals(await completed('stat "ma'), ['stat "maps/']);
});

Deno.test("a hostile name is offered in characters that are safe to show, and means itself", async () => {
  const file = { qpath: hostileName, content: new Uint8Array(), source: "/s", format: "loose" };
  const [line = ""] = await completed("stat maps/", "", new FakeConnection([file]));
  assertEquals(printable(line), line);
  assertEquals(splitPartial(line).words, ["stat", hostileName]);
});

Deno.test("file names are completed from the disk", async () => {
  await using directory = await temporaryDirectory();
  await Deno.mkdir(`${directory.path}/out dir`);
  await Deno.writeTextFile(`${directory.path}/other.pak`, "");
  await Deno.writeTextFile(`${directory.path}/.hidden`, "");
  const { path } = directory;
  assertEquals(await completed(`archive list ${path}/ot`), [`archive list ${path}/other.pak `]);
  assertEquals(await completed(`extract x -o ${path}/ou`), [`extract x -o "${path}/out dir/`]);
  assertEquals((await completed(`archive list ${path}/`)).length, 2);
  using _home = environment({ HOME: path });
  assertEquals(await completed("archive list ~/ot"), ["archive list ~/other.pak "]);
  assertEquals(await completed("archive list ~"), ["archive list ~/"]);
});

Deno.test("words of dot commands, shaders, and files after a | are completed", async () => {
  await using directory = await temporaryDirectory();
  await Deno.writeTextFile(`${directory.path}/out.txt`, "");
  assertEquals(await completed(".mo"), [".mode "]);
  assertEquals(await completed(".mode js"), [".mode json", ".mode jsonlines"]);
  assertEquals(await completed("find --mode m"), ["find --mode markdown "]);
  assertEquals(await completed(`find | sort -o ${directory.path}/o`), [`find | sort -o ${directory.path}/out.txt `]);
  assertEquals(await completed("shader tex"), ["shader textures/a", "shader textures/b"]);
});

Deno.test("words of a statement of SQL are completed to tables and columns", async () => {
  assertEquals(await completed("SELECT * FROM cand"), ["SELECT * FROM candidates"]);
  assertEquals(await completed("select com"), ["select compressed_size"]);
  assertEquals(await completed("select files.ext"), ["select files.extension"]);
  assertEquals(await completed("select games.ext"), []);
  assertEquals(await completed("select "), []);
});
