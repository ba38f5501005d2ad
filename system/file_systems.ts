/**
 * Which file systems answer without asking another program or machine, and which file system a path is on. Reads the
 * kernel's table of mounts and never the file system itself: that may not answer.
 * @module
 */
import { basename, dirname, join, resolve } from "@std/path";
import { FileCalls } from "./file_calls.ts";
import { type MountRecord, parseMountInfo, readMountTable } from "./mount_table.ts";

/**
 * Types of file systems of this machine's own disks and memory, and of the kernel itself, as the table of mounts names
 * them. All others, unknown ones too, may hang, and may change without an event: another program or machine answers for
 * them.
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

/** Where no program can make directories to mount on: what is mounted there shows the kernel, whatever its type. */
const kernelTrees = /^\/(proc|sys)\//;
/** Disks that another machine answers for. */
const remoteDisk = /^\/dev\/(nbd|rbd)\d/;
/** Disks that are files, with their number. */
const fileDisk = /^\/dev\/loop(\d+)(p\d+)?$/;

/** Symbolic links followed in one path at most, as in Linux. */
const maxLinks = 40;

/** A file system that another program or machine answers for. */
export interface RemoteFileSystem {
  /** Device number as the kernel writes it, such as `0:51`: the same for all mounts of one file system. */
  readonly device: string;
  /** Type, such as `fuse.sshfs` or `nfs4`. */
  readonly type: string;
  readonly mountPoint: string;
}

/** The file systems that are mounted at one moment. */
export class FileSystems {
  readonly #mounts: ReadonlyMap<string, MountRecord>;
  /** File systems that may not answer, in the order of {@linkcode #mounts}. */
  #remotes: ReadonlySet<MountRecord>;
  readonly #found = new Map<string, FoundFileSystem>();

  /**
   * @param table Text of `/proc/self/mountinfo`.
   * @param except Mount points that are left out: one's own.
   * @param fileOfDisk Returns the file that the loop device of a number shows.
   */
  constructor(
    table: string,
    except: readonly string[] = [],
    fileOfDisk: (number: string) => string | undefined = fileOfLoop,
  ) {
    // What is mounted later at the same path hides what was there.
    this.#mounts = new Map(
      parseMountInfo(table).filter(({ mountPoint }) => !except.includes(mountPoint))
        .map((record) => [record.mountPoint, record]),
    );
    const all = [...this.#mounts.values()].filter(({ mountPoint }) => !kernelTrees.test(mountPoint));
    this.#remotes = new Set(all.filter(({ type, source }) => !localTypes.has(type) || remoteDisk.test(source)));
    // A local file system may show files of a remote one, and another one its files in turn.
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

  /** Whether anything is mounted that may not answer. */
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
    const prefix = `${resolve(path)}/`.replace(/^\/\/$/, "/");
    return this.remoteOf(path) ?? this.#remotes.values().find(({ mountPoint }) => mountPoint.startsWith(prefix));
  }

  /** Returns a path without links: those of a remote file system, which may not answer, are not followed. */
  followed(path: string): string {
    return this.#find(resolve(path)).path;
  }

  #isRemote(mount: MountRecord | undefined): mount is MountRecord {
    return mount !== undefined && this.#remotes.has(mount);
  }

  /** Follows a path name by name, and stops where a remote file system begins: looking further could hang. */
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

/** Returns the file systems that are mounted now; none are known where the table of mounts cannot be read. */
export function readFileSystems(): FileSystems {
  try {
    using files = new FileCalls();
    return new FileSystems(readMountTable(files));
  } catch {
    return new FileSystems("");
  }
}

/** Returns whether a path is one that does not answer, or is below it: silent paths and mount points, by a process's own table. */
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

/** Returns the file that a loop device shows, as the kernel knows it. */
function fileOfLoop(number: string): string | undefined {
  try {
    // Deno itself reads there only with all permissions.
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
