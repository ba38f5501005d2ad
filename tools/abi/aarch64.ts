/**
 * The tests on aarch64, imitated by qemu: Deno, libfuse and the C library are that processor's, the kernel this one's.
 * @module
 */
import { output } from "../../tests/mount/mounting.ts";
import { debianTree, fetchPackage } from "../../tests/support/debian_data.ts";
import { temporaryDirectory } from "../../tests/support/temporary.ts";
import { type Figures, tests } from "./figures.ts";

/** The first bytes of a program for aarch64 (`elf.h`: 64 bits, little-endian, machine 183), and which of them count. */
const magic = String.raw`\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\xb7\x00`;
const mask = String.raw`\xff\xff\xff\xff\xff\xff\xff\x00\xff\xff\xff\xff\xff\xff\xff\xff\xfe\xff\xff\xff`;

/**
 * Takes the next script, an empty directory, qemu, and the command, for which a user namespace is made where every user
 * is itself. Only a process outside can set that, and until then the command has no user.
 */
const inUserNamespace = `
mkfifo "$2/ready" "$2/go"
unshare -Um sh -ec 'echo > "$2/ready"; read -r _ < "$2/go"; exec sh -ec "$@"' sh "$@" &
read -r _ < "$2/ready"
for kind in uid gid; do echo 0 0 65536 > "/proc/$!/\${kind}_map"; done
echo > "$2/go"
rm "$2/ready" "$2/go"
wait $!`;

/** Tells the kernel to start programs for aarch64 with qemu, in this user namespace only. */
const underQemu = `
mount -t tmpfs none "$0"
mkdir "$0/formats"
mount -t binfmt_misc none "$0/formats"
printf %s ':aarch64:M::${magic}:${mask}:'"$1"':F' > "$0/formats/register"
shift
exec "$@"`;

/** Runs the tests of `deno-fuse-ffi` inside such a Deno, and those of mounts with a daemon that runs in it. */
export async function testsOnAarch64(): Promise<Figures> {
  await using work = await temporaryDirectory();
  const libraries = ["libgcc-s1", "libfuse3-3", "libdeflate0"];
  const tree = await debianTree({ release: "bookworm", architecture: "arm64" }, "libc6", ...libraries);
  const qemu = `${await fetchPackage("qemu-user-static", false)}/usr/bin/qemu-aarch64-static`;
  const deno = await fetchDeno(work.path);
  const found: Figures[] = [];
  const kinds = [
    { runner: deno, paths: ["tests/deno_fuse_ffi"], environment: {} },
    {
      runner: Deno.execPath(),
      paths: ["tests/mount/read_test.ts", "tests/mount/layout_test.ts"],
      environment: { DENO: deno },
    },
  ];
  for (const [index, { runner, paths, environment }] of kinds.entries()) {
    const directory = `${work.path}/${index}`;
    // deno-lint-ignore no-await-in-loop -- one after the other
    await Deno.mkdir(directory);
    const command = ["sh", "-ec", inUserNamespace, "sh", underQemu, directory, qemu, runner];
    // deno-lint-ignore no-await-in-loop -- as above
    found.push(await tests(command, paths, { QEMU_LD_PREFIX: tree, ...environment }));
  }
  return {
    summary: found.map(({ summary }) => summary).join("; "),
    failures: found.flatMap(({ failures }) => failures),
  };
}

/** Deno for aarch64, decompressed from its npm package: the newest that is like this one. */
async function fetchDeno(directory: string): Promise<string> {
  const [major, minor] = Deno.version.deno.split(".");
  const wanted = `@deno/linux-arm64-glibc@~${major}.${minor}.0`;
  const script = 'cd "$1" && npm pack --silent "$2" && tar xzf ./*.tgz && chmod +x package/deno';
  await output("sh", "-ec", script, "sh", directory, wanted);
  return `${directory}/package/deno`;
}
