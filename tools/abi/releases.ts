/**
 * libfuse of other releases of Debian, put in the place of this system's for one command, together with the C library
 * it was built for. Nothing is installed, and no other program sees it: it lies over the system's libraries in a mount
 * namespace.
 * @module
 */
import { exists } from "@std/fs";
import { architecture, debianTree } from "../../tests/support/debian_data.ts";

/** A release of Debian, and what its libfuse is called. */
export interface Release {
  readonly release: string;
  readonly library: string;
  /** Name that the loader looks for. */
  readonly soname: string;
}

/**
 * Releases whose libfuse differs from that of their neighbours, oldest first: 3.10, 3.14, 3.17, and the newest there
 * is.
 */
export const releases: readonly Release[] = [
  { release: "bullseye", library: "libfuse3-3", soname: "libfuse3.so.3" },
  { release: "bookworm", library: "libfuse3-3", soname: "libfuse3.so.3" },
  { release: "trixie", library: "libfuse3-4", soname: "libfuse3.so.4" },
  { release: "sid", library: "libfuse3-4", soname: "libfuse3.so.4" },
];

/** Directory of shared libraries in Debian. */
export const libraryDirectory = `usr/lib/${Deno.build.arch}-linux-gnu`;

/**
 * Takes the layers, the directory to lay them over, and the command. Files of the system's own libfuse are hidden by
 * whiteouts of overlayfs. These need a file system that supports them, and must be removed afterwards: so a tmpfs.
 */
const underOverlay = `
layers=$1 directory=$2 hidden=$3
shift 3
mount -t tmpfs none "$hidden"
for file in "$directory"/libfuse3.so*; do mknod "$hidden/\${file##*/}" c 0 0; done
mount -t overlay none -o "lowerdir=$layers:$hidden:$directory" "$directory"
exec "$@"`;

/** The place of the system, as the name of its release; undefined on what is not Debian. */
async function systemRelease(): Promise<string | undefined> {
  return /^VERSION_CODENAME=(\w+)$/m.exec(await Deno.readTextFile("/etc/os-release"))?.[1];
}

/**
 * Words to put before a command, which then finds the libfuse of a release and no other. Only root may do that.
 * @param hidden An empty directory, which is used in the command's namespace and stays as it is outside.
 * @throws {Error} if the packages cannot be fetched.
 */
export async function withLibraryOf({ release, library }: Release, hidden: string): Promise<string[]> {
  const order = releases.map((one) => one.release);
  const system = order.indexOf(await systemRelease() ?? "");
  // An older C library than its own would break the system's programs, and is not needed: newer ones do all it does.
  const isNewer = order.indexOf(release) > system;
  const tree = await debianTree({ release, architecture }, library, ...isNewer ? ["libc6"] : []);
  const directory = `/${libraryDirectory}`;
  const layers = [`${tree}${directory}`, `${tree}${directory.replace("/usr", "")}`];
  const there = await Promise.all(layers.map((layer) => exists(layer)));
  const found = layers.filter((_, index) => there[index]);
  return ["unshare", "-m", "sh", "-ec", underOverlay, "sh", found.join(":"), directory, hidden];
}
