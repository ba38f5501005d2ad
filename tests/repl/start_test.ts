// deno-lint-ignore-file no-await-in-loop -- the cases of a test run one after another
/**
 * Commands that the daemon runs for a client print exactly what the whole program prints; and what a start loads.
 * @module
 */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { writeDemoInstallation } from "../../daemon/demo/installation.ts";
import { scanCatalog } from "../support/catalogs.ts";
import type { ParamsOf, ResultOf } from "../../protocol/methods.ts";
import { runRequest } from "../../protocol/run_request.ts";
import { commandTable } from "../../repl/commands/table.ts";
import { runForClient } from "../../repl/run_for_client.ts";
import { needs } from "../support/programs.ts";
import { serve } from "../support/serving.ts";
import { temporaryDirectory } from "../support/temporary.ts";
import { openTerminal } from "../support/terminal.ts";
import { FakeConnection } from "./fake_connection.ts";
import { serveConnection } from "./fake_server.ts";

const root = new URL("../../", import.meta.url).pathname;

function program(file: string, ...args: string[]): string[] {
  return [Deno.execPath(), "run", "--quiet", "-A", `${root}repl/${file}`, ...args];
}

async function output([command = "", ...args]: readonly string[], env: Record<string, string> = {}) {
  const settings = { NO_COLOR: "", FORCE_COLOR: "", ...env };
  const { code, stdout, stderr } = await new Deno.Command(command, { args, env: settings, stdin: "null" }).output();
  const decoder = new TextDecoder();
  return { code, out: decoder.decode(stdout), err: decoder.decode(stderr) };
}

/** A daemon's end of the socket, for the demo's games; counts the command lines that it ran. */
async function demoDaemon(directory: string) {
  await writeDemoInstallation(`${directory}/games`);
  const games = ["quake", "quake3"].map((name) => ({ name, sources: [`${directory}/games/${name}`] }));
  const counts = { run: 0, left: 0 };
  const serving = await serve(scanCatalog(games), `${directory}/run/s.sock`, {
    host: {
      async runCommand(request, call, signal) {
        const result = await runForClient(request, call, signal);
        counts[result.exitCode === null ? "left" : "run"]++;
        return result;
      },
    },
  });
  return { serving, counts, socket: serving.socket };
}

const inView = ["--view", "quake/hipnotic"];

Deno.test("a command line that the daemon runs prints what the whole program prints", async () => {
  await using directory = await temporaryDirectory();
  const { serving, counts, socket } = await demoDaemon(directory.path);
  await using _serving = serving;
  const coloured = { FORCE_COLOR: "1" };
  const lines: readonly (readonly [string[], Record<string, string>?])[] = [
    [["which", "gfx/palette.lmp", ...inView]],
    [["why", "gfx/palette.lmp", "--json", ...inView]],
    [["ls", "-l", ...inView], coloured],
    [["find", "*.wav", "-l", "--mode", "csv", ...inView]],
    [["tree", "--view", "quake3/baseq3"], coloured],
    [["complete", "qpath", "g", ...inView]],
    [["which", "nope", ...inView, "--json"]],
    [["ls"]],
    [["find", "--nope"]],
    [["help", "find"], coloured],
  ];
  for (const [words, env] of lines) {
    const expected = await output(program("main.ts", "--socket", socket, ...words), env);
    const ran = counts.run;
    assertEquals(await output(program("thin_client.ts", socket, ...words), env), expected, words.join(" "));
    assertEquals(counts.run, ran + 1, words.join(" "));
  }
});

Deno.test("the version and the list of commands need neither daemon nor command table", async () => {
  for (const [word, env] of [["--version", {}], ["--help", {}], ["-h", { FORCE_COLOR: "1" }]] as const) {
    const expected = await output(program("main.ts", word), env);
    assertEquals(await output(program("thin_client.ts", "/no/socket", word), env), expected, word);
  }
});

Deno.test("the client runs itself what the daemon leaves to it, or does not answer", async () => {
  await using directory = await temporaryDirectory();
  const { serving, counts, socket } = await demoDaemon(directory.path);
  await using _serving = serving;
  const words = ["cat", "gfx/palette.lmp", ...inView];
  const expected = await output(program("main.ts", "--socket", socket, ...words));
  assertEquals(expected.code, 0);
  assertEquals(await output(program("thin_client.ts", socket, "--socket", socket, ...words)), expected);
  assertEquals(counts, { run: 0, left: 1 });
  const missing = await output(program("thin_client.ts", "/no/socket", "--socket", "/no/socket", "ls"));
  assertEquals(missing.code, 4);
  assertMatch(missing.err, /no daemon answers at \/no\/socket/);
  // A daemon that does not know the method.
  await using old = serveConnection(`${directory.path}/old`, new FakeConnection());
  const { code, out } = await output(program("thin_client.ts", old.path, "--socket", old.path, "find", "*.bsp"));
  assertEquals([code, out.split("\n")[0]], [0, "maps/e1m1.bsp"]);
});

Deno.test("on a terminal, long output goes through the pager, and short output does not", needs("tmux"), async () => {
  await using directory = await temporaryDirectory();
  const { serving, counts, socket } = await demoDaemon(directory.path);
  await using _serving = serving;
  const line = (...words: string[]) => `${program("thin_client.ts", socket, ...words, ...inView).join(" ")}; echo $?.`;
  const script = `PAKFS_PAGER='sed s/^/P:/'; export PAKFS_PAGER; ${line("help", "cd")}; ${line("ls", "gfx")}; exec cat`;
  await using terminal = await openTerminal(directory.path, ["sh", "-c", script], { columns: 80, rows: 16 });
  const screen = (await terminal.until((lines) => lines.filter((text) => text === "0.").length === 2)).join("\n");
  assertMatch(screen, /^P: +-h, --help/m);
  assertMatch(screen, /^[^P].*palette\.lmp/m);
  assertEquals(counts.run, 2);
});

Deno.test("a reader that closes its end ends the client with 141", async () => {
  const [command = "", ...args] = program("thin_client.ts", "/no/socket", "--help");
  const child = new Deno.Command(command, { args, stdin: "null", stdout: "piped" }).spawn();
  await child.stdout.cancel();
  assertEquals((await child.status).code, 141);
});

/** Runs words as the daemon does, with answers from a {@linkcode FakeConnection}. */
async function run(words: string[], changes: Partial<ParamsOf<"run">> = {}): Promise<ResultOf<"run">> {
  const connection = new FakeConnection();
  const call = (method: string, params: unknown) => connection.call(method as "ls", params as ParamsOf<"ls">);
  return await runForClient({ ...runRequest(words), ...changes }, call, undefined);
}

Deno.test("the daemon leaves everything to the client that does more than ask its index", async () => {
  assertEquals((await run(["ls"])).exitCode, 0);
  const commands = ["cat x", "extract x -o y", "checksum x", "archive list x", "refresh", "stop", "unmount x", "repl"];
  const lines = [
    ...commands,
    "open x",
    "show x",
    "complete mount x",
    "-c ls",
    "--batch",
    "",
    "ls --source /x",
    "--game x ls",
  ];
  for (const line of lines) {
    assertEquals(await run(line.split(" ").filter((word) => word !== "")), { exitCode: null, output: [] }, line);
  }
  assertEquals((await run(["ls"], { version: "0.0.0" })).exitCode, null);
  assertEquals((await run(["find", "x".repeat(9000)])).exitCode, null);
  assertEquals((await run(["find", ...Array.from({ length: 9000 }, () => "")])).exitCode, null);
  assertEquals((await run(["ls"], { zone: "" })).exitCode, null);
});

Deno.test("long answers and long output are left to the client", async () => {
  const rows = (count: number) =>
    Array.from({ length: count }, (_, number) => ({ type: "directory", qpath: `d${number}`, entries: 1 }));
  const pageOf = (count: number) =>
    runForClient(
      runRequest(["ls", "--json"]),
      () => Promise.resolve({ rows: rows(count), cursor: null }),
      undefined,
    );
  assertEquals((await pageOf(100)).exitCode, 0);
  assertEquals(await pageOf(6000), { exitCode: null, output: [] }, "more text than is printed at once");
  const endless = runForClient(
    runRequest(["find", "--limit", "1000000000"]),
    () => Promise.resolve({ rows: rows(100).map((row) => ({ ...row, member: "x".repeat(1000) })), cursor: "more" }),
    undefined,
  );
  assertEquals(await endless, { exitCode: null, output: [] });
});

Deno.test("commands that the daemon runs open no file and start no program", async () => {
  const asking = commandTable.flatMap((command) =>
    command.scope !== "launcher" && command.asksOnly !== undefined
      ? [[...command.name.split(" "), ...command.arguments.map(() => "/etc/hostname")]]
      : []
  );
  assert(asking.length > 20);
  const code = `
    import { runForClient } from "${root}repl/run_for_client.ts";
    import { runRequest } from "${root}protocol/run_request.ts";
    import { FakeConnection } from "${root}tests/repl/fake_connection.ts";
    const connection = new FakeConnection();
    const call = (method, params) => connection.call(method, params);
    for (const words of ${JSON.stringify(asking)}) {
      for (const size of [[], ["--json"]]) {
        const request = { ...runRequest([]), words: [...words, ...size] };
        console.log(JSON.stringify(await runForClient(request, call)));
      }
    }`;
  // It may read its own modules only.
  const args = [
    "run",
    "--quiet",
    "--no-prompt",
    "--ignore-env",
    `--config=${root}deno.json`,
    `--allow-read=${root}`,
    "-",
  ];
  const child = new Deno.Command(Deno.execPath(), { args, stdin: "piped", stdout: "piped", stderr: "inherit" }).spawn();
  const writer = child.stdin.getWriter();
  await writer.write(new TextEncoder().encode(code));
  await writer.close();
  const { stdout } = await child.output();
  const printed = new TextDecoder().decode(stdout).trim().split("\n");
  assertEquals(printed.length, 2 * asking.length);
  assertEquals(printed.filter((line) => /Requires .* access/.test(line)), []);
});

interface ModuleInfo {
  readonly specifier: string;
  readonly dependencies?: readonly { readonly code?: { readonly specifier?: string } }[];
}

/** Returns the modules that Deno loads before a program runs: constant targets of `import()` too, types not. */
async function loadedAtStart(file: string): Promise<string[]> {
  const args = ["info", "--json", `--config=${root}deno.json`, root + file];
  const { stdout } = await new Deno.Command(Deno.execPath(), { args }).output();
  const { modules } = JSON.parse(new TextDecoder().decode(stdout)) as { modules: ModuleInfo[] };
  const imports = new Map(modules.map(({ specifier, dependencies = [] }) => [specifier, dependencies]));
  const loaded = new Set([`file://${root}${file}`]);
  for (const specifier of loaded) {
    for (const { code } of imports.get(specifier) ?? []) if (code?.specifier !== undefined) loaded.add(code.specifier);
  }
  return Array.from(loaded, (specifier) => specifier.replace(`file://${root}`, ""));
}

Deno.test("a command that the daemon runs loads a few modules, and none of Deno's modules for Node", async () => {
  const modules = await loadedAtStart("repl/thin_client.ts");
  assert(modules.length <= 14, modules.join("\n"));
  assertEquals(
    modules.filter((module) =>
      !/^(protocol|repl|system\/command_line)\/|^system\/printable\.ts$|^deno\.json$/.test(module)
    ),
    [],
  );
  for (const module of modules) {
    // Deno loads its modules for Node at the first call of these; their cost is that of all modules here.
    assert(!/\b(setTimeout|setInterval|Buffer|process)\(/.test(await Deno.readTextFile(root + module)), module);
  }
});

Deno.test("the whole program starts without what few commands need, and without Deno's modules for Node", async () => {
  const modules = await loadedAtStart("repl/main.ts");
  assert(modules.includes("repl/commands/archive.ts"));
  const heavy =
    /^(service|index\/content|mount\/(?!shared\/mount_options))\/?|^formats\/(archives|codecs|mod)|^node:|^repl\/(show|doctor)\//;
  assertEquals(modules.filter((module) => heavy.test(module)), []);
});

Deno.test("the daemon starts without the commands of the client", async () => {
  const modules = await loadedAtStart("daemon/program.ts");
  assert(modules.includes("daemon/lifecycle/daemon.ts"));
  assertEquals(modules.filter((module) => module.startsWith("repl/")), []);
});
