/**
 * Checks the system's requirements for mounting, and optional improvements.
 * @module
 */
import { readFileSync } from "node:fs";
import { join } from "@std/path";
import { type Finding, fine, note, wrong } from "./finding.ts";
import { libraryPath, type Machine, versionInName } from "./machine.ts";

/** Variable in which the launcher, which knows the package manager, passes the install command. */
const installVariable = "PAKFS_INSTALL_COMMAND";

/** Variable in which the launcher passes the path of `fusermount3`. */
const fusermountVariable = "PAKFS_FUSERMOUNT";

function installAdvice(machine: Machine, packageName: string): string {
  return machine.variable(installVariable) ?? `install the package ${packageName} with your system's package manager`;
}

/** Checks the version of Deno. */
export function checkDeno(version: string = Deno.version.deno): Finding {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  if (major > 2 || (major === 2 && minor >= 9)) return fine("Deno", version);
  return wrong("Deno", `${version} is too old`, "install Deno 2.9 or newer: https://deno.com");
}

/** Checks that libfuse 3 is installed. */
export function checkLibfuse(machine: Machine): Finding {
  const named = machine.variable("DENO_FUSE_LIBRARY");
  if (named !== undefined) return note("libfuse", `DENO_FUSE_LIBRARY names ${named}`, null);
  const path = libraryPath(machine, "libfuse3.so.3") ?? libraryPath(machine, "libfuse3.so.4");
  if (path !== undefined) return fine("libfuse", `${versionInName(path)}, ${path}`);
  return wrong("libfuse", "libfuse 3 is not installed, so nothing can be mounted", installAdvice(machine, "fuse3"));
}

/** Checks the program that mounts for users other than root. */
export async function checkFusermount(machine: Machine): Promise<Finding> {
  const version = await machine.programVersion("fusermount3");
  if (version === undefined) {
    const found = "fusermount3 is not on the PATH, so only root could mount";
    return wrong("fusermount3", found, installAdvice(machine, "fuse3"));
  }
  const path = machine.variable(fusermountVariable);
  if (path !== undefined && machine.user !== 0 && !await machine.test("-u", path)) {
    return wrong("fusermount3", `${path} is not setuid, so only root can mount`, `sudo chmod u+s ${path}`);
  }
  if (machine.user !== 0 && !await machine.test("-e", join(machine.root, "etc/mtab"))) {
    const found = "/etc/mtab is missing, without which no user can unmount";
    return wrong("fusermount3", found, "sudo ln -s ../proc/self/mounts /etc/mtab");
  }
  return fine("fusermount3", version.trim());
}

/** Checks that `/dev/fuse` can be opened. */
export async function checkDevice(machine: Machine): Promise<Finding> {
  const path = join(machine.root, "dev/fuse");
  if (!await machine.test("-e", path)) {
    const advice = "sudo modprobe fuse; in a container: --device /dev/fuse --cap-add SYS_ADMIN";
    return wrong("/dev/fuse", "/dev/fuse does not exist", advice);
  }
  const [reads, writes] = await Promise.all([machine.test("-r", path), machine.test("-w", path)]);
  if (reads && writes) return fine("/dev/fuse", "can be opened");
  return wrong("/dev/fuse", "may not be opened by this user", "sudo chmod 0666 /dev/fuse");
}

/** Checks whether mounts can be shown to other users. */
export function checkAllowOther({ root, user }: Machine): Finding {
  const check = "other users";
  if (user === 0) return fine(check, "root may mount with -o allow_other");
  const path = join(root, "etc/fuse.conf");
  const advice = `only if other users or a container need to see a mount: add the line user_allow_other to ${path}`;
  try {
    if (/^\s*user_allow_other\s*$/m.test(readFileSync(path, "utf8"))) return fine(check, "-o allow_other is allowed");
    return note(check, "-o allow_other is not allowed", advice);
  } catch {
    return note(check, `${path} cannot be read, so -o allow_other is not allowed`, advice);
  }
}

/** Checks for libdeflate, which decompresses faster. */
export function checkLibdeflate(machine: Machine): Finding {
  const path = libraryPath(machine, "libdeflate.so.0");
  if (path !== undefined) return fine("libdeflate", path);
  return note(
    "libdeflate",
    "not installed; compressed files are read more slowly",
    installAdvice(machine, "libdeflate0"),
  );
}

/** Checks for libarchive, which reads archives of other programs. */
export function checkLibarchive(machine: Machine): Finding {
  const path = libraryPath(machine, "libarchive.so.13");
  if (path !== undefined) return fine("libarchive", path);
  return note(
    "libarchive",
    "not installed; tar, 7z, rar and iso archives cannot be read",
    installAdvice(machine, "libarchive13"),
  );
}

/** Minimum that large collections need to be watched. */
const enoughWatches = 65_536;
const enoughInstances = 64;

/** Checks the limits for watching the disk for changes. */
export async function checkInotify(machine: Machine): Promise<Finding> {
  const check = "watching";
  const directory = join(machine.root, "proc/sys/fs/inotify");
  const [watches, instances] = await Promise.all(
    ["max_user_watches", "max_user_instances"].map((name) => machine.specialFile(join(directory, name))),
  );
  if (watches === undefined || instances === undefined) {
    return note(check, "the limits of inotify cannot be read", "run pakfs refresh to update an index");
  }
  const found = `${watches.trim()} directories, ${instances.trim()} programs`;
  if (Number(watches) >= enoughWatches && Number(instances) >= enoughInstances) return fine(check, found);
  const advice = `sudo sysctl fs.inotify.max_user_watches=${enoughWatches * 8} fs.inotify.max_user_instances=512`;
  return note(check, `${found}; large collections need more`, advice);
}
