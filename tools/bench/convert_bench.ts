// deno-lint-ignore-file no-await-in-loop -- one after the other is the point
/**
 * Measures how many pictures a second are converted to PNG, compared with ImageMagick: 1,000 TGAs of 128 x 128 pixels with
 * opacity. Processor time counts, as the time on the clock depends on other programs and on the disk.
 *
 * ```sh
 * deno run -A tools/bench/convert_bench.ts [--rounds N] [--pictures N]     # default: 5 rounds of 1000 pictures
 * ```
 * @module
 */
import { parseArgs } from "node:util";
import { encodeTga } from "../../daemon/demo/image.ts";
import { print } from "../../tests/support/harness.ts";
import { median } from "./report.ts";

const root = new URL("../..", import.meta.url).pathname;
const side = 128;

async function writePictures(directory: string, count: number): Promise<void> {
  await Deno.mkdir(directory, { recursive: true });
  for (let picture = 0; picture < count; picture++) {
    const rgba = Uint8Array.from(
      { length: side * side * 4 },
      (_, index) => index % 4 === 3 ? 200 : Math.round(127 + 120 * Math.sin((index + picture * 31) / 97)) ^ index % 7,
    );
    await Deno.writeFile(`${directory}/${picture}.tga`, encodeTga({ width: side, height: side, rgba }));
  }
}

/** Runs a command; returns seconds of processor time and on the clock, as bash measures them. */
async function measure(command: readonly string[]): Promise<{ processor: number; clock: number }> {
  const { success, stderr } = await new Deno.Command("bash", {
    args: ["-c", 'TIMEFORMAT="%U %S %R"; time "$@" >/dev/null 2>&1', "bash", ...command],
    // What was converted in an earlier round would not be converted again.
    env: { LC_ALL: "C", PAKFS_INDEX_CACHE: "off" },
  }).output();
  const text = new TextDecoder().decode(stderr);
  if (!success) throw new Error(`${command.join(" ")} failed: ${text}`);
  const [user = 0, system = 0, clock = 0] = text.trim().split(" ").map(Number);
  return { processor: user + system, clock };
}

async function isInstalled(program: string): Promise<boolean> {
  return await new Deno.Command(program, { args: ["-version"], stdout: "null", stderr: "null" }).output()
    .then(({ success }) => success, () => false);
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { rounds: { type: "string" }, pictures: { type: "string" } } });
  const [rounds, pictures] = [Number(values.rounds ?? 5), Number(values.pictures ?? 1000)];
  const directory = await Deno.makeTempDir({ prefix: "pakfs-convert-" });
  try {
    await writePictures(`${directory}/game/pics`, pictures);
    await Deno.mkdir(`${directory}/png`);
    const client = [Deno.execPath(), "run", "--quiet", "-A", `${root}repl/main.ts`, "--source", `${directory}/game`];
    const subjects: [string, readonly string[]][] = [
      ["pakfs convert", [...client, "convert", "*.tga", "-o", `${directory}/out`]],
      ["pakfs, of one picture", [...client, "convert", "/pics/0.tga", "-o", `${directory}/one`]],
    ];
    for (const [title, options] of [["ImageMagick", []], ["ImageMagick, uncompressed", ["-quality", "00"]]] as const) {
      const mogrify = `mogrify -path ${directory}/png ${options.join(" ")} -format png ${directory}/game/pics/*.tga`;
      subjects.push([title, ["sh", "-c", mogrify]]);
    }
    const known = await isInstalled("mogrify") ? subjects : subjects.slice(0, 2);
    if (known.length < subjects.length) print("ImageMagick is missing: left out");
    const times = known.map(() => ({ processor: [] as number[], clock: [] as number[] }));
    for (let round = 0; round < rounds; round++) {
      for (const [index, [, command]] of known.entries()) {
        const { processor, clock } = await measure(command);
        times[index]?.processor.push(processor);
        times[index]?.clock.push(clock);
      }
    }
    for (const [index, [title]] of known.entries()) {
      const { processor = [], clock = [] } = times[index] ?? {};
      const [spent, waited] = [median(processor) ?? 0, median(clock) ?? 0];
      const rate = title.endsWith("one picture") ? "" : `, ${Math.round(pictures / spent)} pictures a second of it`;
      print(`${title.padEnd(26)} ${spent.toFixed(2)} s of processor time, ${waited.toFixed(2)} s on the clock${rate}`);
    }
  } finally {
    await Deno.remove(directory, { recursive: true });
  }
}
