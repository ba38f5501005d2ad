/**
 * The REPL as people use it: in a terminal, with keys.
 * @module
 */
import { assert, assertEquals } from "@std/assert";
import { writeDemoInstallation } from "../../daemon/demo/installation.ts";
import { needs } from "../support/programs.ts";
import { temporaryDirectory } from "../support/temporary.ts";
import { openTerminal, type Terminal } from "../support/terminal.ts";
import { FakeConnection, type FixtureFile } from "./fake_connection.ts";
import { serveConnection, serveLines } from "./fake_server.ts";

const root = new URL("../..", import.meta.url).pathname;
const program = `${root}repl/main.ts`;

function repl(directory: string, settings: readonly string[] = []): Promise<Terminal> {
  return openTerminal(directory, [
    "env",
    "NO_COLOR=1",
    "LC_ALL=C.UTF-8",
    `PAKFS_HISTFILE=${directory}/history`,
    "PAKFS_PAGER=cat",
    ...settings,
    Deno.execPath(),
    "run",
    "--quiet",
    "-A",
    program,
    "--socket",
    `${directory}/s`,
  ]);
}

/** Whether the screen ends with an empty prompt. */
function isAtPrompt(prompt: string): (lines: string[]) => boolean {
  return (lines) => lines.at(-1) === prompt;
}

Deno.test(
  "a session in a terminal: columns, completion, directories, search in the history",
  needs("tmux"),
  async () => {
    await using directory = await temporaryDirectory();
    const { path } = directory;
    await Deno.writeTextFile(`${path}/history`, "which gfx/palette.lmp\nfind --ext wav\nls\n");
    await using _server = serveConnection(`${path}/s`, new FakeConnection());
    await using terminal = await repl(path);
    await terminal.until(isAtPrompt("quake/hipnotic>"));
    await terminal.press("ls", "Enter");
    await terminal.until("sound/");
    await terminal.press("cd ma");
    await terminal.until(isAtPrompt("quake/hipnotic> cd ma"));
    await terminal.press("Tab");
    await terminal.until(isAtPrompt("quake/hipnotic> cd maps/"));
    await terminal.press("Enter");
    await terminal.until(isAtPrompt("quake/hipnotic:maps>"));
    await terminal.press("C-r", "wh");
    await terminal.until("(search)'wh': which gfx/palette.lmp");
    await terminal.press("C-g");
    await terminal.until(isAtPrompt("quake/hipnotic:maps>"));
    await terminal.press("C-r", "ext");
    await terminal.until("(search)'ext': find --ext wav");
    await terminal.press("zz");
    await terminal.until("(failing search)'extzz': find --ext wav");
    await terminal.press("BSpace", "BSpace", "Escape");
    await terminal.until(isAtPrompt("quake/hipnotic:maps> find --ext wav"));
    await terminal.press("C-u", "find m* | tr a-z A-Z", "Enter");
    await terminal.until("MY MAP");
    await terminal.press("nonsense", "Enter");
    await terminal.until("unknown command nonsense");
    const lines = await terminal.until(isAtPrompt("quake/hipnotic:maps>"));
    assertEquals(lines.slice(2), [
      'views: quake/id1, quake/hipnotic; "use VIEW" switches',
      "quake/hipnotic> ls",
      "default.cfg  gfx/  maps/  sound/",
      "quake/hipnotic> cd maps/",
      "quake/hipnotic:maps> find m* | tr a-z A-Z",
      "MAPS/MY MAP.BSP",
      "quake/hipnotic:maps> nonsense",
      "pakfs: unknown command nonsense; see help",
      "quake/hipnotic:maps>",
    ]);
    await terminal.resize(24, 12);
    await terminal.press("C-l");
    await terminal.until((shown) => shown.length === 1 && shown[0] === "quake/hipnotic:maps>");
    await terminal.press("ls /", "Enter");
    await terminal.until((shown) => shown.includes("default.cfg  maps/"));
  },
);

Deno.test("after Ctrl-Z and fg the prompt, Ctrl-C and a running command work as before", needs("tmux"), async () => {
  await using directory = await temporaryDirectory();
  const { path } = directory;
  await using _server = serveConnection(`${path}/s`, new FakeConnection());
  const deno = `'${Deno.execPath()}' run --quiet -A '${program}' --socket '${path}/s'`;
  await using terminal = await openTerminal(path, [
    "env",
    "PS1=$ ",
    "HOME=" + path,
    "NO_COLOR=1",
    "bash",
    "--norc",
    "-i",
  ]);
  await terminal.until(isAtPrompt("$"));
  await terminal.press(`PAKFS_HISTFILE=${path}/h PAKFS_PAGER=cat ${deno}`, "Enter");
  await terminal.until(isAtPrompt("quake/hipnotic>"));
  await terminal.press("cd ma", "C-z");
  await terminal.until(isAtPrompt("$"));
  await terminal.press("fg", "Enter");
  await terminal.until(isAtPrompt("quake/hipnotic> cd ma"));
  await terminal.press("Tab");
  await terminal.until(isAtPrompt("quake/hipnotic> cd maps/"));
  await terminal.press("C-c");
  await terminal.until(isAtPrompt("quake/hipnotic>"));
  await terminal.press("pwd", "Enter");
  await terminal.until((lines) => lines.at(-2) === "quake/hipnotic:/");
});

Deno.test("a thousand pasted lines are run one after another, and all of them", needs("tmux"), async () => {
  await using directory = await temporaryDirectory();
  const connection = new FakeConnection();
  await using _server = serveConnection(`${directory.path}/s`, connection);
  await using terminal = await repl(directory.path);
  await terminal.until(isAtPrompt("quake/hipnotic>"));
  await terminal.paste(Array.from({ length: 1000 }, (_, index) => `find ${index}.tga\n`).join("") + "cd maps\n");
  await terminal.until(isAtPrompt("quake/hipnotic:maps>"));
  const asked = connection.calls.filter((call) => call.startsWith("qpaths ")).map((call) => JSON.parse(call.slice(7)));
  assertEquals(asked.map(({ patterns }) => patterns[0]), Array.from({ length: 1000 }, (_, index) => `${index}.tga`));
});

Deno.test("pasted lines show prompt, command and result in turn", needs("tmux"), async () => {
  await using directory = await temporaryDirectory();
  await using _server = serveConnection(`${directory.path}/s`, new FakeConnection());
  await using terminal = await repl(directory.path);
  await terminal.until(isAtPrompt("quake/hipnotic>"));
  await terminal.paste("cd maps\npwd\nls\n!echo $((6 * 7))\ncd -\n");
  const shown = await terminal.until((lines) =>
    lines.at(-2) === "quake/hipnotic:maps> cd -" && lines.at(-1) === "quake/hipnotic>"
  );
  assertEquals(shown.slice(-9), [
    "quake/hipnotic> cd maps",
    "quake/hipnotic:maps> pwd",
    "quake/hipnotic:/maps",
    "quake/hipnotic:maps> ls",
    "e1m1.bsp  hip1m1.bsp  my map.bsp",
    "quake/hipnotic:maps> !echo $((6 * 7))",
    "42",
    "quake/hipnotic:maps> cd -",
    "quake/hipnotic>",
  ]);
});

Deno.test(
  "Tab twice lists the names below a directory, many of them only if the user agrees",
  needs("tmux"),
  async () => {
    await using directory = await temporaryDirectory();
    const files = Array.from({ length: 120 }, (_, index): FixtureFile => ({
      qpath: `textures/base/t${String(index).padStart(3, "0")}.tga`,
      content: new Uint8Array(),
      source: "/s",
      format: "loose",
    }));
    await using _server = serveConnection(`${directory.path}/s`, new FakeConnection(files, 1000));
    await using terminal = await repl(directory.path);
    await terminal.until(isAtPrompt("quake/hipnotic>"));
    await terminal.press("stat te", "Tab");
    await terminal.until(isAtPrompt("quake/hipnotic> stat textures/"));
    await terminal.press("base/t00", "Tab", "Tab");
    const listed = await terminal.until((lines) => lines.at(-2)?.includes("t009.tga") === true);
    assertEquals(listed.at(-1), "quake/hipnotic> stat textures/base/t00");
    assert(!listed.slice(0, -1).some((line) => line.includes("base/t003.tga")), listed.join("\n"));
    await terminal.press("BSpace", "BSpace", "Tab", "Tab");
    await terminal.until("display all 120? (y or n)");
    await terminal.press("n");
    await terminal.until(isAtPrompt("quake/hipnotic> stat textures/base/t"));
    await terminal.press("Tab", "Tab");
    await terminal.until((lines) => lines.at(-1) === "display all 120? (y or n)");
    await terminal.press("y");
    await terminal.until((lines) => lines.some((line) => line.includes("t119.tga")));
    await terminal.press("003.tga", "Enter");
    await terminal.until("textures/base/t003.tga");
  },
);

Deno.test(
  "in colour the prompt hints at the arguments of a command, and leaves nothing of that behind",
  needs("tmux"),
  async () => {
    await using directory = await temporaryDirectory();
    await using _server = serveConnection(`${directory.path}/s`, new FakeConnection());
    await using terminal = await repl(directory.path, ["NO_COLOR=", "TERM=screen-256color"]);
    await terminal.until(isAtPrompt("quake/hipnotic>"));
    await terminal.press("hexdump ");
    await terminal.until(isAtPrompt("quake/hipnotic> hexdump QPATH [options]"));
    await terminal.press("gfx");
    await terminal.until(isAtPrompt("quake/hipnotic> hexdump gfx"));
    await terminal.press("C-u", "pwd", "Enter");
    await terminal.until((lines) => lines.at(-3) === "quake/hipnotic> pwd" && lines.at(-2) === "quake/hipnotic:/");
  },
);

Deno.test("Ctrl-C stops the running command, or Tab, and keeps the REPL", needs("tmux"), async () => {
  await using directory = await temporaryDirectory();
  const completing = Promise.withResolvers<void>();
  const fake = new FakeConnection();
  await using _server = serveLines(`${directory.path}/s`, async (line, send) => {
    const { id, method, params } = JSON.parse(line);
    if (method === "complete") completing.resolve();
    if (method === "qpaths" || method === "complete") return;
    const cancelled = { code: -32800, message: "cancelled" };
    const answer = method === "$/cancel"
      ? { id: params.id, error: cancelled }
      : { id, result: await fake.call(method, params) };
    await send(JSON.stringify({ jsonrpc: "2.0", ...answer }) + "\n");
  });
  await using terminal = await repl(directory.path);
  await terminal.until(isAtPrompt("quake/hipnotic>"));
  await terminal.press("find", "Enter");
  await terminal.until("s; Ctrl-C stops it");
  await terminal.press("C-c");
  await terminal.until(isAtPrompt("quake/hipnotic>"));
  await terminal.press("cat ma", "Tab");
  await completing.promise;
  await terminal.press("C-c");
  await terminal.until(isAtPrompt("quake/hipnotic>"));
  await terminal.press("pwd", "Enter");
  await terminal.until("quake/hipnotic:/");
});

Deno.test("after a restart of the daemon the REPL reconnects and continues", needs("tmux"), async () => {
  await using directory = await temporaryDirectory();
  const first = serveConnection(`${directory.path}/s`, new FakeConnection());
  await using terminal = await repl(directory.path);
  await terminal.until(isAtPrompt("quake/hipnotic>"));
  await terminal.press("cd maps", "Enter");
  await terminal.until(isAtPrompt("quake/hipnotic:maps>"));
  await first.close();
  await terminal.press("ls", "Enter");
  await terminal.until("no daemon answers");
  await terminal.until(isAtPrompt("quake/hipnotic:maps (no daemon)>"));
  const second = serveConnection(`${directory.path}/s`, new FakeConnection());
  await terminal.press("ls", "Enter");
  await terminal.until("e1m1.bsp");
  await terminal.until(isAtPrompt("quake/hipnotic:maps>"));
  await second.close();
  await using _third = serveConnection(`${directory.path}/s`, new FakeConnection());
  await terminal.press("stat e1m1.bsp | head -n 1", "Enter");
  const lines = await terminal.until("maps/e1m1.bsp");
  assert(lines.includes("the daemon was restarted; reconnected"), lines.join("\n"));
});

Deno.test("what is longer than the screen goes through the pager, which has the keyboard", needs("tmux"), async () => {
  await using directory = await temporaryDirectory();
  const files = Array.from({ length: 40 }, (_, index): FixtureFile => ({
    qpath: `地図/${String(index).padStart(2, "0")} 🎮.tga`,
    content: new Uint8Array(),
    source: "/s",
    format: "loose",
  }));
  await using _server = serveConnection(`${directory.path}/s`, new FakeConnection(files, 1000));
  await using terminal = await repl(directory.path, [
    'PAKFS_PAGER=head -n 2; read -r answer </dev/tty; echo "[$answer]"',
  ]);
  await terminal.until(isAtPrompt("quake/hipnotic>"));
  await terminal.press("find", "Enter");
  await terminal.until("01 🎮.tga");
  await terminal.press("next", "Enter");
  const lines = await terminal.until("[next]");
  assert(!lines.some((line) => line.includes("02 🎮")), lines.join("\n"));
  await terminal.until(isAtPrompt("quake/hipnotic>"));
  await terminal.press("ls", "Enter");
  await terminal.until((shown) => shown.includes("地図/"));
  await terminal.press("ls -l 地図 | tail -n 1", "Enter");
  await terminal.until("39 🎮.tga");
  await terminal.press("C-d");
});

Deno.test(
  "a command that prints more than the screen holds goes through the pager, and --no-pager past it",
  needs("tmux"),
  async () => {
    await using directory = await temporaryDirectory();
    const { path } = directory;
    const files = Array.from({ length: 40 }, (_, index): FixtureFile => ({
      qpath: `maps/${String(index).padStart(2, "0")}.bsp`,
      content: new Uint8Array(),
      source: "/s",
      format: "loose",
    }));
    await using _server = serveConnection(`${path}/s`, new FakeConnection(files, 1000));
    const pager = `sed -n 's/^maps.0/paged 0/p'; read -r answer </dev/tty; echo "[$answer]"`;
    await using terminal = await openTerminal(path, [
      ...[
        "env",
        "NO_COLOR=1",
        "LC_ALL=C.UTF-8",
        `PAKFS_SOCKET=${path}/s`,
        `PAGER=${pager}`,
        `PATH=${root}:${Deno.env.get("PATH")}`,
      ],
      ...["PS1=$ ", "sh"],
    ], { columns: 60, rows: 30 });
    await terminal.until(isAtPrompt("$"));
    await terminal.press("pakfs find", "Enter");
    await terminal.until("paged 09.bsp");
    await terminal.press("next", "Enter");
    const lines = await terminal.until("[next]");
    assert(!lines.some((line) => line.includes("10.bsp")), lines.join("\n"));
    await terminal.until(isAtPrompt("$"));
    // Output that fits is printed without a pager, as is all output if no pager is wanted or no terminal reads it.
    await terminal.press("clear; pakfs ls", "Enter");
    await terminal.until((shown) => shown.includes("maps/") && shown.at(-1) === "$");
    await terminal.press("clear; pakfs find --no-pager", "Enter");
    await terminal.until((shown) => shown.includes("maps/39.bsp") && shown.at(-1) === "$");
    await terminal.press("clear; pakfs find | tail -n 1", "Enter");
    await terminal.until((shown) => shown.includes("maps/39.bsp") && shown.at(-1) === "$");
    await terminal.press("clear; PAKFS_PAGER=true pakfs find; echo code $?", "Enter");
    await terminal.until("code 0");
    // The pager handles Ctrl-C as less does: two presses end neither the pager nor the session.
    await Deno.writeTextFile(
      `${path}/stubborn`,
      "trap '' INT\ncat >/dev/null\necho paged\nread -r answer </dev/tty\necho \"[$answer]\"\n",
    );
    await terminal.press(`clear; PAKFS_PAGER='. ${path}/stubborn' pakfs find`, "Enter");
    await terminal.until((shown) => shown.includes("paged"));
    await terminal.press("C-c", "C-c", "last", "Enter");
    await terminal.until((shown) => (shown.at(-2) ?? "").endsWith("[last]") && shown.at(-1) === "$");
  },
);

Deno.test(
  "a session with the launcher and a daemon: Tab, Ctrl-C at the prompt and in a paste, resize, Ctrl-R",
  needs("tmux"),
  async () => {
    await using directory = await temporaryDirectory();
    const { path } = directory;
    await writeDemoInstallation(`${path}/games`);
    const settings = {
      HOME: path,
      XDG_RUNTIME_DIR: path,
      XDG_CACHE_HOME: "",
      XDG_STATE_HOME: "",
      PAKFS_CONFIG: `${path}/config.toml`,
      PAKFS_SOCKET: `${path}/s`,
      PAKFS_PAGER: "cat",
      PAKFS_INDEX_CACHE: "off",
      NO_COLOR: "1",
      LC_ALL: "C.UTF-8",
    };
    await Deno.writeTextFile(settings.PAKFS_CONFIG, `[[game]]\nname = "quake"\nsources = ["${path}/games/quake"]\n`);
    const daemon = new Deno.Command(`${root}pakfs`, {
      args: ["daemon", "--no-mount", "--no-watch"],
      env: settings,
      stdin: "null",
      stdout: "null",
      stderr: "null",
    }).spawn();
    try {
      await usable(settings.PAKFS_SOCKET);
      const words = Object.entries(settings).map(([name, value]) => `${name}=${value}`);
      await using terminal = await openTerminal(path, ["env", ...words, `${root}pakfs`]);
      await terminal.until(isAtPrompt("quake/id1>"));
      await terminal.press("which gfx/pal", "Tab");
      await terminal.until(isAtPrompt("quake/id1> which gfx/palette.lmp"));
      // The line is neither run nor added to the history.
      await terminal.press("C-c");
      await terminal.until((lines) => lines.at(-1) === "quake/id1>" && (lines.at(-2) ?? "").endsWith("^C"));
      await terminal.press("cd te", "Tab");
      await terminal.until(isAtPrompt("quake/id1> cd textures/"));
      await terminal.resize(24, 10);
      await terminal.press("bri", "Tab");
      await terminal.until((lines) => lines.slice(-2).join("").includes("cd textures/brick/"));
      await terminal.resize(60, 12);
      await terminal.press("Enter");
      await terminal.until(isAtPrompt("quake/id1:textures/brick>"));
      await terminal.paste("find '**' -l\n".repeat(1000) + "cd /sound\n");
      await terminal.press("C-c");
      // Ctrl-C also drops the lines that have not run yet.
      await terminal.until((lines) => lines.includes("^C") && lines.at(-1) === "quake/id1:textures/brick>");
      await terminal.press("pwd", "Enter");
      const shown = await terminal.until((lines) => lines.at(-2) === "quake/id1:/textures/brick");
      assertEquals(shown.at(-1), "quake/id1:textures/brick>");
      await terminal.press("C-r", "tex");
      await terminal.until("(search)'tex': cd textures/brick/");
      await terminal.press("C-g", "stop", "Enter");
      await terminal.until("the daemon is stopping");
      assertEquals((await daemon.status).code, 0);
    } finally {
      try {
        daemon.kill("SIGTERM");
      } catch {
        // The process has ended.
      }
      await daemon.status;
    }
  },
);

/** Waits until something listens on a socket. */
async function usable(socket: string): Promise<void> {
  for (let attempt = 0; attempt < 6000; attempt++) {
    try {
      // deno-lint-ignore no-await-in-loop -- until it answers
      (await Deno.connect({ transport: "unix", path: socket })).close();
      return;
    } catch {
      // deno-lint-ignore no-await-in-loop -- as above
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
  throw new Error(`nothing ever answered at ${socket}`);
}
