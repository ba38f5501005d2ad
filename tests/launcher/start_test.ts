// deno-lint-ignore-file no-await-in-loop -- cases run one after the other, so that a failure names its case
import { assert, assertEquals, assertMatch } from "@std/assert";
import { needs } from "../support/programs.ts";
import { argumentPrinter, everyShell, machine, optionOf, terminalShell, versioned } from "./stubs.ts";

const clientCommands = ["ls", "find", "which", "status", "stop", "formats", "views", "help", "--version", "nonsense"];
const mountCommands = [["mount", "-f", "a", "b"], ["daemon"], ["daemon", "--no-mount"]];

/** Arguments of the program itself. */
function programArguments(args: string[], root: string): string[] {
  const start = args.findIndex((argument) => argument.startsWith(`${root}/`) && argument.endsWith(".ts"));
  return args.slice(start).map((argument) => argument.replace(`${root}/`, ""));
}

/** Path of the program that reads archives by libarchive, below the program's directory. */
const unpacker = "formats/unpacking/unpacker";

Deno.test("the launcher passes every argument on unchanged, in every shell", async () => {
  await using box = await machine();
  await box.install("deno", argumentPrinter);
  const words = ["find", "*.tga", "a b", "", "it's", '"quoted"', "$HOME `id`", "line\nbreak", "-q", "\\", "日本"];
  for (const shell of await everyShell()) {
    const { code, args } = await box.run(words, { shell });
    assertEquals([code, programArguments(args, box.root)], [0, ["repl/main.ts", ...words]], shell.join(" "));
  }
});

Deno.test("the launcher finds its directory through links", async () => {
  await using box = await machine();
  await box.install("deno", argumentPrinter);
  await Deno.mkdir(`${box.root}/elsewhere/deep`, { recursive: true });
  await Deno.symlink("../../pakfs", `${box.root}/elsewhere/deep/first`);
  await Deno.symlink(`${box.root}/elsewhere/deep/first`, `${box.root}/elsewhere/second`);
  for (
    const options of [
      { launcher: `${box.root}/elsewhere/second` },
      { launcher: "elsewhere/deep/first", directory: box.root },
      { launcher: "pakfs", directory: box.root, shell: ["/bin/sh"] },
      { launcher: "./first", directory: `${box.root}/elsewhere/deep` },
    ]
  ) {
    const { args } = await box.run(["ls"], options);
    assertEquals(programArguments(args, box.root), ["repl/main.ts", "ls"], options.launcher);
  }
});

Deno.test("commands that ask may only read and reach the socket", async () => {
  await using box = await machine();
  await box.install("deno", argumentPrinter);
  for (const command of clientCommands) {
    const { args } = await box.run([command, "x"], { environment: { XDG_RUNTIME_DIR: "/run/user/7" } });
    const socket = "/run/user/7/pakfs/pakfs.sock";
    assertEquals(programArguments(args, box.root), ["repl/main.ts", command, "x"]);
    assertEquals(optionOf(args, "--allow-net"), `unix:${socket}`, command);
    assertEquals(optionOf(args, "--allow-write"), socket, command);
    assertMatch(optionOf(args, "--allow-env") ?? "", /^PAKFS_\*,XDG_\*,HOME,/, command);
    assertEquals(optionOf(args, "--allow-ffi"), undefined, command);
    assertEquals(optionOf(args, "--allow-run"), undefined, command);
  }
});

Deno.test("programs start from their build, which is made where there is none, or an old one", async () => {
  await using box = await machine();
  await box.install(
    "deno",
    versioned(
      "2.9.6",
      `case $* in
*system/build/main.ts) printf '%s\\0' "$@" >"${box.root}/made" ;;
*) printf '%s\\0' "$@" ;;
esac`,
    ),
  );
  const tools = `${box.root}/.tools`;
  /** Returns the program started for a command line. */
  const program = async (words: string[], environment: Record<string, string> = {}) => {
    const { args } = await box.run(words, { environment });
    return args.at(-1 - words.length)?.replace(`${box.root}/`, "");
  };
  const isMade = async () => await Deno.remove(`${box.root}/made`).then(() => true, () => false);
  await Deno.mkdir(`${box.root}/system/build`, { recursive: true });
  await Deno.writeTextFile(`${box.root}/system/build/main.ts`, "");
  for (const [words, name] of [[["daemon", "--no-mount"], "daemon"], [["ls"], "repl"]] as const) {
    const start = (environment?: Record<string, string>) => program([...words], environment);
    assertEquals(await start({ PAKFS_NO_INSTALL: "1" }), `${name}/main.ts`);
    assertEquals(await isMade(), false);
    assertEquals(await start(), `${name}/main.ts`, "it could not be made");
    const made = (await Deno.readTextFile(`${box.root}/made`)).split("\0");
    assertEquals([optionOf(made, "--allow-read"), optionOf(made, "--allow-write")], ["", tools]);
    assertEquals(await isMade(), true);
    await Deno.mkdir(`${tools}/build`, { recursive: true });
    await Deno.writeTextFile(`${tools}/build/${name}.main.js`, "");
    assertEquals(await start(), `.tools/build/${name}.main.js`);
    assertEquals(await isMade(), false);
    await Deno.writeTextFile(`${tools}/build/stale`, "");
    assertEquals(await start(), `.tools/build/${name}.main.js`);
    assertEquals(await isMade(), true);
    // A link may lead to another checkout's builds, so they are not used.
    await Deno.rename(tools, `${box.root}/elsewhere`);
    await Deno.symlink("elsewhere", tools);
    assertEquals(await start(), `${name}/main.ts`);
    assertEquals(await isMade(), false);
    await Deno.remove(tools);
    await Deno.rename(`${box.root}/elsewhere`, tools);
    await Deno.remove(`${tools}/build`, { recursive: true });
  }
});

Deno.test("a client may say that its build is old, and writes nothing else for it", async () => {
  await using box = await machine();
  await box.install("deno", argumentPrinter);
  const environment = { PAKFS_SOCKET: "/s/p.sock" };
  const written = async () => optionOf((await box.run(["ls"], { environment })).args, "--allow-write");
  assertEquals(await written(), "/s/p.sock");
  await Deno.mkdir(`${box.root}/.tools/build`, { recursive: true });
  assertEquals(await written(), `/s/p.sock,${box.root}/.tools/build/stale`);
});

Deno.test("commands that mount may use FFI and fusermount3, and no command may do everything", async () => {
  await using box = await machine();
  await box.install("deno", argumentPrinter);
  for (const words of mountCommands) {
    const { args } = await box.run(words, { environment: { PAKFS_NO_INSTALL: "1" } });
    assertEquals(programArguments(args, box.root), ["daemon/main.ts", ...words]);
    assertEquals(optionOf(args, "--allow-ffi"), "");
    assertEquals(optionOf(args, "--allow-run"), `fusermount3,${box.root}/system/reader,${box.root}/${unpacker}`);
    assertMatch(optionOf(args, "--allow-net") ?? "", /^unix:(\/.*)\.sock,unix:\1-\d+\.sock$/);
  }
  // Only `test` gets all permissions, as tests start any program.
  for (const words of [...clientCommands.map((command) => [command]), ...mountCommands, ["repl"], []]) {
    const { code, args } = await box.run(words, { environment: { PAKFS_NO_INSTALL: "1" } });
    assertEquals(code, 0, words.join(" "));
    assert(!args.includes("-A") && !args.includes("--allow-all"), words.join(" "));
    assert(args.includes("--no-prompt"));
  }
});

Deno.test("commands that write may write to the given paths only", async () => {
  await using box = await machine();
  await box.install("deno", argumentPrinter);
  const environment = { PAKFS_SOCKET: "/s/p.sock", HOME: "/h" };
  for (
    const [words, scope] of [
      [["extract", "*.tga", "-o", "/out dir"], "/out dir,/s/p.sock"],
      [["extract", "*.tga", "-oout"], "out,/s/p.sock"],
      [["archive", "extract", "a.pk3", "--output=out"], "out,/s/p.sock"],
      [["--json", "archive", "extract", "a.pk3", "--output", "out"], "out,/s/p.sock"],
      [["archive", "create", "out.pak", "dir"], ".,/s/p.sock"],
      [["archive", "create", "--format", "zip", "--", "/a b/out.pak", "dir"], "/a b,/s/p.sock"],
      [["web"], "/s/p.sock,/h/.cache/pakfs/index/converted"],
      [["archive", "list", "a.pk3"], "/s/p.sock"],
      [["archive", "verify", "-o", "x", "a.pk3"], "/s/p.sock"],
      [["show", "gfx/a.lmp", "--png", "/out dir/a.png"], "/out dir/a.png,/s/p.sock"],
      [["show", "gfx/a.lmp", "--png=a.png", "--texture", "b"], "a.png,/s/p.sock"],
      [["show", "gfx/a.lmp"], "/s/p.sock"],
      [["repl"], ""],
      [["-c", "extract x -o y"], ""],
      [["-f", "script"], ""],
      [[], ""],
      [["--view", "extract", "ls"], "/s/p.sock"],
      [["-qoout", "extract"], "/s/p.sock"],
      [["extract", "x", "-qoout"], "out,/s/p.sock"],
      [["extract", "x", "-qo", "out"], "out,/s/p.sock"],
      [["extract", "x", "-o="], "/s/p.sock"],
      [["extract", "x", "-o", "~/out dir"], "/h/out dir,/s/p.sock"],
      [["archive", "create", "~/out.pak", "dir"], "/h,/s/p.sock"],
      [["export", "-q", "/a b/out.csv", "files"], "/a b,/s/p.sock"],
      [["export", "out.csv", "--view", "a/b", "files"], ".,/s/p.sock"],
      [["--batch"], ""],
    ] as const
  ) {
    const { args } = await box.run([...words], { environment });
    assertEquals(optionOf(args, "--allow-write"), scope, words.join(" "));
  }
  const reader = `${box.root}/system/reader`;
  assertEquals(optionOf((await box.run(["unmount", "/m"])).args, "--allow-run"), `fusermount3,cat,ls,${reader}`);
  for (const word of ["detect", "init", "games", "config"]) {
    assertEquals(optionOf((await box.run([word], { environment })).args, "--allow-run"), reader, word);
  }
  for (const words of [["repl"], ["-c", "ls"], ["--batch"], []]) {
    assertEquals(
      optionOf((await box.run(words)).args, "--allow-run"),
      `sh,cat,ls,fusermount3,${reader},${box.root}/${unpacker}`,
      words.join(" "),
    );
  }
  assertEquals(optionOf((await box.run(["open", "a.tga", "--run", "viewer"])).args, "--allow-run"), "sh");
  for (const words of [["archive", "list", "a.7z"], ["checksum", "a.pk3"]]) {
    assertEquals(optionOf((await box.run(words)).args, "--allow-run"), `${box.root}/${unpacker}`, words.join(" "));
  }
  const { args } = await box.run(["ls", "--source", "quake"], { environment });
  assertEquals(optionOf(args, "--allow-run"), `${reader},${box.root}/${unpacker}`);
});

Deno.test("a command with an index of its own may write the cache, wherever that is", async () => {
  await using box = await machine();
  await box.install("deno", argumentPrinter);
  for (
    const [environment, scope] of [
      [{ HOME: "/h" }, "/s/p.sock,/h/.cache/pakfs/index"],
      [{ HOME: "/h", XDG_CACHE_HOME: "/c" }, "/s/p.sock,/c/pakfs/index"],
      [{ HOME: "/h", PAKFS_INDEX_CACHE: "/i" }, "/s/p.sock,/i"],
      [{ HOME: "/h", PAKFS_INDEX_CACHE: "off" }, "/s/p.sock"],
      [{}, "/s/p.sock"],
    ] as [Record<string, string>, string][]
  ) {
    const run = (...words: string[]) => box.run(words, { environment: { PAKFS_SOCKET: "/s/p.sock", ...environment } });
    assertEquals(optionOf((await run("ls", "--source", "quake")).args, "--allow-write"), scope);
    assertEquals(optionOf((await run("--source=quake", "ls")).args, "--allow-write"), scope);
    assertEquals(optionOf((await run("ls")).args, "--allow-write"), "/s/p.sock");
    assertEquals(optionOf((await run("repl", "--source", "quake")).args, "--allow-write"), "");
  }
});

Deno.test("a script's words are no commands", async () => {
  await using box = await machine();
  await box.install("deno", argumentPrinter);
  for (
    const words of [["-c", "ls", "mount"], ["--command=ls", "daemon"], ["-f", "script", "mount"], ["-qcls", "mount"]]
  ) {
    const { args } = await box.run(words);
    assertEquals(optionOf(args, "--allow-ffi"), undefined, words.join(" "));
    assertEquals(programArguments(args, box.root), ["repl/main.ts", ...words]);
  }
});

Deno.test(
  "only what prints to a terminal may start a pager, and not if it is not wanted",
  needs("python3"),
  async () => {
    await using box = await machine();
    await box.install("deno", argumentPrinter);
    const shell = await terminalShell(box);
    for (
      const [words, programs] of [
        [["find", "*"], "sh"],
        [["find", "*", "--no-pager"], undefined],
        [["--no-pager", "--version"], undefined],
        [["doctor"], `cat,test,fusermount3,${box.root}/system/reader,sh`],
        [["unmount", "a"], `fusermount3,cat,ls,${box.root}/system/reader`],
      ] as const
    ) {
      const onTerminal = await box.run([...words], { shell });
      assertEquals([onTerminal.code, optionOf(onTerminal.args, "--allow-run")], [0, programs], words.join(" "));
      const { args } = await box.run([...words]);
      assertEquals(optionOf(args, "--allow-run"), programs?.replace(/,?\bsh$/, "") || undefined, words.join(" "));
    }
    const { args } = await box.run(["service", "install"], { environment: { HOME: "/home/me" } });
    assertEquals(optionOf(args, "--allow-run"), "systemctl");
    assertMatch(optionOf(args, "--allow-write") ?? "", /^\/home\/me\/\.config\/systemd\/user,\//);
  },
);

Deno.test("the launcher works out the socket as the daemon does", async () => {
  await using box = await machine();
  await box.install("deno", argumentPrinter);
  await box.install("id", "echo 1234");
  const both = { PAKFS_SOCKET: "/s/p.sock", XDG_RUNTIME_DIR: "/run/user/7" };
  for (
    const [words, environment, socket] of [
      [["ls"], {}, "unix:/tmp/pakfs-1234/pakfs.sock"],
      [["ls"], { XDG_RUNTIME_DIR: "/run/user/7" }, "unix:/run/user/7/pakfs/pakfs.sock"],
      [["ls"], both, "unix:/s/p.sock"],
      [["ls", "--socket", "/o/x y"], both, "unix:/o/x y"],
      [["--socket=/o/z", "ls"], both, "unix:/o/z"],
      [["ls", "--socket", "relative"], both, `unix:${box.root}/relative`],
      [["ls", "--", "--socket", "/o/x"], both, "unix:/s/p.sock"],
      [["ls", "-q", "--socket", "/o/x"], both, "unix:/o/x"],
      [["--", "ls", "--socket", "/o/x"], both, "unix:/o/x"],
      [["ls"], { XDG_RUNTIME_DIR: "run/user/7" }, "unix:/tmp/pakfs-1234/pakfs.sock"],
    ] as const
  ) {
    const { args } = await box.run([...words], { environment, directory: box.root });
    assertEquals(optionOf(args, "--allow-net"), socket, words.join(" "));
  }
});

Deno.test("a socket that only the configuration names is the one that the daemon may listen on", async () => {
  await using box = await machine();
  await box.install("deno", argumentPrinter);
  await box.install("id", "echo 1234");
  const directory = `${box.root}/config/pakfs`;
  await Deno.mkdir(directory, { recursive: true });
  const write = (text: string) => Deno.writeTextFile(`${directory}/config.toml`, text);
  const run = (words: string[], environment: Record<string, string> = {}) =>
    box.run(words, { environment: { XDG_CONFIG_HOME: `${box.root}/config`, HOME: "/home/me", ...environment } });
  const socketOf = async (words: string[], environment: Record<string, string> = {}): Promise<string> => {
    const net = optionOf((await run(words, environment)).args, "--allow-net") ?? "";
    assertMatch(net, /^unix:([^,]*)\.sock,unix:\1-\d+\.sock$/);
    return net.replace(/,.*/, "").replace("unix:", "");
  };
  const usual = "/tmp/pakfs-1234/pakfs.sock";
  for (
    const [text, socket] of [
      ["", usual],
      ['mount = "/m"\n', usual],
      ['# socket = "/s/a.sock"\n', usual],
      ['mount = "/m"\n\t socket  =\t"/s/other.sock" # mine', "/s/other.sock"],
      ["socket='/s/a b.sock'\n", "/s/a b.sock"],
      ['"socket" = "~/a.sock"\n', "/home/me/a.sock"],
      ['socket = "run/a.sock"\n', `${directory}/run/a.sock`],
      ['[[game]]\nsocket = "/s/a.sock"\n', usual],
      ['sockets = "/s/a.sock"\n', usual],
      ["socket = 5\n", usual],
    ] as const
  ) {
    await write(text);
    assertEquals(await socketOf(["daemon"]), socket, text);
    assertEquals(await socketOf(["daemon", "--socket", "/s/given.sock"]), "/s/given.sock");
    assertEquals(await socketOf(["daemon", "--config", `${box.root}/none.toml`]), usual);
    assertEquals(await socketOf(["mount", "-f", "a", "b"]), usual);
    assertEquals(await socketOf(["daemon", `--config=${directory}/config.toml`], { XDG_CONFIG_HOME: "" }), socket);
    assertEquals(await socketOf(["daemon"], { PAKFS_CONFIG: `${directory}/config.toml`, XDG_CONFIG_HOME: "" }), socket);
  }
  for (const text of ['socket = "/s/\\u0041.sock"', 'socket = """/s/a.sock"""', 'socket = "/s/a,b.sock"']) {
    await write(text);
    const { code, stdout, stderr } = await run(["daemon"]);
    assertEquals([code, stdout], [2, ""], text);
    assertMatch(stderr, /^pakfs: .*--socket.*\n$/);
  }
});

Deno.test("a current directory that was deleted is named in a sentence", async () => {
  await using box = await machine();
  await box.install("deno", argumentPrinter);
  for (const shell of await everyShell()) {
    const inside = `/bin/mkdir gone && cd gone && /bin/rmdir ../gone && exec ${shell.join(" ")} "$0" "$@"`;
    const { code, stdout, stderr } = await box.run(["ls"], { shell: ["/bin/sh", "-c", inside], directory: box.root });
    assertEquals([code, stdout], [2, ""], shell.join(" "));
    assertMatch(stderr, /^pakfs: the current directory no longer exists; change to another one: cd ~$/m);
  }
});

Deno.test("a path with a comma gives no wider permission: it is refused with a sentence", async () => {
  await using box = await machine();
  await box.install("deno", argumentPrinter);
  for (
    const [words, environment] of [
      [["extract", "x", "-o", "/with,comma"], {}],
      [["archive", "extract", "a.pk3", "-o/with,comma"], {}],
      [["archive", "create", "/with,comma/a.pk3", "dir"], {}],
      [["show", "a.lmp", "--png", "with,comma.png"], {}],
      [["init", "--config", "/with,comma/config.toml"], {}],
      [["service", "install"], { XDG_CONFIG_HOME: "/with,comma" }],
      [["ls", "--socket", "/with,comma/a.sock"], {}],
      [["mount", "-f", "a", "b"], { PAKFS_SOCKET: "/with,comma/a.sock" }],
      [["repl"], { XDG_RUNTIME_DIR: "/with,comma" }],
    ] as const
  ) {
    const { code, stdout, stderr } = await box.run([...words], {
      environment: { PAKFS_NO_INSTALL: "1", ...environment },
    });
    assertEquals([code, stdout], [2, ""], words.join(" "));
    assertMatch(stderr, /^pakfs: .*with,comma.*: a path with a comma .*\n$/);
  }
  // An unusable cache directory is no error: nothing is cached.
  const { args } = await box.run(["ls", "--source", "a,b"], { environment: { XDG_CACHE_HOME: "/with,comma" } });
  assertEquals(optionOf(args, "--allow-write"), optionOf(args, "--allow-net")?.replace("unix:", ""));
});

Deno.test("a Deno that was new enough is not asked again until another file lies there", async () => {
  await using box = await machine();
  const remembered = `${box.root}/.tools/cache/usable_deno`;
  await box.run(["ls"], { environment: { DENO: Deno.execPath() } });
  assertEquals(await Deno.readTextFile(remembered), `${await Deno.realPath(Deno.execPath())}\n`);
  // This Deno would fail the version check.
  await box.install("deno", `[ "$1" != --version ] || exit 1\nprintf '%s\\0' "$@"`);
  assertEquals((await box.run(["ls"], { environment: { DENO: "deno" } })).code, 2);
  const deno = `${box.programs}/deno`;
  await Deno.writeTextFile(remembered, `${deno}\n`);
  await Deno.utime(deno, 1000, 1000);
  assertEquals(programArguments((await box.run(["ls"])).args, box.root), ["repl/main.ts", "ls"]);
  await Deno.utime(remembered, 500, 500);
  assertEquals((await box.run(["ls"], { environment: { DENO: "deno" } })).code, 2);
});
