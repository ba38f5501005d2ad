/**
 * The mount as libfuse sees it: answers metadata from the columns, and leaves file content to a {@linkcode
 * ReadHandler}. Nothing is allocated for an answer beyond what the attributes need.
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
import { at, none } from "../../index/columns/columns.ts";
import type { Snapshot } from "../../index/columns/snapshot.ts";
import type { ReadHandler } from "./read_handler.ts";
import type { Counters } from "../shared/counters.ts";
import { extendedAttribute, extendedAttributeNames } from "./extended_attributes.ts";
import { ListingPattern } from "./listing_pattern.ts";
import { LookupPattern } from "./lookup_pattern.ts";
import { type FixedChild, isMadeName, type MountLayout, rootNode } from "../layout/mount_layout.ts";
import type { CachedName, MountedTree, NodeId } from "../layout/mounted_tree.ts";
import type { ReadAhead } from "./read_ahead.ts";
import type { RemoteReads } from "./remote_reads.ts";
import { maxNameLength, statisticsOf } from "./statfs.ts";
import { CachedLookups, type NamedNode } from "./cached_lookups.ts";

/** Names and attributes hold until they are invalidated, so the kernel need not ask again. */
const timeout = 365 * 24 * 3600;
const dot = new TextEncoder().encode(".");
const dotDot = new TextEncoder().encode("..");
/** Offsets 0 and 1 of a listing are `.` and `..`. */
const firstChildOffset = 2;

/** Who owns what is mounted, and when it came to be. */
export interface Ownership {
  readonly userId: number;
  readonly groupId: number;
  /** Seconds since the epoch: the time of directories. */
  readonly mounted: number;
  /** Permission bits that no file and no directory shows. */
  readonly umask: number;
}

/** The index that the mount shows, and the handler of reads of its entries. */
export interface Shown {
  readonly layout: MountLayout;
  readonly snapshot: Snapshot;
  readonly content: Pick<
    ReadHandler,
    "serve" | "prepare" | "aheadDescriptor" | "version" | "canLookUp" | "isKnownToBeSound"
  >;
}

/** Parts that all indexes share. */
export interface FileSystemParts {
  readonly counters: Counters;
  readonly readAhead: ReadAhead;
  /** Absent where all files are read here. */
  readonly remoteReads?: RemoteReads;
  /** Makes the kernel forget the listings of directories, so that it asks for them again. */
  readonly onListAgain: (directories: readonly NodeId[]) => void;
}

/** Where a node of a tree is. */
interface MountedNode {
  readonly mounted: MountedTree;
  readonly index: number;
}

/** Answers the kernel from a layout and its trees. */
export class GameFileSystem implements FileSystem {
  #shown: Shown;
  /** The index before, for files that were open when it was replaced. */
  #before: Shown | undefined;
  readonly #counters: Counters;
  readonly #started: (connection: Connection) => void;
  readonly #attributes = new NodeAttributes();
  readonly #ownership: Ownership;
  readonly #readAhead: ReadAhead;
  readonly #remoteReads: RemoteReads | undefined;
  readonly #onListAgain: FileSystemParts["onListAgain"];
  readonly #pattern = new LookupPattern();
  readonly #listings: ListingPattern;
  readonly #unlisted = new CachedLookups();

  constructor(
    shown: Shown,
    { counters, readAhead, remoteReads, onListAgain }: FileSystemParts,
    ownership: Ownership,
    started: (connection: Connection) => void,
  ) {
    this.#shown = shown;
    this.#counters = counters;
    this.#readAhead = readAhead;
    this.#remoteReads = remoteReads;
    this.#onListAgain = onListAgain;
    this.#ownership = ownership;
    this.#started = started;
    this.#listings = new ListingPattern(shown.snapshot.entryCount);
    this.#attributes.userId = ownership.userId;
    this.#attributes.groupId = ownership.groupId;
    this.#attributes.entryTimeout = timeout;
    this.#attributes.attributeTimeout = timeout;
  }

  /**
   * Shows another index from now on. Files of the one before that are gone or changed keep their bytes for those who
   * have them open; of older ones nothing is kept. Returns the names that the kernel must forget beside listed ones.
   */
  show(shown: Shown): CachedName[] {
    this.#before = this.#shown;
    this.#shown = shown;
    this.#listings.show(shown.snapshot.entryCount);
    this.#readAhead.forget();
    return this.#unlisted.takeChanged((name) => this.#unlistedNode(name));
  }

  init(connection: Connection): void {
    this.#started(connection);
  }

  lookup(request: FuseRequest, parentHigh: number, parentLow: number, name: Uint8Array): void {
    this.#counters.countRequest();
    if (name[0] === 0x2e && name.length === 1) return this.#replyDescribed(request, parentHigh, parentLow);
    if (name[0] === 0x2e && name[1] === 0x2e && name.length === 2) {
      return request.replyEntry(this.#describeParent(parentHigh, parentLow));
    }
    const { layout } = this.#shown;
    if (this.#isFixed(parentHigh, parentLow)) {
      const child = layout.childOf(parentLow, name);
      // A view that cannot be made now may be possible later, and no listing will say so.
      if (!child && name.length > maxNameLength) return request.replyError(Errno.ENAMETOOLONG);
      return child || !isMadeName(name) ? this.#replyFixed(request, child) : request.replyNoEntry(0);
    }
    const found = this.#nodeOf(parentHigh, parentLow);
    if (!found) return request.replyError(Errno.ESTALE);
    const { mounted, index } = found;
    const { tree } = mounted;
    const child = tree.isDirectory(index) ? tree.findChild(index, name) : none;
    if (child !== none) {
      const entry = tree.entries[child] ?? none;
      if (entry !== none && !this.#shown.content.canLookUp(entry)) return request.replyError(Errno.EIO);
      const isListed = !tree.isVariant(child) &&
        tree.snapshot.compareName(at(tree.nodes, child), name, false) === 0;
      const node = this.#describeNode(mounted, child);
      const { nodeHigh: high, nodeLow: low } = node;
      node.entryTimeout = isListed || this.#unlisted.note(parentHigh, parentLow, name, { high, low }) ? timeout : 0;
      request.replyEntry(node);
      node.entryTimeout = timeout;
      if (entry === none) return;
      const bare = this.#listings.lookedUp();
      if (bare.length > 0) this.#onListAgain(bare);
      if (this.#pattern.lookedUp(entry)) this.#shown.content.prepare(entry);
      return;
    }
    if (name.length > maxNameLength) return request.replyError(Errno.ENAMETOOLONG);
    const beside = index === 0 && parentHigh === 0 ? layout.beside(name) : undefined;
    if (beside || !tree.rule.ignoreCase) return this.#replyFixed(request, beside);
    // A file that is added may be listed in another spelling.
    request.replyNoEntry(this.#unlisted.note(parentHigh, parentLow, name, null) ? timeout : 0);
  }

  /** Returns the node of an unlisted name; undefined if its directory no longer exists. */
  #unlistedNode({ high, low, name }: CachedName): NamedNode | undefined {
    const found = this.#nodeOf(high, low);
    if (!found) return undefined;
    const { mounted, index } = found;
    const child = mounted.tree.isDirectory(index) ? mounted.tree.findChild(index, name) : none;
    return child === none ? null : { high: mounted.highOf(child), low: mounted.lowOf(child) };
  }

  getattr(request: FuseRequest, high: number, low: number): void {
    this.#counters.countRequest();
    if (this.#isFixed(high, low)) return request.replyAttributes(this.#describeFixed(high, low));
    const found = this.#nodeOf(high, low);
    if (found) return request.replyAttributes(this.#describeNode(found.mounted, found.index));
    const entry = this.#entryBefore(high, low);
    if (!this.#before || entry === none) return request.replyError(Errno.ESTALE);
    this.#attributes.setNode(high, low);
    this.#describeFile(this.#before.snapshot, entry);
    request.replyAttributes(this.#attributes);
  }

  readdir(request: FuseRequest, high: number, low: number, offset: number): void {
    this.#list(request, high, low, offset, false);
  }

  readdirplus(request: FuseRequest, high: number, low: number, offset: number): void {
    this.#list(request, high, low, offset, true);
  }

  read(request: FuseRequest, high: number, low: number, offset: number, size: number): void {
    this.#counters.countRequest();
    if (this.#isFixed(high, low)) return request.replyError(Errno.EISDIR);
    const found = this.#nodeOf(high, low);
    if (!found) {
      const entry = this.#entryBefore(high, low);
      if (!this.#before || entry === none) return request.replyError(Errno.EIO);
      return this.#before.content.serve(request, entry, offset, size);
    }
    const entry = found.mounted.tree.entries[found.index] ?? none;
    if (entry === none) return request.replyError(Errno.EISDIR);
    this.#pattern.read(entry);
    this.#shown.content.serve(request, entry, offset, size);
    this.#readAhead.noticed(found.mounted, found.index, this.#shown.content);
  }

  interrupt(unique: bigint): void {
    this.#remoteReads?.interrupt(unique);
  }

  statfs(request: FuseRequest): void {
    this.#counters.countRequest();
    request.replyStatistics(statisticsOf(this.#shown.snapshot));
  }

  getxattr(request: FuseRequest, high: number, low: number, name: Uint8Array): void {
    this.#counters.countRequest();
    const found = this.#isFixed(high, low) ? undefined : this.#nodeOf(high, low);
    const value = found && extendedAttribute(found.mounted, found.index, name);
    if (value === undefined) request.replyError(Errno.ENODATA);
    else request.replyExtendedAttribute(value);
  }

  listxattr(request: FuseRequest, high: number, low: number): void {
    this.#counters.countRequest();
    const found = this.#isFixed(high, low) ? undefined : this.#nodeOf(high, low);
    const names = found ? extendedAttributeNames(found.mounted, found.index) : new Uint8Array(0);
    request.replyExtendedAttributeNames(names);
  }

  /** Returns the path of a node below the mount point, for people; a number where the node is no longer one. */
  pathOf(high: number, low: number): string {
    if (this.#isFixed(high, low)) return this.#shown.layout.pathOf(low);
    const found = this.#nodeOf(high, low);
    if (!found) return `node ${high}.${low}`;
    const { mounted, index } = found;
    const { layout } = this.#shown;
    const above = mounted.number === layout.rootTree ? "" : layout.treePath(mounted);
    return `${above}/${mounted.tree.pathOf(index)}`.replace(/(.)\/$/, "$1");
  }

  /** Returns whether a node is one of the directories above the trees. The root may be the root of a tree. */
  #isFixed(high: number, low: number): boolean {
    return high === 0 && (low !== rootNode || this.#shown.layout.rootTree === 0);
  }

  /** Returns the node of an id; undefined if it is no longer what it was. */
  #nodeOf(high: number, low: number): MountedNode | undefined {
    const { layout } = this.#shown;
    const isRoot = high === 0;
    const mounted = layout.tree(isRoot ? layout.rootTree : high);
    if (!mounted) return undefined;
    const index = isRoot ? 0 : mounted.indexOf(high, low);
    return index === none ? undefined : { mounted, index };
  }

  /** Returns the entry that a file had in the index before, or {@linkcode none}. */
  #entryBefore(high: number, low: number): number {
    return this.#before?.layout.entryOf(high, low) ?? none;
  }

  #replyFixed(request: FuseRequest, child: FixedChild | undefined): void {
    if (child) this.#replyDescribed(request, child.high, child.low);
    else request.replyNoEntry(timeout);
  }

  #replyDescribed(request: FuseRequest, high: number, low: number): void {
    if (this.#isFixed(high, low)) return request.replyEntry(this.#describeFixed(high, low));
    const found = this.#nodeOf(high, low);
    if (found) request.replyEntry(this.#describeNode(found.mounted, found.index));
    else request.replyError(Errno.ESTALE);
  }

  #describeParent(high: number, low: number): NodeAttributes {
    const { layout } = this.#shown;
    if (this.#isFixed(high, low)) return this.#describeFixed(0, layout.parentOf(low) ?? rootNode);
    const found = this.#nodeOf(high, low);
    if (!found) return this.#describeFixed(0, rootNode);
    const { mounted, index } = found;
    if (index === 0) return this.#describeFixed(0, mounted.parent);
    return this.#describeNode(mounted, at(mounted.tree.parents, index));
  }

  /** Returns the attributes of a node, as those of all below in the one object that is used for all answers. */
  #describeNode(mounted: MountedTree, index: number): NodeAttributes {
    const isRoot = index === 0 && mounted.number === this.#shown.layout.rootTree;
    if (isRoot) this.#attributes.setNode(0, rootNode);
    else this.#attributes.setNode(mounted.highOf(index), mounted.lowOf(index));
    // The root is a directory whatever is in it: listing the views resolves none of them.
    const entry = index === 0 ? none : mounted.tree.entries[index] ?? none;
    if (entry === none) this.#describeDirectory();
    else this.#describeFile(this.#shown.snapshot, entry);
    return this.#attributes;
  }

  #describeFixed(high: number, low: number): NodeAttributes {
    this.#attributes.setNode(high, low);
    this.#describeDirectory();
    return this.#attributes;
  }

  #describeDirectory(): void {
    this.#attributes.mode = S_IFDIR | (0o777 & ~this.#ownership.umask);
    this.#attributes.linkCount = 2;
    this.#attributes.size = 4096;
    this.#attributes.setTimes(this.#ownership.mounted);
  }

  #describeFile(snapshot: Snapshot, entry: number): void {
    const { entrySizes, entryTimes } = snapshot.columns;
    const milliseconds = at(entryTimes, entry);
    const seconds = Math.floor(milliseconds / 1000);
    this.#attributes.mode = S_IFREG | (0o666 & ~this.#ownership.umask);
    this.#attributes.linkCount = 1;
    this.#attributes.size = at(entrySizes, entry);
    this.#attributes.setTimes(seconds, Math.floor((milliseconds - seconds * 1000) * 1e6));
  }

  #list(request: FuseRequest, high: number, low: number, offset: number, plus: boolean): void {
    this.#counters.countRequest();
    const isFixed = this.#isFixed(high, low);
    const found = isFixed ? undefined : this.#nodeOf(high, low);
    if (!isFixed && !found) return request.replyError(Errno.ESTALE);
    const buffer = request.directory;
    const add: AddEntry = (name, position, attributes) =>
      plus ? buffer.addWithAttributes(name, position + 1, attributes) : buffer.add(name, position + 1, attributes);
    const own = () => found ? this.#describeNode(found.mounted, found.index) : this.#describeFixed(high, low);
    const hasRoom = (offset > 0 || add(dot, 0, own())) &&
      (offset > 1 || add(dotDot, 1, this.#describeParent(high, low)));
    if (hasRoom) {
      const from = Math.max(0, offset - firstChildOffset);
      const wantsAttributes = plus && this.#listings.wantsAttributes({ high, low }, from);
      if (found) this.#listTree(buffer, found, from, { plus, wantsAttributes });
      else this.#listFixed(add, low, from);
    }
    request.replyDirectory();
  }

  #listFixed(add: AddEntry, low: number, from: number): void {
    const { layout } = this.#shown;
    const listed = layout.directory(low)?.children.filter((child) => !child.hidden) ?? [];
    for (const [index, child] of listed.entries()) {
      if (index < from) continue;
      if (!add(child.name, firstChildOffset + index, this.#describeChild(child))) return;
    }
  }

  #describeChild({ high, low }: FixedChild): NodeAttributes {
    this.#attributes.setNode(high, low);
    this.#describeDirectory();
    return this.#attributes;
  }

  #listTree(
    buffer: DirectoryBuffer,
    { mounted, index: directory }: MountedNode,
    from: number,
    { plus, wantsAttributes }: { readonly plus: boolean; readonly wantsAttributes: boolean },
  ): void {
    const { layout, snapshot, content } = this.#shown;
    const { names, nameStarts, nodeNames } = snapshot.columns;
    const { tree } = mounted;
    tree.list(directory);
    const first = at(tree.firstChildren, directory);
    const count = tree.isDirectory(directory) ? at(tree.childCounts, directory) : 0;
    const attributes = this.#attributes;
    for (let index = from; index < count; index++) {
      const child = first + index;
      const entry = tree.entries[child] ?? none;
      const isWhole = plus &&
        (entry === none || (wantsAttributes && content.isKnownToBeSound(entry) && !this.#listings.isProbe()));
      const name = at(nodeNames, at(tree.nodes, child));
      const start = at(nameStarts, name);
      const end = at(nameStarts, name + 1);
      const next = firstChildOffset + index + 1;
      let hasRoom: boolean;
      if (isWhole) {
        this.#describeNode(mounted, child);
        // A refresh finds only names in listed directories, and those that were looked up.
        attributes.entryTimeout = tree.isVariant(directory) ? 0 : timeout;
        hasRoom = buffer.addWithAttributes(names, next, attributes, start, end);
        attributes.entryTimeout = timeout;
      } else {
        // The kernel looks the file up when a program asks for it.
        attributes.setNode(mounted.highOf(child), mounted.lowOf(child));
        attributes.mode = entry === none ? S_IFDIR : S_IFREG;
        hasRoom = plus
          ? buffer.addWithoutAttributes(names, next, attributes, start, end)
          : buffer.add(names, next, attributes, start, end);
      }
      if (!hasRoom) return;
    }
    const beside = directory === 0 && mounted.number === layout.rootTree ? layout.listedBeside : null;
    if (!beside || from > count) return;
    const node = this.#describeChild(beside);
    const next = firstChildOffset + count + 1;
    if (plus) buffer.addWithAttributes(beside.name, next, node);
    else buffer.add(beside.name, next, node);
  }
}

/** Adds a name to a listing. */
type AddEntry = (
  name: Uint8Array,
  offset: number,
  attributes: NodeAttributes,
) => ReturnType<DirectoryBuffer["add"]>;
