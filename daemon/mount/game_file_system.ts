/**
 * The mount as libfuse sees it: answers metadata from the columns, and leaves file content to a {@linkcode
 * ContentServer}. Nothing is allocated for an answer beyond what the attributes need.
 * @module
 */
import {
  type Connection,
  type DirectoryBuffer,
  Errno,
  type FileSystem,
  type FuseRequest,
  NodeAttributes,
  S_IFDIR,
  S_IFREG,
} from "deno-fuse-ffi";
import { none } from "../../index/columns.ts";
import type { Snapshot } from "../../index/snapshot.ts";
import type { Tree } from "../../index/tree.ts";
import type { ContentServer } from "./content_server.ts";
import { extendedAttribute, extendedAttributeNames } from "./extended_attributes.ts";
import { type FixedChild, type MountLayout, rootNode } from "./layout.ts";

/** Names and attributes hold until they are invalidated, so the kernel need not ask again. */
const timeout = 365 * 24 * 3600;
const dot = new TextEncoder().encode(".");
const dotDot = new TextEncoder().encode("..");
/** Places 0 and 1 of a listing are `.` and `..`. */
const firstChildPlace = 2;

/** Who owns what is mounted, and when it came to be. */
export interface Ownership {
  readonly userId: number;
  readonly groupId: number;
  /** Seconds since the epoch: the time of directories. */
  readonly mounted: number;
}

/** Answers the kernel from a layout and its trees. */
export class GameFileSystem implements FileSystem {
  readonly #layout: MountLayout;
  readonly #snapshot: Snapshot;
  readonly #content: ContentServer;
  readonly #ownership: Ownership;
  readonly #started: (connection: Connection) => void;
  readonly #attributes = new NodeAttributes();

  constructor(
    layout: MountLayout,
    snapshot: Snapshot,
    content: ContentServer,
    ownership: Ownership,
    started: (connection: Connection) => void,
  ) {
    this.#layout = layout;
    this.#snapshot = snapshot;
    this.#content = content;
    this.#ownership = ownership;
    this.#started = started;
    this.#attributes.userId = ownership.userId;
    this.#attributes.groupId = ownership.groupId;
    this.#attributes.entryTimeout = timeout;
    this.#attributes.attributeTimeout = timeout;
  }

  init(connection: Connection): void {
    this.#started(connection);
  }

  lookup(request: FuseRequest, parentHigh: number, parentLow: number, name: Uint8Array): void {
    if (name[0] === 0x2e && name.length === 1) return request.replyEntry(this.#describe(parentHigh, parentLow));
    if (name[0] === 0x2e && name[1] === 0x2e && name.length === 2) {
      return request.replyEntry(this.#describeParent(parentHigh, parentLow));
    }
    const high = this.#treeAt(parentHigh, parentLow);
    if (high === 0) return this.#replyFixed(request, this.#layout.childOf(parentLow, name));
    const tree = this.#layout.tree(high);
    const directory = this.#indexAt(parentHigh, parentLow);
    const child = tree.isDirectory(directory) ? tree.findChild(directory, name) : none;
    if (child !== none) return request.replyEntry(this.#describe(high, child));
    this.#replyFixed(request, directory === 0 && parentHigh === 0 ? this.#layout.beside(name) : undefined);
  }

  getattr(request: FuseRequest, high: number, low: number): void {
    request.replyAttributes(this.#describe(high, low));
  }

  readdir(request: FuseRequest, high: number, low: number, offset: number): void {
    this.#list(request, high, low, offset, false);
  }

  readdirplus(request: FuseRequest, high: number, low: number, offset: number): void {
    this.#list(request, high, low, offset, true);
  }

  read(request: FuseRequest, high: number, low: number, offset: number, size: number): void {
    const treeNumber = this.#treeAt(high, low);
    if (treeNumber === 0) return request.replyError(Errno.EISDIR);
    const entry = this.#layout.tree(treeNumber).entries[this.#indexAt(high, low)] ?? none;
    if (entry === none) return request.replyError(Errno.EISDIR);
    this.#content.read(request, entry, offset, size);
  }

  statfs(request: FuseRequest): void {
    request.replyStatistics({ files: this.#snapshot.entryCount, nameLength: 255 });
  }

  getxattr(request: FuseRequest, high: number, low: number, name: Uint8Array): void {
    const tree = this.#treeAt(high, low);
    const value = tree === 0 ? undefined : extendedAttribute(this.#layout, tree, this.#indexAt(high, low), name);
    if (value === undefined) request.replyError(Errno.ENODATA);
    else request.replyExtendedAttribute(value);
  }

  listxattr(request: FuseRequest, high: number, low: number): void {
    const tree = this.#treeAt(high, low);
    request.replyExtendedAttributeNames(
      tree === 0 ? new Uint8Array(0) : extendedAttributeNames(this.#layout, tree, this.#indexAt(high, low)),
    );
  }

  /** The tree a node belongs to, or 0 for fixed directories. The root may be the root of a tree. */
  #treeAt(high: number, low: number): number {
    return high === 0 && low === rootNode ? this.#layout.rootTree : high;
  }

  #indexAt(high: number, low: number): number {
    return high === 0 && low === rootNode ? 0 : low;
  }

  #replyFixed(request: FuseRequest, child: FixedChild | undefined): void {
    if (child) request.replyEntry(this.#describe(child.high, child.low));
    else request.replyNoEntry(timeout);
  }

  #describeParent(high: number, low: number): NodeAttributes {
    if (high === 0) return this.#describe(0, this.#layout.directory(low)?.parent ?? rootNode);
    if (low === 0) return this.#describe(0, this.#layout.parentOfTree(high));
    return this.#describe(high, this.#layout.tree(high).parents[low] ?? 0);
  }

  /** The attributes of a node, in the one object that is used for all answers. */
  #describe(high: number, low: number): NodeAttributes {
    const treeNumber = this.#treeAt(high, low);
    const entry = treeNumber === 0 ? none : this.#layout.tree(treeNumber).entries[this.#indexAt(high, low)] ?? none;
    if (treeNumber !== 0 && this.#indexAt(high, low) === 0 && treeNumber === this.#layout.rootTree) {
      this.#attributes.setNode(0, rootNode);
    } else this.#attributes.setNode(high, low);
    if (entry === none) this.#describeDirectory();
    else this.#describeFile(entry);
    return this.#attributes;
  }

  #describeDirectory(): void {
    this.#attributes.mode = S_IFDIR | 0o555;
    this.#attributes.linkCount = 2;
    this.#attributes.size = 4096;
    this.#attributes.setTimes(this.#ownership.mounted);
  }

  #describeFile(entry: number): void {
    const { entrySizes, entryTimes } = this.#snapshot.columns;
    const milliseconds = entryTimes[entry] ?? 0;
    const seconds = Math.floor(milliseconds / 1000);
    this.#attributes.mode = S_IFREG | 0o444;
    this.#attributes.linkCount = 1;
    this.#attributes.size = entrySizes[entry] ?? 0;
    this.#attributes.setTimes(seconds, Math.floor((milliseconds - seconds * 1000) * 1e6));
  }

  #list(request: FuseRequest, high: number, low: number, offset: number, plus: boolean): void {
    const buffer = request.directory;
    const add = (name: Uint8Array, place: number, attributes: NodeAttributes) =>
      plus ? buffer.addWithAttributes(name, place + 1, attributes) : buffer.add(name, place + 1, attributes);
    const hasRoom = (offset > 0 || add(dot, 0, this.#describe(high, low))) &&
      (offset > 1 || add(dotDot, 1, this.#describeParent(high, low)));
    if (hasRoom) {
      const from = Math.max(0, offset - firstChildPlace);
      const treeNumber = this.#treeAt(high, low);
      if (treeNumber === 0) this.#listFixed(add, low, from);
      else this.#listTree(add, treeNumber, this.#indexAt(high, low), from, high === 0);
    }
    request.replyDirectory();
  }

  #listFixed(add: AddEntry, low: number, from: number): void {
    const listed = this.#layout.directory(low)?.children.filter((child) => !child.hidden) ?? [];
    for (const [index, child] of listed.entries()) {
      if (index < from) continue;
      if (!add(child.name, firstChildPlace + index, this.#describe(child.high, child.low))) return;
    }
  }

  #listTree(add: AddEntry, treeNumber: number, directory: number, from: number, isRoot: boolean): void {
    const tree: Tree = this.#layout.tree(treeNumber);
    const first = tree.firstChildren[directory] ?? 0;
    const count = tree.isDirectory(directory) ? tree.childCounts[directory] ?? 0 : 0;
    for (let index = from; index < count; index++) {
      const child = first + index;
      const name = this.#snapshot.nameBytes(tree.nodes[child] ?? 0);
      if (!add(name, firstChildPlace + index, this.#describe(treeNumber, child))) return;
    }
    const beside = isRoot ? this.#layout.listedBeside : null;
    if (beside && from <= count) add(beside.name, firstChildPlace + count, this.#describe(beside.high, beside.low));
  }
}

type AddEntry = (name: Uint8Array, place: number, attributes: NodeAttributes) => ReturnType<DirectoryBuffer["add"]>;
