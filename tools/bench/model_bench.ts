/**
 * Models as glTF: the converters of pakfs in one process, and assimp's `export`, which starts for each model. Skins are not
 * looked up, as assimp writes only their names. Counts of triangles are compared.
 *
 *     deno run -A tools/bench/model_bench.ts DIRECTORY [--rounds N]
 * @module
 */
import { walk } from "@std/fs";
import process from "node:process";
import { convertersOf } from "../../media/convert/table.ts";
import { MediaError } from "../../media/core/reader.ts";
import { print } from "../../tests/support/harness.ts";
import { readCommandLine } from "../command_line.ts";

/** Models that are measured at most. */
const maxModels = 200;

const { words: [directory], values: { rounds } } = readCommandLine(["rounds"]);
if (directory === undefined) throw new Error("name a directory of models");

interface Model {
  readonly path: string;
  readonly bytes: Uint8Array;
}

const nothing = { file: () => Promise.resolve(undefined), image: () => Promise.resolve(undefined) };

async function convert({ path, bytes }: Model): Promise<Uint8Array | undefined> {
  try {
    return await convertersOf(path, "glb")[0]?.convert({ qpath: path, bytes }, nothing);
  } catch (error) {
    if (error instanceof MediaError) return undefined;
    throw error;
  }
}

const target = await Deno.makeTempFile({ suffix: ".glb" });

async function exported({ path }: Model): Promise<Uint8Array | undefined> {
  const { success } = await new Deno.Command("assimp", {
    args: ["export", path, target, "-fglb2"],
    stdout: "null",
    stderr: "null",
  }).output();
  return success ? await Deno.readFile(target) : undefined;
}

/** Returns the triangles of a binary glTF. */
function triangles(glb: Uint8Array): number {
  const length = new DataView(glb.buffer, glb.byteOffset).getUint32(12, true);
  const json = JSON.parse(new TextDecoder().decode(glb.subarray(20, 20 + length)));
  let corners = 0;
  for (const { primitives } of json.meshes ?? []) {
    for (const { indices } of primitives) corners += json.accessors[indices].count;
  }
  return corners / 3;
}

/** Processor time in milliseconds: of this process, and of those that it started and that have ended. */
async function times(): Promise<{ own: number; started: number }> {
  const stat = await Deno.readTextFile("/proc/self/stat");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ").map(Number);
  const { user, system } = process.cpuUsage();
  return { own: (user + system) / 1000, started: ((fields[13] ?? 0) + (fields[14] ?? 0)) * 10 };
}

const models: Model[] = [];
for await (const { path } of walk(String(directory), { exts: [".mdl", ".md2", ".md3", ".iqm", ".md5mesh"] })) {
  if (models.length < maxModels) models.push({ path, bytes: await Deno.readFile(path) });
}

/** Measures one pass over all models. */
async function pass(how: (model: Model) => Promise<Uint8Array | undefined>) {
  const [begun, wall] = [await times(), performance.now()];
  const counts: (number | undefined)[] = [];
  for (const model of models) {
    // deno-lint-ignore no-await-in-loop -- one after another is measured
    const glb = await how(model);
    counts.push(glb && triangles(glb));
  }
  const ended = await times();
  return { counts, own: ended.own - begun.own, started: ended.started - begun.started, wall: performance.now() - wall };
}

const version = () => new Deno.Command("assimp", { args: ["version"], stdout: "null" }).output().then(() => undefined);

print(`${models.length} models; milliseconds of processor time a model, and models a second of it`);
for (let round = 0; round < Number(rounds ?? 3); round++) {
  // deno-lint-ignore no-await-in-loop -- one after another is measured
  const [ours, theirs, starts] = [await pass(convert), await pass(exported), await pass(version)];
  const line = (name: string, count: number, time: number) =>
    print(
      `${name.padEnd(16)} ${(time / count).toFixed(1).padStart(7)} ${(count * 1000 / time).toFixed(1).padStart(8)}`,
    );
  line("pakfs", ours.counts.filter((count) => count !== undefined).length, ours.own);
  const done = theirs.counts.filter((count) => count !== undefined).length;
  line("assimp export", done, theirs.started);
  line("without its start", done, Math.max(1, theirs.started - starts.started * done / models.length));
  const both = models.map((_, index) => [ours.counts[index], theirs.counts[index]] as const)
    .filter(([own, other]) => own !== undefined && other !== undefined);
  const equal = both.filter(([own, other]) => own === other).length;
  print(`converted by both ${both.length}, with as many triangles ${equal}`);
}
await Deno.remove(target);
