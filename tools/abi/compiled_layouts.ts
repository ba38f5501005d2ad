// deno-lint-ignore-file no-await-in-loop -- one after the other, to see which one fails
/**
 * `layouts.c`, compiled against the headers of every libfuse, for both processors.
 * @module
 */
import { architecture, debianTree, fetchPackage } from "../../tests/support/debian_data.ts";
import { temporaryDirectory } from "../../tests/support/temporary.ts";
import { output } from "../../tests/mount/mounting.ts";
import { libraryDirectory, releases } from "./releases.ts";
import type { Figures } from "./figures.ts";
import { differsOnAarch64, parseLayouts } from "./layouts.ts";

const source = new URL("./layouts.c", import.meta.url).pathname;
const compilerPackages = [
  "gcc-12-aarch64-linux-gnu",
  "cpp-12-aarch64-linux-gnu",
  "binutils-aarch64-linux-gnu",
  "libgcc-12-dev-arm64-cross",
  "libgcc-s1-arm64-cross",
  "libc6-dev-arm64-cross",
  "libc6-arm64-cross",
  "linux-libc-dev-arm64-cross",
] as const;

/** Commands that compile for a processor and run the result. */
interface Target {
  readonly processor: string;
  readonly compiler: readonly string[];
  readonly runner: readonly string[];
}

async function targets(): Promise<Target[]> {
  const [first, ...others] = compilerPackages;
  const cross = await debianTree({ release: "bookworm", architecture }, first, ...others);
  const qemu = `${await fetchPackage("qemu-user-static", false)}/usr/bin/qemu-aarch64-static`;
  const environment = [`PATH=${cross}/usr/bin:/usr/bin:/bin`, `LD_LIBRARY_PATH=${cross}/${libraryDirectory}`];
  return [
    { processor: "x86_64", compiler: ["gcc"], runner: ["env"] },
    {
      processor: "aarch64",
      compiler: ["env", ...environment, `${cross}/usr/bin/aarch64-linux-gnu-gcc-12`, "-static"],
      runner: [qemu],
    },
  ];
}

/** Compares C compilers' results with the values that the tests assume. */
export async function compiledLayouts(): Promise<Figures> {
  const expected = parseLayouts(await Deno.readTextFile(new URL("./layouts.txt", import.meta.url)));
  await using work = await temporaryDirectory();
  const processors = await targets();
  const failures: string[] = [];
  const versions: string[] = [];
  for (const { release } of releases) {
    const headers = `${await debianTree({ release, architecture }, "libfuse3-dev")}/usr/include/fuse3`;
    const version = /FUSE_MINOR_VERSION\s+(\d+)/.exec(await versionHeader(headers))?.[1];
    versions.push(`3.${version}`);
    for (const { processor, compiler, runner } of processors) {
      const program = `${work.path}/${release}-${processor}`;
      const [compile = "", ...words] = [...compiler, "-D_FILE_OFFSET_BITS=64", `-I${headers}`, source, "-o", program];
      await output(compile, ...words);
      const [start = "", ...parameters] = [...runner, program];
      const found = parseLayouts(await output(start, ...parameters));
      for (const name of new Set([...expected.keys(), ...found.keys()])) {
        const wanted = (processor === "aarch64" ? differsOnAarch64.get(name) : undefined) ?? expected.get(name);
        if (found.get(name) === wanted) continue;
        failures.push(`${release}, ${processor}: ${name} is ${found.get(name)}, not ${wanted}`);
      }
    }
  }
  return { summary: `${expected.size} facts, libfuse ${versions.join(", ")}, x86_64 and aarch64`, failures };
}

async function versionHeader(headers: string): Promise<string> {
  // From 3.12 on the version is in a separate header.
  const files = ["libfuse_config.h", "fuse_common.h"].map((name) =>
    Deno.readTextFile(`${headers}/${name}`).catch(() => "")
  );
  return (await Promise.all(files)).join("\n");
}
