import { assertEquals, assertStringIncludes } from "@std/assert";
import { commandTable } from "../../repl/commands/table.ts";
import { Session } from "../../repl/command/session.ts";
import { hintFor } from "../../repl/shell/hint.ts";
import { commonStart, listedNames } from "../../repl/shell/tab.ts";
import { zip } from "../formats/bytes.ts";
import { temporaryDirectory } from "../support/temporary.ts";
import { FakeConnection } from "./fake_connection.ts";
import { jsonRows, runLine } from "./harness.ts";

function sessionOf(): Session {
  return new Session(() => Promise.resolve(new FakeConnection()));
}

/** Returns the output of each of `lines`, run in order in one session. */
async function outputs(lines: readonly string[]): Promise<string[]> {
  const session = sessionOf();
  const shown: string[] = [];
  for (const line of lines) {
    // deno-lint-ignore no-await-in-loop -- later lines need what earlier ones changed
    const { out, err } = await runLine(line, { session });
    shown.push(out + err);
  }
  return shown;
}

Deno.test("commands of one line run in turn; in a script the first that fails ends the line", async () => {
  const { out, code, err } = await runLine("cd maps; pwd; stat nothing; pwd");
  assertEquals([out, code], ["quake/hipnotic:/maps\nquake/hipnotic:/maps\n", 0]);
  assertStringIncludes(err, "nothing");
  await using directory = await temporaryDirectory();
  await Deno.writeTextFile(`${directory.path}/script`, "pwd; stat nothing; pwd\n");
  const script = await runLine(`.read ${directory.path}/script`);
  assertEquals([script.out, script.code], ["quake/hipnotic:/\n", 3]);
});

Deno.test("> and >> write the results of one command into a file, .once those of the next", async () => {
  await using directory = await temporaryDirectory();
  const file = `${directory.path}/out.txt`;
  assertEquals(await outputs([`pwd > ${file}; cd maps; pwd >> ${file}`, "pwd"]), ["", "quake/hipnotic:/maps\n"]);
  assertEquals(await Deno.readTextFile(file), "quake/hipnotic:/\nquake/hipnotic:/maps\n");
  assertEquals(await outputs([`.once ${file}`, "pwd --json", "pwd"]), ["", "", "quake/hipnotic:/\n"]);
  assertEquals(await Deno.readTextFile(file), '{"view":"quake/hipnotic","directory":""}\n');
  const failed = await runLine(`pwd > ${directory.path}/a/b`);
  assertEquals(failed.code, 1);
  assertStringIncludes(failed.err, `cannot write ${directory.path}/a/b: no such file`);
});

Deno.test("- goes back to the view and directory before, and says when there is none", async () => {
  const shown = await outputs(["cd -", "cd maps", "cd /gfx", "cd -", "pwd", "cd -", "pwd", "use -", "pwd"]);
  assertStringIncludes(shown[0] ?? "", "no earlier view or directory");
  assertEquals([shown[4], shown[6], shown[8]], [
    "quake/hipnotic:/maps\n",
    "quake/hipnotic:/gfx\n",
    "quake/hipnotic:/\n",
  ]);
});

Deno.test(".show prints the settings that .width, .pager, .mode and .timer change", async () => {
  const session = sessionOf();
  for (const line of ["use quake/hipnotic", ".width 100", ".pager less -S", ".timer on"]) {
    // deno-lint-ignore no-await-in-loop -- settings follow one another
    assertEquals((await runLine(line, { session })).code, 0, line);
  }
  assertEquals(jsonRows((await runLine(".show --json", { session })).out), [{
    view: "quake/hipnotic",
    directory: "",
    mode: "table",
    width: 100,
    pager: "less -S",
    timer: true,
    output: null,
  }]);
  await runLine(".width auto", { session });
  await runLine(".pager on", { session });
  assertStringIncludes((await runLine(".show", { session })).out, "pager:     on\n");
  const wrong = await runLine(".width 3");
  assertEquals(wrong.code, 2);
  assertStringIncludes(wrong.err, ".width takes 20 to 1000 columns, or auto, not 3");
});

Deno.test("ls takes wildcards, several directories, and the letters that people type by habit", async () => {
  assertEquals((await runLine("ls maps/*m1.bsp")).out, "e1m1.bsp\nhip1m1.bsp\n");
  assertEquals((await runLine("ls -lah G*")).out.split("\n").map((line) => line.trim().split(/ {2,}/)), [
    ["SIZE", "MODIFIED", "FROM", "NAME"],
    ["-", "1 name", "gfx/"],
    [""],
  ]);
  assertEquals((await runLine("ls gfx sound/misc")).out, "gfx:\npalette.lmp\n\nsound/misc:\ntalk.wav\n");
  assertEquals((await runLine("head -1 default.cfg")).out, "bind w +forward\n");
  assertEquals((await runLine("head -1")).code, 2);
  const usage = (await runLine("du -sh maps sound")).out.split("\n").slice(1).map((line) =>
    line.trim().split(" ").at(-1)
  );
  assertEquals(usage, ["maps/", "sound/", ""]);
});

Deno.test("--sort orders listings by size, time, pack or name", async () => {
  const names = async (line: string) => (await runLine(line)).out.trimEnd().split("\n");
  assertEquals(await names("ls maps --sort size"), ["hip1m1.bsp", "e1m1.bsp", "my map.bsp"]);
  assertEquals(await names("find *.bsp --sort packs"), ["maps/my map.bsp", "maps/hip1m1.bsp", "maps/e1m1.bsp"]);
  const sized = jsonRows((await runLine("find --sort size --limit 2 --json")).out) as { size: number }[];
  assertEquals(sized.map(({ size }) => size), [3000, 768]);
  const long = (await names("find -l --sort name")).slice(1).map((line) => line.trim().split(/ {2,}/)[3] ?? "");
  assertEquals(long, long.toSorted());
  const wrong = await runLine("ls --sort date");
  assertStringIncludes(wrong.err, "--sort takes one of name, size, mtime, packs, not date");
});

Deno.test("extract takes a filter without a pattern, and refuses to take everything by accident", async () => {
  await using directory = await temporaryDirectory();
  const { code } = await runLine(`extract --ext cfg -o ${directory.path}`);
  assertEquals([code, await Deno.readTextFile(`${directory.path}/default.cfg`)], [0, "bind w +forward\n"]);
  const refused = await runLine(`extract -o ${directory.path}`);
  assertEquals([refused.code, refused.err], [
    2,
    "pakfs: extract needs a pattern or a filter such as --in PACK\n",
  ]);
});

Deno.test("archive diff compares bytes, whatever the formats and compressions, and exits with 1 for a difference", async () => {
  await using directory = await temporaryDirectory();
  const { path } = directory;
  const bytes = (text: string) => new TextEncoder().encode(text);
  await Deno.writeFile(
    `${path}/a.pk3`,
    zip([{ name: "same.txt", content: bytes("same") }, { name: "old", content: bytes("x") }]),
  );
  await Deno.writeFile(
    `${path}/b.pk3`,
    zip([{ name: "same.txt", content: bytes("same") }, { name: "new", content: bytes("yy") }]),
  );
  const differing = await runLine(`archive diff ${path}/a.pk3 ${path}/b.pk3`);
  assertEquals([differing.code, differing.out, differing.err], [1, "+ new  2\n- old  1\n", "2 of 3 files differ\n"]);
  await runLine(`archive extract ${path}/a.pk3 -o ${path}/tree`);
  await runLine(`archive create ${path}/a.pak ${path}/tree`);
  const same = await runLine(`archive diff ${path}/a.pk3 ${path}/a.pak`);
  assertEquals([same.code, same.out, same.err], [0, "", "0 of 2 files differ\n"]);
  await Deno.writeTextFile(`${path}/tree/old`, "y");
  await runLine(`archive create ${path}/a.pak ${path}/tree`);
  assertEquals(jsonRows((await runLine(`archive diff ${path}/a.pk3 ${path}/a.pak --json`)).out), [
    { change: "changed", qpath: "old", before: 1, after: 1 },
  ]);
});

Deno.test("a hint shows the arguments that the command still takes, and nothing inside words and values", () => {
  const hints = [
    "wh",
    "hexdump",
    "hexdump ",
    "hexdump a",
    "hexdump a ",
    "diff q ",
    "find --ext ",
    "nothing ",
    "ls | ",
    "ls; hexdump ",
  ];
  assertEquals(hints.map((line) => hintFor(line, commandTable)), [
    "",
    " QPATH [options]",
    "QPATH [options]",
    "",
    "[options]",
    "[VIEW] [options]",
    "",
    "",
    "",
    "QPATH [options]",
  ]);
});

Deno.test("Tab inserts what all candidates share, and lists the last names of paths", () => {
  assertEquals(commonStart(["maps/e1m1.bsp", "maps/e1m2.bsp"]), "maps/e1m");
  assertEquals(commonStart(["a😀", "a😁"]), "a");
  assertEquals(commonStart([]), "");
  assertEquals(listedNames({ matches: ["textures/a/", "textures/b.tga"] }), ["a/", "b.tga"]);
  assertEquals(listedNames({ matches: ["ls ", "lsx"] }), ["ls", "lsx"]);
});
