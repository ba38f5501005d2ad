/**
 * Checks the mounts, sockets, configuration and caches that pakfs has created.
 * @module
 */
import { statSync } from "node:fs";
import { dirname, join } from "@std/path";
import {
  codeCachesIn,
  isDamagedCodeCache,
  isOwnMount,
  parseMountInfo,
  programRoot,
  shellWord,
  unresponsivePaths,
} from "../../system/mod.ts";
import { connectSocket, DaemonUnreachableError, socketPath, version } from "../../protocol/mod.ts";
import { cachedIndexes, ConfigError, defaultIndexCache, resolveConfig, type ResolvedConfig } from "../../daemon/mod.ts";
import { counted } from "../output/human.ts";
import { type Finding, fine, note, wrong } from "./finding.ts";
import { type Machine, namesIn } from "./machine.ts";

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : String(error);
}

/** Finds mounts whose daemon has died: every access to them fails. */
export async function checkMounts(machine: Machine): Promise<Finding[]> {
  const check = "mounts";
  const table = await machine.specialFile(join(machine.root, "proc/self/mountinfo"));
  if (table === undefined) return [note(check, "the kernel's table of mounts cannot be read", null)];
  const paths = parseMountInfo(table).filter(isOwnMount).map(({ mountPoint }) => mountPoint);
  const dead = paths.filter(isDead);
  const living = paths.length - dead.length;
  return [
    ...dead.map((path) =>
      wrong(check, `${path} is left from a daemon that was killed`, `pakfs unmount ${shellWord(path)}`)
    ),
    ...dead.length > 0 && living === 0
      ? []
      : [fine(check, living === 0 ? "none" : paths.filter((path) => !dead.includes(path)).join(", "))],
  ];
}

function isDead(path: string): boolean {
  try {
    statSync(path);
    return false;
  } catch (error) {
    return codeOf(error) === "ENOTCONN";
  }
}

/** Checks the daemon at the default socket, and finds sockets without a daemon. */
export async function checkSockets(machine: Machine, option?: string): Promise<Finding[]> {
  const path = socketPath(option);
  const directory = dirname(path);
  return [
    ...checkSocketDirectory(machine, directory, option === undefined && !machine.variable("PAKFS_SOCKET")),
    await checkDaemon(path),
    ...await checkOtherSockets(machine, directory),
  ];
}

function checkSocketDirectory({ user }: Machine, directory: string, isDefault: boolean): Finding[] {
  const found = statSync(directory, { throwIfNoEntry: false });
  if (!found || !isDefault) return [];
  if (found.uid !== user) {
    const advice = "set PAKFS_SOCKET to a path in a directory of your own";
    return [
      wrong("socket", `${directory} belongs to user ${found.uid}, who could answer instead of the daemon`, advice),
    ];
  }
  if ((found.mode & 0o077) === 0) return [];
  return [wrong("socket", `other users may use ${directory}`, `chmod 0700 ${directory}`)];
}

async function checkDaemon(path: string): Promise<Finding> {
  const check = "daemon";
  try {
    const connection = await connectSocket(path, { client: `pakfs-doctor ${version}` });
    try {
      const status = await connection.call("status", {});
      const found = `process ${status.pid} at ${path}, ${counted(status.games, "game")}, mount ${
        status.mount ?? "none"
      }`;
      if (status.version !== version) {
        return note(
          check,
          `${found}, of version ${status.version} instead of ${version}`,
          "pakfs stop, then start it again",
        );
      }
      const { problems: [problem, ...others] } = status;
      if (problem === undefined) return fine(check, found);
      return others.length === 0
        ? note(check, `${found}; it reports: ${problem}`, null)
        : note(check, `${found}; it reports ${others.length + 1} problems`, "pakfs status lists them");
    } finally {
      await connection.close();
    }
  } catch (error) {
    if (!(error instanceof DaemonUnreachableError)) {
      return wrong(
        check,
        `${path}: not a pakfs daemon, or an incompatible version`,
        "unmount what it serves (pakfs unmount MOUNTPOINT), or choose another socket with PAKFS_SOCKET",
      );
    }
    if (statSync(path, { throwIfNoEntry: false })) {
      const advice = `nothing: the next daemon replaces it (or: rm ${path})`;
      return note(check, `none runs; ${path} is left from one that was killed`, advice);
    }
    return note(check, `none runs at ${path}`, "pakfs mount or pakfs daemon starts one");
  }
}

/** Finds sockets of dead daemons that could not use the default one: `pakfs-PID.sock`. */
async function checkOtherSockets(machine: Machine, directory: string): Promise<Finding[]> {
  const named = namesIn(directory).flatMap((name) => {
    const process = /^pakfs-(\d+)\.sock$/.exec(name)?.[1];
    return process === undefined ? [] : [{ path: join(directory, name), process }];
  });
  const findings = await Promise.all(named.map(async ({ path, process }) => {
    if (await machine.test("-d", join(machine.root, "proc", process))) return [];
    return [note("socket", `${path} is left from a daemon that was killed`, `rm ${path}`)];
  }));
  return findings.flat();
}

/** Checks the configuration, its mount point and its games. */
export async function checkConfig(option: string | undefined): Promise<Finding[]> {
  const check = "config";
  let config: ResolvedConfig;
  try {
    config = (await resolveConfig(option)).resolved;
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return [wrong(check, error.message, "correct the file; docs/configuration.md explains every key")];
  }
  const { path, exists, games, mount } = config;
  if (!exists) return [note(check, `${path} does not exist`, "pakfs init makes it; only pakfs daemon needs it")];
  const problems = games.flatMap(({ name, problem }) =>
    problem === null ? [] : [wrong(check, `${name}: ${problem}`, `correct sources of ${name} in ${path}`)]
  );
  const [silent] = mount === null ? [] : await unresponsivePaths([mount]);
  if (silent !== undefined) {
    problems.push(wrong(check, `mount = ${silent} does not answer`, "choose another directory"));
  }
  const isMissing = mount !== null && silent === undefined && isAbsent(mount);
  return [
    ...isMissing ? [wrong(check, `mount = ${mount} does not exist`, `mkdir -p ${shellWord(mount)}`)] : [],
    ...problems,
    ...games.flatMap(({ name, warnings }) => warnings.map((warning) => note(check, `${name}: ${warning}`, null))),
    ...problems.length > 0 || isMissing ? [] : [fine(check, `${path}, ${counted(games.length, "game")}`)],
  ];
}

/** Returns whether a path is missing; a dead mount is not. */
function isAbsent(path: string): boolean {
  try {
    statSync(path);
    return false;
  } catch (error) {
    return codeOf(error) === "ENOENT";
  }
}

/** Checks cached indexes. A damaged index is rebuilt, so it is no obstacle. */
export function checkIndexCache(): Finding[] {
  const check = "index cache";
  const cache = defaultIndexCache();
  if (cache === undefined) return [note(check, "is turned off", null)];
  const indexes = cachedIndexes(cache);
  const problems = indexes.flatMap(({ path, problem }) =>
    problem === null ? [] : [note(check, `${path}: ${problem}`, `nothing: it is rebuilt (or: rm ${path})`)]
  );
  const sound = indexes.length - problems.length;
  return [...problems, ...problems.length > 0 && sound === 0 ? [] : [fine(check, `${sound} in ${cache.directory}`)]];
}

/** Directory in which the launcher makes Deno keep compiled code. */
const denoDirectory = join(programRoot, ".tools/cache");

/** Checks Deno's cache of compiled code: if it is damaged, every start takes twice as long. */
export async function checkCodeCache(directory: string = denoDirectory): Promise<Finding[]> {
  const check = "code cache";
  const paths = codeCachesIn(directory);
  const damaged = await Promise.all(paths.map(isDamagedCodeCache));
  const problems = paths.filter((_, index) => damaged[index]).map((path) =>
    note(check, `${path} is damaged, which makes starts slow`, `rm ${path}*`)
  );
  return problems.length > 0 ? problems : [fine(check, paths.join(", ") || "none yet")];
}
