/**
 * Hostile statements of SQL over a socket, some without an end, while another client is answered.
 * @module
 */
import { connectSocket, type SocketConnection } from "../../protocol/client.ts";
import { pages } from "../../protocol/connection.ts";
import { RpcError } from "../../protocol/messages.ts";
import { sqlTables } from "../../questions/sql/schema.ts";
import { writeDemoInstallation } from "../../daemon/demo/installation.ts";
import { run, type Workspace, workspace } from "../../tests/mount/mounting.ts";
import { endlessStatements, randomStatement } from "../../tests/questions/sql/random_statements.ts";
import { numbersFrom } from "../../tests/support/chance.ts";
import { pause } from "../../tests/support/harness.ts";
import { type Bounds, type Findings, ProcessGauge, Rounds, type Scenario } from "./scenario.ts";

/** Share of statements without an end: one in this number. */
const endlessShare = 500;
/** Time until a statement is cancelled; milliseconds. */
const maxRun = 2000;
/** Time that the answer to anything may take; milliseconds. */
const maxAnswer = 30_000;
/** Memory that the daemon may have more than after the first statements; megabytes. */
const maxGrowth = 100;
/** Memory of all processes that carry out statements; megabytes. */
const maxProcessMemory = 2000;
/** Statements that fill what is filled once. */
const firstRounds = 50;

const qpath = "gfx/conback.lmp";

/** Asks again and again until it is stopped; returns the duration of each answer, in milliseconds. */
function startClient(socket: string): { readonly stop: () => Promise<readonly number[]> } {
  let isOver = false;
  const answers = (async () => {
    const durations: number[] = [];
    const client = await connectSocket(socket, { client: "polite" });
    while (!isOver) {
      const begun = performance.now();
      // deno-lint-ignore no-await-in-loop -- one after the other
      await client.call("which", { qpath, view: "quake/id1" });
      durations.push(performance.now() - begun);
      // deno-lint-ignore no-await-in-loop -- as above
      await pause(10);
    }
    await client.close();
    return durations;
  })();
  return {
    stop() {
      isOver = true;
      return answers;
    },
  };
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[numbers.length >> 1] ?? 0;
}

/** Returns the content of all tables. */
async function contentOf(connection: SocketConnection): Promise<string> {
  const parts: unknown[] = [];
  for (const { name } of sqlTables) {
    const statement = `SELECT * FROM ${name} ORDER BY 1, 2, 3`;
    // deno-lint-ignore no-await-in-loop -- one after the other
    parts.push(await Array.fromAsync(pages(connection, "sql", { statement })));
  }
  return JSON.stringify(parts);
}

/** Returns the paths of all files below a directory. */
async function filesBelow(path: string): Promise<string> {
  return (await run("find", [path, "-type", "f"])).stdout;
}

/** Returns the numbers of the processes that carry out statements. */
function statementProcesses(here: Workspace): number[] {
  return here.processes().filter(({ command }) => command.includes("sql_worker")).map(({ pid }) => pid);
}

function megabytesOf(pid: number): number {
  try {
    return Number(/^VmRSS:\s+(\d+)/m.exec(Deno.readTextFileSync(`/proc/${pid}/status`))?.[1] ?? 0) / 1024;
  } catch {
    return 0; // it has ended
  }
}

async function runStatements(bounds: Bounds): Promise<Findings> {
  await using here = await workspace();
  const { games } = await writeDemoInstallation(`${here.path}/games`);
  await Deno.mkdir(`${here.path}/config/pakfs`, { recursive: true });
  await Deno.writeTextFile(
    `${here.path}/config/pakfs/config.toml`,
    games.map(({ name, base }) => `[[game]]\nname = "${name}"\nsources = ["${base}"]\n`).join("\n"),
  );
  await here.foreground("daemon", "--no-mount");
  const { pid } = await here.status();
  const connection = await connectSocket(here.socket, { client: "soak" });
  const before = await contentOf(connection);
  const files = await filesBelow(here.path);
  const quiet = startClient(here.socket);
  await pause(Math.min(5000, bounds.rounds));
  const usual = await quiet.stop();
  const random = numbersFrom(bounds.seed + 1);
  const rounds = new Rounds(bounds);
  const failures: string[] = [];
  const seen = new Set<number>();
  const [counts, memory] = [{ answered: 0, refused: 0, cancelled: 0 }, { max: 0, last: 0 }];
  using gauge = new ProcessGauge(pid);
  const other = startClient(here.socket);
  while (rounds.next()) {
    const isEndless = random(endlessShare) === 0;
    const statement = isEndless
      ? endlessStatements[rounds.done % endlessStatements.length] ?? ""
      : randomStatement(random);
    const begun = performance.now();
    try {
      const signal = AbortSignal.timeout(isEndless ? 100 : maxRun);
      // deno-lint-ignore no-await-in-loop -- one after the other, and few rows of each: many results are never read
      await connection.call("sql", { statement, limit: 5 }, { signal });
      counts.answered++;
    } catch (error) {
      if (!(error instanceof RpcError)) throw error;
      if (error.message.includes("cancelled")) counts.cancelled++;
      else counts.refused++;
    }
    if (performance.now() - begun > maxAnswer) failures.push(`hangs: ${statement}`);
    if (rounds.done % 100 === 0 || rounds.done === firstRounds) {
      const now = statementProcesses(here);
      for (const process of now) seen.add(process);
      memory.last = now.reduce((sum, process) => sum + megabytesOf(process), 0);
      memory.max = Math.max(memory.max, memory.last);
    }
    if (rounds.done === firstRounds) gauge.restart();
  }
  const durations = await other.stop();
  gauge.measure();
  if (Math.max(...durations) > maxAnswer) failures.push("another client waited too long");
  if (gauge.growth > maxGrowth) failures.push(`the daemon has ${Math.round(gauge.growth)} MB more than before`);
  if (seen.size > 4 + counts.cancelled) failures.push(`${seen.size} processes were started for statements`);
  if (memory.max > maxProcessMemory) failures.push(`the processes of statements had ${Math.round(memory.max)} MB`);
  if (await contentOf(connection) !== before) failures.push("the tables have other rows than before");
  if (await filesBelow(here.path) !== files) failures.push("there are other files than before");
  if ((await here.status()).pid !== pid) failures.push("it is another daemon");
  await connection.close();
  await here.stop();
  return {
    figures: {
      statements: rounds.done,
      ...counts,
      "processes for statements, seen": seen.size,
      "their memory at most, at the end (MB)": `${Math.round(memory.max)}, ${Math.round(memory.last)}`,
      "median answer of another client, before and meanwhile (ms)": `${median(usual).toFixed(2)}, ${
        median(durations).toFixed(2)
      }`,
      "its slowest answer (ms)": Math.round(Math.max(...durations)),
      ...gauge.figures(),
    },
    failures,
  };
}

/** See above. */
export const statements: Scenario = {
  name: "statements",
  summary: "hostile statements of SQL, whose results are never read to the end, while another client is answered",
  rounds: 20_000,
  run: runStatements,
};
