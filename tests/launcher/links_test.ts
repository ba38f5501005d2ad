/**
 * Runs every command that writes with all paths reached through a symbolic link, as below a `/home` that is one: the
 * launcher grants the paths that the programs then use.
 */
import { assertEquals } from "@std/assert";
import { pakOf } from "../index/fixtures.ts";
import { isRunning, run, until } from "../mount/mounting.ts";
import { temporaryDirectory } from "../support/temporary.ts";

const launcher = new URL("../../pakfs", import.meta.url).pathname;

Deno.test("all commands that write do so through symbolic links", async () => {
  await using here = await temporaryDirectory();
  const real = `${here.path}/real`;
  const home = `${here.path}/home`;
  await Deno.mkdir(`${real}/quake/id1`, { recursive: true });
  await Deno.mkdir(`${real}/mnt`);
  await Deno.symlink("real", home);
  await Deno.writeFile(`${real}/quake/id1/pak0.pak`, pakOf("gfx/a.txt", "b.txt"));
  await Deno.writeFile(`${real}/quake/id1/dot.pcx`, onePixel());
  const environment = {
    HOME: home,
    PWD: home,
    XDG_RUNTIME_DIR: `${home}/run`,
    XDG_CACHE_HOME: `${home}/cache`,
    XDG_STATE_HOME: `${home}/state`,
    XDG_CONFIG_HOME: `${home}/config`,
    PAKFS_SOCKET: "",
    PAKFS_WATCH: "off",
  };
  const pakfs = async (...words: string[]): Promise<string> => {
    const { code, stdout, stderr } = await run(launcher, words, { environment, directory: home });
    assertEquals(code, 0, `${words.join(" ")}: ${stderr}`);
    return stdout;
  };
  const files = async (directory: string): Promise<string[]> => {
    const { stdout } = await run("find", [`${real}/${directory}`, "-type", "f", "-printf", "%P\n"]);
    return stdout.split("\n").filter((name) => name !== "").sort();
  };
  const pak = `${home}/quake/id1/pak0.pak`;

  await pakfs("archive", "extract", pak, "-o", `${home}/a`);
  assertEquals(await files("a"), ["b.txt", "gfx/a.txt"]);
  await pakfs("archive", "extract", "quake/id1/pak0.pak", "gfx/*", "-o", "../home/b/new/");
  assertEquals(await files("b/new"), ["gfx/a.txt"]);
  await Deno.mkdir(`${real}/target`);
  await Deno.symlink("target", `${real}/link`);
  await pakfs("archive", "extract", pak, "-o", "link");
  assertEquals(await files("target"), ["b.txt", "gfx/a.txt"]);
  await pakfs("archive", "create", `${home}/new.pk3`, `${home}/a`);
  await pakfs("archive", "create", "new.pak", "a");
  await pakfs("init", "--config", `${home}/other/config.toml`, `${home}/quake`);
  await pakfs("init", `${home}/quake`);
  assertEquals([await files("other"), await files("config/pakfs")], [["config.toml"], ["config.toml"]]);
  await pakfs("service", "install", "--no-start");
  assertEquals(await files("config/systemd"), ["user/pakfs.service"]);

  await pakfs("extract", "gfx/", "-o", `${home}/c`, "--source", `${home}/quake`);
  assertEquals(await files("c"), ["gfx/a.txt"]);
  await pakfs("mount", `${home}/quake`, `${home}/mnt`);
  const { pid } = JSON.parse(await pakfs("status", "--json")) as { pid: number };
  try {
    await pakfs("extract", "b.txt", "-o", "link/more");
    assertEquals(await files("target/more"), ["b.txt"]);
    await pakfs("show", "dot.pcx", "--png", `${home}/dot.png`);
    await pakfs("show", "dot.pcx", "--png", "link/dot.png");
    assertEquals((await Deno.stat(`${real}/target/dot.png`)).size, (await Deno.stat(`${real}/dot.png`)).size);
    assertEquals(
      await pakfs("status", "--json", "--socket", "run/pakfs/pakfs.sock").then(JSON.parse).then((one) => one.pid),
      pid,
    );
    await pakfs("unmount", "mnt");
  } finally {
    Deno.kill(pid, "SIGTERM");
    await until("the daemon has ended", () => !isRunning(pid));
  }
});

/** A PCX of one pixel, with its own palette. */
function onePixel(): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(128 + 2 + 769);
  bytes.set([10, 5, 1, 8]);
  bytes[65] = 1;
  bytes[66] = 2;
  bytes[130] = 12;
  return bytes;
}
