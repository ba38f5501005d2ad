/**
 * Writes what people download: `pakfs-VERSION-linux-ARCH.tar.gz`, which runs where it is unpacked, and a package for
 * Debian and its derivatives. Both hold the launcher, the built programs, Deno and the packages that they import, and
 * need no network: `deno task release [DIRECTORY]`, by default into `.tools/release/`; with `--quick` it packs less well,
 * in a third of the time. Needs `tar` and `dpkg-deb`.
 * @module
 */
// deno-lint-ignore-file no-await-in-loop -- one file after the other
import { walk } from "@std/fs";
import { relative } from "node:path";
import { dirname, join, resolve } from "@std/path";
import { buildPrograms } from "../../system/build/main.ts";
import { digestFile, modulesDigest } from "../../system/program_digest.ts";
import { programRoot } from "../../system/program_root.ts";
import { builtName } from "../../system/build/build.ts";
import { version } from "../../protocol/version.ts";
import { print } from "../../tests/support/harness.ts";
import { temporaryDirectory } from "../../tests/support/temporary.ts";

const platforms = { x86_64: { node: "x64", debian: "amd64" }, aarch64: { node: "arm64", debian: "arm64" } } as const;
const platform = platforms[Deno.build.arch as keyof typeof platforms];
/** Files of the program that are no modules, and what its users read. */
const plainFiles = [
  ...[
    "pakfs",
    "system/set_up.sh",
    "daemon/background.sh",
    "system/reader",
    "formats/unpacking/unpacker",
    "mod.ts",
    "web/page",
  ],
  ...["LICENSE", "README.md", "CHANGELOG.md", "docs"],
];
/** Rooms of the library, which scripts import and check the types of; its door is `mod.ts`. */
const libraryRooms = [
  ...["formats", "system", "media", "engines", "games", "index", "views", "questions", "protocol", "service"],
];
/** Packages that the built programs and the page import: not the one that builds. */
const packages = ["diff", "fflate", "hyparquet-writer", "jpeg-js", "smol-toml", "three"];

async function run(command: string, ...args: readonly string[]): Promise<Uint8Array<ArrayBuffer>> {
  const { success, stdout } = await new Deno.Command(command, { args: [...args], stderr: "inherit" }).output();
  if (!success) throw new Error(`${command} ${args.join(" ")} failed`);
  return stdout;
}

async function copy(from: string, to: string): Promise<void> {
  await Deno.mkdir(dirname(to), { recursive: true });
  await run("cp", "-rL", "--no-preserve=ownership", from, to);
}

/** Writes the program into a directory. */
async function writeProgram(directory: string): Promise<void> {
  for (const name of plainFiles) await copy(join(programRoot, name), join(directory, name));
  for (const room of libraryRooms) {
    // The launcher of a tree that can build its programs would do so.
    const chosen = { includeDirs: false, exts: ["ts", "json"], skip: [/\/system\/build\//] };
    for await (const { path } of walk(join(programRoot, room), chosen)) {
      await copy(path, join(directory, relative(programRoot, path)));
    }
  }
  const { version, imports, nodeModulesDir, unstable, compilerOptions } = JSON.parse(
    await Deno.readTextFile(join(programRoot, "deno.json")),
  );
  const own = Object.keys(imports).flatMap((name) => {
    if (name.startsWith("@std/")) return [[name, `./system/std/${name.slice("@std/".length)}/mod.ts`]];
    return name.startsWith("@pakfs/") || packages.includes(name) ? [[name, imports[name]]] : [];
  });
  const settings = {
    version,
    imports: Object.fromEntries(own),
    nodeModulesDir,
    unstable,
    compilerOptions,
    lock: false,
  };
  await Deno.writeTextFile(join(directory, "deno.json"), JSON.stringify(settings));
  for (const name of ["deno.json", "three.d.ts"]) await Deno.remove(join(directory, "web/page", name));

  const [from, to] = [join(programRoot, ".tools"), join(directory, ".tools")];
  await copy(Deno.execPath(), join(to, "bin/deno"));
  const registry = "cache/npm/registry.npmjs.org";
  for (const name of packages) await copy(join(from, registry, name), join(to, registry, name));
  const [names, address] = (await Deno.readTextFile(join(from, "cache/fetched_packages"))).split("\n");
  await Deno.writeTextFile(join(to, "cache/fetched_packages"), `${names}\n${address}\n`);
  for (const { entry, built } of await buildPrograms(join(to, "build"))) {
    const code = `const { start } = await import("./${built}");\nawait start();\n`;
    await Deno.writeTextFile(join(to, "build", builtName(entry)), code);
  }
  await Deno.writeTextFile(join(directory, "system", digestFile), modulesDigest(programRoot));
  await run("chmod", "-R", "u=rwX,go=rX", directory);
}

/** Scripts of the package, which compile for all users, as these cannot, and remove what was compiled. */
const compile = `#!/bin/sh
set -e
/usr/lib/pakfs/pakfs --version >/dev/null
echo 'import "@pakfs/pakfs";' | /usr/lib/pakfs/pakfs run -
`;
const clean = `#!/bin/sh
set -e
cd /usr/lib/pakfs/.tools/cache
find . -mindepth 1 -maxdepth 1 ! -name npm ! -name fetched_packages -exec rm -rf {} +
`;

/** Writes the tree of the package for Debian around the program. */
async function writePackage(root: string, program: string): Promise<void> {
  const within = (path: string) => join(root, path);
  await copy(program, within("usr/lib/pakfs"));
  await Deno.writeTextFile(within("usr/lib/pakfs/remove_command"), "apt remove pakfs\n");
  await Deno.mkdir(within("usr/bin"), { recursive: true });
  await Deno.symlink("../lib/pakfs/pakfs", within("usr/bin/pakfs"));
  const launcher = join(program, "pakfs");
  const made = {
    "usr/share/man/man1/pakfs.1": ["man"],
    "usr/share/bash-completion/completions/pakfs": ["completions", "bash"],
    "usr/share/zsh/vendor-completions/_pakfs": ["completions", "zsh"],
    "usr/share/fish/vendor_completions.d/pakfs.fish": ["completions", "fish"],
  };
  for (const [path, words] of Object.entries(made)) {
    await Deno.mkdir(dirname(within(path)), { recursive: true });
    await Deno.writeFile(within(path), await run(launcher, ...words));
  }
  await run("gzip", "-9n", within("usr/share/man/man1/pakfs.1"));
  await copy(join(program, "LICENSE"), within("usr/share/doc/pakfs/copyright"));
  const control = {
    Package: "pakfs",
    Version: version,
    Architecture: platform.debian,
    Maintainer: "pakfs <pakfs@localhost>",
    Depends: "libc6 (>= 2.28), fuse3, libdeflate0",
    Recommends: "libarchive13 | libarchive13t64",
    Section: "games",
    Priority: "optional",
    Description: "game archives as one ordinary folder, as the engine sees them",
  };
  const lines = Object.entries(control).map(([name, value]) => `${name}: ${value}\n`);
  await Deno.mkdir(within("DEBIAN"));
  await Deno.writeTextFile(within("DEBIAN/control"), lines.join(""));
  for (const [name, text] of [["postinst", compile], ["prerm", clean]] as const) {
    await Deno.writeTextFile(within(`DEBIAN/${name}`), text, { mode: 0o755 });
  }
  await run("chmod", "-R", "go=rX", root);
}

if (import.meta.main) {
  const [given] = Deno.args.filter((word) => word !== "--quick");
  const isQuick = Deno.args.includes("--quick");
  const directory = resolve(given ?? join(programRoot, ".tools/release"));
  await using scratch = await temporaryDirectory();
  const name = `pakfs-${version}-linux-${platform.node}`;
  const program = join(scratch.path, name);
  await Deno.mkdir(program);
  await Deno.mkdir(directory, { recursive: true });
  await writeProgram(program);
  const archive = join(directory, `${name}.tar.gz`);
  const gzip = isQuick ? "gzip -n1" : "gzip -n";
  await run("tar", "-C", scratch.path, "--owner=0", "--group=0", "--sort=name", "-I", gzip, "-cf", archive, name);
  print(archive);
  const packaged = join(scratch.path, "package");
  await writePackage(packaged, program);
  const debian = join(directory, `pakfs_${version}_${platform.debian}.deb`);
  await run("dpkg-deb", "--root-owner-group", isQuick ? "-Zgzip" : "-Zxz", "-z1", "--build", packaged, debian);
  print(debian);
}
