/**
 * Measures making a large index, in processes of their own: from nothing, from its cache, and refreshing it; then the
 * same of a daemon with a mount.
 *
 * ```sh
 * deno run -A tools/bench/scan_bench.ts [--rounds N] [--data DIR] [--million]
 * ```
 * @module
 */
import { join } from "node:path";
import process from "node:process";
import { Catalog } from "../../views/catalog.ts";
import { IndexCache } from "../../index/cache/index_cache.ts";
import type { GameOptions } from "../../index/columns/game.ts";
import { indexGames, scanGames } from "../../index/scan/scanner.ts";
import { type CollectionSize, mapCollection, millionFiles, prepareCollection } from "./collection.ts";
import { median } from "./report.ts";
import { print } from "../../tests/support/harness.ts";
import { readCommandLine } from "../command_line.ts";
import { measureDaemon, replacePack, type Time } from "./daemon_index.ts";

/** Steps, each measured in a process of its own. */
const steps = ["alone", "threads", "cached", "refresh"] as const;
type Step = typeof steps[number];

/** Times of one process, by name. */
type Times = Record<string, Time>;

async function timed<T>(work: () => T | Promise<T>): Promise<Time & { readonly result: T }> {
  const used = process.cpuUsage();
  const start = performance.now();
  const result = await work();
  const wall = performance.now() - start;
  const { user, system } = process.cpuUsage(used);
  return { wall, processor: (user + system) / 1000, result };
}

function medianTime(times: readonly Time[]): Time {
  const of = (key: keyof Time) => median(times.map((time) => time[key])) ?? NaN;
  return { wall: of("wall"), processor: of("processor") };
}

/** Measures one step; runs in a child process. */
async function measure(step: Step, source: string, cachePath: string): Promise<Times> {
  const games = [{ sources: [source], profile: "ioquake3" }];
  if (step === "alone") return { "from nothing, one thread": await timed(() => scanGames(games)) };
  const cache = new IndexCache(cachePath);
  if (step === "threads") {
    const indexed = await timed(() => indexGames(games));
    const written = await timed(() => cache.write(games, indexed.result));
    return { "from nothing, with other threads": indexed, "writing the cache": written };
  }
  const read = await timed(() => cache.read(games));
  if (!read.result) throw new Error("the cache is missing");
  const previous = new Catalog(read.result);
  const checked = await timed(() => refreshed(games, previous));
  if (step === "cached") return { "from the cache: reading it": read, "from the cache: checking every file": checked };
  return await measureRefresh(games, join(source, "baseq3", "map0123.pk3"), checked.result);
}

/** Returns the catalog that a refresh replaces another one by. */
async function refreshed(games: readonly GameOptions[], previous: Catalog): Promise<Catalog> {
  return Catalog.following(previous, await indexGames(games, { previous: previous.index }));
}

async function measureRefresh(games: readonly GameOptions[], pack: string, first: Catalog): Promise<Times> {
  const nothing: Time[] = [];
  const one: Time[] = [];
  const tree: Time[] = [];
  let previous = first;
  const resolved = await timed(() => previous.view().tree);
  for (let round = 0; round < 10; round++) {
    // deno-lint-ignore no-await-in-loop -- one after the other
    nothing.push(await timed(() => refreshed(games, previous)));
    // deno-lint-ignore no-await-in-loop -- as above
    await replacePack(pack);
    // deno-lint-ignore no-await-in-loop -- as above
    const time = await timed(() => refreshed(games, previous));
    one.push(time);
    previous = time.result;
    // deno-lint-ignore no-await-in-loop -- as above
    tree.push(await timed(() => previous.view().tree));
  }
  const [firstNothing, firstOne] = [nothing[0], one[0]];
  if (!firstNothing || !firstOne) throw new Error("There were no rounds");
  return {
    "resolving the view": resolved,
    "refresh, nothing has changed: first": firstNothing,
    "refresh, nothing has changed: median of ten": medianTime(nothing),
    "refresh, one pack replaced: first": firstOne,
    "refresh, one pack replaced: median of ten": medianTime(one),
    "the view of that, for the next question": medianTime(tree),
  };
}

/** Runs a step in a process of its own. */
async function run(step: Step, source: string, cachePath: string): Promise<Times> {
  const { success, stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--quiet", new URL(import.meta.url).pathname, "--step", step, source, cachePath],
    stdin: "null",
    stderr: "inherit",
  }).output();
  if (!success) throw new Error(`${step} failed`);
  return JSON.parse(new TextDecoder().decode(stdout));
}

async function measureCollection(size: CollectionSize, data: string, rounds: number): Promise<void> {
  const source = await prepareCollection(data, size, print);
  const cachePath = join(data, "index-cache");
  const times = new Map<string, Time[]>();
  for (let round = 0; round < rounds; round++) {
    for (const step of steps) {
      // deno-lint-ignore no-await-in-loop -- one process after the other
      const measured = Object.entries(await run(step, source, cachePath));
      for (const [name, time] of measured) times.set(name, [...times.get(name) ?? [], time]);
    }
  }
  for (let round = 0; round < rounds; round++) {
    // deno-lint-ignore no-await-in-loop -- one daemon after the other
    const measured = Object.entries(await measureDaemon(source, join(data, "daemon")));
    for (const [name, values] of measured) {
      times.set(`daemon: ${name}`, [...times.get(`daemon: ${name}`) ?? [], ...values]);
    }
  }
  print(`\n${size.packs} packs, ${size.files} files; medians of ${rounds} processes, load ${Deno.loadavg()[0]}:`);
  print(`  ${"".padEnd(46)}    clock  fastest  processor`);
  for (const [name, values] of times) {
    const { wall, processor } = medianTime(values);
    const numbers = [wall, Math.min(...values.map((value) => value.wall)), processor];
    print(`  ${name.padEnd(46)} ${numbers.map((number) => number.toFixed(1).padStart(8)).join(" ")} ms`);
  }
}

const { words, values: given, flags } = readCommandLine(["rounds", "data", "step"], ["million"]);
const step = steps.find((name) => name === given.step);
if (step) {
  const [source = "", cachePath = ""] = words;
  const times = Object.entries(await measure(step, source, cachePath));
  print(JSON.stringify(Object.fromEntries(times.map(([name, { wall, processor }]) => [name, { wall, processor }]))));
} else {
  const home = Deno.env.get("XDG_CACHE_HOME") || join(Deno.env.get("HOME") ?? "/var/tmp", ".cache");
  const data = given.data ?? join(home, "pakfs-bench");
  const rounds = Number(given.rounds ?? 5);
  await measureCollection(mapCollection, data, rounds);
  if (flags.million) await measureCollection(millionFiles, data, rounds);
}
