import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import type { Finding } from "../../../repl/doctor/finding.ts";
import type { Machine } from "../../../repl/doctor/machine.ts";
import { checkMounts } from "../../../repl/doctor/own_checks.ts";
import {
  checkAllowOther,
  checkDeno,
  checkDevice,
  checkFusermount,
  checkInotify,
  checkLibarchive,
  checkLibdeflate,
  checkLibfuse,
} from "../../../repl/doctor/system_checks.ts";
import { examine } from "../../../repl/doctor/doctor.ts";
import { installation } from "../../index/fixtures.ts";
import { jsonRows } from "../harness.ts";
import { environment } from "../../support/environment.ts";
import { leaveSocket } from "../../support/stale_socket.ts";
import { temporaryDirectory } from "../../support/temporary.ts";

const root = new URL("../../../", import.meta.url).pathname;

/** A machine with only the files below `root`. */
function bareMachine(directory: string, changes: Partial<Machine> = {}): Machine {
  return {
    root: directory,
    user: 1000,
    variable: () => undefined,
    specialFile: (path) => Deno.readTextFile(path).catch(() => undefined),
    test: (_flag, path) => Deno.stat(path).then(() => true, () => false),
    programVersion: () => Promise.resolve(undefined),
    ...changes,
  };
}

Deno.test("doctor finds nothing on a machine with nothing, and says what to install", async () => {
  await using directory = await temporaryDirectory();
  const advised = bareMachine(directory.path, {
    variable: (name) => name === "PAKFS_INSTALL_COMMAND" ? "sudo pkg add fuse3" : undefined,
  });
  const findings = [
    checkLibfuse(advised),
    await checkFusermount(advised),
    await checkDevice(advised),
    checkAllowOther(advised),
    checkLibdeflate(advised),
    checkLibarchive(advised),
    await checkInotify(advised),
  ];
  assertEquals(findings.map(({ health }) => health), ["wrong", "wrong", "wrong", "note", "note", "note", "note"]);
  assert(findings.every(({ advice }) => advice !== null));
  assertEquals(findings[0]?.advice, "sudo pkg add fuse3");
  assertStringIncludes(checkLibfuse(bareMachine(directory.path)).advice ?? "", "install the package fuse3");
  assertEquals(["2.8.9", "2.9.0", "3.0.1", "1.99.0"].map((version) => checkDeno(version).health), [
    "wrong",
    "ok",
    "ok",
    "wrong",
  ]);
});

Deno.test("doctor is content with a machine that has everything", async () => {
  await using made = await installation({
    "usr/lib/riscv64-linux-gnu/libfuse3.so.3.17.1": "",
    "usr/lib64/libdeflate.so.0": "",
    "usr/lib64/libarchive.so.13": "",
    "etc/mtab": "",
    "etc/fuse.conf": "# comment\nuser_allow_other\n",
    "dev/fuse": "",
    "proc/sys/fs/inotify/max_user_watches": "524288\n",
    "proc/sys/fs/inotify/max_user_instances": "512\n",
  });
  const directory = `${made.path}/usr/lib/riscv64-linux-gnu`;
  await Deno.symlink("libfuse3.so.3.17.1", `${directory}/libfuse3.so.3`);
  const all = bareMachine(made.path, { programVersion: () => Promise.resolve("fusermount3 version: 3.17.1\n") });
  const findings = [
    checkLibfuse(all),
    await checkFusermount(all),
    await checkDevice(all),
    checkAllowOther(all),
    checkLibdeflate(all),
    checkLibarchive(all),
    await checkInotify(all),
  ];
  assertEquals(findings.map(({ health, advice }) => [health, advice]), findings.map(() => ["ok", null]));
  assertEquals(findings[0]?.found, `3.17.1, ${directory}/libfuse3.so.3.17.1`);
  await Deno.writeTextFile(`${made.path}/etc/fuse.conf`, "#user_allow_other\n");
  assertEquals(checkAllowOther(all).health, "note");
  await Deno.writeTextFile(`${made.path}/proc/sys/fs/inotify/max_user_watches`, "8192\n");
  assertStringIncludes((await checkInotify(all)).advice ?? "", "sudo sysctl fs.inotify.max_user_watches=");
  const closed = { ...all, test: (flag: string) => Promise.resolve(flag !== "-w") };
  assertEquals((await checkDevice(closed)).advice, "sudo chmod 0666 /dev/fuse");
  const found = (name: string) => name === "PAKFS_FUSERMOUNT" ? "/opt/bin/fusermount3" : undefined;
  const plain = { ...all, variable: found, test: (flag: string) => Promise.resolve(flag !== "-u") };
  assertEquals(await checkFusermount(plain), {
    check: "fusermount3",
    health: "wrong",
    found: "/opt/bin/fusermount3 is not setuid, so only root can mount",
    advice: "sudo chmod u+s /opt/bin/fusermount3",
  });
  assertEquals((await checkFusermount({ ...plain, user: 0 })).health, "ok");
  const fresh = {
    ...all,
    test: (flag: string, path: string) => Promise.resolve(!path.endsWith("/etc/mtab") || flag === "-u"),
  };
  assertEquals((await checkFusermount(fresh)).advice, "sudo ln -s ../proc/self/mounts /etc/mtab");
  assertEquals((await checkFusermount({ ...plain, test: () => Promise.resolve(true) })).health, "ok");
});

Deno.test("doctor advises root without sudo, which root may not have", async () => {
  await using made = await installation({ "proc/self/mountinfo": "" });
  using _set = environment({
    HOME: made.path,
    XDG_RUNTIME_DIR: made.path,
    XDG_CONFIG_HOME: undefined,
    XDG_CACHE_HOME: undefined,
    PAKFS_SOCKET: undefined,
    PAKFS_CONFIG: undefined,
    PAKFS_INDEX_CACHE: undefined,
  });
  const advice = async (user: number) =>
    (await examine({}, bareMachine(made.path, { user }))).map(({ advice }) => advice).find((text) =>
      text?.includes("modprobe")
    );
  assertEquals([await advice(1000), await advice(0)].map((text) => text?.replace(/;.*/, "")), [
    "sudo modprobe fuse",
    "modprobe fuse",
  ]);
});

Deno.test("doctor distinguishes mounts of pakfs from others", async () => {
  const table = "1 2 0:5 / /proc rw - proc proc rw\n3 2 0:6 / /tmp/my\\040games ro shared:1 - fuse.pakfs pakfs ro\n";
  const machine = bareMachine("/", { specialFile: () => Promise.resolve(table) });
  assertEquals(await checkMounts(machine), [
    { check: "mounts", health: "ok", found: "/tmp/my games", advice: null },
  ]);
});

Deno.test("doctor through the launcher: stale sockets, damaged caches and wrong configurations are named", async () => {
  await using made = await installation({
    "config/pakfs/config.toml": '[[game]]\nsorces = ["/quake"]\n',
    "cache/pakfs/index/quake-00000000.index": "pakfsIDX",
  });
  await Deno.mkdir(`${made.path}/run/pakfs`, { recursive: true, mode: 0o700 });
  await leaveSocket(`${made.path}/run/pakfs/pakfs.sock`);
  await Deno.writeTextFile(`${made.path}/run/pakfs/pakfs-999999999.sock`, "");
  const run = async (...args: string[]) => {
    const environment = {
      HOME: made.path,
      XDG_RUNTIME_DIR: `${made.path}/run`,
      XDG_CONFIG_HOME: `${made.path}/config`,
      XDG_CACHE_HOME: `${made.path}/cache`,
      PAKFS_CONFIG: "",
      PAKFS_SOCKET: "",
      PAKFS_INDEX_CACHE: "",
      NO_COLOR: "1",
    };
    const options = { args: ["doctor", ...args], env: environment, stdin: "null" as const };
    const { code, stdout, stderr } = await new Deno.Command(`${root}pakfs`, options).output();
    return { code, out: new TextDecoder().decode(stdout), err: new TextDecoder().decode(stderr) };
  };
  const broken = await run("--json");
  assertEquals(broken.code, 1, broken.err);
  const findings = jsonRows(broken.out) as Finding[];
  const about = (check: string) => findings.filter((finding) => finding.check === check);
  assertStringIncludes(about("config")[0]?.found ?? "", "config.toml, line 2: unknown key game.sorces");
  assertStringIncludes(about("daemon")[0]?.found ?? "", "is left from one that was killed");
  assertStringIncludes(about("socket")[0]?.advice ?? "", "rm ");
  assertStringIncludes(about("index cache")[0]?.found ?? "", "it has only 8 bytes");
  assertEquals(about("Deno")[0]?.found, Deno.version.deno);

  await Deno.writeTextFile(`${made.path}/config/pakfs/config.toml`, "");
  // The remaining problems are the machine's: a device that this user may not open, a mount with a killed daemon.
  const own = ["config", "daemon", "socket", "index cache"];
  const problems = (jsonRows((await run("--json")).out) as Finding[]).filter(({ health }) => health === "wrong");
  assertEquals(problems.filter(({ check }) => own.includes(check)), []);
  if (problems.length === 0) {
    const sound = await run();
    assertEquals([sound.code, sound.err], [0, "no problems found\n"], sound.out);
  }
  await Deno.chmod(`${made.path}/run/pakfs`, 0o777);
  const open = await run();
  assertEquals(open.code, 1);
  assertStringIncludes(open.out, `WRONG  socket`);
  assertStringIncludes(open.out, `-> chmod 0700 ${made.path}/run/pakfs`);
});
