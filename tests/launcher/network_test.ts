// deno-lint-ignore-file no-await-in-loop -- one after the other, to see which one fails
/** pakfs makes no network request, and Deno does not look for its own updates. */
import { assert, assertEquals } from "@std/assert";
import { pakOf } from "../index/fixtures.ts";
import { run, until, workspace } from "../mount/mounting.ts";
import { needs } from "../support/programs.ts";
import { argumentPrinter, machine, versioned } from "./stubs.ts";

const launcher = new URL("../../pakfs", import.meta.url).pathname;

Deno.test("no command lets Deno look for an update", async () => {
  await using box = await machine();
  await box.install("deno", versioned("2.9.6", `printf '%s\\0' "no check: $DENO_NO_UPDATE_CHECK" "$@"`));
  for (const words of [["ls"], ["mount", "-f", "a", "b"], ["daemon"], ["repl"], ["test"], ["--version"]]) {
    const { args } = await box.run(words, { environment: { PAKFS_NO_INSTALL: "1" } });
    assertEquals(args[0], "no check: 1", words.join(" "));
  }
  await box.install("deno", argumentPrinter);
  // Starting a program fetches no missing package.
  for (const words of [["ls"], ["daemon"]]) {
    assert((await box.run(words, { environment: { PAKFS_NO_INSTALL: "1" } })).args.includes("--cached-only"));
  }
});

Deno.test({
  name: "the kernel is asked for no socket but those of this machine",
  ...needs("strace"),
  fn: async () => {
    await using here = await workspace();
    const quake = `${here.path}/quake/id1`;
    await Deno.mkdir(quake, { recursive: true });
    await Deno.writeFile(`${quake}/pak0.pak`, pakOf("a.txt"));
    const traced = (file: string, ...words: string[]) => ({
      args: [
        "-f",
        "-qq",
        "-e",
        "trace=socket,connect,sendto,sendmsg",
        "-o",
        `${here.path}/${file}`,
        launcher,
        ...words,
      ],
      env: { ...here.environment, XDG_CACHE_HOME: `${here.path}/cache` },
    });
    const daemon = new Deno.Command("strace", {
      ...traced("daemon", "mount", "-f", `${here.path}/quake`, here.mountPoint),
      stdin: "null",
      stdout: "null",
      stderr: "null",
    }).spawn();
    await until("the daemon answers", async () => (await here.pakfs("status")).code === 0);
    const commands = [
      ["ls"],
      ["which", "a.txt"],
      ["extract", "a.txt", "-o", `${here.path}/out`],
      ["ls", "--source", `${here.path}/quake`],
      ["unmount", here.mountPoint],
    ];
    for (const [index, words] of commands.entries()) {
      const { args, env } = traced(`client${index}`, ...words);
      const { code, stderr } = await run("strace", args, { environment: env });
      assertEquals(code, 0, stderr);
    }
    await daemon.status;
    for (const file of ["daemon", ...commands.map((_, index) => `client${index}`)]) {
      const calls = (await Deno.readTextFile(`${here.path}/${file}`)).split("\n");
      assertEquals(calls.filter((call) => /AF_(?!UNIX\b)/.test(call)), [], file);
      if (file === "daemon" || file === "client0") assert(calls.some((call) => call.includes("AF_UNIX")), file);
    }
  },
});
