/**
 * How long people wait for a start: of commands, of the REPL's first prompt and of a mount, against a daemon that runs;
 * and the minimum of a program on Deno, and of one that asks the daemon.
 *
 * ```sh
 * deno run -A tools/bench/start_bench.ts [--rounds N] [--pinned]     # default: 15 rounds, on all processors
 * ```
 * @module
 */
import { parseArgs } from "node:util";
import { writeDemoInstallation } from "../../daemon/demo/installation.ts";
import { pause, print } from "../../tests/support/harness.ts";
import { Affinity } from "./affinity.ts";
import { median } from "./report.ts";

const root = new URL("../..", import.meta.url).pathname;
const launcher = `${root}pakfs`;

/** A measured start; `clients/start_times.py` explains the other fields. */
interface Subject {
  readonly name: string;
  readonly command: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly until?: string;
  readonly stat?: string;
  readonly after?: readonly string[];
}

/** Variables with which everything is in `home`, and a daemon's socket in `runtime`. */
function environment(home: string, runtime: string): Record<string, string> {
  const unset = ["XDG_CACHE_HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME", "PAKFS_SOCKET", "PAKFS_CONFIG", "PAKFS_PAGER"];
  return {
    HOME: home,
    XDG_RUNTIME_DIR: runtime,
    TERM: "xterm",
    ...Object.fromEntries(unset.map((name) => [name, ""])),
  };
}

async function output(env: Record<string, string>, [command = "", ...args]: readonly string[], input = "") {
  const child = new Deno.Command(command, { args, env, stdin: "piped", stdout: "piped", stderr: "inherit" }).spawn();
  const writer = child.stdin.getWriter();
  await writer.write(new TextEncoder().encode(input));
  await writer.close();
  const { success, stdout } = await child.output();
  if (!success) throw new Error(`${command} ${args.join(" ")} failed`);
  return new TextDecoder().decode(stdout);
}

function subjects(home: string): Subject[] {
  const deno = [Deno.execPath(), "run", "--quiet", "--cached-only", "-A"];
  const question = ["quake/id1", "gfx/palette.lmp"] as const;
  const [view, qpath] = question;
  const client = (name: string, ...words: string[]) => ({ name, command: [launcher, ...words] });
  const inView = ["--view", view];
  const mount = { source: `${home}/games/quake`, point: `${home}/second` };
  return [
    { name: "deno run of an empty file", command: [...deno, `${home}/empty.ts`] },
    {
      name: "a minimal socket client",
      command: [...deno, `${root}tools/bench/clients/socket_client.ts`, `${home}/pakfs/pakfs.sock`, ...question],
    },
    client("pakfs which", "which", qpath, ...inView),
    client("pakfs ls", "ls", "gfx", ...inView),
    client("pakfs find NAME", "find", "palette.lmp", ...inView),
    client("pakfs complete", "complete", "qpath", "gfx/p", ...inView),
    client("pakfs --help", "--help"),
    client("pakfs --version", "--version"),
    client("pakfs cat (whole program)", "cat", qpath, ...inView),
    { ...client("pakfs archive list (no daemon)", "-q", "archive", "list", `${home}/games/quake/id1/pak0.pak`) },
    { ...client("REPL, first prompt"), until: `${view}> ` },
    {
      ...client("pakfs mount, first stat", "mount", "-q", mount.source, mount.point),
      env: { XDG_RUNTIME_DIR: `${home}/other` },
      stat: `${mount.point}/${view}/${qpath}`,
      after: [launcher, "unmount", "-q", mount.point],
    },
  ];
}

/** Measures all subjects in turns and prints a table. */
async function measure(env: Record<string, string>, measured: readonly Subject[], rounds: number): Promise<void> {
  const program = ["python3", `${root}tools/bench/clients/start_times.py`, String(rounds)];
  const lines = (await output(env, program, JSON.stringify(measured))).trim().split("\n");
  const times: { subject: number; wall: number; processor: number }[] = lines.map((line) => JSON.parse(line));
  const row = (name: string, cells: readonly string[]) =>
    print(name.padEnd(32) + cells.map((cell) => cell.padStart(12)).join(""));
  row("", ["median ms", "least", "processor"]);
  for (const [index, { name }] of measured.entries()) {
    const own = times.filter(({ subject }) => subject === index);
    const walls = own.map(({ wall }) => wall);
    const figures = [median(walls), Math.min(...walls), median(own.map(({ processor }) => processor))];
    row(name, figures.map((figure) => (figure ?? NaN).toFixed(1)));
  }
}

async function canMount(): Promise<boolean> {
  return await Deno.open("/dev/fuse", { read: true, write: true }).then((file) => (file.close(), true), () => false);
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    args: Deno.args,
    options: { rounds: { type: "string", default: "15" }, pinned: { type: "boolean", default: false } },
  });
  const affinity = values.pinned ? await Affinity.open() : null;
  if (values.pinned && !affinity) throw new Error("--pinned needs taskset (package util-linux)");
  await affinity?.use("pinned");
  const home = await Deno.makeTempDir({ prefix: "pakfs-bench-" });
  const env = environment(home, home);
  await writeDemoInstallation(`${home}/games`);
  await Promise.all(["other", "second"].map((name) => Deno.mkdir(`${home}/${name}`, { mode: 0o700 })));
  await Deno.writeTextFile(`${home}/empty.ts`, "");
  await Deno.writeTextFile(`${home}/config.toml`, `[[game]]\nname = "quake"\nsources = ["${home}/games/quake"]\n`);
  const daemon = new Deno.Command(launcher, {
    args: ["daemon", "--no-mount", "--quiet", "--config", `${home}/config.toml`],
    env,
    stdin: "null",
  }).spawn();
  try {
    // deno-lint-ignore no-await-in-loop -- until the daemon answers
    while (!await Deno.lstat(`${home}/pakfs/pakfs.sock`).catch(() => undefined)) await pause(20);
    const mounts = await canMount();
    const measured = subjects(home).filter(({ stat }) => mounts || stat === undefined);
    const where = affinity ? "on one processor" : "on all processors";
    print(`${values.rounds} rounds in turns, ${where}, load ${Deno.loadavg()[0]?.toFixed(2)}:`);
    await measure(env, measured, Number(values.rounds));
  } finally {
    daemon.kill();
    await daemon.status;
    // A round that failed leaves its mount.
    const unmount = new Deno.Command(launcher, { args: ["unmount", "-q", `${home}/second`], env, stderr: "null" });
    await unmount.output();
    await Deno.remove(home, { recursive: true });
  }
}

await main();
