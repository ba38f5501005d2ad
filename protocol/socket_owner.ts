/**
 * Checks that a socket was created by this user or root. The kernel knows the user at the other end of a connection,
 * but Deno does not expose it, and permission to ask the kernel would be permission to do anything. Checking owners and
 * modes of all directories from the root is enough: no other user can then replace the socket, before or during
 * connecting. The owner of `/` is as root, but where everybody can write.
 * @module
 */
import { shellWord } from "../system/mod.ts";

const rootUser = 0;
const writableByGroup = 0o020;
const writableByAll = 0o002;
const sticky = 0o1000;
/** Maximum symbolic links followed in one path, as in Linux. */
const maxLinks = 40;

/** Returns the status of a file; undefined if this program may not access it. */
function statusOf(path: string): Deno.FileInfo | undefined {
  try {
    return Deno.lstatSync(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotCapable) return undefined;
    throw error;
  }
}

/**
 * Returns the reason why another user may have created the socket at a path, or could replace it, as a clause, or
 * `undefined`. Directories without read permission for this program are trusted: a script of `pakfs run` may read the
 * socket and its directory, and access to the directories above would allow reading everything.
 * @throws {Error} the operating system's error if a part of the path is inaccessible.
 */
export function strangerOnWay(path: string): string | undefined {
  let directory = "/";
  let information = statusOf(directory);
  // In a user namespace, root is often a user without a number.
  const highest = information?.uid;
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
    const isHighest = next.uid === highest && information !== undefined && !isOpen(information);
    if (!isTrusted(next.uid) && !isHighest) {
      return `${found} belongs to user ${next.uid}, who could answer instead of the daemon`;
    }
    // Users mount in writable directories, and a file system in user space can report any owner.
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

/** Returns the reason why others can replace the content of a directory. */
function whoAlters(directory: string, information: Deno.FileInfo): string | undefined {
  if (((information.mode ?? 0) & sticky) !== 0 || !isOpen(information)) return undefined;
  return `others can write to ${directory}; fix with chmod go-w ${shellWord(directory)}`;
}

/**
 * Returns whether others can write to a directory. A group with the same number as its user is private to that user.
 */
function isOpen({ mode, gid }: Deno.FileInfo): boolean {
  const bits = mode ?? 0;
  const isOwnGroup = gid === Deno.gid() && gid === Deno.uid();
  return (bits & writableByAll) !== 0 || ((bits & writableByGroup) !== 0 && !isOwnGroup);
}
