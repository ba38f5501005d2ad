/**
 * Makes requests to a file system as the kernel does, without a kernel.
 * @module
 */
import { assertEquals } from "@std/assert";
import { DirectoryBuffer, type FileSystemStatistics, type FuseRequest, NodeAttributes, S_IFDIR } from "deno-fuse-ffi";
import type { GameFileSystem } from "../../mount/session/game_file_system.ts";

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** A node as the kernel sees it. */
export interface Node {
  readonly high: number;
  readonly low: number;
  readonly isDirectory: boolean;
  readonly timeout: number;
}

/** One name of a listing. */
export interface ListedName {
  readonly name: string;
  /** Offset at which the listing continues. */
  readonly next: number;
  readonly node: Node;
  /** All attributes; undefined if the kernel must look the name up. */
  readonly attributes: NodeAttributes | undefined;
}

/** Answer to a request. */
export interface Answer {
  node?: Node;
  attributes?: NodeAttributes;
  errno?: number;
  bytes?: string;
  /** Seconds for which a missing name may be cached. */
  missingFor?: number;
  statistics?: FileSystemStatistics;
  /** Address of a request that is answered later. */
  address?: bigint;
  readonly listed: ListedName[];
}

/** Root of every mount. */
export const rootNode: Node = { high: 0, low: 1, isDirectory: true, timeout: 0 };

function nodeOf(attributes: NodeAttributes): Node {
  return {
    high: attributes.nodeHigh,
    low: attributes.nodeLow,
    isDirectory: (attributes.mode & S_IFDIR) !== 0,
    timeout: attributes.entryTimeout,
  };
}

/** Collects names that a directory handler adds, up to a limit. */
class Listing extends DirectoryBuffer {
  readonly #listed: ListedName[];
  readonly #room: number;
  #format: string | undefined;

  constructor(listed: ListedName[], room: number) {
    super(64);
    this.#listed = listed;
    this.#room = room;
  }

  override add(...entry: Parameters<DirectoryBuffer["add"]>): boolean {
    return this.#add("readdir", entry, false);
  }

  override addWithAttributes(...entry: Parameters<DirectoryBuffer["add"]>): boolean {
    return this.#add("readdirplus", entry, true);
  }

  override addWithoutAttributes(...entry: Parameters<DirectoryBuffer["add"]>): boolean {
    return this.#add("readdirplus", entry, false);
  }

  #add(
    format: string,
    [name, next, attributes, start, end]: Parameters<DirectoryBuffer["add"]>,
    isWhole: boolean,
  ): boolean {
    this.#format ??= format;
    assertEquals(format, this.#format, "an answer has one format");
    if (this.#listed.length >= this.#room) return false;
    const node = nodeOf(attributes);
    const known = isWhole ? Object.assign(new NodeAttributes(), attributes) : undefined;
    this.#listed.push({ name: decoder.decode(name.slice(start, end)), next, node, attributes: known });
    return true;
  }
}

let lastAddress = 2n ** 40n;
let askedCount = 0;

/** Returns the number of this thread's requests. */
export function requestsAsked(): number {
  return askedCount;
}

/**
 * Makes a request of a file system, which must give one answer, or keep the request for later.
 *
 * @param room Maximum number of names in a listing.
 */
export function ask(call: (request: FuseRequest) => void, room = Infinity): Answer {
  const answer: Answer = { listed: [] };
  askedCount++;
  let replies = 0;
  const reply = <Parameters extends readonly unknown[]>(take: (...parameters: Parameters) => void) =>
  (
    ...parameters: Parameters
  ) => {
    replies++;
    take(...parameters);
  };
  const unexpected = () => {
    throw new Error("this test does not expect that answer");
  };
  const takeAttributes = reply((attributes: NodeAttributes) => {
    answer.node = nodeOf(attributes);
    answer.attributes = Object.assign(new NodeAttributes(), attributes);
  });
  const takeBytes = reply((bytes: Uint8Array) => answer.bytes = decoder.decode(bytes));
  call({
    operation: "test",
    unique: 1n,
    userId: 0,
    groupId: 0,
    processId: 1,
    size: 4096,
    directory: new Listing(answer.listed, room),
    replyError: reply((errno: number) => answer.errno = errno),
    replySuccess: unexpected,
    replyEntry: takeAttributes,
    replyNoEntry: reply((timeout: number) => answer.missingFor = timeout),
    replyAttributes: takeAttributes,
    replyOpen: unexpected,
    replyData: takeBytes,
    replyFileDescriptor: unexpected,
    replyDirectory: reply(() => {}),
    replyLink: unexpected,
    replyStatistics: reply((statistics: FileSystemStatistics) => answer.statistics = statistics),
    replyExtendedAttribute: takeBytes,
    replyExtendedAttributeNames: takeBytes,
    detach: () => {
      replies++;
      return answer.address = ++lastAddress;
    },
  });
  assertEquals(replies, 1, "every request is answered once");
  return answer;
}

/** Looks a name up. */
export function lookup(
  files: Pick<GameFileSystem, "lookup">,
  parent: Pick<Node, "high" | "low">,
  name: string,
): Answer {
  return ask((request) => files.lookup(request, parent.high, parent.low, encoder.encode(name)));
}

/** Reads a file from its start. */
export function read(files: Pick<GameFileSystem, "read">, { high, low }: Pick<Node, "high" | "low">): Answer {
  return ask((request) => files.read(request, high, low, 0, 4096));
}
