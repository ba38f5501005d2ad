// deno-lint-ignore-file no-await-in-loop -- one after the other, to see which one fails
/** `pakfs run`: a script can import the library from any directory, and gets no more permissions than given. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { installation, pakOf } from "../index/fixtures.ts";
import { bothConnections } from "../support/both_connections.ts";
import { argumentPrinter, machine, optionOf } from "./stubs.ts";

const launcher = new URL("../../pakfs", import.meta.url).pathname;

interface RunOptions {
  readonly directory: string;
  readonly environment?: Readonly<Record<string, string>>;
}

function start(words: readonly string[], { directory, environment = {} }: RunOptions): Deno.ChildProcess {
  return new Deno.Command(launcher, {
    args: ["run", ...words],
    cwd: directory,
    env: { NO_COLOR: "1", HOME: directory, PAKFS_SOCKET: `${directory}/run/pakfs.sock`, ...environment },
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
}

async function run(words: readonly string[], options: RunOptions) {
  const { code, stdout, stderr } = await start(words, options).output();
  const decoder = new TextDecoder();
  return { code, stdout: decoder.decode(stdout), stderr: decoder.decode(stderr) };
}

/** Prints the script's permissions for each path or name, and the content of the game of its first argument. */
const probe = `
import { openIndex } from "@pakfs/pakfs";
import { createArchive } from "@pakfs/pakfs/formats";
import { near } from "./lib/near.ts";

const [game = "", ...rest] = Deno.args;
await using index = await openIndex({ sources: [game], profile: "quake", name: "q" });
console.log((await Array.fromAsync(index.view("q/id1").find("*"), ({ qpath }) => qpath)).join(" "), rest.join(" "));
const attempts: Record<string, () => unknown> = {
  own: () => Deno.readTextFileSync(new URL("notes.txt", import.meta.url)),
  other: () => Deno.readTextFileSync("/etc/passwd"),
  here: () => Deno.writeTextFileSync("written.txt", ""),
  there: () => Deno.writeTextFileSync("out/written.txt", ""),
  net: () => Deno.listen({ port: 0 }).close(),
  run: () => new Deno.Command("true").outputSync(),
  known: () => { if (Deno.env.get("HOME") === undefined) throw new Deno.errors.NotCapable(); },
  secret: () => { if (Deno.env.get("SECRET") === undefined) throw new Deno.errors.NotCapable(); },
};
const allowed = Object.keys(attempts).filter((name) => {
  try {
    attempts[name]?.();
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.NotCapable) return false;
    throw error;
  }
});
console.log(allowed.join(" "), near, typeof createArchive);
Deno.exit(allowed.length);
`;

async function scripts() {
  return await installation({
    "games/id1/pak0.pak": pakOf("maps/a.bsp"),
    "elsewhere/out/.keep": "",
    "scripts/probe.ts": probe,
    "scripts/notes.txt": "",
    "scripts/lib/near.ts": 'export const near = "near";\n',
    "scripts/wrong.ts": "const count: number = Deno.args[0];\nconsole.log(count);\n",
    "scripts/wait.ts":
      'Deno.addSignalListener("SIGINT", () => Deno.exit(9));\nconsole.log("ready");\nawait new Promise(() => setInterval(() => {}, 1000));\n',
  });
}

Deno.test("a script has the library from any directory, reads what it is given, and does nothing else", async () => {
  await using root = await scripts();
  const options = { directory: `${root.path}/elsewhere`, environment: { SECRET: "s" } };
  const cases: [options: string[], allowed: string][] = [
    [[], "own known"],
    [["--allow-write=out"], "own there known"],
    [["--allow-write"], "own here there known"],
    [["--allow-read"], "own other known"],
    [["--allow-env=SECRET"], "own known secret"],
    [["--allow-env", "--allow-net", "--deny-read=/etc"], "own net known secret"],
    [["-A"], "own other here there net run known secret"],
    [["--allow-all"], "own other here there net run known secret"],
  ];
  for (const [given, allowed] of cases) {
    const result = await run([...given, "../scripts/probe.ts", "../games", "--help", "-A", "--socket"], options);
    assertEquals(result, {
      code: allowed.split(" ").length,
      stdout: `maps/a.bsp --help -A --socket\n${allowed} near function\n`,
      stderr: "",
    }, given.join(" "));
  }
  const wrong = await run(["--check", "../scripts/wrong.ts"], options);
  assertEquals(wrong.code, 1);
  assertMatch(wrong.stderr, /Type 'string' is not assignable|'string \| undefined' is not assignable/);
  assertEquals((await run(["../scripts/wrong.ts"], options)).code, 0);
});

Deno.test("a script reaches the daemon of the user, or of a socket that the launcher is given", async () => {
  await using made = await bothConnections(
    { "id1/pak0.pak": pakOf("a.wav") },
    (path) => [{ name: "quake", profile: "quake", sources: [path] }],
  );
  const code = 'import { connect } from "@pakfs/pakfs";\nawait using index = await connect();\n' +
    "for await (const { view } of index.views()) console.log(view);\n";
  await Deno.writeTextFile(`${made.path}/views.ts`, code);
  const options = { directory: made.path };
  assertEquals(await run(["views.ts"], options), { code: 0, stdout: "quake/id1\n", stderr: "" });
  const elsewhere = { ...options, environment: { PAKFS_SOCKET: `${made.path}/none.sock` } };
  assertMatch((await run(["views.ts"], elsewhere)).stderr, /no daemon answers at .*none\.sock/);
});

Deno.test("Ctrl-C reaches the script, whose exit code becomes the command's", async () => {
  await using root = await scripts();
  const child = start([`${root.path}/scripts/wait.ts`], { directory: root.path });
  const reader = child.stdout.getReader();
  assertEquals(new TextDecoder().decode((await reader.read()).value), "ready\n");
  child.kill("SIGINT");
  assertEquals((await child.status).code, 9);
  await reader.cancel();
  await child.stderr.cancel();
});

Deno.test("run without a script is a usage error, and a path with a comma is not granted", async () => {
  await using box = await machine();
  await box.install("deno", argumentPrinter);
  const { code, stderr } = await box.run(["run", "--allow-read"]);
  assertEquals([code, stderr], [2, "pakfs: run needs a script: pakfs run SCRIPT.ts [ARG...]\n"]);
  await Deno.mkdir(`${box.root}/a,b`);
  await Deno.mkdir(`${box.root}/c`);
  const environment = { PAKFS_SOCKET: "/s/p.sock", PAKFS_CONFIG: "/c.toml" };
  const { args } = await box.run(["run", "-x", "s.ts", "a,b", "c", "d"], { directory: box.root, environment });
  assertEquals(optionOf(args, "--allow-read"), `/s,${box.root},/c.toml,.,c`);
  assertEquals(args.slice(args.indexOf("-x")), ["-x", "s.ts", "a,b", "c", "d"]);
  assert(args.includes("--ignore-env"));
});
