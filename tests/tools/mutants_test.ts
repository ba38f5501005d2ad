import { assert, assertEquals } from "@std/assert";
import { environment } from "../support/environment.ts";
import { needs } from "../support/programs.ts";
import { temporaryDirectory } from "../support/temporary.ts";
import { ImportGraph } from "../../tools/mutants/imports.ts";
import { listMutants, MutantTree, sample } from "../../tools/mutants/mutants.ts";
import { rooms } from "../../tools/mutants/rooms.ts";

const root = new URL("../..", import.meta.url).pathname.replace(/\/$/, "");

Deno.test("every kind of mistake is found in a file, with its bytes", async () => {
  await using temporary = await temporaryDirectory();
  const directory = temporary.path;
  await Deno.writeTextFile(
    `${directory}/sample.ts`,
    [
      "// ß is two bytes",
      "export async function f(a: number, b: number[]): Promise<number> {",
      "  if (a <= (b[0] ?? 0) && !b.length) return Math.min(a - 1, 7);",
      '  let known = "x" + a;',
      '  known = "";',
      "  await g(known);",
      "  b.push(a);",
      "  return known === String(a) ? 1 : 2;",
      "}",
      "declare function g(text: string): Promise<void>;",
    ].join("\n"),
  );
  const source = await Deno.readFile(`${directory}/sample.ts`);
  const mutants = await listMutants(directory, ["sample.ts"]);
  assertEquals(
    mutants.map(({ line, kind, original, replacement }) => `${line} ${kind} ${original} -> ${replacement}`).sort(),
    [
      "3 bound Math.min(a - 1, 7) -> Math.max(a - 1, 7)",
      "3 bound a - 1 -> (a) + (1)",
      "3 comparison a <= (b[0] ?? 0) -> (a) < (b[0] ?? 0)",
      "3 guard !b.length -> (b.length)",
      "3 guard a <= (b[0] ?? 0) && !b.length -> (!b.length)",
      "3 guard a <= (b[0] ?? 0) && !b.length -> (a <= (b[0] ?? 0))",
      "3 guard a <= (b[0] ?? 0) && !b.length -> false",
      "3 guard a <= (b[0] ?? 0) && !b.length -> true",
      '5 invalidation known = ""; -> ;',
      "6 await await g(known) -> (g(known))",
      "6 invalidation await g(known); -> ;",
      "7 invalidation b.push(a); -> ;",
      "8 comparison known === String(a) -> (known) !== (String(a))",
      "8 guard known === String(a) -> false",
      "8 guard known === String(a) -> true",
    ].sort(),
  );
  for (const { start, end, original } of mutants) {
    assertEquals(new TextDecoder().decode(source.subarray(start, end)), original);
  }
});

Deno.test(
  "mistakes are made in the last commit, and a test that fails once in a while notices none",
  needs("git"),
  async () => {
    await using temporary = await temporaryDirectory();
    const { path } = temporary;
    const write = (name: string, lines: readonly string[]) => Deno.writeTextFile(`${path}/${name}`, lines.join("\n"));
    const git = async (...args: readonly string[]) => {
      const identity = ["-c", "user.name=Test", "-c", "user.email=test@localhost"];
      const { success } = await new Deno.Command("git", { args: [...identity, ...args], cwd: path }).output();
      assert(success, args.join(" "));
    };
    const source = ["export const isLarge = (a: number) => a > 9;", "export const isSmall = (a: number) => a < 3;"];
    await write("sample.ts", source);
    await write("deno.json", ["{}"]);
    await write("sample_test.ts", [
      'import { isLarge } from "./sample.ts";',
      `const runs = Number(Deno.readTextFileSync("${path}/runs"));`,
      `Deno.writeTextFileSync("${path}/runs", String(runs + 1));`,
      'Deno.test("isLarge", () => { if (isLarge(9) || runs % 2 === 1) throw new Error(); });',
    ]);
    await git("init", "--quiet");
    await git("add", "--all");
    await git("commit", "--quiet", "--message=Add a sample");
    await write("sample.ts", ["export {};"]);
    await write("new_test.ts", ['throw new Error("not committed");']);
    await write("runs", ["0"]);
    // Socket paths inside this run's sandbox would be too long.
    using _ = environment({ TMPDIR: undefined });
    await using tree = await MutantTree.make(path, { name: "sample", sources: ["sample.ts"], tests: ["."] });
    const mutants = await listMutants(tree.root, ["sample.ts"]);
    assertEquals(mutants.map(({ original }) => original), ["a > 9", "a < 3"]);
    const outcomes: string[] = [];
    // deno-lint-ignore no-await-in-loop -- one tree
    for (const mutant of mutants) outcomes.push((await tree.try(mutant)).kind);
    assertEquals(outcomes, ["killed", "survived"]);
    assertEquals(await Deno.readTextFile(`${tree.root}/sample.ts`), source.join("\n"));
  },
);

Deno.test("a sample has no element twice, and is the same for the same seed", () => {
  const all = Array.from({ length: 50 }, (_value, index) => index);
  const chosen = sample(all, 20, 7);
  assertEquals(new Set(chosen).size, 20);
  assertEquals(sample(all, 20, 7), chosen);
  assertEquals(sample(all, 80, 7).toSorted((a, b) => a - b), all);
});

Deno.test("the tests that load a file run, the nearest first, those that run the launcher too", () => {
  const imports = new ImportGraph(root);
  const tests = [
    "tests/mount/errors_test.ts",
    "tests/service/service_test.ts",
    "tests/formats/glob_test.ts",
    "tests/daemon/server_test.ts",
  ];
  assertEquals(imports.testsOf("daemon/server/server.ts", tests), [tests[3], tests[0]]);
  assertEquals(
    imports.testsOf("mount/decoding/slot_decoding.ts", tests),
    [tests[0]],
    "workers are loaded by their address",
  );
  assertEquals(imports.testsOf("formats/core/glob.ts", tests)[0], tests[2]);
  assertEquals(imports.testsOf("README.md", tests), tests, "what nothing loads is tested by all");
});

Deno.test("no row of a room's tests is hidden by the row of a shorter path before it", () => {
  for (const { concerning = [] } of rooms) {
    const paths = concerning.map(([path]) => path);
    assertEquals(paths.filter((path, index) => paths.slice(0, index).some((before) => path.startsWith(before))), []);
  }
});

Deno.test("every room of the mutants has sources and tests", async () => {
  const paths = rooms.flatMap(({ sources, tests }) => [...sources, ...tests]);
  await Promise.all(paths.map((path) => Deno.stat(`${root}/${path}`)));
});
