/** A daemon whose program is updated while it runs. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { writeDemoInstallation } from "../../daemon/demo/installation.ts";
import { copyProgram } from "../support/copied_program.ts";
import { temporaryDirectory } from "../support/temporary.ts";

Deno.test("after an update of its program status says that the daemon is older", async () => {
  await using directory = await temporaryDirectory();
  const [copy, socket] = [`${directory.path}/pakfs`, `${directory.path}/run/s.sock`];
  await copyProgram(copy);
  await writeDemoInstallation(`${directory.path}/games`);
  const config = `${directory.path}/config.toml`;
  await Deno.writeTextFile(config, `[[game]]\nname = "quake"\nsources = ["${directory.path}/games/quake"]\n`);
  const start = (file: string, ...args: string[]) =>
    new Deno.Command(Deno.execPath(), {
      args: ["run", "--quiet", "-A", `--config=${copy}/deno.json`, `${copy}/${file}`, ...args],
      env: { NO_COLOR: "1", PAKFS_INDEX_CACHE: "off" },
      stdin: "null",
      stdout: "piped",
      stderr: "piped",
    }).spawn();
  const client = async (...words: string[]) => {
    const { code, stdout, stderr } = await start("repl/main.ts", "--socket", socket, ...words).output();
    const decoder = new TextDecoder();
    return { code, out: decoder.decode(stdout), err: decoder.decode(stderr) };
  };
  const daemon = start("daemon/main.ts", "daemon", "--no-mount", "--config", config, "--socket", socket);
  const lines = daemon.stderr.pipeThrough(new TextDecoderStream()).getReader();
  try {
    for (let log = ""; !log.includes("ready; socket");) {
      // deno-lint-ignore no-await-in-loop -- line after line
      const { value, done } = await lines.read();
      assertEquals(done, false, log);
      log += value;
    }
    assertEquals((await client("find", "palette.lmp", "--view", "quake/id1")).out, "gfx/palette.lmp\n");
    assert(!(await client("status")).out.includes("older pakfs"));
    const module = `${copy}/formats/core/crc32.ts`;
    await Deno.writeTextFile(module, await Deno.readTextFile(module));
    assertMatch((await client("status")).out, /this daemon runs an older pakfs: files in .*\/pakfs have changed/);
  } finally {
    daemon.kill();
    await lines.cancel();
    await daemon.stdout.cancel();
    await daemon.status;
  }
});
