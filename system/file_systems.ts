/**
 * Distinguishes local file systems from those that depend on another program or machine, and finds the file system of a
 * path. Reads the kernel's table of mounts and never accesses the file system, which may hang.
 * @module
 */
import { basename, dirname, join, resolve } from "@std/path";
import { FileCalls } from "./file_calls.ts";
import { type MountRecord, parseMountInfo, readMountTable } from "./mount_table.ts";

/**
 * Types of file systems of this machine's own disks and memory, and of the kernel itself, as in the table of mounts.
 * All others, including unknown ones, may hang, and may change without an event, as they depend on another program or
 * machine.
 */
const localTypes: ReadonlySet<string> = new Set(
  [
    ...["ext2", "ext3", "ext4", "xfs", "btrfs", "bcachefs", "f2fs", "zfs", "jfs", "nilfs2", "reiserfs", "minix"],
    ...["vfat", "msdos", "exfat", "ntfs", "ntfs3", "hfs", "hfsplus", "apfs", "affs", "ufs"],
    ...["iso9660", "udf", "squashfs", "erofs", "cramfs", "romfs", "ubifs", "jffs2"],
    ...["tmpfs", "ramfs", "rootfs", "devtmpfs", "hugetlbfs", "proc", "sysfs", "overlay", "aufs", "ecryptfs"],
    ...["devpts", "mqueue", "nsfs", "rpc_pipefs"],
  ],
);

/** Directories in which no program can create mount points: any file system mounted there is the kernel's. */
const kernelTrees = /^\/(proc|sys)\//;
/** Disks of another machine. */
const remoteDisk = /^\/dev\/(nbd|rbd)\d/;
/** Loop devices, with their number. */
const fileDisk = /^\/dev\/loop(\d+)(p\d+)?$/;

/** Maximum symbolic links followed in one path, as in Linux. */
const maxLinks = 40;

/** A file system that depends on another program or machine. */
export interface RemoteFileSystem {
  /** Device number in the kernel's notation, such as `0:51`: the same for all mounts of one file system. */
  readonly device: string;
  /** Type, such as `fuse.sshfs` or `nfs4`. */
  readonly type: string;
  readonly mountPoint: string;
}

/** The file systems that are mounted at one moment. */
export class FileSystems {
  readonly #mounts: ReadonlyMap<string, MountRecord>;
  /** File systems that may hang, in the order of {@linkcode #mounts}. */
  #remotes: ReadonlySet<MountRecord>;
  readonly #found = new Map<string, FoundFileSystem>();

  /**
   * @param table Text of `/proc/self/mountinfo`.
   * @param except Ignored mount points: the daemon's.
   * @param fileOfDisk Returns the file behind the loop device with a number.
   */
  constructor(
    table: string,
    except: readonly string[] = [],
    fileOfDisk: (number: string) => string | undefined = fileOfLoop,
  ) {
    // A later mount at the same path hides earlier ones.
    this.#mounts = new Map(
      parseMountInfo(table).filter(({ mountPoint }) => !except.includes(mountPoint))
        .map((record) => [record.mountPoint, record]),
    );
    const all = [...this.#mounts.values()].filter(({ mountPoint }) => !kernelTrees.test(mountPoint));
    this.#remotes = new Set(all.filter(({ type, source }) => !localTypes.has(type) || remoteDisk.test(source)));
    // A local file system may be a file on a remote one, which may be a file on another, and so on.
    const isBuiltOnRemote = ({ source, layers }: MountRecord) => {
      const number = fileDisk.exec(source)?.[1];
      const file = number === undefined ? undefined : fileOfDisk(number);
      return [...layers, ...(file === undefined ? [] : [file])]
        .some((path) => path.startsWith("/") && this.remoteOf(path) !== undefined);
    };
    for (let known = 0; known < this.#remotes.size;) {
      known = this.#remotes.size;
      this.#remotes = new Set(all.filter((mount) => this.#remotes.has(mount) || isBuiltOnRemote(mount)));
      this.#found.clear();
    }
  }

  /** Whether any mounted file system may hang. */
  get hasRemotes(): boolean {
    return this.#remotes.size > 0;
  }

  /** Returns the remote file system that a path is on, or `undefined` if it is on a local one. */
  remoteOf(path: string): RemoteFileSystem | undefined {
    if (!this.hasRemotes) return undefined;
    const { mount } = this.#find(resolve(path));
    return this.#isRemote(mount) ? mount : undefined;
  }

  /** Returns the remote file system that a path is on, or else one that is mounted below it. */
  remoteIn(path: string): RemoteFileSystem | undefined {
    const prefix = `${this.followed(path)}/`.replace(/^\/\/$/, "/");
    return this.remoteOf(path) ?? this.#remotes.values().find(({ mountPoint }) => mountPoint.startsWith(prefix));
  }

  /** Returns a path without links: those of a remote file system, which may not answer, are not followed. */
  followed(path: string): string {
    return this.#find(resolve(path)).path;
  }

  #isRemote(mount: MountRecord | undefined): mount is MountRecord {
    return mount !== undefined && this.#remotes.has(mount);
  }

  /** Resolves a path component by component, and stops at a remote file system: accessing it could hang. */
  #find(path: string, links = 0): FoundFileSystem {
    const known = this.#found.get(path);
    if (known) return known;
    const found = this.#look(path, links);
    this.#found.set(path, found);
    return found;
  }

  #look(path: string, links: number): FoundFileSystem {
    if (path === "/") return { path, mount: this.#mounts.get("/") };
    const parent = this.#find(dirname(path), links);
    const own = join(parent.path, basename(path));
    if (this.#isRemote(parent.mount)) return { path: own, mount: parent.mount };
    const mount = this.#mounts.get(own);
    if (mount) return { path: own, mount };
    const target = links < maxLinks ? linkTarget(own) : undefined;
    return target === undefined
      ? { path: own, mount: parent.mount }
      : this.#find(resolve(parent.path, target), links + 1);
  }
}

/** Returns the currently mounted file systems; none if the table of mounts cannot be read. */
export function readFileSystems(): FileSystems {
  try {
    using files = new FileCalls();
    return new FileSystems(readMountTable(files));
  } catch {
    return new FileSystems("");
  }
}

/**
 * Returns whether a path is, or is below, a path that does not reply: unresponsive paths and mount points, from a
 * process's own table.
 */
export function hidesFrom(silent: readonly string[]): (path: string) => boolean {
  const fileSystems = new FileSystems(Deno.env.get("PAKFS_MOUNTS") ?? "");
  const isSilent = (path: string) => silent.some((one) => path === one || path.startsWith(`${one}/`));
  return (path) => {
    if (silent.length === 0) return false;
    const absolute = resolve(path);
    return isSilent(absolute) || isSilent(fileSystems.remoteOf(absolute)?.mountPoint ?? absolute);
  };
}

/** A path without links as far as it is local, and the file system that it is on. */
interface FoundFileSystem {
  readonly path: string;
  readonly mount: MountRecord | undefined;
}

/** Returns the backing file of a loop device, according to the kernel. */
function fileOfLoop(number: string): string | undefined {
  try {
    // Deno allows reading there only with all permissions.
    using files = new FileCalls();
    return files.readText(`/sys/block/loop${number}/loop/backing_file`).trimEnd();
  } catch {
    return undefined;
  }
}

/** Returns the target of a symbolic link on a local file system; `undefined` for anything else. */
function linkTarget(path: string): string | undefined {
  try {
    return Deno.lstatSync(path).isSymlink ? Deno.readLinkSync(path) : undefined;
  } catch {
    return undefined;
  }
}
