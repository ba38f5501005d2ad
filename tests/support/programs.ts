/**
 * The programs and packages that tests may start or read, from `programs.txt`, and their presence on this machine.
 * @module
 */
import { architecture, debianTree, fetchPackage, keptPackage, treeName } from "./debian_data.ts";

/** A program or a Debian package that tests need. */
export interface Requirement {
  /** Name of a program or a shared library, its path if it is on no PATH, or `debian:PACKAGE` for an unpacked package. */
  readonly name: string;
  /** Debian packages to install. */
  readonly packages: readonly string[];
  /** Whether every machine that runs pakfs has it. */
  readonly isCommon: boolean;
  /** `+` for a package that is unpacked with the libraries that it depends on, or the name of its release of Debian. */
  readonly variant: string;
}

/** All requirements, in the order of the list. */
export const requirements: readonly Requirement[] = parse(
  Deno.readTextFileSync(new URL("./programs.txt", import.meta.url)),
);

function parse(list: string): Requirement[] {
  let part = "";
  return list.split("\n").flatMap((line): Requirement[] => {
    const [name = "", value = ""] = line.replace(/#.*/, "").trim().split(/\s+/);
    part = /^\[(\w+)\]$/.exec(name)?.[1] ?? part;
    if (name === "" || name.startsWith("[")) return [];
    const isUnpacked = part === "unpacked";
    return [{
      name: isUnpacked ? `debian:${name}` : name,
      packages: isUnpacked ? name.split("+") : value.split(","),
      isCommon: part === "always",
      variant: isUnpacked ? value : "",
    }];
  });
}

/** Variable that hides all but the common programs, to run tests as on a bare machine. */
const onlyCommon = "PAKFS_TEST_ONLY_COMMON";

/** Directories of programs; the system's come first, so that versions in a home directory are not tested. */
const directories = ["/usr/sbin", "/usr/bin", "/sbin", "/bin", ...(Deno.env.get("PATH") ?? "").split(":")];

/** Directories of shared libraries, as the distributions name them. */
const libraryDirectories = [`/usr/lib/${Deno.build.arch}-linux-gnu`, "/usr/lib64", "/usr/lib"];

/** Returns the path of a program or a shared library on this machine, or `undefined`. */
export function programPath(name: string): string | undefined {
  if (Deno.env.get(onlyCommon) === "1" && !requirements.find((one) => one.name === name)?.isCommon) {
    return undefined;
  }
  const isLibrary = name.includes(".so.");
  const places = isLibrary ? libraryDirectories : directories;
  const paths = name.startsWith("/") ? [name] : places.map((directory) => `${directory}/${name}`);
  return paths.find((path) => {
    try {
      const { isFile, mode } = Deno.statSync(path);
      return isFile && (isLibrary || ((mode ?? 0) & 0o111) !== 0);
    } catch {
      return false;
    }
  });
}

/** Whether this machine has a requirement. */
export function isMet({ name, packages, variant }: Requirement): boolean {
  if (!name.startsWith("debian:")) return programPath(name) !== undefined;
  const [first = "", ...others] = packages;
  const kept = variant === ""
    ? [first]
    : variant === "+"
    ? [first, `libraries-of-${first}`]
    : [treeName({ release: variant, architecture }, first, ...others)];
  return Deno.env.get(onlyCommon) !== "1" && kept.every((one) => keptPackage(one) !== undefined);
}

/** Fetches all packages of the list that are unpacked. Returns an error for each that cannot be fetched. */
export async function fetchUnpacked(): Promise<string[]> {
  const unpacked = requirements.filter(({ name }) => name.startsWith("debian:"));
  const fetched = await Promise.allSettled(
    unpacked.map(({ packages: [first = "", ...others], variant }) =>
      /^\w/.test(variant)
        ? debianTree({ release: variant, architecture }, first, ...others)
        : fetchPackage(first, variant === "+")
    ),
  );
  return fetched.flatMap((result) => result.status === "rejected" ? [String(result.reason)] : []);
}

/**
 * Options of a test that needs programs (`python3`), libraries, unpacked packages (`debian:quakespasm`), or to be `root`: it is
 * ignored where they are missing. The test runner names them, and `.ci/run` accepts no ignored test.
 */
export function needs(...names: readonly string[]): { ignore: boolean } {
  return {
    ignore: !names.every((name) => {
      if (name === "root") return Deno.uid() === 0;
      const requirement = requirements.find((one) => one.name === name);
      if (requirement === undefined) throw new Error(`${name}: not in tests/support/programs.txt`);
      return isMet(requirement);
    }),
  };
}

/** Fills a directory with links to all programs of the list that this machine has, and to Deno: a PATH for tests. */
export async function linkPrograms(directory: string): Promise<void> {
  const programs = requirements.map(({ name }) => name).filter((name) => !/[:/]|\.so\./.test(name));
  await Promise.all(programs.map(async (name) => {
    const path = programPath(name);
    if (path !== undefined) await Deno.symlink(path, `${directory}/${name}`);
  }));
  await Deno.symlink(Deno.execPath(), `${directory}/deno`);
}
