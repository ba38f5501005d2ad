import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { ServiceManager } from "../../daemon/lifecycle/service_manager.ts";
import type { SystemCalls } from "../../system/system_calls.ts";
import { unitText } from "../../repl/commands/systemd_unit.ts";
import { installation, pakOf } from "../index/fixtures.ts";
import { environment } from "../support/environment.ts";
import { needs } from "../support/programs.ts";
import { temporaryDirectory } from "../support/temporary.ts";

const launcher = new URL("../../pakfs", import.meta.url).pathname;

/** Receives datagrams as systemd does; prints each as a line of JSON until one reports that the service stops. */
const receiver = `
import json, socket, sys
name = sys.argv[1]
s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
s.settimeout(600)
s.bind("\\0" + name[1:] if name[0] == "@" else name)
print("bound", flush=True)
while True:
    text = s.recv(4096).decode()
    print(json.dumps(text), flush=True)
    if "STOPPING=1" in text: break
`;

async function* linesOf(stream: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<string> {
  let rest = "";
  for await (const text of stream.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
}

for (const kind of ["a path", "an abstract name"]) {
  Deno.test(
    `a daemon reports to systemd that it is ready, alive, reloading, and about to end: ${kind}`,
    needs("python3"),
    async () => {
      await using made = await installation({
        "quake/id1/pak0.pak": pakOf("a.txt"),
        "config.toml": '[[game]]\nsources = ["quake"]\n',
      });
      const socket = kind === "a path" ? `${made.path}/notify` : `@pakfs-test-${crypto.randomUUID()}`;
      const python = new Deno.Command("python3", { args: ["-c", receiver, socket], stdout: "piped" }).spawn();
      const lines = linesOf(python.stdout);
      assertEquals((await lines.next()).value, "bound");
      const daemon = new Deno.Command("setsid", {
        args: [launcher, "daemon", "--no-mount", "--config", `${made.path}/config.toml`],
        env: {
          HOME: made.path,
          XDG_RUNTIME_DIR: made.path,
          PAKFS_SOCKET: "",
          PAKFS_INDEX_CACHE: "off",
          NOTIFY_SOCKET: socket,
          WATCHDOG_USEC: "200000",
          WATCHDOG_PID: "",
        },
        stdin: "null",
        stdout: "null",
        stderr: "null",
      }).spawn();
      try {
        const health = "STATUS=1 game, 1 pack, not mounted, 0 clients";
        assertEquals(JSON.parse((await lines.next()).value ?? ""), `READY=1\n${health}`);
        assertEquals(JSON.parse((await lines.next()).value ?? ""), `WATCHDOG=1\n${health}`);
        daemon.kill("SIGHUP");
        const heard: string[] = [];
        for (let line = ""; !heard.includes(`READY=1\n${health}`); heard.push(line)) {
          // deno-lint-ignore no-await-in-loop -- one after another
          line = JSON.parse((await lines.next()).value ?? "");
        }
        const reloading = /^RELOADING=1\nMONOTONIC_USEC=(\d+)\nSTATUS=reloading/;
        const [, microseconds] = heard.map((line) => reloading.exec(line)).find((match) => match) ?? [];
        const [uptime = ""] = (await Deno.readTextFile("/proc/uptime")).split(" ");
        const age = Number(uptime) - Number(microseconds) / 1e6;
        assert(age >= -1 && age < 600, `${age} seconds ago by the clock that systemd compares with`);
        daemon.kill("SIGTERM");
        let last = "";
        for await (const line of lines) last = line;
        assertEquals(JSON.parse(last), "STOPPING=1\nSTATUS=stopping");
      } finally {
        await daemon.status;
        await python.status;
      }
    },
  );
}

Deno.test("a process that is ready again, as after a reload, no longer reports what it reported before", async () => {
  using _environment = environment({ NOTIFY_SOCKET: "/s", WATCHDOG_USEC: "2000", WATCHDOG_PID: undefined });
  const sent: string[] = [];
  const sockets = { sendDatagram: (_path: string, text: string) => sent.push(text) > 0 };
  const manager = new ServiceManager({ sockets } as unknown as SystemCalls);
  manager.ready(() => "before");
  manager.ready(() => "now");
  // deno-lint-ignore no-await-in-loop -- until both would have been reported
  while (sent.length < 8) await new Promise((resolve) => setTimeout(resolve, 1));
  manager.stopping();
  const expected = [
    "READY=1\nSTATUS=before",
    "READY=1\nSTATUS=now",
    "WATCHDOG=1\nSTATUS=now",
    "STOPPING=1\nSTATUS=stopping",
  ];
  assertEquals([...new Set(sent)], expected);
});

Deno.test({
  name: "systemd finds nothing wrong with the unit, whatever the paths are called",
  ...needs("systemd-analyze"),
  fn: async () => {
    await using directory = await temporaryDirectory();
    const odd = `${directory.path}/a "b" $HOME %h \\ c`;
    await Deno.mkdir(odd);
    await Deno.symlink(launcher, `${odd}/pakfs`);
    const unit = unitText({ launcher: `${odd}/pakfs`, deno: `${odd}/deno`, config: `${odd}/config.toml` });
    await Deno.writeTextFile(`${directory.path}/pakfs.service`, unit);
    const options = {
      args: ["--user", "verify", `${directory.path}/pakfs.service`],
      env: { XDG_RUNTIME_DIR: directory.path },
    };
    const { stdout, stderr } = await new Deno.Command("systemd-analyze", options).output();
    const said = new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr);
    const about = said.split("\n").filter((line) =>
      line.includes("pakfs.service") && !/man pakfs|Command 'man/.test(line)
    );
    assertEquals(about, []);
  },
});

Deno.test("service install, status and uninstall ask the user's systemd", async () => {
  await using made = await installation({ "bin/.keep": "" });
  // A systemctl that records its commands.
  const stub = `#!/bin/sh
printf '%s\\n' "$*" >> "$HOME/asked"
case $2 in show) printf 'ActiveState=active\\nSubState=running\\nMainPID=7\\nStatusText=1 games, a=b\\n' ;; esac
`;
  await Deno.writeTextFile(`${made.path}/bin/systemctl`, stub, { mode: 0o755 });
  const run = async (...args: string[]) => {
    const env = {
      HOME: made.path,
      XDG_CONFIG_HOME: "",
      XDG_RUNTIME_DIR: made.path,
      PATH: `${made.path}/bin:${Deno.env.get("PATH")}`,
      NO_COLOR: "1",
    };
    const { code, stdout, stderr } = await new Deno.Command(launcher, {
      args: ["service", ...args],
      env,
      stdin: "null",
    })
      .output();
    const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes).replaceAll(made.path, "~");
    return { code, out: text(stdout), err: text(stderr) };
  };
  const unit = "~/.config/systemd/user/pakfs.service";
  const file = unit.replace("~", made.path);
  const dry = await run("install", "--dry-run", "--config", "/etc/pakfs.toml");
  assertEquals([dry.code, dry.err], [0, ""]);
  assertStringIncludes(dry.out, ` "${launcher}" "daemon" "--config" "/etc/pakfs.toml"\n`);
  assertStringIncludes(dry.out, "Type=notify");

  assertEquals(await run("install"), { code: 0, out: "", err: `wrote ${unit}, enabled and started it\n` });
  const text = await Deno.readTextFile(file);
  assert(text.includes("WatchdogSec="));
  assert(text.includes("\nExecReload=/bin/kill -HUP $MAINPID\n"));
  const status = await run("status", "--json");
  assertEquals([status.code, JSON.parse(status.out)], [
    0,
    { unit, installed: true, state: "active", detail: "running", process: "7", says: "1 games, a=b" },
  ]);
  assertEquals(await run("uninstall"), { code: 0, out: "", err: `removed ${unit}\n` });
  const again = await run("uninstall");
  assertEquals([again.code, again.err], [1, "pakfs: the service is not installed\n"]);
  assertEquals((await Deno.readTextFile(`${made.path}/asked`)).split("\n").slice(0, 2), [
    "--user daemon-reload",
    "--user enable --now pakfs.service",
  ]);

  // Without a login session, as in a container, the unit is written and removed, and nothing is started.
  const noBus = "Failed to connect to user scope bus: No medium found";
  await Deno.writeTextFile(`${made.path}/bin/systemctl`, `#!/bin/sh\necho "${noBus}" >&2; exit 1\n`, { mode: 0o755 });
  const installed = await run("install");
  assertEquals(installed.code, 1);
  assertStringIncludes(
    installed.err,
    `wrote ${unit}, but could not start it: systemctl --user daemon-reload: systemd is not running`,
  );
  const wants = file.replace(/[^/]*$/, "default.target.wants");
  await Deno.mkdir(wants, { recursive: true });
  await Deno.symlink(file, `${wants}/pakfs.service`);
  assertEquals(await run("uninstall"), { code: 0, out: "", err: `removed ${unit}\n` });
  assertEquals(await Array.fromAsync(Deno.readDir(wants), ({ name }) => name), []);
  assertEquals((await run("status", "--json")).code, 1);
});
