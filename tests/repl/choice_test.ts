import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { type Files, installation, zipOf } from "../index/fixtures.ts";
import { commandTable } from "../../repl/commands/table.ts";

const launcher = new URL("../../pakfs", import.meta.url).pathname;

const files: Files = {
  "baseq3/pak0.pk3": zipOf("a.cfg", "textures/a.tga", "scripts/a.shader"),
  "baseq3/a.cfg": "seta a 1\n",
  "mod/b.cfg": "seta b 1\n",
};

/** Commands that answer by the rules of an engine, with arguments that fit the game. */
const lines: readonly string[] = [
  "cat a.cfg",
  "checksum pak0.pk3",
  "conflicts",
  "convert a.cfg -o OUT",
  "diff baseq3 mod",
  "du",
  "duplicates",
  "export OUT.csv",
  "extract a.cfg -o OUT",
  "find",
  "grep seta",
  "hash a.cfg",
  "head a.cfg",
  "hexdump a.cfg",
  "limits",
  "ls",
  "missing",
  "names",
  "needs a.cfg",
  "open a.cfg",
  "overrides mod",
  "packs",
  "path",
  "pure",
  "registered",
  "shader textures/a",
  "shaders",
  "shadowed",
  "sql VALUES(1)",
  "show a.cfg",
  "stat a.cfg",
  "tree",
  "unique mod",
  "unused",
  "used-by a.cfg",
  "views",
  "which a.cfg",
];

/** Commands of the same groups that name the engine in each row, or use no index. */
const others: ReadonlySet<string> = new Set(["games", "profiles"]);

const environment = { NO_COLOR: "1", FORCE_COLOR: "", PAKFS_SOCKET: "" };

async function pakfs(args: readonly string[]): Promise<{ out: string; err: string }> {
  const { stdout, stderr } = await new Deno.Command(launcher, { args: [...args], env: environment, stdin: "null" })
    .output();
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  return { out: text(stdout), err: text(stderr) };
}

Deno.test("no command answers by an engine that the user neither chose nor saw named", async () => {
  await using game = await installation(files);
  const named = "detected Quake III Arena (baseq3), engine rules: ioquake3";
  for (const line of lines) {
    const words = line.replace("OUT", `${game.path}/out`).split(" ");
    // deno-lint-ignore no-await-in-loop -- one after another, so that a failure names its command
    const { err } = await pakfs([...words, "--source", game.path, "--no-index-cache"]);
    assertStringIncludes(err, named, line);
  }
  await using web = new Deno.Command(launcher, {
    args: ["web", "--port", "0", "--source", game.path, "--no-index-cache"],
    env: environment,
    stdin: "null",
    stdout: "null",
    stderr: "piped",
  }).spawn();
  let said = "";
  for await (const text of web.stderr.pipeThrough(new TextDecoderStream())) {
    said += text;
    if (said.includes("Ctrl-C")) break;
  }
  assertStringIncludes(said, named, "web");
  const asking = commandTable.filter((command) =>
    command.scope === "anywhere" && ["Ask", "Browse"].includes(command.group) && !others.has(command.name)
  );
  const covered = new Set(["web", ...lines.map((line) => line.split(" ")[0])]);
  assertEquals(asking.map(({ name }) => name).filter((name) => !covered.has(name)), []);
});

Deno.test("an engine that was chosen is not named again, nor where remarks are turned off", async () => {
  await using game = await installation(files);
  const quiet = await pakfs(["ls", "--source", game.path, "--quiet", "--no-index-cache"]);
  const chosen = await pakfs(["ls", "--source", game.path, "--profile", "quake3", "--no-index-cache"]);
  assertEquals([quiet.err, chosen.err], ["", ""]);
  assert(quiet.out.includes("a.cfg"));
});

Deno.test("what an index leaves out is named by each command that asks it, and more than five of it counted", async () => {
  await using game = await installation({ "outside.cfg": "x", "root/id1/a.cfg": "a", "root/id1/pak0.pak": "no pack" });
  const links = Array.from({ length: 2 }, (_, index) => `link${index}.cfg`);
  await Promise.all(links.map((name) => Deno.symlink("../../outside.cfg", `${game.path}/root/id1/${name}`)));
  const asked = ["--source", `${game.path}/root`, "--profile", "quake", "--base", "id1", "--no-index-cache"];
  for (const line of ["ls", "find link*.cfg", `convert link*.cfg -o ${game.path}/out`]) {
    // deno-lint-ignore no-await-in-loop -- one after another, so that a failure names its command
    const { err } = await pakfs([...line.split(" "), ...asked]);
    assertStringIncludes(err, "pak0.pak: is not an archive in any known format", line);
    assertStringIncludes(err, ".cfg and 1 more are symbolic links that lead out of", line);
  }
  await Promise.all(
    Array.from({ length: 9 }, (_, index) => Deno.writeTextFile(`${game.path}/root/id1/pak${index}.pak`, "no pack")),
  );
  const { err } = await pakfs(["ls", ...asked]);
  assertStringIncludes(err, "warning: 5 more problems; status lists them");
});
