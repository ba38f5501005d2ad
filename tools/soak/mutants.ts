/**
 * Archives broken in all kinds of ways, dropped into a directory that is mounted, one after the other.
 * @module
 */
import { connectSocket } from "../../protocol/client.ts";
import { mutate, nestedSeed } from "../../tests/formats/mutants.ts";
import { seeds } from "../../tests/formats/seeds.ts";
import { writeFiles } from "../../tests/index/fixtures.ts";
import { output, type Workspace, workspace } from "../../tests/mount/mounting.ts";
import { numbersFrom } from "../../tests/support/chance.ts";
import { type Bounds, type Findings, ProcessGauge, Rounds, type Scenario, startWalker } from "./scenario.ts";

/** Mutants that lie in the directory at a time. */
const atOnce = 12;
/** Memory that the daemon may have more than when the directory was filled first; megabytes. */
const maxGrowth = 100;

/** Checksums of all files of the archives that stay. */
function soundFiles({ mountPoint }: Workspace): Promise<string> {
  const script = 'cd "$1" && find sound* -type f -print0 | sort -z | xargs -0 sha256sum';
  return output("sh", "-c", script, "sh", `${mountPoint}/.packs/game/game`);
}

async function runMutants(bounds: Bounds): Promise<Findings> {
  await using here = await workspace();
  const below = numbersFrom(bounds.seed + 1);
  const directory = `${here.path}/game`;
  const sound = Object.fromEntries(seeds.map(({ bytes }, index) => [`game/sound${index}.pak`, bytes]));
  await writeFiles(here.path, sound);
  await here.mount("--profile", "generic", "--nested", "--show-packs", directory);
  const { pid } = await here.status();
  const asTheyWere = await soundFiles(here);
  const connection = await connectSocket(here.socket, { client: "soak" });
  await using walker = startWalker(here.mountPoint);
  const failures: string[] = [];
  const rounds = new Rounds(bounds);
  const all = [...seeds, nestedSeed];
  const totals = { files: 0, bytes: 0, EIO: 0, ENOENT: 0, ESTALE: 0 };
  using gauge = new ProcessGauge(pid);
  while (rounds.next()) {
    const seed = all[below(all.length)] ?? nestedSeed;
    const mutant = mutate(seed.bytes, below);
    const path = `${directory}/mutant${below(atOnce)}.pak`;
    // Sometimes one is written over another, and may be read half-written.
    const isReplaced = below(4) !== 0;
    // deno-lint-ignore no-await-in-loop -- one after the other
    await Deno.writeFile(isReplaced ? `${here.path}/new` : path, mutant);
    // deno-lint-ignore no-await-in-loop -- as above
    if (isReplaced) await Deno.rename(`${here.path}/new`, path);
    try {
      // deno-lint-ignore no-await-in-loop -- as above
      await connection.call("refresh", {});
      // deno-lint-ignore no-await-in-loop -- as above
      const found = await walker.walk();
      for (const key of ["files", "bytes", "EIO", "ENOENT", "ESTALE"] as const) totals[key] += found[key];
      for (const sentence of found.wrong) failures.push(`mutant ${rounds.done} of ${seed.title}: ${sentence}`);
      if (found.ENOENT + found.ESTALE > 0) failures.push(`mutant ${rounds.done}: something listed is not there`);
    } catch (error) {
      failures.push(`mutant ${rounds.done} of ${seed.title}: ${String(error)}`);
      break;
    }
    if (rounds.done === atOnce * 4) gauge.restart();
  }
  gauge.measure();
  const measured = gauge.figures();
  if (await soundFiles(here) !== asTheyWere) failures.push("the archives next to them are not as they were");
  const { problems, pid: now } = await connection.call("status", {});
  await connection.close();
  if (now !== pid) failures.push("it is another daemon");
  const mistakes = problems.filter((problem) => /internal error|thread failed|still shows/.test(problem));
  if (mistakes.length > 0) failures.push(`problems of the daemon's own: ${mistakes.slice(0, 5).join("; ")}`);
  if (gauge.growth > maxGrowth) failures.push(`the daemon has ${Math.round(gauge.growth)} MB more than before`);
  await here.stop();
  const { files, bytes, EIO } = totals;
  return {
    figures: { mutants: rounds.done, "files read": files, "bytes read": bytes, EIO, ...measured },
    failures,
  };
}

/** See above. */
export const mutants: Scenario = {
  name: "mutants",
  summary: "mutated archives of every format dropped into a mounted directory, and everything read after each",
  rounds: 2000,
  run: runMutants,
};
