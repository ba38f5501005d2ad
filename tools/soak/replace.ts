/**
 * Readers compare every byte while packs and loose files are replaced in every way, removed and added, and the daemon
 * notices by itself.
 * @module
 */
import { connectSocket } from "../../protocol/client.ts";
import { pak, zip } from "../../tests/formats/bytes.ts";
import { output, run, workspace } from "../../tests/mount/mounting.ts";
import { numbersFrom } from "../../tests/support/chance.ts";
import { pause } from "../../tests/support/harness.ts";
import {
  type Bounds,
  figuresOf,
  type Findings,
  judgeReaders,
  ProcessGauge,
  Rounds,
  type Scenario,
  startReaders,
  versionedContent,
  writeFloors,
} from "./scenario.ts";

/** Maximum time until the mount shows a change by itself; milliseconds. */
const maxNotice = 30_000;

/** Lines of the files of a pack: decompressed by a decoder, large, and many small ones, which are read ahead. */
const lineCounts = [3000, 40_000, ...Array.from({ length: 30 }, (_, index) => 20 + index)];

/** One source of files that comes, changes and goes. */
interface Item {
  /** Path below the game directory. */
  readonly path: string;
  readonly files: readonly { readonly name: string; readonly lines: number }[];
  readonly kind: "pak" | "stored" | "deflated" | "loose";
}

const items: readonly Item[] = [
  ...(["pak", "stored", "deflated", "deflated"] as const).map((kind, number): Item => ({
    path: `pak${number}.${kind === "pak" ? "pak" : "pk3"}`,
    files: lineCounts.map((lines, index) => ({ name: `p${number}f${index}`, lines })),
    kind,
  })),
  { path: "loose0", files: [{ name: "loose0", lines: 5000 }], kind: "loose" },
];

/** As many versions in a row have the same sizes. */
const versionsOfSize = 4;

function bytesOf({ kind, files }: Item, version: number): Uint8Array {
  const contents = files.map(({ name, lines }) => ({
    name,
    content: versionedContent(name, version, lines + Math.floor(version / versionsOfSize) % 7),
  }));
  if (kind === "pak") return pak(contents.map(({ name, content }) => [name, content]));
  if (kind === "loose") return contents[0]?.content ?? new Uint8Array();
  if (kind === "stored") return zip(contents);
  return zip(contents.map((file) => ({ ...file, method: 8 })));
}

/** Milliseconds between the pieces of a slow copy: as long as the daemon waits for further changes, or longer. */
const slowPause = 300;

/** Ways to put bytes in the place of a file. */
const ways = {
  async rename(path: string, bytes: Uint8Array, aside: string) {
    await Deno.writeFile(aside, bytes);
    await Deno.rename(aside, path);
  },
  copy: (path, bytes) => Deno.writeFile(path, bytes),
  async slow(path, bytes) {
    using file = await Deno.open(path, { write: true, create: true, truncate: true });
    for (let start = 0; start < bytes.length;) {
      // Chunks end with lines, as the mount shows partial loose files.
      const end = bytes.indexOf(0x0a, start + bytes.length / 3) + 1 || bytes.length;
      // deno-lint-ignore no-await-in-loop -- one piece after the other
      await writeWhole(file, bytes.subarray(start, end));
      start = end;
      // deno-lint-ignore no-await-in-loop -- slowly
      await pause(slowPause);
    }
  },
  /** As `rsync --inplace -t` and `cp -p` do, for a source that has the old time. */
  async inPlace(path, bytes, aside) {
    const exists = (await run("touch", ["-r", path, aside])).code === 0;
    using file = await Deno.open(path, { write: true, create: true });
    await writeWhole(file, bytes);
    await file.truncate(bytes.length);
    if (exists) await output("touch", "-r", aside, path);
  },
  async touchBack(path, bytes, aside) {
    const exists = (await run("touch", ["-r", path, aside])).code === 0;
    await Deno.writeFile(path, bytes);
    await pause(slowPause / 2);
    if (exists) await output("touch", "-r", aside, path);
  },
  /** A backup that is older than the file in its place. */
  async restore(path, bytes, aside) {
    await Deno.writeFile(aside, bytes);
    await Deno.utime(aside, 1_000_000_000, 1_000_000_000);
    await output("cp", "-p", aside, path);
  },
  async twice(path, bytes, aside) {
    await ways.inPlace(path, bytes.map((byte) => byte ^ 1), aside);
    await ways.rename(path, bytes, aside);
  },
} satisfies Record<string, (path: string, bytes: Uint8Array, aside: string) => Promise<void>>;

async function writeWhole(file: Deno.FsFile, bytes: Uint8Array): Promise<void> {
  // deno-lint-ignore no-await-in-loop -- until all is written
  for (let done = 0; done < bytes.length;) done += await file.write(bytes.subarray(done));
}

async function runReplace(bounds: Bounds): Promise<Findings> {
  await using here = await workspace("events");
  const below = numbersFrom(bounds.seed + 1);
  const directory = `${here.path}/game`;
  const floorsPath = `${here.path}/floors.json`;
  await Deno.mkdir(directory);
  const floors = new Map<string, number | null>();
  let version = 1;
  let change = 0;
  const report = (begun: number, settled: number) =>
    writeFloors(floorsPath, begun, settled, Object.fromEntries(floors));
  const names = Object.keys(ways) as (keyof typeof ways)[];
  const put = async (item: Item, way = names[below(names.length)] ?? "rename") => {
    await ways[way](`${directory}/${item.path}`, bytesOf(item, ++version), `${here.path}/new`);
    for (const { name } of item.files) floors.set(name, version);
  };
  for (const item of items) {
    // deno-lint-ignore no-await-in-loop -- one file is written at a time
    await put(item, "rename");
  }
  await here.mount("--profile", "generic", directory);
  await report(0, 0);
  const root = (await output("sh", "-c", 'dirname "$(find "$1" -name loose0)"', "sh", here.mountPoint)).trim();
  const { pid } = await here.status();
  const readers = startReaders("replaced_readers.py", root, floorsPath, String(bounds.readers), String(bounds.seed));
  await pause(1000);
  using gauge = new ProcessGauge(pid);
  const connection = await connectSocket(here.socket, { client: "soak" });
  const failures: string[] = [];
  const rounds = new Rounds(bounds);
  let slowest = 0;
  const present = new Set(items);
  while (rounds.next()) {
    const item = items[below(items.length)];
    if (!item) continue;
    change++;
    const isRemoved = present.has(item) && present.size > 2 && below(3) === 0;
    // Until it has settled, what was before is right as well.
    // deno-lint-ignore no-await-in-loop -- one change after the other is what is tested
    await report(change, change - 1);
    if (isRemoved) {
      present.delete(item);
      // deno-lint-ignore no-await-in-loop -- as above
      await Deno.remove(`${directory}/${item.path}`);
      for (const { name } of item.files) floors.set(name, null);
    } else {
      present.add(item);
      // deno-lint-ignore no-await-in-loop -- as above
      await put(item);
    }
    const begun = performance.now();
    if (below(2) === 0) {
      // deno-lint-ignore no-await-in-loop -- as above
      await connection.call("refresh", {});
      // deno-lint-ignore no-await-in-loop -- as above
    } else if (!await isShown(item, isRemoved)) {
      failures.push(`${item.path} was not noticed in ${maxNotice} ms`);
    } else {
      slowest = Math.max(slowest, performance.now() - begun);
      // It is seen; that the kernel has forgotten what was before is only known from an answer.
      // deno-lint-ignore no-await-in-loop -- as above
      await connection.call("refresh", {});
    }
    // deno-lint-ignore no-await-in-loop -- as above
    await report(change, change);
    // deno-lint-ignore no-await-in-loop -- as above
    await pause(below(200));
  }
  const result = await readers.finish();
  const { problems, counters } = await connection.call("status", {});
  await connection.close();
  gauge.measure();
  const measured = gauge.figures();
  failures.push(...judgeReaders(result));
  const gone = problems.filter((problem) =>
    !/changed or deleted|incomplete|is missing|not logged one by one/.test(problem)
  );
  if (gone.length > 0) failures.push(`problems that have nothing to do with it: ${gone.slice(0, 5).join("; ")}`);
  await here.stop();
  return {
    figures: {
      changes: rounds.done,
      ...figuresOf(result),
      refreshes: counters.refreshes ?? 0,
      "slowest notice (ms)": Math.round(slowest),
      ...measured,
    },
    failures,
  };

  /** Waits until the mount shows it, without asking the daemon. */
  async function isShown(item: Item, isRemoved: boolean): Promise<boolean> {
    const [file] = item.files;
    const end = Date.now() + maxNotice;
    const head = `${file?.name} ${String(version).padStart(8, "0")} `;
    while (Date.now() < end) {
      // deno-lint-ignore no-await-in-loop -- waiting is the point
      const { code, stdout } = await run("head", ["-n", "1", `${root}/${file?.name}`]);
      if (isRemoved ? code !== 0 : stdout.startsWith(head)) return true;
      // deno-lint-ignore no-await-in-loop -- waiting is the point
      await pause(50);
    }
    return false;
  }
}

/** See above. */
export const replace: Scenario = {
  name: "replace",
  summary: "readers compare every byte while packs are replaced, rewritten in place, removed and added",
  rounds: 100_000,
  run: runReplace,
};
