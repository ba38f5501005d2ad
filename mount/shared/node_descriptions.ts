/**
 * Descriptions of nodes for the kernel: attributes, and the statistics of the mount for `df`.
 * @module
 */
import { type FileSystemStatistics, NodeAttributes, S_IFDIR, S_IFREG } from "deno-fuse-ffi";
import { at, beyond, type Snapshot } from "../../index/mod.ts";

/** Validity of names and attributes in the kernel, in seconds: until they are invalidated. */
export const timeout: number = 365 * 24 * 3600;

const blockSize = 4096;
/** Maximum number of reported bytes: hostile archives may declare any size. */
const maxBytes = Number.MAX_SAFE_INTEGER;

const known = new WeakMap<Snapshot, FileSystemStatistics>();

/** Returns the size of all readable files of an index, without free space. Costs one pass over the entries, once. */
export function statisticsOf(snapshot: Snapshot): FileSystemStatistics {
  const before = known.get(snapshot);
  if (before) return before;
  const { entrySizes, entryDamage } = snapshot.columns;
  let bytes = 0;
  const directories = snapshot.sources.filter(({ kind }) => kind === "loose");
  for (const { path, kind, byteLayout, format, identity } of snapshot.sources) {
    // Packs are counted by their content, and not also as files of their directory.
    const isFile = kind === "pack" && byteLayout === null && format !== "pk3dir";
    if (isFile && directories.some((directory) => path.startsWith(`${directory.path}/`))) bytes -= identity.size;
  }
  for (let entry = 0; entry < snapshot.entryCount; entry++) {
    if (entryDamage[entry] === 0) bytes += entrySizes[entry] ?? beyond(entrySizes);
  }
  const statistics = {
    blocks: Math.ceil(Math.min(Math.max(bytes, 0), maxBytes) / blockSize),
    blockSize,
    fragmentSize: blockSize,
    files: snapshot.entryCount,
    nameLength: maxNameLength,
  };
  known.set(snapshot, statistics);
  return statistics;
}

/** Owner and creation time of mounted files. */
export interface Ownership {
  /** Number of the mount: servers of NFS keep file ids, which are other files' after the next start. */
  readonly generation: number;
  readonly userId: number;
  readonly groupId: number;
  /** Seconds since the epoch: the time of directories. */
  readonly mounted: number;
  /** Permission bits that are masked in all files and directories. */
  readonly umask: number;
}

/** Multiples of it are spread evenly, so that numbers of trees overlap only for thousands of trees with a million names. */
const inodeFactor = 0x9e37_79b1;

/** Attributes with inode numbers of 32 bits: programs of 32 bits, as old engines are, cannot list or stat others. */
class SmallAttributes extends NodeAttributes {
  override setNode(high: number, low: number): void {
    super.setNode(high, low);
    this.inodeNumber = (Math.imul(high, inodeFactor) + low) >>> 0 || 2 ** 32 - 1;
  }
}

/** Fills in the attributes of nodes: always the same object, so that a reply allocates nothing. */
export class NodeDescriber {
  readonly attributes: NodeAttributes = new SmallAttributes();
  readonly #ownership: Ownership;

  constructor(ownership: Ownership) {
    this.#ownership = ownership;
    this.attributes.userId = ownership.userId;
    this.attributes.groupId = ownership.groupId;
    this.attributes.entryTimeout = timeout;
    this.attributes.attributeTimeout = timeout;
  }

  /** Describes a directory. */
  directory(high: number, low: number): NodeAttributes {
    this.attributes.setNode(high, low);
    // The kernel defines the number of the root.
    this.attributes.generation = high === 0 && low === 1 ? 0 : this.#ownership.generation;
    this.attributes.mode = S_IFDIR | (0o777 & ~this.#ownership.umask);
    this.attributes.linkCount = 2;
    this.attributes.size = 4096;
    this.attributes.setTimes(this.#ownership.mounted);
    return this.attributes;
  }

  /** Describes a file. */
  file(high: number, low: number, snapshot: Snapshot, entry: number): NodeAttributes {
    const { entrySizes, entryTimes } = snapshot.columns;
    const milliseconds = at(entryTimes, entry);
    const seconds = Math.floor(milliseconds / 1000);
    this.attributes.setNode(high, low);
    this.attributes.generation = this.#ownership.generation;
    this.attributes.mode = S_IFREG | (0o666 & ~this.#ownership.umask);
    this.attributes.linkCount = 1;
    this.attributes.size = at(entrySizes, entry);
    this.attributes.setTimes(seconds, Math.floor((milliseconds - seconds * 1000) * 1e6));
    return this.attributes;
  }
}

/** Maximum bytes of a name that Linux programs expect; longer names are rejected unless a file has them. */
export const maxNameLength = 255;
