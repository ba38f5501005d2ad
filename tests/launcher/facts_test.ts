/** Facts that the launcher must duplicate, as it runs before any program: compared with the code that defines them. */
import { assert, assertEquals } from "@std/assert";
import { configPath, defaultIndexCache } from "../../daemon/config/paths.ts";
import { socketPath } from "../../protocol/socket_path.ts";
import { environment } from "../support/environment.ts";
import { readProgramModules } from "../support/program_modules.ts";
import { argumentPrinter, machine, optionOf, runtimePackages } from "./stubs.ts";

const root = new URL("../..", import.meta.url).pathname;
const launcher = await Deno.readTextFile(`${root}pakfs`);
const setUp = await Deno.readTextFile(`${root}system/set_up.sh`);

const code = await readProgramModules();

function found(pattern: RegExp): string[] {
  const names = Array.from(code.values()).flatMap((text) =>
    Array.from(text.matchAll(pattern), ([, name]) => name ?? "")
  );
  return Array.from(new Set(names)).sort();
}

Deno.test("the programs may read each variable of the environment that the code names", () => {
  const [, allowed = "", more = ""] = /^variables='(.*)'\nvariables="\$variables,(.*)"$/m.exec(launcher) ?? [];
  const patterns = `${allowed},${more}`.split(",");
  const read = found(/(?:env\.get|env\.has|\bvariable)\("([A-Z_]+)"\)/g);
  assert(read.length > 20);
  const refused = read.filter((name) =>
    !patterns.some((pattern) => pattern.endsWith("*") ? name.startsWith(pattern.slice(0, -1)) : name === pattern)
  );
  assertEquals(refused, []);
});

Deno.test("the launcher fetches the packages that the code imports, those of threads and of the page too", async () => {
  const page = await Deno.readTextFile(`${root}web/page/three.js`);
  const imported = [
    ...found(/(?: from |\bimport\()"(?!node:|deno-fuse-ffi|@std|@pakfs)([^."][^"]*)"/g),
    ...Array.from(page.matchAll(/ from "([^"/]+)/g), ([, name]) => name ?? ""),
  ];
  assertEquals(runtimePackages(launcher), Array.from(new Set(imported)).sort());
  const patterns = Array.from(setUp.matchAll(/"\$root"(\/[*/]+_worker\.ts)/g), ([, glob]) => glob ?? "");
  const threads = Array.from(code.keys()).filter((path) => path.endsWith("_worker.ts"));
  const isFetched = (path: string) =>
    patterns.some((glob) => new RegExp(`^${glob.replaceAll("*", "[^/]*")}$`).test(`/${path}`));
  assertEquals(threads.filter((path) => !isFetched(path)), []);
  const started = found(/new URL\(\s*"\.\/(?:\w+\/)*(\w+\.ts)"/g);
  assertEquals(started, threads.map((path) => path.replace(/.*\//, "")).sort());
});

/** Runs `work` with only the given variables that name directories. */
function withEnvironment<Result>(values: Record<string, string>, work: () => Result): Result {
  const names = ["HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_RUNTIME_DIR"];
  names.push("PAKFS_CONFIG", "PAKFS_INDEX_CACHE", "PAKFS_SOCKET");
  using _set = environment(Object.fromEntries(names.map((name) => [name, values[name]])));
  return work();
}

Deno.test("the launcher finds socket, configuration and index cache where the programs do", async () => {
  await using box = await machine();
  await box.install("deno", argumentPrinter);
  await box.install("id", `echo ${Deno.uid()}`);
  const home = { HOME: "/home/me" };
  for (
    const environment of [
      home,
      { ...home, XDG_CONFIG_HOME: "/xdg/config", XDG_CACHE_HOME: "/xdg/cache", XDG_RUNTIME_DIR: "/run/user/7" },
      { ...home, XDG_CONFIG_HOME: "", XDG_CACHE_HOME: "", XDG_RUNTIME_DIR: "" },
      { ...home, XDG_RUNTIME_DIR: "relative" },
      { ...home, PAKFS_CONFIG: "/own/p.toml", PAKFS_INDEX_CACHE: "/own/cache", PAKFS_SOCKET: "/own/p.sock" },
      { ...home, PAKFS_CONFIG: "", PAKFS_INDEX_CACHE: "", PAKFS_SOCKET: "" },
      { ...home, PAKFS_INDEX_CACHE: "off" },
    ] satisfies Record<string, string>[]
  ) {
    const { socket, config, cache } = withEnvironment(environment, () => ({
      socket: socketPath(),
      config: configPath(undefined),
      cache: defaultIndexCache()?.directory,
    }));
    const shown = JSON.stringify(environment);
    // deno-lint-ignore no-await-in-loop -- one after the other, so that a failure names its case
    const asking = await box.run(["--source", "dir", "ls"], { environment });
    assertEquals(optionOf(asking.args, "--allow-net"), `unix:${socket}`, shown);
    const writable = [socket, ...cache === undefined ? [] : [cache]];
    assertEquals(optionOf(asking.args, "--allow-write"), writable.join(","), shown);
    // deno-lint-ignore no-await-in-loop -- as above
    const writing = await box.run(["init"], { environment });
    assertEquals(optionOf(writing.args, "--allow-write"), `${config.replace(/\/[^/]*$/, "")},${socket}`, shown);
  }
});
