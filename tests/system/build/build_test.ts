// deno-lint-ignore-file no-await-in-loop -- cases run one after the other, so that a failure names its case
/** Builds: they behave as their modules do, and a build of outdated modules is never used. */
import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import { build } from "../../../system/build/build.ts";
import { isUnchanged, stampOf } from "../../../system/build/start.ts";
import { copyProgram } from "../../support/copied_program.ts";
import { temporaryDirectory } from "../../support/temporary.ts";

/** A program with a module that is loaded later, one that both need, a door to it, a worker, and a package of its own. */
const program: Readonly<Record<string, string>> = {
  "main.ts": `import facts from "./facts.json" with { type: "json" };
import { posix } from "node:path";
import { counted } from "./door.ts";
import { named } from "@own/names";
import { programRoot } from "./system/program_root.ts";
export async function all(): Promise<unknown> {
  const { later } = await load();
  return [facts.a, posix.join("a", "b"), named("é–日"), counted(), later(), counted(), import.meta.main, programRoot];
}
function load(): Promise<typeof import("./later/later.ts")> { return import("./later/later.ts" as string); }
export const worker = (): URL => new URL("./later/some_worker.ts", import.meta.url);
`,
  "facts.json": `{ "a": [1, "ü"] }`,
  "door.ts": `export { counted } from "./shared.ts";\nexport { unused } from "./unused.ts";\n`,
  "unused.ts": `export const unused = "nobody's";\n`,
  "shared.ts": `let count = 0;\nexport const counted = (): number => ++count;\n`,
  "names/mod.ts": `export const named = (name: string): string => name + name;\n`,
  "later/later.ts": `import { counted } from "../shared.ts";
export const later = (): unknown => [counted(), "loaded later", import.meta.main];
`,
  "later/some_worker.ts": `import { counted } from "../shared.ts";\nexport const result = counted();\n`,
  "system/program_root.ts":
    `export const programRoot = decodeURI(new URL("..", import.meta.url).pathname).slice(0, -1);\n`,
};

async function write(root: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    await Deno.mkdir(`${root}/${name}`.replace(/[^/]*$/, ""), { recursive: true });
    await Deno.writeTextFile(`${root}/${name}`, text);
  }
}

/** Waits until a new change of just written files gets another time. */
function settled(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 1100));
}

Deno.test("a built program does what its modules do, with one of each module, and finds its workers", async () => {
  await using directory = await temporaryDirectory();
  const root = `${directory.path}/a root ü`;
  await write(root, program);
  const tree = { root, packages: new Map([["@own/names", "names/mod.ts"]]) };
  await assertRejects(() => build(tree, "main.ts", { splits: true, looksLater: true }), Error, "written just now");
  await settled();
  const built = await build(tree, "main.ts", { splits: true, looksLater: true });
  const worker = await build(tree, "later/some_worker.ts", { splits: false, looksLater: false });
  const into = `${root}/.tools/build/1/`;
  await write(into, Object.fromEntries([...built.files, ...worker.files]));
  for (const code of built.files.values()) assertMatch(code, /^(?!.*nobody)[\0-\x7f]*$/s);
  const address = `file://${encodeURI(into)}main.js`;
  const { stdout } = await new Deno.Command(Deno.execPath(), { args: ["info", "--json", address] }).output();
  const { modules }: { readonly modules: readonly { readonly specifier: string }[] } = JSON.parse(
    new TextDecoder().decode(stdout),
  );
  const readFirst = modules.map(({ specifier }) => built.files.get(specifier.replace(/.*\//, "")) ?? "").join("");
  const hasLater = (code: string) => code.includes("loaded later");
  assertEquals([hasLater(readFirst), hasLater([...built.files.values()].join(""))], [false, true]);
  let looks = 0;
  Object.assign(globalThis, { pakfsLooksLater: () => Promise.resolve(looks++) });
  const { all, worker: workerOf } = await import(address);
  assertEquals(looks, 0);
  assertEquals(await all(), [[1, "ü"], "a/b", "é–日é–日", 1, [2, "loaded later", false], 3, false, root]);
  assertEquals(looks, 1);
  assertEquals((await import(workerOf().href)).result, 1);
  assertEquals([...built.workers], ["later/some_worker.ts"]);
  const paths = (stamps: readonly string[]) => stamps.map((stamp) => stamp.split("|")[0]).sort();
  assertEquals(paths(built.atStart), [
    "door.ts",
    "facts.json",
    "main.ts",
    "names/mod.ts",
    "shared.ts",
    "system/program_root.ts",
  ]);
  assertEquals(paths(built.later), ["later/later.ts"]);
});

Deno.test("a build of other modules than today's is not used, and makes way for a new one", async () => {
  await using directory = await temporaryDirectory();
  const copy = `${directory.path}/pakfs`;
  await copyProgram(copy);
  const builds = `${copy}/.tools/build`;
  await Deno.mkdir(`${copy}/.tools`);
  await settled();
  const deno = async (root: string, ...args: string[]) => {
    const command = ["run", "--quiet", "-A", `--config=${root}/deno.json`, ...args];
    const { stderr } = await new Deno.Command(Deno.execPath(), { args: command, env: { NO_COLOR: "1" } }).output();
    return new TextDecoder().decode(stderr);
  };
  /** Builds, as several programs at the same time, and marks what the build prints. */
  const renew = async (programs = 1) => {
    const built = await Promise.all(Array.from({ length: programs }, () => deno(copy, `${copy}/system/build/main.ts`)));
    assertEquals(built.join(""), "");
    for await (const { name, isDirectory } of Deno.readDir(builds)) {
      for await (const file of isDirectory ? Deno.readDir(`${builds}/${name}`) : []) {
        const path = `${builds}/${name}/${file.name}`;
        const text = await Deno.readTextFile(path);
        const marked = text.replaceAll("daemon takes no arguments", "the build takes no arguments")
          .replaceAll("unknown command", "the build knows no command");
        if (marked !== text) await Deno.writeTextFile(path, marked);
      }
    }
  };
  const daemon = (root = copy) => deno(root, `${root}/.tools/build/daemon.main.js`, "daemon", "x");
  const client = (...words: string[]) => deno(copy, `${builds}/repl.main.js`, ...words);
  const badArchive = ["archive", "list", `${copy}/deno.json`];
  const isStale = async () => await Deno.stat(`${builds}/stale`).then(() => true, () => false);
  const [used, unused] = [/the build takes no arguments, not x/, /: daemon takes no arguments, not x/];
  /** Writes a file once more. */
  const change = async (path: string) => await Deno.writeTextFile(path, await Deno.readTextFile(path));
  await renew();
  const [first = ""] = (await Array.fromAsync(Deno.readDir(builds))).filter((one) => one.isDirectory)
    .map(({ name }) => name);
  assertMatch(await daemon(), used);
  assertMatch(await client("nope"), /the build knows no command/);
  const ofFormats = await client(...badArchive);
  assertEquals(await isStale(), false);

  await change(`${copy}/mount/session/read_handler.ts`);
  assertMatch(await daemon(), unused);
  assertEquals(await isStale(), true);
  // The client does not load this module.
  assertMatch(await client("nope"), /the build knows no command/);
  // Old builds are removed, except one that a running program uses: a prompt that waits for its first line.
  const prompt = new Deno.Command(Deno.execPath(), {
    args: ["run", "--quiet", "-A", `--config=${copy}/deno.json`, `${builds}/repl.main.js`],
    ...{ stdin: "piped", stdout: "null", stderr: "null" },
  }).spawn();
  const isHeld = () => {
    using opened = Deno.openSync(`${builds}/${first}`);
    return !opened.tryLockSync(true);
  };
  while (!isHeld()) await new Promise((resolve) => setTimeout(resolve, 10));
  const age = (name: string) => Deno.utime(`${builds}/${name}`, 1000, 1000);
  for (const number of Array(4).keys()) {
    await Deno.mkdir(`${builds}/000000${number}`);
    if (number < 2) await age(`000000${number}`);
  }
  await age(first);
  await settled();
  // If several start at the same time, one builds.
  await renew(3);
  assertEquals([await isStale(), used.test(await daemon())], [false, true]);
  const left = async () =>
    (await Array.fromAsync(Deno.readDir(builds))).filter((one) => one.isDirectory).map(({ name }) => name);
  const [newest, ...others] = (await left()).filter((name) => name !== first && !name.startsWith("0000"));
  assertEquals(others, []);
  assertEquals((await left()).sort(), [first, newest, "0000002", "0000003"].sort());
  await prompt.stdin.close();
  await prompt.status;
  await renew();
  assertEquals((await left()).includes(first), false);
  // A copy of the checkout is another program, even while the first one exists.
  const { success } = await new Deno.Command("cp", { args: ["-a", copy, `${copy} 2`] }).output();
  assert(success);
  assertMatch(await daemon(`${copy} 2`), unused);
  assertMatch(await daemon(), used);
  // The client loads this module for some commands.
  await change(`${copy}/formats/nested.ts`);
  assertMatch(await client("nope"), /the build knows no command/);
  assertEquals([await isStale(), await client(...badArchive)], [false, ofFormats]);
  assertEquals(await isStale(), true);
  // The standard input of the prompt is not lost.
  const script = `"$1" run --quiet -A --config="$2/deno.json" "$2/.tools/build/repl.main.js"`;
  const scripted = await new Deno.Command("sh", {
    args: ["-c", `echo "archive list $2/deno.json" | ${script} 2>&1`, "sh", Deno.execPath(), copy],
    env: { NO_COLOR: "1" },
  }).output();
  assertMatch(new TextDecoder().decode(scripted.stdout), /deno\.json: /);
  await Deno.rename(`${copy}/system/build/build.ts`, `${copy}/system/build/away.ts`);
  assertMatch(await daemon(), unused);
});

Deno.test("a file that was written, replaced or removed has another stamp, whatever time it is given", async () => {
  await using directory = await temporaryDirectory();
  const path = `${directory.path}/a.ts`;
  const times = { atime: new Date(2e12), mtime: new Date(1e12) };
  await Deno.writeTextFile(path, "a");
  await Deno.utime(path, times.atime, times.mtime);
  await settled();
  const stamps = [stampOf(directory.path, "a.ts")];
  assert(isUnchanged(directory.path, stamps));
  const changes: readonly (() => Promise<void>)[] = [
    () => Deno.writeTextFile(path, "a"),
    () => Deno.copyFile(path, `${path}.new`).then(() => Deno.rename(`${path}.new`, path)),
    () => Deno.remove(path),
  ];
  for (const change of changes) {
    await change();
    await Deno.utime(path, times.atime, times.mtime).catch(() => {});
    assert(!isUnchanged(directory.path, stamps), String(change));
    if (change === changes[0]) {
      await settled();
      stamps[0] = stampOf(directory.path, "a.ts");
    }
  }
});
