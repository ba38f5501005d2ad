/**
 * Random reads through every call of the kernel, against a copy.
 * @module
 */
import { pak, zip } from "../../tests/formats/bytes.ts";
import { writeFiles } from "../../tests/index/fixtures.ts";
import { output, workspace } from "../../tests/mount/mounting.ts";
import { numbersFrom } from "../../tests/support/chance.ts";
import { type Bounds, type Findings, Rounds, type Scenario } from "./scenario.ts";

/** Reads of one round. */
const readsOfRound = 2000;

async function runRandomReads(bounds: Bounds): Promise<Findings> {
  await using here = await workspace();
  const below = numbersFrom(bounds.seed + 1);
  const bytes = (length: number) => Uint8Array.from({ length }, (_, at) => (at >> 8) * 31 + below(4));
  const sizes = [1, 100, 4095, 4096, 4097, 65_536, 131_073, 1_000_000, 3_000_001];
  const files = sizes.flatMap((size, index) =>
    ["loose", "pak", "stored", "deflated"].map((kind) => ({ kind, name: `${kind}${index}`, content: bytes(size) }))
  );
  const of = (wanted: string) => files.filter(({ kind }) => kind === wanted);
  await writeFiles(here.path, {
    ...Object.fromEntries(files.map(({ name, content }) => [`copy/${name}`, content])),
    ...Object.fromEntries(of("loose").map(({ name, content }) => [`game/${name}`, content])),
    "game/a.pak": pak(of("pak").map(({ name, content }) => [name, content])),
    "game/b.pk3": zip([...of("stored"), ...of("deflated").map((file) => ({ ...file, method: 8 }))]),
  });
  await here.mount("--profile", "generic", `${here.path}/game`);
  const root = (await output("sh", "-c", 'dirname "$(find "$1" -name loose0)"', "sh", here.mountPoint)).trim();
  const script = new URL("./random_reader.py", import.meta.url).pathname;
  const rounds = new Rounds(bounds);
  const failures: string[] = [];
  let compared = 0;
  while (rounds.next()) {
    const parameters = [script, root, `${here.path}/copy`, String(readsOfRound), String(below(1_000_000))];
    // deno-lint-ignore no-await-in-loop -- one round after the other
    const printed = await output("python3", ...parameters).catch((error) => {
      failures.push(String(error));
      return "0";
    });
    compared += Number(printed);
  }
  await here.stop();
  return { figures: { reads: rounds.done * readsOfRound, "bytes compared": compared }, failures };
}

/** See above. */
export const randomReads: Scenario = {
  name: "random",
  summary: "random reads by pread, read, preadv, mmap and sendfile against a copy",
  rounds: 1000,
  run: runRandomReads,
};
