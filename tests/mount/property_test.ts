// deno-lint-ignore-file no-await-in-loop -- one after the other, to see which one fails
/**
 * After each refresh of a randomly changed installation, the mount read by another process, `find`, `which`, and an
 * independent program that knows the engine's rules must agree.
 */
import { connect, type Index } from "@pakfs/pakfs";
import { assert, assertEquals } from "@std/assert";
import { ensureDir } from "@std/fs";
import { pak, zip } from "../formats/bytes.ts";
import fc from "../support/fast_check.ts";
import { needs } from "../support/programs.ts";
import { expectedManifest, manifest, type Workspace, workspace } from "./mounting.ts";

/** An engine's rules: its game directories, the base first, and the names of its packs. */
interface Rules {
  readonly profile: string;
  readonly directories: readonly string[];
  readonly packs: readonly string[];
  readonly makePack: (files: readonly (readonly [string, string])[]) => Uint8Array;
}

const allRules: readonly Rules[] = [
  {
    profile: "quake",
    directories: ["id1", "mod", "other"],
    packs: ["pak0.pak", "pak1.pak", "pak2.pak", "pak10.pak"],
    makePack: pak,
  },
  {
    profile: "ioquake3",
    directories: ["baseq3", "mod", "other"],
    packs: ["pak0.pk3", "pak1.pk3", "a.pk3", "Z_last.pk3", "dir.pk3dir"],
    makePack: (files) => zip(files.map(([name, content], at) => ({ name, content, method: at % 2 === 0 ? 8 : 0 }))),
  },
];

const folders = ["maps", "textures", "maps/deep"];
const names = ["a.txt", "maps/b.bsp", "maps/c.bsp", "maps/deep/d.txt", "textures/e.tga", "textures/b.bsp"];

type Change =
  | { kind: "pack"; to: number; files: readonly (readonly [string, string])[]; replaces: boolean }
  | { kind: "loose"; directory: number; name: string; content: string }
  | { kind: "remove"; directory: number; what: string }
  | { kind: "move"; from: number; to: number; names: readonly [string, string] }
  | { kind: "move pack"; from: number; to: number }
  | { kind: "move game"; from: number; to: number };

const index = fc.nat({ max: 999 });
const content = fc.oneof(
  fc.string({ maxLength: 30 }),
  // All contents have one size, so that the size does not reveal the change.
  fc.constantFrom("one", "two"),
  fc.record({ text: fc.string({ minLength: 1 }), times: fc.integer({ min: 1, max: 20_000 }) })
    .map(({ text, times }) => text.repeat(times)),
);
const name = fc.constantFrom(...names);
const change: fc.Arbitrary<Change> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant("pack" as const),
      to: index,
      files: fc.uniqueArray(fc.tuple(name, content), { selector: ([path]) => path, maxLength: 5 }),
      replaces: fc.boolean(),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("loose" as const), directory: index, name, content }) },
  fc.record({ kind: fc.constant("remove" as const), directory: index, what: fc.constantFrom(...names, ...folders) }),
  fc.record({ kind: fc.constant("move" as const), from: index, to: index, names: fc.tuple(name, name) }),
  fc.record({
    kind: fc.constant("move" as const),
    from: index,
    to: index,
    names: fc.tuple(fc.constantFrom(...folders), fc.constantFrom(...folders)),
  }),
  fc.record({ kind: fc.constant("move pack" as const), from: index, to: index }),
  fc.record({
    kind: fc.constant("remove" as const),
    directory: index,
    what: fc.constantFrom("pak0.pak", "pak1.pk3", "."),
  }),
  fc.record({ kind: fc.constant("move game" as const), from: index, to: index }),
);

function among<Item>(items: readonly Item[], at: number): Item {
  const item = items[at % items.length];
  if (item === undefined) throw new RangeError("nothing to choose from");
  return item;
}

/** Makes a change if its files exist. */
async function make(rules: Rules, root: string, step: Change): Promise<void> {
  const directory = (at: number) => `${root}/${among(rules.directories, at)}`;
  const packOf = (at: number) => `${directory(at)}/${among(rules.packs, Math.floor(at / 3))}`;
  switch (step.kind) {
    case "pack":
      return await writePack(rules, packOf(step.to), step.files, step.replaces);
    case "loose":
      return await writeFile(`${directory(step.directory)}/${step.name}`, step.content);
    case "remove": {
      // The base identifies this game's installations.
      const what = step.what === "." ? directory(1 + step.directory % 2) : `${directory(step.directory)}/${step.what}`;
      return await Deno.remove(what, { recursive: true }).catch(unlessAbsent);
    }
    case "move":
      return await move(`${directory(step.from)}/${step.names[0]}`, `${directory(step.to)}/${step.names[1]}`);
    case "move pack":
      return await move(packOf(step.from), packOf(step.to));
    case "move game":
      return await move(directory(1 + step.from % 2), directory(1 + step.to % 2));
  }
}

async function writeFile(path: string, content: string | Uint8Array): Promise<void> {
  await ensureDir(path.slice(0, path.lastIndexOf("/")));
  await Deno.writeFile(path, typeof content === "string" ? new TextEncoder().encode(content) : content);
}

/** A program writes a pack in place, or writes a new file and renames it over the old one. */
async function writePack(
  rules: Rules,
  path: string,
  files: readonly (readonly [string, string])[],
  replaces: boolean,
): Promise<void> {
  const isDirectory = path.endsWith("dir");
  // A moved pack may be in the way: a file in place of a directory, or the other way round.
  const there = await Deno.lstat(path).catch(unlessAbsent);
  if (there && there.isDirectory !== isDirectory) await Deno.remove(path, { recursive: true });
  if (isDirectory) {
    await Promise.all(files.map(([name, content]) => writeFile(`${path}/${name}`, content)));
    return;
  }
  const bytes = rules.makePack(files);
  if (!replaces) return await writeFile(path, bytes);
  await writeFile(`${path}.new`, bytes);
  await Deno.rename(`${path}.new`, path);
}

/** Moves a file or directory over another. */
async function move(from: string, to: string): Promise<void> {
  if (`${from}/`.startsWith(`${to}/`) || `${to}/`.startsWith(`${from}/`)) return;
  if (await Deno.lstat(from).then(() => false, () => true)) return;
  await Deno.remove(to, { recursive: true }).catch(unlessAbsent);
  await ensureDir(to.slice(0, to.lastIndexOf("/")));
  await Deno.rename(from, to);
}

function unlessAbsent(error: unknown): void {
  if (!(error instanceof Deno.errors.NotFound)) throw error;
}

/** Compares all answers about every view. */
async function assertAgreement(here: Workspace, index: Index, rules: Rules): Promise<void> {
  const there = await Array.fromAsync(Deno.readDir(`${here.path}/game`), (entry) => entry.name);
  const views = await Array.fromAsync(index.views(), (row) => row.view);
  assertEquals(views.sort(), there.map((name) => `game/${name}`).sort());
  for (const mod of there) {
    const view = index.view(`game/${mod}`);
    const [expected, shown, rows] = await Promise.all([
      expectedManifest(
        rules.profile,
        ...new Set([rules.directories[0], mod].map((name) => `${here.path}/game/${name}`)),
      ),
      manifest(`${here.mountPoint}/game/${mod}`),
      Array.fromAsync(view.find("*")),
    ]);
    assertEquals(shown, expected, `the mount of ${mod}`);
    const text = rows.map((row) => JSON.stringify(row)).join("\n");
    await Deno.writeTextFile(`${here.path}/rows`, text);
    assertEquals(await expectedManifest("answers", `${here.path}/rows`), expected, `find in ${mod}`);
    for (const { qpath, source } of rows) {
      const { candidates } = await view.which(qpath);
      assertEquals(candidates[0]?.source, source, `which ${qpath} in ${mod}`);
      const sum = new Uint8Array(await crypto.subtle.digest("SHA-256", await view.read(qpath))).toHex();
      assert(expected.includes(`${sum}  ${qpath}`), `what is read of ${qpath} in ${mod}`);
    }
  }
}

const parameters = {
  numRuns: Number(Deno.env.get("PAKFS_PROPERTY_RUNS") ?? 2),
  // Shrinking a failure would take a mount for each attempt.
  interruptAfterTimeLimit: 20 * 60 * 1000,
};

for (const rules of allRules) {
  Deno.test(
    `after any changes to a ${rules.profile} game the mount, the answers and an independent model agree`,
    needs("python3", "python3"),
    async () => {
      const rounds = fc.array(fc.array(change, { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 6 });
      const holds = async (steps: Change[][]) => {
        await using here = await workspace();
        const root = `${here.path}/game`;
        await writePack(rules, `${root}/${rules.directories[0]}/${rules.packs[0]}`, [["maps/b.bsp", "first"]], false);
        await here.mount("--profile", rules.profile, root);
        await using index = await connect({ socket: here.socket });
        for (const changes of steps) {
          for (const step of changes) {
            await make(rules, root, step);
          }
          await index.refresh();
          await assertAgreement(here, index, rules);
        }
      };
      await fc.assert(fc.asyncProperty(rounds, holds), parameters);
    },
  );
}
