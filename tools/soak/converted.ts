/**
 * Readers compare every pixel of converted files while the pictures and the palette that they come from are replaced:
 * files of a mount, and results of the page.
 * @module
 */
import { connectSocket } from "../../protocol/client.ts";
import { join, pak, u16, u32, zip } from "../../tests/formats/bytes.ts";
import { output, until, type Workspace, workspace } from "../../tests/mount/mounting.ts";
import { numbersFrom } from "../../tests/support/chance.ts";
import { pause } from "../../tests/support/harness.ts";
import { startPage } from "../../tests/web/start_page.ts";
import {
  type Bounds,
  figuresOf,
  type Findings,
  judgeReaders,
  ProcessGauge,
  Rounds,
  type Scenario,
  startReaders,
  writeFloors,
} from "./scenario.ts";

/** Pictures of each pack; those of LMP have the colours of the palette. */
const lmps = Array.from({ length: 20 }, (_, index) => `pics/l${index}.lmp`);
const tgas = Array.from({ length: 20 }, (_, index) => `pics/t${index}.tga`);
const palette = "gfx/palette.lmp";

/** Width and height of the pictures of a version. */
function sidesOf(version: number): [number, number] {
  return [16 + version % 50, 8 + version % 30];
}

/** The byte of a version at a position, as `converted_readers.py` computes it. */
function byteOf(version: number, index: number): number {
  return (version * 31 + index * 7) & 255;
}

function tga(version: number): Uint8Array {
  const [width, height] = sidesOf(version);
  const pixels = Uint8Array.from({ length: width * height * 3 }, (_, index) => byteOf(version, index));
  return join(Uint8Array.of(0, 0, 2), new Uint8Array(9), u16(width, height), Uint8Array.of(24, 0x20), pixels);
}

function lmp(version: number): Uint8Array {
  const [width, height] = sidesOf(version);
  return join(
    u32(width, height),
    Uint8Array.from({ length: width * height }, (_, index) => byteOf(version, index) >> 1),
  );
}

/** Files of a pack; each is of the version of its pack. */
const packs = [
  { path: "id1/pak0.pak", names: [palette] },
  { path: "id1/pak1.pak", names: lmps },
  { path: "id1/pak2.pk3", names: tgas },
] as const;

function bytesOf(path: string, names: readonly string[], version: number): Uint8Array {
  const contents = names.map((name) => ({
    name,
    content: name === palette
      ? Uint8Array.from({ length: 768 }, (_, index) => byteOf(version, index))
      : name.endsWith(".tga")
      ? tga(version)
      : lmp(version),
  }));
  return path.endsWith(".pak") ? pak(contents.map(({ name, content }) => [name, content])) : zip(contents);
}

/** Source of converted pictures for readers. */
interface Place extends AsyncDisposable {
  /** Parameters of the readers: a directory, or the URL of a page and its cookie. */
  readonly parameters: readonly [string, string?];
  /** The process that converts. */
  readonly pid: number;
  /** Waits until what the daemon has found is shown there. */
  follow(): Promise<void>;
  /** Ends what was started; returns a sentence for each thing that must not be. */
  end(): Promise<string[]>;
}

async function mounted(here: Workspace): Promise<Place> {
  const found = await output("find", `${here.mountPoint}/.as`, "-name", "t0.tga.png");
  return {
    parameters: [found.trim().split("\n")[0]?.replace(/\/pics\/[^/]*$/, "") ?? ""],
    pid: (await here.status()).pid,
    follow: () => Promise.resolve(),
    end: () => Promise.resolve([]),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}

/** Maximum time from SIGTERM to the end of a page; milliseconds. */
const maxPageEnd = 3000;

async function onPage(here: Workspace): Promise<Place> {
  const { url, process } = await startPage(here.environment);
  const visit = await fetch(url, { redirect: "manual" });
  await visit.body?.cancel();
  const cookie = visit.headers.get("set-cookie")?.split(";")[0] ?? "";
  const { origin } = new URL(url);
  const stateNow = async () => (await fetch(`${origin}/.pakfs/state`, { headers: { cookie } })).text();
  let state = await stateNow();
  const { rows: [view] } = JSON.parse(await here.pakfs("views", "--json").then(({ stdout }) => `{"rows":[${stdout}]}`));
  const stop = async () => {
    const begun = performance.now();
    process.kill("SIGTERM");
    await process.status;
    return performance.now() - begun;
  };
  return {
    parameters: [`${origin}/.pakfs/as/png?view=${encodeURIComponent(view.view)}&qpath=`, cookie],
    pid: process.pid,
    // Where nothing else looks for changes, each round is one event.
    follow: async () => {
      const before = state;
      await until("the page has followed", async () => (state = await stateNow()) !== before);
    },
    end: async () => {
      const time = await stop();
      return time > maxPageEnd ? [`the page ended ${Math.round(time)} ms after SIGTERM`] : [];
    },
    [Symbol.asyncDispose]: async () => {
      try {
        await stop();
      } catch {
        // It has ended.
      }
    },
  };
}

async function runConverted(
  bounds: Bounds,
  watching: "off" | "events",
  show: (here: Workspace) => Promise<Place>,
): Promise<Findings> {
  await using here = await workspace(watching);
  const below = numbersFrom(bounds.seed + 1);
  const directory = `${here.path}/game`;
  const floorsPath = `${here.path}/floors.json`;
  await Deno.mkdir(`${directory}/id1`, { recursive: true });
  const floors = new Map<string, number>();
  let version = 0;
  const report = (begun: number, settled: number) =>
    writeFloors(floorsPath, begun, settled, Object.fromEntries(floors));
  const put = async ({ path, names }: typeof packs[number]) => {
    version++;
    await Deno.writeFile(`${here.path}/new`, bytesOf(path, names, version));
    await Deno.rename(`${here.path}/new`, `${directory}/${path}`);
    for (const name of names) floors.set(name, version);
  };
  for (const pack of packs) {
    // deno-lint-ignore no-await-in-loop -- versions are in the order of the packs
    await put(pack);
  }
  await here.mount("--profile", "darkplaces", "--show-as", directory);
  await report(version, version);
  await using place = await show(here);
  const [root, cookie = ""] = place.parameters;
  const { readers: count, seed } = bounds;
  const readers = startReaders("converted_readers.py", root, floorsPath, String(count), String(seed), cookie);
  const connection = await connectSocket(here.socket, { client: "soak" });
  await pause(1000);
  using gauge = new ProcessGauge(place.pid);
  const rounds = new Rounds(bounds);
  while (rounds.next()) {
    const pack = packs[below(packs.length)];
    if (!pack) continue;
    // Until it has settled, what was before is right as well.
    // deno-lint-ignore no-await-in-loop -- one change after the other is what is tested
    await report(version + 1, version);
    // deno-lint-ignore no-await-in-loop -- as above
    await put(pack);
    // deno-lint-ignore no-await-in-loop -- as above
    await connection.call("refresh", {});
    // deno-lint-ignore no-await-in-loop -- as above
    await place.follow();
    // deno-lint-ignore no-await-in-loop -- as above
    await report(version, version);
    // deno-lint-ignore no-await-in-loop -- as above
    await pause(below(200));
  }
  const result = await readers.finish();
  const { counters } = await connection.call("status", {});
  await connection.close();
  gauge.measure();
  const figures = figuresOf(result);
  const failures = judgeReaders(result);
  if (!(Number(figures.reads) > 0)) failures.push("nothing was read");
  const measured = gauge.figures();
  failures.push(...await place.end());
  await here.stop();
  return {
    figures: {
      changes: rounds.done,
      ...figures,
      ...counters.converted ? { conversions: counters.converted } : {},
      ...measured,
    },
    failures,
  };
}

/** See above. */
export const converted: Scenario = {
  name: "converted",
  summary: "readers compare every pixel below .as while pictures and their palette are replaced",
  rounds: 100_000,
  run: (bounds) => runConverted(bounds, "events", mounted),
};

/** See above. */
export const page: Scenario = {
  name: "page",
  summary: "readers compare every pixel that the page converts while pictures and their palette are replaced",
  rounds: 100_000,
  run: (bounds) => runConverted(bounds, "off", onPage),
};
