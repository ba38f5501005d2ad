/**
 * Readers compare every byte while mods and games disappear, and return with other files of the same names, sizes and
 * times.
 * @module
 */
import { connectSocket } from "../../protocol/client.ts";
import { zip } from "../../tests/formats/bytes.ts";
import { writeFiles } from "../../tests/index/fixtures.ts";
import { workspace } from "../../tests/mount/mounting.ts";
import { numbersFrom } from "../../tests/support/chance.ts";
import { pause } from "../../tests/support/harness.ts";
import {
  type Bounds,
  figuresOf,
  type Findings,
  judgeReaders,
  leftovers,
  ProcessGauge,
  Rounds,
  type Scenario,
  startDaemon,
  startReaders,
  versionedContent,
  writeFloors,
} from "./scenario.ts";

const lines = 4000;
/** Variants of each mod and of the game that comes and goes. */
const variantCount = 3;

const content = (name: string, version: number) => versionedContent(name, version, lines);

/** One of several directories that can be at a place: a mod, or the root of a game. */
interface Variant {
  /** Path below the temporary directory while it is away. */
  readonly home: string;
  readonly version: number;
}

/** A mod that comes and goes. */
interface Slot {
  readonly game: string;
  readonly mod: string;
  readonly variants: readonly Variant[];
  present: Variant | null;
}

/** The files of a mod as they are on the mount: by path, loose and packed, in a view made by name, and the pack alone. */
function pathsOf(game: string, mod: string): string[] {
  const view = [`${game}/${mod}`, `${game}/${mod}+stay`];
  return [
    ...view.flatMap((directory) => ["f", "d", "s"].map((kind) => `${directory}/${mod}${kind}`)),
    ...["d", "s"].map((kind) => `.packs/${game}/${mod}/p.pk3/${mod}${kind}`),
  ];
}

async function writeMod(directory: string, mod: string, version: number): Promise<void> {
  await writeFiles(directory, {
    [`${mod}f`]: content(`${mod}f`, version),
    "p.pk3": zip([
      { name: `${mod}d`, content: content(`${mod}d`, version), method: 8 },
      { name: `${mod}s`, content: content(`${mod}s`, version) },
    ]),
  });
  await Promise.all([`${mod}f`, "p.pk3"].map((name) => Deno.utime(`${directory}/${name}`, 1_000_000, 1_000_000)));
}

async function runReturns(bounds: Bounds): Promise<Findings> {
  await using here = await workspace("events");
  const below = numbersFrom(bounds.seed + 1);
  const floorsPath = `${here.path}/floors.json`;
  let version = 0;
  const base = (root: string) =>
    writeFiles(root, { "baseq3/base.txt": "base", "stay/stay.txt": "stay", "baseq3/pak0.pk3": zip([]) });
  const slots: Slot[] = [];
  for (const mod of ["m0", "m1", "m2"]) {
    const variants: Variant[] = [];
    for (let number = 0; number < variantCount; number++) {
      const variant = { home: `${here.path}/away/${mod}-${number}`, version: ++version };
      // deno-lint-ignore no-await-in-loop -- few
      await writeMod(variant.home, mod, variant.version);
      variants.push(variant);
    }
    slots.push({ game: "one", mod, variants, present: null });
  }
  await base(`${here.path}/one`);
  const gameVariants: Variant[] = [];
  for (let number = 0; number < variantCount; number++) {
    const variant = { home: `${here.path}/two-${number}`, version: ++version };
    // deno-lint-ignore no-await-in-loop -- few
    await base(variant.home);
    // deno-lint-ignore no-await-in-loop -- few
    await writeMod(`${variant.home}/m3`, "m3", variant.version);
    gameVariants.push(variant);
  }
  let game: Variant | null = null;
  const configure = async () => {
    const one = `[[game]]\nname = "one"\nprofile = "ioquake3"\nsources = ["${here.path}/one"]\n`;
    const two = game ? `[[game]]\nname = "two"\nprofile = "ioquake3"\nsources = ["${game.home}"]\n` : "";
    await writeFiles(here.path, { "config/pakfs/config.toml": `mount = "${here.mountPoint}"\n${one}${two}` });
  };
  await configure();
  const daemon = await startDaemon(here);
  const files = () => {
    const known: Record<string, number | null> = {};
    for (const { game, mod, present } of slots) {
      for (const path of pathsOf(game, mod)) known[path] = present?.version ?? null;
    }
    for (const path of pathsOf("two", "m3")) known[path] = game?.version ?? null;
    return known;
  };
  const report = (begun: number, settled: number) => writeFloors(floorsPath, begun, settled, files());
  await report(0, 0);
  const { pid } = await here.status();
  const readers = startReaders(
    "returning_readers.py",
    here.mountPoint,
    floorsPath,
    String(bounds.readers),
    String(bounds.seed),
  );
  await pause(1000);
  using gauge = new ProcessGauge(pid);
  const connection = await connectSocket(here.socket, { client: "soak" });
  const rounds = new Rounds(bounds);
  let reloads = 0;
  const leave = async (slot: Slot) => {
    if (!slot.present) return;
    await Deno.rename(`${here.path}/${slot.game}/${slot.mod}`, slot.present.home);
    slot.present = null;
  };
  const enter = async (slot: Slot) => {
    const variant = slot.variants[below(variantCount)];
    if (slot.present || !variant) return;
    await Deno.rename(variant.home, `${here.path}/${slot.game}/${slot.mod}`);
    slot.present = variant;
  };
  for (let change = 1; rounds.next(); change++) {
    // deno-lint-ignore no-await-in-loop -- one change after the other is what is tested
    await report(change, change - 1);
    // deno-lint-ignore no-await-in-loop -- as above
    await changeOne();
    // deno-lint-ignore no-await-in-loop -- as above
    await report(change, change);
    // deno-lint-ignore no-await-in-loop -- as above
    await pause(below(150));
  }
  const result = await readers.finish();
  const { counters } = await connection.call("status", {});
  await connection.close();
  gauge.measure();
  const measured = gauge.figures();
  const failures = judgeReaders(result);
  await here.stop();
  await daemon.status;
  failures.push(...await leftovers(here, pid));
  return {
    figures: {
      changes: rounds.done,
      reloads,
      ...figuresOf(result),
      refreshes: counters.refreshes ?? 0,
      ...measured,
    },
    failures,
  };

  /** Adds, removes or replaces a mod or the game, and waits until the mount shows it. */
  async function changeOne(): Promise<void> {
    const number = below(slots.length + 1);
    const slot = slots[number];
    if (!slot) {
      game = game && below(2) === 0 ? null : gameVariants[below(variantCount)] ?? null;
      reloads++;
      await configure();
      await connection.call("reload", {});
      return;
    }
    const isSwap = slot.present !== null && below(3) === 0;
    if (slot.present) await leave(slot);
    else await enter(slot);
    if (isSwap) await enter(slot);
    await connection.call("refresh", {});
  }
}

/** See above. */
export const returns: Scenario = {
  name: "returns",
  summary: "readers compare every byte while mods and games disappear and return",
  rounds: 100_000,
  run: runReturns,
};
