/**
 * The filesystem for libfuse: replies to metadata requests from the columns, and passes reads to a {@linkcode
 * ReadHandler}. Replies reuse one object for attributes and allocate nothing else.
 *
 * The kernel never reads an empty file: a member whose record contradicts its empty size is checked on lookup.
 * @module
 */
import {
  type Connection,
  type DirectoryBuffer,
  Errno,
  type FileSystem,
  type FuseRequest,
  type NodeAttributes,
  type Replier,
  S_IFDIR,
  S_IFREG,
} from "deno-fuse-ffi";
import { at, none } from "../../index/mod.ts";
import type { Counters } from "../shared/counters.ts";
import { extendedAttribute, extendedAttributeNames } from "./extended_attributes.ts";
import { ListingPattern } from "./listing_pattern.ts";
import { LookupPattern } from "./lookup_pattern.ts";
import { type FixedChild, isMadeName, type MountLayout, rootNode } from "../layout/mount_layout.ts";
import type { CachedName, ConversionChanges, MountedTree, NodeId } from "../layout/mounted_tree.ts";
import { maxNameLength, NodeDescriber, type Ownership, statisticsOf, timeout } from "../shared/node_descriptions.ts";
import { attributesWanted, type RequestOrder } from "../shared/request_queue.ts";
import type { ConvertedFiles } from "./converted_files.ts";
import type { FileSystemParts, Shown } from "./shown.ts";
import { CachedLookups, type NamedNode } from "./cached_lookups.ts";

const dot = new TextEncoder().encode(".");
const dotDot = new TextEncoder().encode("..");
/** Offsets 0 and 1 of a listing are `.` and `..`. */
const firstChildOffset = 2;

/** Location of a node in a tree. */
interface MountedNode {
  readonly mounted: MountedTree;
  readonly index: number;
}

/** Replies to the kernel from a layout and its trees. */
export class GameFileSystem implements FileSystem {
  #shown: Shown;
  /** The previous index, for files that were open when it was replaced. */
  #before: Shown | undefined;
  readonly #counters: Counters;
  readonly #started: (connection: Connection) => void;
  readonly #describer: NodeDescriber;
  readonly #readAhead: FileSystemParts["readAhead"];
  readonly #interruptible: NonNullable<FileSystemParts["interruptible"]>;
  readonly #onListAgain: FileSystemParts["onListAgain"];
  readonly #pattern = new LookupPattern();
  readonly #listings: ListingPattern;
  readonly #unlisted = new CachedLookups();
  readonly #onConverted: (() => void) | undefined;
  /** Absent until a view below `.as` is looked up. */
  #converted: ConvertedFiles | undefined;
  /** Lookups of such views that wait for it, by address. */
  #waiting: (NodeId & { readonly address: bigint })[] = [];

  constructor(
    shown: Shown,
    { counters, readAhead, interruptible = [], onListAgain, onConverted }: FileSystemParts,
    ownership: Ownership,
    started: (connection: Connection) => void,
  ) {
    this.#shown = shown;
    this.#counters = counters;
    this.#readAhead = readAhead;
    this.#interruptible = interruptible;
    this.#onListAgain = onListAgain;
    this.#onConverted = onConverted;
    this.#describer = new NodeDescriber(ownership);
    this.#started = started;
    this.#listings = new ListingPattern(shown.snapshot.entryCount);
  }

  /**
   * Shows another index from now on. Files that were deleted or changed keep their bytes for programs that have them
   * open, but only files of the previous index. Returns the names that the kernel must forget in addition to listed
   * ones.
   */
  show(shown: Shown): CachedName[] {
    this.#before = this.#shown;
    this.#shown = shown;
    this.#listings.show(shown.snapshot.entryCount);
    this.#readAhead.forget();
    return this.#unlisted.takeChanged((name) => this.#unlistedNode(name));
  }

  /**
   * Shows converted files from now on; undefined: they are unavailable. Replies to the lookups that waited for this.
   */
  convert(converted: ConvertedFiles | undefined, replier: Pick<Replier, "entry" | "error">): void {
    this.#converted ??= converted;
    for (const { address, high, low } of this.#waiting.splice(0)) {
      const found = this.#converted && this.#nodeOf(high, low);
      if (found) replier.entry(address, this.#describeNode(found.mounted, found.index));
      else replier.error(address, Errno.EIO);
    }
  }

  /** Returns the changes of converted files in another index. */
  conversionChanges(next: MountLayout): ConversionChanges | undefined {
    return this.#converted?.changes(this.#shown.layout, next);
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
      // A view that cannot be created now may be possible later, and no listing will show it.
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
      const node = this.#describeNode(mounted.ownerOf(child), child);
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
    const known = { high: parentHigh, low: parentLow, name };
    if (mounted.original && this.#lookUpConverted(request, found, known)) return;
    if (name.length > maxNameLength) return request.replyError(Errno.ENAMETOOLONG);
    const beside = index === 0 && parentHigh === 0 ? layout.beside(name) : undefined;
    if (beside || !tree.rule.ignoreCase) return this.#replyFixed(request, beside);
    // An added file may be listed in another spelling.
    request.replyNoEntry(this.#unlisted.note(parentHigh, parentLow, name, null) ? timeout : 0);
  }

  /** Returns the node of an unlisted name; undefined if its directory no longer exists. */
  #unlistedNode({ high, low, name }: CachedName): NamedNode | undefined {
    const found = this.#nodeOf(high, low);
    if (!found) return undefined;
    const { mounted, index } = found;
    const own = mounted.tree.isDirectory(index) ? mounted.tree.findChild(index, name) : none;
    const child = own === none && mounted.original
      ? this.#converted?.childOf(mounted, index, name, this.#shown) ?? none
      : own;
    if (child === none) return null;
    const owner = own === none ? mounted : mounted.ownerOf(child);
    return { high: owner.highOf(child), low: owner.lowOf(child) };
  }

  getattr(request: FuseRequest, high: number, low: number): void {
    this.#counters.countRequest();
    if (this.#isFixed(high, low)) return request.replyAttributes(this.#describer.directory(high, low));
    const found = this.#nodeOf(high, low);
    if (found && this.#isConverted(found)) {
      return this.#convert(request, this.#shown, found, { size: attributesWanted.ofNode });
    }
    if (found) return request.replyAttributes(this.#describeNode(found.mounted, found.index));
    const before = this.#nodeBefore(high, low);
    if (!this.#before || !before) return request.replyError(Errno.ESTALE);
    if (before.mounted.original) return this.#convert(request, this.#before, before, { size: attributesWanted.ofNode });
    const entry = at(before.mounted.tree.entries, before.index);
    request.replyAttributes(this.#describer.file(high, low, this.#before.snapshot, entry));
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
      const before = this.#nodeBefore(high, low);
      if (!this.#before || !before) return request.replyError(Errno.EIO);
      if (before.mounted.original) return this.#convert(request, this.#before, before, { offset, size });
      return this.#before.content.serve(request, at(before.mounted.tree.entries, before.index), offset, size);
    }
    const entry = found.mounted.tree.entries[found.index] ?? none;
    if (entry === none) return request.replyError(Errno.EISDIR);
    if (found.mounted.original) return this.#convert(request, this.#shown, found, { offset, size });
    this.#pattern.read(entry);
    this.#shown.content.serve(request, entry, offset, size);
    this.#readAhead.noticed(found.mounted, found.index, this.#shown.content);
  }

  interrupt(unique: bigint): void {
    for (const requests of this.#interruptible) requests.interrupt(unique);
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

  /** Returns the path of a node below the mount point, for people; a number if it no longer exists. */
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

  /** Returns the node of an id; undefined if it no longer has that id. */
  #nodeOf(high: number, low: number): MountedNode | undefined {
    const { layout } = this.#shown;
    const isRoot = high === 0;
    const mounted = layout.tree(isRoot ? layout.rootTree : high);
    if (!mounted) return undefined;
    const index = isRoot ? 0 : mounted.indexOf(high, low);
    return index === none ? undefined : { mounted, index };
  }

  /** Returns the node of a file in the previous index; undefined if it had not been looked up. */
  #nodeBefore(high: number, low: number): MountedNode | undefined {
    const mounted = this.#before?.layout.tree(high);
    if (!mounted?.isResolved) return undefined;
    const index = mounted.indexOf(high, low);
    return index === none || mounted.tree.isDirectory(index) ? undefined : { mounted, index };
  }

  /** Returns whether a node is a converted file. */
  #isConverted({ mounted, index }: MountedNode): boolean {
    return mounted.original !== null && index !== 0 && !mounted.tree.isDirectory(index);
  }

  /** Queues a request about a converted file for a converter. */
  #convert(
    request: FuseRequest,
    shown: Shown,
    node: MountedNode,
    { offset = 0, size }: { readonly offset?: number; readonly size: RequestOrder["size"] },
  ): void {
    if (this.#converted) this.#converted.hand(request, shown, node, { offset, size });
    else request.replyError(Errno.EIO);
  }

  /** Queues the lookup of a converted file's name for a converter; false if no file has that name. */
  #lookUpConverted(request: FuseRequest, { mounted, index }: MountedNode, known: CachedName): boolean {
    const child = this.#converted?.childOf(mounted, index, known.name, this.#shown) ?? none;
    if (child === none) return false;
    const { tree } = mounted;
    const original = known.name.subarray(0, known.name.lastIndexOf(0x2e));
    const isListed = !tree.isVariant(child) && tree.snapshot.compareName(at(tree.nodes, child), original, false) === 0;
    const id = { high: mounted.highOf(child), low: mounted.lowOf(child) };
    const isRemembered = isListed || this.#unlisted.note(known.high, known.low, known.name, id);
    const size = isRemembered ? attributesWanted.ofName : attributesWanted.ofForgottenName;
    this.#convert(request, this.#shown, { mounted, index: child }, { size });
    return true;
  }

  #replyFixed(request: FuseRequest, child: FixedChild | undefined): void {
    if (child) this.#replyDescribed(request, child.high, child.low);
    else request.replyNoEntry(timeout);
  }

  #replyDescribed(request: FuseRequest, high: number, low: number): void {
    if (this.#isFixed(high, low)) return request.replyEntry(this.#describer.directory(high, low));
    const found = this.#nodeOf(high, low);
    if (found?.mounted.original && !this.#converted) {
      this.#waiting.push({ high, low, address: request.detach() });
      if (this.#waiting.length === 1) this.#onConverted?.();
    } else if (found && this.#isConverted(found)) {
      this.#convert(request, this.#shown, found, { size: attributesWanted.ofName });
    } else if (found) request.replyEntry(this.#describeNode(found.mounted, found.index));
    else request.replyError(Errno.ESTALE);
  }

  #describeParent(high: number, low: number): NodeAttributes {
    const { layout } = this.#shown;
    if (this.#isFixed(high, low)) return this.#describer.directory(0, layout.parentOf(low) ?? rootNode);
    const found = this.#nodeOf(high, low);
    if (!found) return this.#describer.directory(0, rootNode);
    const { mounted, index } = found;
    if (index === 0) return this.#describer.directory(0, mounted.parent);
    return this.#describeNode(mounted, at(mounted.tree.parents, index));
  }

  /** Returns the attributes of a node, in the object that is reused for all replies, also by the methods below. */
  #describeNode(mounted: MountedTree, index: number): NodeAttributes {
    const isRoot = index === 0 && mounted.number === this.#shown.layout.rootTree;
    const high = isRoot ? 0 : mounted.highOf(index);
    const low = isRoot ? rootNode : mounted.lowOf(index);
    // The root is always a directory: listing the views resolves none of them.
    const entry = index === 0 ? none : mounted.tree.entries[index] ?? none;
    return entry === none
      ? this.#describer.directory(high, low)
      : this.#describer.file(high, low, this.#shown.snapshot, entry);
  }

  #list(request: FuseRequest, high: number, low: number, offset: number, plus: boolean): void {
    this.#counters.countRequest();
    const isFixed = this.#isFixed(high, low);
    const found = isFixed ? undefined : this.#nodeOf(high, low);
    if (!isFixed && !found) return request.replyError(Errno.ESTALE);
    const buffer = request.directory;
    const add: AddEntry = (name, position, attributes, isBare = false) => {
      if (!plus) return buffer.add(name, position + 1, attributes);
      if (isBare) return buffer.addWithoutAttributes(name, position + 1, attributes);
      return buffer.addWithAttributes(name, position + 1, attributes);
    };
    const own = () => found ? this.#describeNode(found.mounted, found.index) : this.#describer.directory(high, low);
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
    for (const [index, { name, high, low: node }] of listed.entries()) {
      if (index < from) continue;
      // Looking up views of converted files starts the converters.
      const isBare = !this.#converted && layout.tree(high)?.original !== null && high !== 0;
      if (!add(name, firstChildOffset + index, this.#describer.directory(high, node), isBare)) return;
    }
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
    const { attributes } = this.#describer;
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
      const owner = mounted.ownerOf(child);
      const converted = owner === mounted ? undefined : this.#converted?.nameOf(mounted, directory, child, this.#shown);
      if (converted) {
        attributes.setNode(mounted.highOf(child), mounted.lowOf(child));
        attributes.mode = S_IFREG;
        hasRoom = plus
          ? buffer.addWithoutAttributes(converted, next, attributes)
          : buffer.add(converted, next, attributes);
      } else if (isWhole) {
        this.#describeNode(owner, child);
        // A refresh finds only names in listed directories, and recorded lookups.
        attributes.entryTimeout = tree.isVariant(directory) ? 0 : timeout;
        hasRoom = buffer.addWithAttributes(names, next, attributes, start, end);
        attributes.entryTimeout = timeout;
      } else {
        // The kernel looks the file up when a program requests it.
        attributes.setNode(owner.highOf(child), owner.lowOf(child));
        attributes.mode = entry === none ? S_IFDIR : S_IFREG;
        hasRoom = plus
          ? buffer.addWithoutAttributes(names, next, attributes, start, end)
          : buffer.add(names, next, attributes, start, end);
      }
      if (!hasRoom) return;
    }
    if (directory !== 0 || mounted.number !== layout.rootTree) return;
    for (const [index, { name, high, low }] of layout.listedBeside.entries()) {
      if (count + index < from) continue;
      const node = this.#describer.directory(high, low);
      const next = firstChildOffset + count + index + 1;
      if (!(plus ? buffer.addWithAttributes(name, next, node) : buffer.add(name, next, node))) return;
    }
  }
}

/** Adds a name to a listing. */
type AddEntry = (
  name: Uint8Array,
  offset: number,
  attributes: NodeAttributes,
  isBare?: boolean,
) => ReturnType<DirectoryBuffer["add"]>;
