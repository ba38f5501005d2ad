import { assertEquals, assertMatch, assertNotEquals } from "@std/assert";
import { debianPackage } from "../support/debian_data.ts";
import { needs } from "../support/programs.ts";
import { run, workspace } from "./mounting.ts";

const packages = ["openarena-data", "openarena-081-maps", "ioquake3-server", "openarena-server"];

Deno.test("a real engine starts a map from the mount", needs(...packages.map((name) => `debian:${name}`)), async () => {
  await using here = await workspace();
  const [data = "", maps = "", engine = "", game = ""] = packages.map(debianPackage);
  const base = `${here.path}/openarena/baseoa`;
  await Deno.mkdir(base, { recursive: true });
  await Deno.symlink(`${data}/usr/share/games/openarena/baseoa/pak0.pk3`, `${base}/pak0.pk3`);
  await Deno.symlink(`${maps}/usr/share/games/openarena/baseoa/pak1-maps.pk3`, `${base}/pak1-maps.pk3`);
  await here.mount("--profile", "ioquake3", `${here.path}/openarena`);

  // The packages' bytecode is a placeholder: the game's code comes as a library, which the engine loads from home.
  const home = `${here.path}/home/baseoa`;
  await Deno.mkdir(home, { recursive: true });
  await Deno.copyFile(
    `${game}/usr/lib/openarena-server/baseoa/qagamex86_64.so`,
    `${home}/qagamex86_64.so`,
  );
  const settings = {
    fs_basepath: `${here.mountPoint}/openarena`,
    fs_homepath: `${here.path}/home`,
    com_standalone: "1",
    com_basegame: "baseoa",
    vm_game: "0",
    sv_pure: "0",
    dedicated: "1",
    net_enabled: "0",
  };
  const { code, stdout, stderr } = await run(`${engine}/usr/lib/ioquake3/ioq3ded`, [
    ...Object.entries(settings).flatMap(([name, value]) => ["+set", name, value]),
    "+map",
    "oa_dm1",
    "+status",
    "+quit",
  ]);
  const said = stdout + stderr;
  assertEquals(code, 0, said);
  assertMatch(said, /^[1-9]\d* items registered$/m);
  assertMatch(said, /^map: oa_dm1$/m);
  // The engine found loose files only: all reads went through the mount.
  assertMatch(said, /^0 files in pk3 files$/m);
  const { counters } = await here.status();
  assertEquals(counters.failedReads, 0);
  assertNotEquals(counters.reads, 0);
  await here.stop();
});
