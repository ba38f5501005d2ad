/**
 * Threads of the daemon that break under readers: decoders again and again, which the mount survives, or the session's,
 * with which the mount goes.
 * @module
 */
import { connectSocket } from "../../protocol/client.ts";
import { isRunning, output, python, until, type Workspace, workspace } from "../../tests/mount/mounting.ts";
import { numbersFrom } from "../../tests/support/chance.ts";
import { pause } from "../../tests/support/harness.ts";
import {
  type Bounds,
  type Findings,
  judgeReaders,
  leftovers,
  ProcessGauge,
  Rounds,
  type Scenario,
  startReaders,
} from "./scenario.ts";

const members = 60;
/** Lines of a member: more than the session thread decompresses itself. */
const lines = 40_000;
/** Maximum time of reading before and after the session breaks; milliseconds. */
const maxPause = 1500;
/** Refreshes in the life of a daemon whose decoders break, and the time between two; milliseconds. */
const refreshes = 12;
/** One that breaks at its first member never decompresses any: then nothing could become readable again. */
const minMembers = 2;
const maxMembers = 40;
const betweenRefreshes = 250;
/** Attempts to read a member before it counts as lost. */
const maxAttempts = 200;

/** A pack whose members only decoders decompress. */
async function installed(here: Workspace): Promise<void> {
  await Deno.mkdir(`${here.path}/q3/baseq3`, { recursive: true });
  const script = `
import sys, zipfile
with zipfile.ZipFile(sys.argv[1] + "/pak0.pk3", "w", zipfile.ZIP_DEFLATED) as archive:
    for member in range(${members}):
        archive.writestr("m%d" % member, b"%06d\\n" % member * ${lines})
`;
  await python(script, `${here.path}/q3/baseq3`);
}

/** Sums over all lives of the daemon. */
interface Totals {
  opens: number;
  bytes: number;
  EIO: number;
}

/** Adds what readers found. */
function add(result: Record<string, unknown> | null, totals: Totals): void {
  for (const key of ["opens", "bytes", "EIO"] as const) totals[key] += Number(result?.[key] ?? 0);
}

function readersOf(here: Workspace, bounds: Bounds, life: number) {
  const root = `${here.mountPoint}/q3/baseq3`;
  const numbers = [members, lines, bounds.readers, bounds.seed + life].map(String);
  return startReaders("broken_readers.py", root, ...numbers);
}

/** Reads every member until it is right. */
async function areAllReadable(here: Workspace): Promise<boolean> {
  const script = 'for number in $(seq 0 "$2"); do for attempt in $(seq "$3"); do ' +
    'cat "$1/m$number" >/dev/null 2>&1 && continue 2; done; echo "$number"; done';
  const root = `${here.mountPoint}/q3/baseq3`;
  return await output("sh", "-c", script, "sh", root, String(members - 1), String(maxAttempts)) === "";
}

async function runBroken(bounds: Bounds): Promise<Findings> {
  const below = numbersFrom(bounds.seed + 1);
  const rounds = new Rounds(bounds);
  const failures: string[] = [];
  const totals: Totals = { opens: 0, bytes: 0, EIO: 0 };
  let broken = 0;
  let sessions = 0;
  let growth = 0;
  while (rounds.next()) {
    // deno-lint-ignore no-await-in-loop -- one life of the daemon after the other
    await using here = await workspace();
    // deno-lint-ignore no-await-in-loop -- as above
    await installed(here);
    const hasSessionFault = rounds.done % 2 === 0;
    const after = hasSessionFault ? 1 + below(5) : minMembers + below(maxMembers - minMembers + 1);
    here.environment.PAKFS_FAULT = hasSessionFault ? `decoder:20,session:${after}` : `decoder:${after}`;
    // deno-lint-ignore no-await-in-loop -- as above
    await here.mount("--profile", "ioquake3", `${here.path}/q3`);
    // deno-lint-ignore no-await-in-loop -- as above
    const { pid } = await here.status();
    const readers = readersOf(here, bounds, rounds.done);
    // deno-lint-ignore no-await-in-loop -- as above
    await pause(below(maxPause));
    const found: string[] = [];
    if (hasSessionFault) {
      sessions++;
      // deno-lint-ignore no-await-in-loop -- as above
      await refresh(here, after);
      // deno-lint-ignore no-await-in-loop -- as above
      await until("the daemon has ended", () => !isRunning(pid));
    } else {
      using gauge = new ProcessGauge(pid);
      // deno-lint-ignore no-await-in-loop -- as above
      await refresh(here, refreshes);
      gauge.measure();
      growth = Math.max(growth, gauge.growth);
    }
    // deno-lint-ignore no-await-in-loop -- as above
    const result = await readers.finish();
    add(result, totals);
    found.push(...judgeReaders(result));
    // deno-lint-ignore no-await-in-loop -- as above
    if (hasSessionFault) found.push(...await leftovers(here, pid));
    else {
      // deno-lint-ignore no-await-in-loop -- as above
      if (!await areAllReadable(here)) found.push("there are members that do not read any more");
      // deno-lint-ignore no-await-in-loop -- as above
      const status = await here.status();
      if (status.pid !== pid) found.push("it is another daemon");
      const isOfThem = (problem: string) => /^a decoder thread failed and is started again; /.test(problem);
      broken += status.problems.filter(isOfThem).length;
      // Between its replacement and the refresh a pack differs from the indexed one.
      const isOther = (problem: string) => !isOfThem(problem) && !/changed or deleted/.test(problem);
      found.push(...status.problems.filter(isOther).slice(0, 3));
      // deno-lint-ignore no-await-in-loop -- as above
      await here.stop();
      // deno-lint-ignore no-await-in-loop -- as above
      found.push(...await leftovers(here, pid));
    }
    failures.push(...found.map((sentence) => `life ${rounds.done}, ${here.environment.PAKFS_FAULT}: ${sentence}`));
  }
  return {
    figures: {
      "lives of the daemon": rounds.done,
      "decoders broken": broken,
      "sessions broken": sessions,
      opens: totals.opens,
      "bytes compared": totals.bytes,
      EIO: totals.EIO,
      "RSS grown at most in a life (MB)": Math.round(growth),
    },
    failures,
  };
}

/**
 * Replaces the pack by a copy of itself `times` times, so that everything has to be decompressed again, and refreshes.
 * The daemon may have ended before the last answer.
 */
async function refresh(here: Workspace, times: number): Promise<void> {
  const connection = await connectSocket(here.socket, { client: "soak" });
  for (let time = 1; time <= times; time++) {
    // deno-lint-ignore no-await-in-loop -- one after the other
    await Deno.copyFile(`${here.path}/q3/baseq3/pak0.pk3`, `${here.path}/new`);
    // deno-lint-ignore no-await-in-loop -- as above
    await Deno.rename(`${here.path}/new`, `${here.path}/q3/baseq3/pak0.pk3`);
    // deno-lint-ignore no-await-in-loop -- as above
    await connection.call("refresh", {}).catch(() => {});
    // deno-lint-ignore no-await-in-loop -- as above
    await pause(betweenRefreshes);
  }
  await connection.close().catch(() => {});
}

/** See above. */
export const broken: Scenario = {
  name: "broken",
  summary: "decoders that break again and again under readers, which the mount survives, and session threads",
  rounds: 60,
  run: runBroken,
};
