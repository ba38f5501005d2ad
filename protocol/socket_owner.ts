/**
 * Whether a path leads to a socket that this user or root has made. The kernel knows the user at the other end of a
 * connection, but Deno does not say, and permission to ask the kernel would be permission to do anything. Owners and
 * modes are enough if they are checked from the root of the file system on: no other user can then put anything at the
 * path, before connecting or meanwhile.
 * @module
 */

const rootUser = 0;
const writableByGroup = 0o020;
const writableByAll = 0o002;
const sticky = 0o1000;
/** Symbolic links followed in one path at most, as in Linux. */
const maxLinks = 40;

/** Returns the status of a file; undefined for one that this program may not look at. */
function statusOf(path: string): Deno.FileInfo | undefined {
  try {
    return Deno.lstatSync(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotCapable) return undefined;
    throw error;
  }
}

/**
 * Returns why another user may have made what is at a path, or can put something there: a clause; `undefined` if none.
 * Directories that Deno lets this program not look at are trusted: a script of `pakfs run` may read the socket and its
 * directory, and reading those above would mean reading everything.
 * @throws {Error} the operating system's error if a part of the path cannot be looked at: then nothing is known.
 */
export function strangerOnWay(path: string): string | undefined {
  let directory = "/";
  let information = statusOf(directory);
  const names = (path.startsWith("/") ? path : `${Deno.cwd()}/${path}`).split("/");
  for (let links = 0; links <= maxLinks;) {
    const name = names.shift();
    if (name === undefined) return information?.isDirectory ? whoAlters(directory, information) : undefined;
    if (name === "" || name === ".") continue;
    const above = directory.slice(0, directory.lastIndexOf("/"));
    const found = name === ".." ? above || "/" : `${directory === "/" ? "" : directory}/${name}`;
    const stranger = information && whoAlters(directory, information);
    if (stranger !== undefined) return stranger;
    const next = names.length === 0 ? Deno.lstatSync(found) : statusOf(found);
    if (!next) {
      directory = found;
      information = next;
      continue;
    }
    if (!isTrusted(next.uid)) return `${found} belongs to user ${next.uid}, who could answer instead of the daemon`;
    // Users mount where they can write, and what a file system in user space says of owners is worth nothing.
    if (next.isDirectory && name !== ".." && information && next.dev !== information.dev && isOpen(information)) {
      return `${found} is a file system of its own in ${directory}, where every user may mount one`;
    }
    if (next.isSymlink) {
      const target = Deno.readLinkSync(found);
      names.unshift(...target.split("/"));
      links++;
      if (!target.startsWith("/")) continue;
      directory = "/";
      information = statusOf(directory);
      continue;
    }
    directory = found;
    information = next;
  }
  throw new Error("too many symbolic links");
}

function isTrusted(user: number | null): boolean {
  return user === rootUser || user === Deno.uid();
}

/** Returns why others can replace what is in a directory. */
function whoAlters(directory: string, information: Deno.FileInfo): string | undefined {
  const { mode, uid } = information;
  if (!isTrusted(uid)) return `${directory} belongs to user ${uid}, who could answer instead of the daemon`;
  if (((mode ?? 0) & sticky) !== 0 || !isOpen(information)) return undefined;
  return `others can write to ${directory}; fix with chmod go-w ${directory}`;
}

/** Returns whether others can write to a directory. A group with the number of its user is that user's alone. */
function isOpen({ mode, gid }: Deno.FileInfo): boolean {
  const bits = mode ?? 0;
  const isOwnGroup = gid === Deno.gid() && gid === Deno.uid();
  return (bits & writableByAll) !== 0 || ((bits & writableByGroup) !== 0 && !isOwnGroup);
}
