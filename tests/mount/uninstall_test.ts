/** `pakfs uninstall` of a copy of the program, in a home of its own. */
import { assertEquals, assertMatch } from "@std/assert";
import { copyProgram } from "../support/copied_program.ts";
import { endProcesses, processesWith } from "../support/processes.ts";
import { temporaryDirectory } from "../support/temporary.ts";
import { output, run, until } from "./mounting.ts";

const checkout = new URL("../..", import.meta.url).pathname;

Deno.test("uninstall lists what pakfs has written, and with --yes removes it once nothing uses it", async () => {
  await using directory = await temporaryDirectory();
  const [program, home] = [`${directory.path}/pakfs`, `${directory.path}/home`];
  await copyProgram(program);
  // Set-up, which needs a network the first time.
  await output(`${checkout}pakfs`, "--version");
  await Deno.mkdir(`${program}/.tools/cache`, { recursive: true });
  const cached = ["npm", "fetched_packages"].map((name) => `${checkout}.tools/cache/${name}`);
  await output("cp", "-r", ...cached, `${program}/.tools/cache`);
  await Promise.all(
    [`${home}/quake/id1`, `${home}/mnt`, `${home}/.cache/other`].map((path) => Deno.mkdir(path, { recursive: true })),
  );
  await Deno.writeTextFile(`${home}/quake/id1/a.txt`, "a");
  const environment = {
    HOME: home,
    DENO: Deno.execPath(),
    XDG_RUNTIME_DIR: `${directory.path}/run`,
    XDG_CACHE_HOME: "",
    XDG_CONFIG_HOME: "",
    XDG_STATE_HOME: "",
    PAKFS_CONFIG: "",
    PAKFS_SOCKET: "",
    PAKFS_INDEX_CACHE: "",
    NO_COLOR: "1",
  };
  const pakfs = (...words: string[]) => run(`${program}/pakfs`, words, { environment, directory: home });
  const files = () => output("find", home, program, "-path", `${program}/.tools/*`, "-prune", "-o", "-print");
  try {
    assertEquals((await pakfs("init", "quake")).code, 0);
    assertEquals((await pakfs("service", "install", "--no-start")).code, 0);
    await Deno.mkdir(`${home}/.cache/pakfs/index`, { recursive: true });
    await Deno.writeTextFile(`${home}/.cache/pakfs/index/quake.index`, "");
    const withoutMount = await files();
    assertEquals((await pakfs("mount", "quake", "mnt")).code, 0);
    const used = await pakfs("uninstall", "--yes");
    assertEquals([used.code, used.stdout], [1, ""]);
    assertMatch(
      used.stderr,
      new RegExp(`^pakfs: the daemon runs, process \\d+, serves ${home}/mnt; end it with: pakfs stop\n$`),
    );
    assertEquals((await pakfs("stop")).code, 0);
    await until("the daemon has ended", async () => (await pakfs("status")).code === 4);
    const isMounted = async () => (await Deno.readTextFile("/proc/self/mountinfo")).includes(` ${home}/mnt `);
    await until("its mount has gone", async () => !await isMounted());

    const before = await files();
    const listed = await pakfs("uninstall", "--json");
    const paths = [".config/systemd/user/pakfs.service", ".cache/pakfs", ".local/state/pakfs"].map((path) =>
      `${home}/${path}`
    );
    const rows = (stdout: string) => stdout.trim().split("\n").map((line) => JSON.parse(line));
    assertEquals(rows(listed.stdout).map(({ path }) => path), [...paths, `${program}/.tools`]);
    assertEquals(await files(), before);

    const removed = await pakfs("uninstall", "--yes");
    assertEquals([removed.code, removed.stderr], [0, `removed; to finish: rm -r ${program}\n`]);
    assertMatch(removed.stdout, /^PATH +HOLDS\n/);
    const gone = (path: string) => [...paths, `${program}/.tools`].some((one) => `${path}/`.startsWith(`${one}/`));
    const parents = [".local", ".local/state"].map((path) => `${home}/${path}`);
    const left = (text: string) => text.split("\n").filter((path) => !gone(path) && !parents.includes(path)).sort();
    assertEquals(left(await files()), left(withoutMount));
    assertEquals((await files()).split("\n").filter(gone), []);

    const again = await pakfs("uninstall", "--all");
    assertEquals([again.code, again.stdout], [2, ""]);
    assertMatch(again.stderr, /^pakfs: the packages of pakfs are not in .*, and uninstall installs nothing; run:\n/);
  } finally {
    // A daemon without its files could not load the modules for unmounting.
    await run("fusermount3", ["-u", `${home}/mnt`]);
    await endProcesses(() => processesWith(`HOME=${home}`));
  }
});
