// deno-lint-ignore-file no-await-in-loop -- the cases of a test run one after another
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { installation, zipOf } from "../index/fixtures.ts";
import { temporaryDirectory } from "../support/temporary.ts";
import { FakeConnection } from "./fake_connection.ts";
import { serveConnection, serveLines } from "./fake_server.ts";
import { jsonRows } from "./harness.ts";

const root = new URL("../../", import.meta.url).pathname;

interface Ended {
  code: number;
  out: string;
  err: string;
}

function start(args: readonly string[], stdin: "null" | "piped" = "null"): Deno.ChildProcess {
  return new Deno.Command(`${root}pakfs`, {
    args: [...args],
    env: { NO_COLOR: "", FORCE_COLOR: "", PAKFS_SOCKET: "" },
    stdin,
    stdout: "piped",
    stderr: "piped",
  }).spawn();
}

async function pakfs(args: readonly string[], input?: string): Promise<Ended> {
  const process = start(args, input === undefined ? "null" : "piped");
  if (input !== undefined) {
    const writer = process.stdin.getWriter();
    await writer.write(new TextEncoder().encode(input)).catch(() => undefined);
    await writer.close().catch(() => undefined);
  }
  const { code, stdout, stderr } = await process.output();
  return { code, out: new TextDecoder().decode(stdout), err: new TextDecoder().decode(stderr) };
}

Deno.test("without a daemon commands exit with 4 and say how to start one", async () => {
  await using directory = await temporaryDirectory();
  const socket = `${directory.path}/none`;
  const human = await pakfs(["ls", "--socket", socket]);
  assertEquals([human.code, human.out], [4, ""]);
  assertStringIncludes(human.err, `no daemon answers at ${socket}`);
  assertStringIncludes(human.err, "pakfs daemon");
  const json = await pakfs(["--json", "--socket", socket, "-c", "ls"]);
  assertEquals(json.code, 4);
  assertEquals((jsonRows(json.err) as { error: { kind: string } }[]).map(({ error }) => error.kind), ["unreachable"]);
});

Deno.test("what cannot be understood exits with 2", async () => {
  const unknown = await pakfs(["fnid", "x"]);
  assertEquals(unknown, { code: 2, out: "", err: "pakfs: unknown command fnid; did you mean find?\n" });
  for (const args of [["--nope"], ["ls", "--nope"], ["ls", "-c", "x"], ["-c", "ls", "ls"], ["repl", "ls"]]) {
    const { code, out } = await pakfs(args);
    assertEquals([code, out], [2, ""], args.join(" "));
  }
  const json = await pakfs(["ls", "--nope", "--json"]);
  assertEquals((jsonRows(json.err) as { error: { kind: string; exitCode: number } }[])[0]?.error.exitCode, 2);
  const both = await pakfs(["ls", "--source", "/x", "--socket", "/y"]);
  assertStringIncludes(both.err, "cannot be combined");
});

Deno.test("help and version need no daemon", async () => {
  const { code, out } = await pakfs(["--help"]);
  assertEquals(code, 0);
  assertStringIncludes(out, "Usage: pakfs [options] COMMAND");
  assertStringIncludes((await pakfs(["find", "-h"])).out, "Usage: pakfs find");
  const { version } = JSON.parse(await Deno.readTextFile(`${root}deno.json`));
  assertEquals((await pakfs(["--version"])).out, `pakfs ${version}\n`);
});

Deno.test("one-shot commands and scripts share one daemon and one grammar", async () => {
  await using directory = await temporaryDirectory();
  await using server = serveConnection(`${directory.path}/s`, new FakeConnection());
  const socket = ["--socket", server.path];
  assertEquals((await pakfs(["find", "*.bsp", "--limit", "1", ...socket])).out, "maps/e1m1.bsp\n");
  const commands = await pakfs([...socket, "repl", "-c", "use hipnotic", "-c", "cd sound", "-c", "ls"]);
  assertEquals(commands, { code: 0, out: "bad.wav\nmisc/\n", err: "" });
  const file = `${directory.path}/tour.pakfs`;
  await Deno.writeTextFile(file, "# a tour\n\ncd maps\r\nstat 'my map.bsp' --json\nexit\nnonsense\n");
  const script = await pakfs([...socket, "-f", file]);
  assertEquals([script.code, script.err], [0, ""]);
  assertEquals((jsonRows(script.out) as { qpath: string }[])[0]?.qpath, "maps/my map.bsp");
  assertEquals((await pakfs(socket, "cd maps\npwd")).out, "quake/hipnotic:/maps\n");
});

Deno.test("a script stops at its first error with 3 and names the line", async () => {
  await using directory = await temporaryDirectory();
  await using server = serveConnection(`${directory.path}/s`, new FakeConnection());
  const file = `${directory.path}/tour.pakfs`;
  await Deno.writeTextFile(file, "pwd\n# comment\nstat nothing\npwd\n");
  const failed = await pakfs(["--socket", server.path, "-f", file]);
  assertEquals(failed, {
    code: 3,
    out: "quake/hipnotic:/\n",
    err: `pakfs: ${file}:3: quake/hipnotic has no nothing\n`,
  });
  const open = await pakfs(["--socket", server.path, "--json"], 'pwd\ncat "x\n');
  assertEquals(open.code, 3);
  const [row] = jsonRows(open.err) as { error: { file: string; line: number; kind: string } }[];
  assertEquals([row?.error.file, row?.error.line, row?.error.kind], ["standard input", 2, "usage"]);
  const missing = await pakfs(["-f", `${directory.path}/missing`]);
  const expected = `pakfs: cannot read the script ${directory.path}/missing: no such file or directory\n`;
  assertEquals(missing, { code: 1, out: "", err: expected });
});

Deno.test("a closed pipe ends the program quietly with 141", async () => {
  await using directory = await temporaryDirectory();
  const files = Array.from({ length: 50_000 }, (_, index) => ({
    qpath: `some/long/directory/name/file-${index}.txt`,
    content: new Uint8Array(),
    source: "/s",
    format: "loose",
  }));
  await using server = serveConnection(`${directory.path}/s`, new FakeConnection(files, 10_000));
  const process = start(["find", "*", "--socket", server.path]);
  const reader = process.stdout.getReader();
  await reader.read();
  await reader.cancel();
  const [{ code }, err] = await Promise.all([process.status, new Response(process.stderr).text()]);
  assertEquals([code, err], [141, ""]);
});

Deno.test("Ctrl-C cancels the call at the daemon and exits with 130", async () => {
  await using directory = await temporaryDirectory();
  const asked = Promise.withResolvers<void>();
  const cancelled = Promise.withResolvers<number>();
  const fake = new FakeConnection();
  await using server = serveLines(`${directory.path}/s`, async (line, send) => {
    const { id, method, params } = JSON.parse(line);
    if (method === "qpaths") return asked.resolve();
    if (method === "$/cancel") {
      cancelled.resolve(params.id);
      return await send(
        JSON.stringify({ jsonrpc: "2.0", id: params.id, error: { code: -32800, message: "cancelled" } }) + "\n",
      );
    }
    await send(JSON.stringify({ jsonrpc: "2.0", id, result: await fake.call(method, params) }) + "\n");
  });
  const process = start(["find", "*", "--socket", server.path]);
  await asked.promise;
  process.kill("SIGINT");
  assert(await cancelled.promise > 0);
  const { code, stdout, stderr } = await process.output();
  assertEquals([code, stdout.length, stderr.length], [130, 0, 0]);
});

Deno.test("unmount leaves alone what is not a mount of pakfs", async () => {
  await using directory = await temporaryDirectory();
  const socket = ["--socket", `${directory.path}/none`];
  assertStringIncludes((await pakfs(["unmount", directory.path, ...socket])).err, `${directory.path} is not mounted`);
  const foreign = await pakfs(["unmount", "/proc", ...socket]);
  assertEquals(foreign.code, 1);
  assertStringIncludes(foreign.err, "not of pakfs");
  assertStringIncludes((await pakfs(["unmount", `${directory.path}/a/b`, ...socket])).err, "no such directory");
});

Deno.test("--strict-engine with --source leaves out what is beyond the engine's limits", async () => {
  const name = `maps/${"x".repeat(60)}`;
  await using root = await installation({ "baseq3/pak0.pk3": zipOf("a", name) });
  const plain = await pakfs(["find", "--source", root.path, "--profile", "ioquake3"]);
  assertEquals(plain.out, `a\n${name}\n`);
  const strict = await pakfs(["find", "--source", root.path, "--profile", "ioquake3", "--strict-engine"]);
  assertEquals(strict, { code: 0, out: "a\n", err: "" });
  const alone = await pakfs(["find", "--strict-engine"]);
  assertEquals(alone.code, 2);
  assertStringIncludes(alone.err, "--source DIR");
});

Deno.test("a batch answers each line with its number, failed ones too, before the next one comes", async () => {
  await using directory = await temporaryDirectory();
  await using server = serveConnection(`${directory.path}/s`, new FakeConnection());
  const input = "pwd\n\n# no command\nstat nothing\ncat default.cfg\nls | wc -l\nnames -q\nfind nope\nformats --nope\n";
  const { code, out, err } = await pakfs(["--batch", "--socket", server.path], input);
  assertEquals([code, err], [1, ""]);
  const rows = jsonRows(out) as { row?: { hash?: unknown }; error?: { kind: string } }[];
  const reported = rows.filter(({ row }) => row?.hash === undefined).map((row) => ({ ...row, error: row.error?.kind }));
  assertEquals<unknown[]>(reported, [
    { line: 1, row: { view: "quake/hipnotic", directory: "" }, error: undefined },
    { line: 1, exitCode: 0, error: undefined },
    { line: 4, exitCode: 1, error: "notFound" },
    { line: 5, data: btoa("bind w +forward\n"), error: undefined },
    { line: 5, exitCode: 0, error: undefined },
    { line: 6, exitCode: 2, error: "usage" },
    { line: 7, exitCode: 0, error: undefined },
    { line: 8, exitCode: 0, error: undefined },
    { line: 9, exitCode: 2, error: "usage" },
  ]);
  const process = start(["--batch", "--socket", server.path], "piped");
  const writer = process.stdin.getWriter();
  const reader = process.stdout.pipeThrough(new TextDecoderStream()).getReader();
  await writer.write(new TextEncoder().encode("pwd\n"));
  let answered = "";
  while (!answered.includes('"exitCode"')) answered += (await reader.read()).value ?? "";
  await writer.close();
  assertEquals((await reader.read()).done, true);
  await process.stderr.cancel();
  assertEquals((await process.status).code, 0);
  assertEquals((await pakfs(["--batch", "ls"])).code, 2);
});

Deno.test("what follows a bare | is a command of the shell, which may stop reading early", async () => {
  await using directory = await temporaryDirectory();
  const files = Array.from({ length: 20_000 }, (_, index) => ({
    qpath: `some/long/directory/name/file-${index}.txt`,
    content: new Uint8Array(),
    source: "/s",
    format: "loose",
  }));
  const connection = new FakeConnection(files, 1000);
  await using server = serveConnection(`${directory.path}/s`, connection);
  const script = "find | head -n 1\nfind '*|*' --limit 1\nfind | grep -c '7[.]'\nfind --limit 1 | exit 5\npwd\n";
  const { code, out, err } = await pakfs(["--socket", server.path], script);
  assertEquals([code, err], [0, "no file matches *|*\n"]);
  assertEquals(out, "some/long/directory/name/file-0.txt\n2000\nquake/hipnotic:/\n");
});
