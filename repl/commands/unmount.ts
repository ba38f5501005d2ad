/**
 * Mounts: `mounts`, `unmount`.
 * @module
 */
import { basename, dirname, join, resolve } from "@std/path";
import { ConnectionLostError, DaemonUnreachableError, errorCodes, RpcError } from "../../protocol/mod.ts";
import { isOwnMount, type MountRecord, shellWord } from "../../system/mod.ts";
import { ask, command, type Context, firstWord } from "../command/command.ts";
import { mountTable } from "../command/names.ts";
import { CommandError } from "../output/failure.ts";
import { grouped } from "../output/human.ts";
import { oneRow, tableOf } from "../output/results.ts";
import { mountUsers } from "../output/mount_users.ts";
import { answerTime, askInTime, SilentDaemonError } from "./daemon.ts";

export const mounts = command({
  name: "mounts",
  group: "Daemon",
  scope: "anywhere",
  rows: ["MountRow"],
  summary: "list the mounts and their games",
  arguments: [],
  options: [],
  examples: [{ line: "mounts", does: "each mount point, its games, and how many packs and files they have" }],
  async *run(context) {
    const { mounts } = await ask(context, "status", {});
    yield tableOf(mounts, [
      { title: "MOUNT", cell: (row) => row.mount },
      { title: "SHOWS", cell: (row) => row.rootView ?? row.games.join(", ") },
      { title: "VIEWS", align: "right", cell: (row) => grouped(row.views) },
      { title: "PACKS", align: "right", cell: (row) => grouped(row.packs) },
      { title: "FILES", align: "right", cell: (row) => grouped(row.files) },
    ]);
    if (mounts.length === 0) context.output.remark("nothing is mounted");
  },
});

/** Maximum mounts in a message. */
const maxNamed = 5;

const otherVersion: readonly number[] = [errorCodes.methodNotFound, errorCodes.protocolMismatch];

/** A mount cannot be unmounted because programs use it. */
class BusyError extends Error {}

/** Attempts while no program is seen that uses a mount: a lookup in progress keeps it busy for a moment. */
const maxAttempts = 5;

/** Maximum links that are followed for a mount point, as in the kernel. */
const maxLinks = 40;

/** Returns the real path of a mount point, without touching the mount itself: a dead one would hang or fail. */
async function realMountPoint(typed: string, links = maxLinks): Promise<string> {
  const path = resolve(typed);
  if (path === "/") return path;
  try {
    const real = join(await Deno.realPath(dirname(path)), basename(path));
    // The kernel does not resolve links inside the mount here.
    const target = await Deno.readLink(real).catch(() => undefined);
    return target === undefined || links === 0 ? real : await realMountPoint(resolve(dirname(real), target), links - 1);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) {
      throw new CommandError(`${path}: no such directory`, { cause: error });
    }
    throw error;
  }
}

/**
 * Requires that pakfs has mounted something at a path.
 * @throws {CommandError} with a suggestion, if it has not.
 */
function requireOwnMount(path: string, table: readonly MountRecord[]): void {
  const record = table.findLast(({ mountPoint }) => mountPoint === path);
  if (record && isOwnMount(record)) return;
  if (record) throw new CommandError(`${path} is a mount of ${record.source} (${record.type}), not of pakfs`);
  const own = table.filter(isOwnMount).map(({ mountPoint }) => mountPoint);
  const around = own.find((mountPoint) => path.startsWith(`${mountPoint}/`));
  if (around !== undefined) {
    throw new CommandError(`${path} is not mounted, but inside ${around}; run pakfs unmount ${shellWord(around)}`);
  }
  const more = own.length > maxNamed ? ` and ${own.length - maxNamed} more` : "";
  const hint = own.length === 0 ? "" : `; mounted: ${own.slice(0, maxNamed).join(", ")}${more}`;
  throw new CommandError(`${path} is not mounted${hint}`);
}

/** Returns whether pakfs has mounted something at a path. */
async function isOwnMountPoint(path: string): Promise<boolean> {
  return (await mountTable()).some((record) => isOwnMount(record) && record.mountPoint === path);
}

/**
 * Asks the daemon to unmount one of its mounts; returns whether it has, or `silent` if the daemon does not reply.
 * @throws {BusyError} if programs use it.
 */
async function unmountByDaemon(context: Context, path: string, isLazy: boolean): Promise<boolean | "silent"> {
  try {
    const { mounts } = await askInTime(context, "status", {});
    const real = await Promise.all(mounts.map(({ mount }) => realMountPoint(mount)));
    if (!real.includes(path)) return false;
    await askInTime(context, "unmount", { mount: path, lazy: isLazy });
  } catch (error) {
    if (error instanceof DaemonUnreachableError) return false;
    if (error instanceof SilentDaemonError) return "silent";
    if (error instanceof RpcError && error.data?.errno === "EBUSY") throw new BusyError(error.message);
    // A daemon of another version: the mount can be unmounted without it, and it ends with its last mount.
    if (error instanceof RpcError && otherVersion.includes(error.code)) return false;
    // It was the last mount, and its daemon has ended.
    if (!(error instanceof ConnectionLostError)) throw error;
  }
  // The daemon may be about to end.
  await context.session.disconnect();
  return true;
}

/**
 * Unmounts a mount that the daemon at the socket does not serve: another daemon's, or one whose daemon has died or
 * hangs.
 * @throws {BusyError} if programs use it.
 */
async function release(path: string, isLazy: boolean, signal: AbortSignal): Promise<void> {
  const { success, stderr } = await new Deno.Command("fusermount3", {
    args: [...(isLazy ? ["-u", "-z"] : ["-u"]), path],
    env: { LC_ALL: "C" },
    stdin: "null",
    stdout: "null",
    stderr: "piped",
    signal,
  }).output();
  if (success || !await isOwnMountPoint(path)) return;
  const reason = new TextDecoder().decode(stderr).trim().replace(/^fusermount3?: /, "");
  if (/busy/.test(reason)) throw new BusyError(reason);
  throw new CommandError(`cannot unmount ${path}: ${reason}`);
}

/** Returns whether the daemon of a mount still serves it, by looking up a name that the kernel cannot have cached. */
async function isServed(path: string): Promise<boolean> {
  try {
    const { unresponsivePaths } = await import("../../system/unresponsive_paths.ts");
    const name = join(path, `.${crypto.randomUUID()}`);
    if ((await unresponsivePaths([name], answerTime)).size > 0) return false;
    await Deno.lstat(name);
    return true;
  } catch (error) {
    return error instanceof Deno.errors.NotFound;
  }
}

async function unmountAt(context: Context, path: string, isLazy: boolean): Promise<void> {
  const byDaemon = await unmountByDaemon(context, path, isLazy);
  if (byDaemon === true) return;
  // A slow daemon may have unmounted it.
  if (!await isOwnMountPoint(path)) return;
  // Programs cannot use a mount without a daemon anyway.
  const isUseless = byDaemon === "silent" || !await isServed(path);
  await release(path, isLazy || isUseless, context.signal);
}

export const unmount = command({
  name: "unmount",
  aliases: ["umount"],
  group: "Daemon",
  scope: "anywhere",
  rows: ["UnmountedRow"],
  summary: "unmount a directory that pakfs mounted",
  arguments: [{ name: "MOUNTPOINT", kind: "mount" }],
  options: [{ name: "lazy", short: "z", summary: "detach a mount that is in use; its open files fail" }],
  details: [
    "Fails if programs use the mount, and lists them. The daemon ends with its last mount. A mount whose daemon has " +
    "died is released too.",
  ],
  examples: [{ line: "unmount /mnt/games", does: "/mnt/games is an empty directory again" }],
  async *run(context, { words, options }) {
    const path = await realMountPoint(firstWord(words));
    requireOwnMount(path, await mountTable());
    for (let attempt = 1, isMounted = true; isMounted; attempt++) {
      try {
        // deno-lint-ignore no-await-in-loop -- one attempt after the other
        await unmountAt(context, path, options.flag("lazy"));
        isMounted = false;
      } catch (error) {
        if (error instanceof Deno.errors.NotCapable) {
          throw new CommandError(
            `${path} was not mounted by this daemon; run pakfs unmount ${shellWord(path)} in a shell`,
          );
        }
        if (!(error instanceof BusyError)) throw error;
        // deno-lint-ignore no-await-in-loop -- as above
        const users = await mountUsers(path);
        if (users.length === 0 && attempt < maxAttempts) continue;
        throw new CommandError(
          `cannot unmount ${path}: in use by ${users.join(", ") || "programs of other users"}; close open files and ` +
            `leave the directory, or detach it anyway: pakfs unmount --lazy ${shellWord(path)}`,
        );
      }
    }
    yield oneRow({ unmounted: path });
    context.output.remark(`unmounted ${path}`);
  },
});
