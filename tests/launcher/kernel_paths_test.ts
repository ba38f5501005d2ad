/**
 * Paths below `/dev`, `/proc` and `/sys`, which Deno opens only with all permissions: the launcher grants them to a
 * command line that names one, and to no other.
 */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { pakOf } from "../index/fixtures.ts";
import { run } from "../mount/mounting.ts";
import { temporaryDirectory } from "../support/temporary.ts";
import { argumentPrinter, everyShell, machine } from "./stubs.ts";

const launcher = new URL("../../pakfs", import.meta.url).pathname;

Deno.test("all permissions are granted where a path below /dev, /proc or /sys is named, and nowhere else", async () => {
  await using box = await machine();
  await box.install("deno", argumentPrinter);
  await Deno.writeTextFile(`${box.root}/shm.toml`, `[[game]]\nsources = ["/dev/shm/quake"]\n`);
  await Deno.writeTextFile(`${box.root}/home.toml`, `[[game]]\nsources = ["~/dev/quake"]\n`);
  type Row = readonly [words: string[], all: boolean, environment?: Record<string, string>, directory?: string];
  const rows: readonly Row[] = [
    [["archive", "list", "/dev/shm/a.pak"], true],
    [["archive", "list", "/proc/self/fd/3"], true],
    [["archive", "extract", "a.pak", "-o/dev/shm/out"], true],
    [["archive", "extract", "a.pak", "-o", "/sys"], true],
    [["extract", "a", "--output=/dev/shm/out"], true],
    [["-c", "archive verify '/dev/shm/a.pak'"], true],
    [["daemon", "--no-mount", "--mount", "/dev/shm/mnt"], true],
    [["ls", "--source", "/dev/shm/quake"], true],
    [["archive", "list", "a.pak"], true, { HOME: "/dev/shm/home" }],
    [["daemon", "--no-mount"], true, { XDG_CACHE_HOME: "/dev/shm/cache" }],
    [["archive", "list", "a.pak"], true, {}, "/dev/shm"],
    [["status"], true, { PAKFS_SOCKET: "/dev/shm/s" }],
    [["daemon", "--no-mount", "--config", `${box.root}/shm.toml`], true],
    [["config", "--config", `${box.root}/shm.toml`], true],
    [["daemon", "--no-mount", "--config", `${box.root}/home.toml`], false],
    [["archive", "list", "a.pak"], false],
    [["archive", "list", "mods/dev/a.pak"], false],
    [["archive", "list", "/home/dev/proc/sys/a.pak"], false],
    [["archive", "list", "/development/a.pak"], false],
    [["archive", "list", "spaß/dev/a.pak"], false],
    [["config", "--config", "/dev/null"], false],
    [["which", "a"], false],
  ];
  for (const shell of await everyShell()) {
    for (const [words, all, environment = {}, directory = box.root] of rows) {
      // deno-lint-ignore no-await-in-loop -- one after the other, to see which one fails
      const { args, stderr } = await box.run(words, {
        shell,
        directory,
        environment: { HOME: "/h", PAKFS_SOCKET: "/s/p.sock", PAKFS_NO_INSTALL: "1", ...environment },
      });
      const shown = `${shell} ${words.join(" ")} ${JSON.stringify(environment)} ${stderr}`;
      assertEquals(args.includes("--allow-all"), all, shown);
      // Deno refuses both.
      assertEquals(args.some((word) => word === "--ignore-env" || word.startsWith("--allow-env")), !all, shown);
      assertEquals(args.slice(-words.length), words, shown);
    }
  }
});

Deno.test("sources and outputs below /dev/shm work in every command", async () => {
  await using elsewhere = await temporaryDirectory();
  const shm = await Deno.makeTempDir({ dir: "/dev/shm", prefix: "pakfs-test-" });
  await using _shm = { [Symbol.asyncDispose]: () => Deno.remove(shm, { recursive: true }) };
  const here = elsewhere.path;
  await Deno.mkdir(`${shm}/quake/id1`, { recursive: true });
  await Deno.mkdir(`${shm}/mnt`);
  await Deno.writeFile(`${shm}/quake/id1/pak0.pak`, pakOf("gfx/a.txt"));
  await Deno.symlink(shm, `${here}/link`);
  const environment = {
    HOME: here,
    XDG_RUNTIME_DIR: `${here}/run`,
    XDG_CACHE_HOME: "",
    XDG_STATE_HOME: "",
    XDG_CONFIG_HOME: "",
    PAKFS_SOCKET: "",
    PAKFS_CONFIG: "",
    PAKFS_INDEX_CACHE: "",
  };
  const pakfs = (words: string[], directory = here) => run(launcher, words, { environment, directory });
  const works = async (...words: string[]): Promise<string> => {
    const { code, stdout, stderr } = await pakfs(words);
    assertEquals(code, 0, `${words.join(" ")}: ${stderr}`);
    return stdout;
  };
  const pak = `${shm}/quake/id1/pak0.pak`;
  assertStringIncludes(await works("archive", "list", pak), "gfx/a.txt");
  await works("archive", "verify", pak);
  await works("archive", "extract", pak, "-o", `${shm}/out`);
  const content = await Deno.readTextFile(`${shm}/out/gfx/a.txt`);
  await works("archive", "create", `${shm}/new.pk3`, `${shm}/out`);
  assertStringIncludes((await pakfs(["archive", "list", "new.pk3"], shm)).stdout, "gfx/a.txt");
  await works("init", "--config", `${shm}/config.toml`, `${shm}/quake`);
  assertStringIncludes(await works("config", "--config", `${shm}/config.toml`), `sources = ["${shm}/quake"]`);
  assertStringIncludes(await works("detect", `${shm}/quake`), "Quake");
  assertStringIncludes(await works("ls", "--source", `${shm}/quake`), "gfx/");
  await works("mount", `${shm}/quake`, `${shm}/mnt`);
  try {
    assertEquals((await run("cat", [`${shm}/mnt/quake/id1/gfx/a.txt`])).stdout, content);
    assertEquals(await works("cat", "gfx/a.txt"), content);
    await works("extract", "gfx/a.txt", "-o", `${shm}/extracted`);
    assertEquals(await Deno.readTextFile(`${shm}/extracted/gfx/a.txt`), content);
  } finally {
    await works("unmount", `${shm}/mnt`);
  }
  // Through a link the launcher does not see where the path leads.
  for (const words of [["archive", "list", "link/new.pk3"], ["archive", "extract", "link/new.pk3", "-o", "out"]]) {
    // deno-lint-ignore no-await-in-loop -- one after the other, to see which one fails
    const { code, stderr } = await pakfs(words);
    assertEquals(code, 1);
    assertStringIncludes(stderr, `pakfs: ${shm}/new.pk3: below /dev, /proc and /sys Deno requires all permissions`);
    assertMatch(stderr, /name it on the command line/);
    assert(!/bug|--allow-/.test(stderr), stderr);
  }
});

Deno.test("outputs below /proc and /sys, and archives in pipes, end with a plain error", async () => {
  await using elsewhere = await temporaryDirectory();
  const directory = elsewhere.path;
  await Deno.writeFile(`${directory}/a.pak`, pakOf("a.txt"));
  await Deno.mkdir(`${directory}/files`);
  await Deno.writeTextFile(`${directory}/files/a.txt`, "a");
  const environment = { HOME: directory, XDG_RUNTIME_DIR: `${directory}/run`, PAKFS_SOCKET: "" };
  const rows: readonly [command: string, says: RegExp][] = [
    ["pakfs archive extract a.pak -o /proc/x", /^pakfs: \/proc\/x: (no such file or directory|permission denied)\n$/],
    ["pakfs archive extract a.pak -o /dev/null", /cannot write below \/dev\/null: it is a file/],
    ["pakfs archive create /proc/new.pk3 files", /^pakfs: \/proc\/new.pk3: cannot be written: /],
    [
      "pakfs archive create --format zip /dev/null files",
      /^pakfs: \/dev\/null: not a regular file; name another one\n$/,
    ],
    ["pakfs init --force --config /dev/null files", /^pakfs: \/dev\/null: not a regular file; name another one\n$/],
    ["cat a.pak | pakfs archive list /dev/stdin", /^pakfs: \/dev\/stdin: not a regular file\n$/],
    ["cat a.pak | pakfs archive list /dev/fd/3 3<&0", /^pakfs: \/dev\/fd\/3: not a regular file\n$/],
    ["mkfifo pipe; pakfs archive create --format zip pipe files", /^pakfs: pipe: not a regular file; name another/],
  ];
  for (const [command, says] of rows) {
    const script = `pakfs() { "${launcher}" "$@"; }\n${command}`;
    // deno-lint-ignore no-await-in-loop -- one after the other, to see which one fails
    const { code, stderr } = await run("sh", ["-c", script], { environment, directory });
    assertEquals(code, 1, command);
    assertMatch(stderr, says, command);
  }
  const { code, stdout, stderr } = await run("sh", ["-c", `"${launcher}" archive list /dev/stdin <a.pak`], {
    environment,
    directory,
  });
  assertEquals([code, stdout.includes("a.txt")], [0, true], stderr);
});
