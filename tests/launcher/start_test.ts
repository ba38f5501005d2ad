// deno-lint-ignore-file no-await-in-loop -- cases run one after the other, so that a failure names its case
import { assert, assertEquals, assertFalse, assertMatch } from "@std/assert";
import { argumentPrinter, machine, optionOf, which } from "./stubs.ts";

const clientCommands = ["ls", "find", "which", "status", "stop", "formats", "games", "help", "--version", "nonsense"];
const mountCommands = [["mount", "-f", "a", "b"], ["daemon"], ["daemon", "--no-mount"]];

/** Arguments from the program on: what the program sees. */
function programArguments(args: string[], root: string): string[] {
  const start = args.findIndex((argument) => argument.startsWith(`${root}/`) && argument.endsWith(".ts"));
  return args.slice(start).map((argument) => argument.replace(`${root}/`, ""));
}

Deno.test("the launcher passes every argument on unchanged, in every shell", async () => {
  await using box = await machine();
  await box.install("deno", argumentPrinter);
  const words = ["find", "*.tga", "a b", "", "it's", '"quoted"', "$HOME `id`", "line\nbreak", "-q", "\\", "日本"];
  const busybox = await which("busybox");
  const shells = [["/bin/sh"], ["bash"], ["dash"], ...busybox === undefined ? [] : [[busybox, "ash"]]];
  for (const [name = "", ...rest] of shells) {
    const path = await which(name);
    if (path === undefined) continue;
    const { code, args } = await box.run(words, { shell: [path, ...rest] });
    assertEquals([code, programArguments(args, box.root)], [0, ["repl/main.ts", ...words]], name);
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
    assertEquals(programArguments(args, box.root), ["repl/main.ts", command, "x"]);
    const socket = "/run/user/7/pakfs/pakfs.sock";
    assertEquals(optionOf(args, "--allow-net"), `unix:${socket}`, command);
    assertEquals(optionOf(args, "--allow-write"), socket, command);
    assertMatch(optionOf(args, "--allow-env") ?? "", /^PAKFS_\*,XDG_\*,HOME,/, command);
    assertEquals(optionOf(args, "--allow-ffi"), undefined, command);
    assertEquals(optionOf(args, "--allow-run"), undefined, command);
  }
});

Deno.test("commands that mount may use FFI and fusermount3, and no command may do everything", async () => {
  await using box = await machine();
  await box.install("deno", argumentPrinter);
  for (const words of mountCommands) {
    const { args } = await box.run(words, { environment: { PAKFS_NO_INSTALL: "1" } });
    assertEquals(programArguments(args, box.root), ["daemon/main.ts", ...words]);
    assertEquals(optionOf(args, "--allow-ffi"), "");
    assertEquals(optionOf(args, "--allow-run"), "fusermount3");
    assertMatch(optionOf(args, "--allow-net") ?? "", /^unix:(\/.*)\.sock,unix:\1-\d+\.sock$/);
  }
  for (const words of [...clientCommands.map((command) => [command]), ...mountCommands, ["test"], ["repl"], []]) {
    const { code, args } = await box.run(words, { environment: { PAKFS_NO_INSTALL: "1" } });
    assertEquals(code, 0, words.join(" "));
    assertFalse(args.includes("-A") || args.includes("--allow-all"), words.join(" "));
    assert(args.includes("--no-prompt"));
  }
});

Deno.test("commands that write may write where they are told to", async () => {
  await using box = await machine();
  await box.install("deno", argumentPrinter);
  const environment = { PAKFS_SOCKET: "/s/p.sock" };
  for (
    const [words, scope] of [
      [["extract", "*.tga", "-o", "/out dir"], "/out dir,/s/p.sock"],
      [["extract", "*.tga", "-oout"], "out,/s/p.sock"],
      [["archive", "extract", "a.pk3", "--output=out"], "out,/s/p.sock"],
      [["--json", "archive", "extract", "a.pk3", "--output", "out"], "out,/s/p.sock"],
      [["archive", "create", "out.pak", "dir"], ""],
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
      [["extract", "x", "-o", "with,comma"], ""],
    ] as const
  ) {
    const { args } = await box.run([...words], { environment });
    assertEquals(optionOf(args, "--allow-write"), scope, words.join(" "));
  }
  assertEquals(optionOf((await box.run(["unmount", "/m"])).args, "--allow-run"), "fusermount3,cat");
  for (const words of [["repl"], ["-c", "ls"], ["--batch"], [], ["open", "a.tga", "--run", "viewer"]]) {
    assertEquals(optionOf((await box.run(words)).args, "--allow-run"), "sh", words.join(" "));
  }
});

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
      [["ls", "--socket", "/o/a,b"], both, ""],
    ] as const
  ) {
    const { args } = await box.run([...words], { environment, directory: box.root });
    assertEquals(optionOf(args, "--allow-net"), socket, words.join(" "));
  }
});

Deno.test("a socket that only the configuration names is not in the daemon's way", async () => {
  await using box = await machine();
  await box.install("deno", argumentPrinter);
  const directory = `${box.root}/config/pakfs`;
  await Deno.mkdir(directory, { recursive: true });
  await Deno.writeTextFile(`${directory}/config.toml`, 'mount = "/m"\n');
  await Deno.writeTextFile(`${box.root}/other.toml`, '# mine\n socket = "/s/other.sock"');
  const netOf = async (words: string[], environment: Record<string, string> = {}): Promise<string | undefined> => {
    const { args } = await box.run(words, { environment: { XDG_CONFIG_HOME: `${box.root}/config`, ...environment } });
    return optionOf(args, "--allow-net")?.replaceAll(/\d+/g, "N");
  };
  const usual = "unix:/tmp/pakfs-N/pakfs.sock,unix:/tmp/pakfs-N/pakfs-N.sock";
  assertEquals(await netOf(["daemon"]), usual);
  assertEquals(await netOf(["daemon", "--config", `${box.root}/none.toml`]), usual);
  assertEquals(await netOf(["daemon", "--config", `${box.root}/other.toml`]), "");
  assertEquals(await netOf(["daemon", `--config=${box.root}/other.toml`]), "");
  assertEquals(await netOf(["daemon"], { PAKFS_CONFIG: `${box.root}/other.toml` }), "");
  assertEquals(await netOf(["mount", "-f", "a", "b"], { PAKFS_CONFIG: `${box.root}/other.toml` }), usual);
});
