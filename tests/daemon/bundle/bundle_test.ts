// deno-lint-ignore-file no-await-in-loop -- cases run one after the other, so that a failure names its case
/** Bundles: they do what their modules do, and one that is not of today's modules is never used. */
import { assert, assertEquals, assertMatch, assertThrows } from "@std/assert";
import { bundleOf } from "../../../daemon/bundle/bundle.ts";
import { BundleError, ModuleReader } from "../../../daemon/bundle/modules.ts";
import { copyProgram } from "../../support/copied_program.ts";
import { temporaryDirectory } from "../../support/temporary.ts";

/** A program with every form of import and export. */
const program: Readonly<Record<string, string>> = {
  "main.ts": `import facts from "./facts.json" with { type: "json" };
import { type Shape, area as areaOf, Square } from "./shapes/square.ts";
import type { Other } from "./shapes/types.ts";
import { type Other as Another } from "./shapes/types.ts";
import * as words from "./words.ts";
import "./effect.ts";
import "node:path";
import { posix } from "node:path";
export { twice, third as renamed } from "./words.ts";
export * from "./shapes/square.ts";
const shape: Shape & Other & Another = new Square(3);
async function local(): Promise<number> { return (await loadLater()).count(); }
function loadLater(): Promise<typeof import("./later/counter.ts")> {
  return import("./later/counter.ts" as string);
}
export async function all(): Promise<unknown> {
  return [facts, areaOf(shape), words.twice("é–日"), posix.join("a", "b"), await local(), await local(),
    new URL("x.txt", import.meta.url).href, import.meta.dirname, Reflect.get(globalThis, "effects")];
}
export { local as alsoLocal, facts };
`,
  "facts.json": `{ "a": [1, "ü"] }`,
  "shapes/square.ts": `import type { Other } from "./types.ts";
export interface Shape extends Other { readonly side: number; }
export class Square implements Shape {
  readonly #secret = 1;
  readonly side: number;
  constructor(side: number) { this.side = side; }
  static isOne(value: object): boolean { return #secret in value; }
}
export const area = ({ side }: Shape): number => side ** 2;
`,
  "shapes/types.ts": `export interface Other { readonly side: number }\n`,
  "words.ts": `/** é
 */
export function twice(word: string): string { return word + word; }
export async function* third() { yield 3; }
`,
  "effect.ts":
    `const effects = Reflect.get(globalThis, "effects") ?? 0;\nReflect.set(globalThis, "effects", effects + 1);\n`,
  "later/counter.ts": `import { Square } from "../shapes/square.ts";
import { basename } from "node:path";
let counted = 0;
export const count = (): unknown => [++counted, basename("a/b"), Square.isOne(new Square(1))];
`,
};

async function write(root: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    await Deno.mkdir(`${root}/${name}`.replace(/[^/]*$/, ""), { recursive: true });
    await Deno.writeTextFile(`${root}/${name}`, text);
  }
}

/** Waits until a change of files that were just written has another time. */
function settled(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 1100));
}

Deno.test("a bundled program does what its modules do, and knows one of each class", async () => {
  await using directory = await temporaryDirectory();
  const root = `${directory.path}/a root ü`;
  await write(root, program);
  await settled();
  const reader = new ModuleReader(root, ["main.ts"]);
  const address = new URL(`file://${encodeURI(root)}/`);
  const files = bundleOf("main.ts", reader, address, "build");
  await write(root, Object.fromEntries(files));
  for (const text of files.values()) assertMatch(text, /^[\0-\x7f]*$/);
  const original = await import(`${address.href}main.ts`);
  const expected = await original.all();
  Reflect.deleteProperty(globalThis, "effects");
  const bundled = (await import(`${address.href}main.build.0.mjs`)).program;
  assertEquals(await bundled.all(), expected);
  assertEquals(Object.keys(bundled).sort(), Object.keys(original).sort());
  assertEquals(bundled.twice("x"), "xx");
  assertEquals(reader.stamps.map((stamp) => stamp.split("|")[0]).sort(), [
    "effect.ts",
    "facts.json",
    "later/counter.ts",
    "main.ts",
    "shapes/square.ts",
    "words.ts",
  ]);
});

Deno.test("forms that a bundle would change are refused", async () => {
  await using directory = await temporaryDirectory();
  const root = directory.path;
  const cases = {
    "export let a = 1;": /unknown form of export let/,
    "export default 1;": /unknown form of export default/,
    "export const { a } = { a: 1 };": /unknown form of export const/,
    "const name = './x.ts';\nawait import(name);": /unknown form of import\(/,
    'import "./main.ts";': /imports itself/,
  };
  const entryOf = (index: number) => `${index}/main.ts`;
  const entries = Object.keys(cases).map((text, index) => [entryOf(index), `${text}\n`]);
  await write(root, Object.fromEntries(entries));
  const bundle = (entry: string) => () =>
    bundleOf(entry, new ModuleReader(root, []), new URL(`file://${root}/`), "build");
  assertThrows(bundle(entryOf(0)), Error, "written just now");
  await settled();
  for (const [index, message] of Object.values(cases).entries()) {
    const { message: found } = assertThrows(bundle(entryOf(index)), BundleError);
    assertMatch(found, message);
  }
});

Deno.test("a bundle of other modules than today's is not used, and makes way for a new one", async () => {
  await using directory = await temporaryDirectory();
  const copy = `${directory.path}/pakfs`;
  await copyProgram(copy);
  const tools = `${copy}/.tools`;
  await Deno.mkdir(tools);
  await settled();
  const deno = async (root: string, ...args: string[]) => {
    const command = ["run", "--quiet", "-A", `--config=${root}/deno.json`, ...args];
    const { stderr } = await new Deno.Command(Deno.execPath(), { args: command, env: { NO_COLOR: "1" } }).output();
    return new TextDecoder().decode(stderr);
  };
  /** Builds, and marks what the bundle prints. */
  const build = async () => {
    assertEquals(await deno(copy, `${copy}/daemon/bundle/main.ts`), "");
    for await (const { name } of Deno.readDir(`${tools}/bundle`)) {
      const path = `${tools}/bundle/${name}`;
      const text = await Deno.readTextFile(path);
      await Deno.writeTextFile(path, text.replaceAll("daemon takes no arguments", "the bundle takes no arguments"));
    }
  };
  const start = (root = copy) => deno(root, `${root}/.tools/bundle/start.mjs`, "daemon", "x");
  const isStale = async () => await Deno.stat(`${tools}/bundle/stale`).then(() => true, () => false);
  const [used, unused] = [/the bundle takes no arguments, not x/, /: daemon takes no arguments, not x/];
  await build();
  assertMatch(await start(), used);
  assertEquals(await isStale(), false);

  const session = `${copy}/mount/session/read_handler.ts`;
  const program = `${copy}/daemon/program.ts`;
  const text = await Deno.readTextFile(program);
  const changes: Readonly<Record<string, () => Promise<void>>> = {
    "a letter, and the time set back": async () => {
      const { mtime, atime } = await Deno.stat(program);
      assert(mtime && atime);
      await Deno.writeTextFile(program, text.replace("daemon takes no", "Daemon takes no"));
      await Deno.writeTextFile(program, text);
      await Deno.utime(program, atime, mtime);
    },
    "another file in the place of one": async () => {
      await Deno.copyFile(session, `${session}.new`);
      await Deno.rename(`${session}.new`, session);
    },
    "a module that is gone": async () =>
      await Deno.rename(`${copy}/daemon/bundle/bundle.ts`, `${copy}/daemon/bundle/away.ts`),
  };
  for (const [name, change] of Object.entries(changes)) {
    await change();
    assertMatch(await start(), unused, name);
    assertEquals(await isStale(), true, name);
    await Deno.rename(`${copy}/daemon/bundle/away.ts`, `${copy}/daemon/bundle/bundle.ts`).catch(() => {});
    await settled();
    await build();
  }
  // Daemons that still run may load more of earlier builds.
  const names = await Array.fromAsync(Deno.readDir(`${tools}/bundle`), ({ name }) => name);
  assertEquals(names.filter((name) => /^daemon\.main\.[0-9a-f]{8}\.0\.mjs$/.test(name)).length, 4);
  // Of many builds those that are old are removed: a daemon that has just begun to load one needs all of it.
  const made = Array.from({ length: 10 }, (_, number) => `daemon.main.0000000${number}.0.mjs`);
  for (const [number, name] of made.entries()) {
    await Deno.writeTextFile(`${tools}/bundle/${name}`, "");
    if (number < 5) await Deno.utime(`${tools}/bundle/${name}`, 1000, 1000);
  }
  await build();
  const left = await Array.fromAsync(Deno.readDir(`${tools}/bundle`), ({ name }) => name);
  assertEquals(made.filter((name) => left.includes(name)), made.slice(5));
  assertEquals(names.filter((name) => !left.includes(name) && name.startsWith("daemon.main.")), []);
  // A copy of all is another program, even while the first one is there.
  const { success } = await new Deno.Command("cp", { args: ["-a", copy, `${copy} 2`] }).output();
  assert(success);
  assertMatch(await start(`${copy} 2`), unused);
  assertMatch(await start(), used);
});
