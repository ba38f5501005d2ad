/**
 * Replies to the kernel's requests for converted files, one after the other.
 *
 * Results are cached by file id, within a limit. The result for an id never changes: a refresh gives a file another id
 * if the file or any input of its conversion has changed.
 * @module
 */
import { Errno } from "deno-fuse-ffi";
import { ContentReader, indexFrom, type LookAtFile } from "../../index/mod.ts";
import {
  accepting,
  Conversions,
  type Converter,
  convertersOf,
  extensionOf,
  lumpEnding,
  MediaError,
  startBytes,
  type Target,
} from "../../media/mod.ts";
import { messageOf, provesDamage } from "../../formats/parts.ts";
import { Catalog } from "../../views/mod.ts";
import { collectGarbage, type FileCalls, noteWork } from "../../system/mod.ts";
import { countFailure } from "../decoding/waiting_reads.ts";
import type { ClaimedRequest } from "../remote/claimed_request.ts";
import { descriptorBounds } from "../shared/descriptor_bounds.ts";
import { InputNotes, pathSeparator, shownFormat } from "../shared/conversions.ts";
import { Counters } from "../shared/counters.ts";
import type { IndexVersions } from "../shared/index_versions.ts";
import { NodeDescriber, timeout } from "../shared/node_descriptions.ts";
import { attributesWanted, type QueuedRequest, type RequestQueue } from "../shared/request_queue.ts";
import type { ConvertedKind, ConverterStart, IndexVersion } from "../shared/thread_messages.ts";
import { KeptResults, type Result } from "./kept_results.ts";
import { NotedSurroundings, ViewFiles } from "./view_files.ts";

/** Maximum number of cached sizes without a result. */
const maxSizes = 65_536;

/** Returns the row of the table that names depend on. */
export function kindOf({ extensions, to, paths, accepts }: Converter): ConvertedKind {
  return { extensions, to, paths, isByContent: accepts !== undefined };
}

/** Returns the format that the name of a file promises, or the content of a lump; undefined if it has none. */
function formatOf(qpath: string, start: Uint8Array, fileSize: number): Target | undefined {
  const byContent = extensionOf(qpath) === "" ? lumpEnding(qpath, start, fileSize) : undefined;
  if (byContent !== undefined) return byContent;
  const rows = convertersOf(qpath).map(({ to, accepts }) => ({ to, isByContent: accepts !== undefined }));
  return shownFormat(rows, extensionOf(qpath));
}

/** Returns the bytes of a result by the beginning of its file; undefined if only converting says it. */
function sizeOf(qpath: string, start: Uint8Array, fileSize: number): number | undefined {
  const to = formatOf(qpath, start, fileSize);
  return to && accepting(convertersOf(qpath, to), start, fileSize)?.size?.(start, fileSize);
}

/** Returns whether a file can never be converted; other errors may be temporary. */
function isLasting(error: unknown): boolean {
  return error instanceof MediaError || provesDamage(error);
}

/** One index, for conversions. */
export class ConvertedIndex {
  readonly catalog: Catalog;
  readonly content: ContentReader;
  readonly failures: Uint32Array;
  readonly #files = new Map<number, ViewFiles>();

  constructor(version: IndexVersion, look?: LookAtFile) {
    this.catalog = new Catalog(indexFrom(version.catalog));
    this.content = new ContentReader(this.catalog.snapshot, look);
    this.failures = new Uint32Array(version.failures);
  }

  filesOf(view: number): ViewFiles {
    const known = this.#files.get(view);
    if (known) return known;
    const wanted = this.catalog.views[view];
    if (!wanted) throw new RangeError(`Cannot find view ${view} of ${this.catalog.views.length}`);
    const files = new ViewFiles(wanted, this.content);
    this.#files.set(view, files);
    return files;
  }
}

/** A file to convert. */
interface Subject {
  readonly request: QueuedRequest;
  /** Id of the request. */
  readonly key: string;
  readonly qpath: string;
  readonly index: ConvertedIndex;
  readonly files: ViewFiles;
}

/** Replies to requests for converted files. */
export class ConverterThread implements Disposable {
  readonly #hand: ClaimedRequest;
  readonly #report: (message: string, source: string) => void;
  readonly #results: KeptResults;
  readonly #notes: InputNotes;
  readonly #counters: Counters;
  readonly #conversions: Conversions;
  readonly #describer: NodeDescriber;
  /** Sizes by file id. */
  readonly #sizes = new Map<string, number>();

  /**
   * @param report Called for a file that cannot be converted or read, with its source.
   */
  constructor(
    start: Omit<ConverterStart, "type" | "version" | "queue" | "calls" | "readsRemotes">,
    library: FileCalls,
    hand: ClaimedRequest,
    report: (message: string, source: string) => void,
  ) {
    this.#hand = hand;
    this.#report = report;
    this.#notes = new InputNotes(start.inputNotes);
    this.#counters = new Counters(start.counters, start.thread);
    const { cacheBytes, spillLimit, spillDirectory, convertedDirectory } = start;
    this.#conversions = new Conversions(convertedDirectory, {
      onDisk: (work) => noteWork(convertedDirectory ?? "", work),
    });
    const files = descriptorBounds(library).spilled / 4;
    this.#results = new KeptResults(library, { memory: cacheBytes, spilled: spillLimit, files, spillDirectory });
    this.#describer = new NodeDescriber({
      userId: Deno.uid() ?? 0,
      groupId: Deno.gid() ?? 0,
      generation: start.generation,
      mounted: 0,
      umask: start.umask,
    });
  }

  /** Replies to a request in any case. */
  async answer(index: ConvertedIndex, request: QueuedRequest): Promise<void> {
    const { entry } = request;
    try {
      const files = index.filesOf(request.view);
      const { snapshot } = files.view;
      const qpath = snapshot.pathOf(snapshot.unclashed(request.node));
      const subject = { request, key: `${request.high} ${request.low}`, qpath, index, files };
      if (request.size >= 0) await this.#read(subject);
      else await this.#describe(subject);
    } catch (error) {
      // Damage has a cached result; other errors may be temporary.
      this.#report(messageOf(error), index.catalog.snapshot.sourceOf(entry).path);
      this.#fail(index, entry);
    }
  }

  [Symbol.dispose](): void {
    this.#results[Symbol.dispose]();
  }

  async #read(subject: Subject): Promise<void> {
    const { request, index } = subject;
    const result = await this.#resultOf(subject);
    const length = result.size === null ? 0 : Math.min(request.size, result.size - request.offset);
    const bytes = length > 0 ? result.read(request.offset, length) : new Uint8Array(0);
    if (result.size === null || !bytes) return this.#fail(index, request.entry);
    this.#counters.add("reads", 1);
    this.#counters.add("bytes", bytes.length);
    this.#hand.replyData(bytes);
  }

  async #describe(subject: Subject): Promise<void> {
    const { request, index } = subject;
    const size = await this.#sizeOf(subject);
    // The kernel never reads an empty file, so its reader would not see the error.
    if (size === 0 && this.#results.get(subject.key)?.size === null) return this.#fail(index, request.entry);
    const attributes = this.#describer.file(request.high, request.low, index.catalog.snapshot, request.entry);
    attributes.size = size;
    attributes.entryTimeout = request.size === attributesWanted.ofForgottenName ? 0 : timeout;
    if (request.size === attributesWanted.ofNode) this.#hand.replyAttributes(attributes);
    else this.#hand.replyEntry(attributes);
  }

  /** Returns the size of a result, without converting if the beginning of the file determines it. */
  async #sizeOf(subject: Subject): Promise<number> {
    const { key, files, request: { entry } } = subject;
    const known = this.#sizes.get(key);
    if (known !== undefined) return known;
    let size = this.#results.get(key) ? undefined : await this.#promisedSize(subject);
    // A file that cannot be converted has the size of its original, so that the kernel requests bytes and gets an
    // error.
    size ??= (await this.#resultOf(subject)).size ?? files.sizeOf(entry);
    if (size === 0) return size;
    const [oldest] = this.#sizes.keys();
    if (this.#sizes.size >= maxSizes && oldest !== undefined) this.#sizes.delete(oldest);
    this.#sizes.set(key, size);
    return size;
  }

  /** Returns the size of a result from the beginning of its file; undefined if only converting determines it. */
  async #promisedSize({ qpath, files, request: { entry } }: Subject): Promise<number | undefined> {
    try {
      return sizeOf(qpath, await files.start(entry, startBytes), files.sizeOf(entry));
    } catch (error) {
      if (isLasting(error)) return undefined;
      throw error;
    }
  }

  /** Returns the cached result for a file, or a new one. */
  async #resultOf(subject: Subject): Promise<Result> {
    return this.#results.get(subject.key) ?? this.#results.add(subject.key, await this.#convert(subject));
  }

  /** Converts a file; reports the error and returns null if it cannot be converted. */
  #convert(subject: Subject): Promise<Uint8Array | null> {
    const { key, qpath, files, request: { entry, high, low } } = subject;
    const surroundings = new NotedSurroundings(files);
    return this.#soundly(subject, async () => {
      const before = this.#conversions.converted;
      try {
        const bytes = await files.read(entry);
        const to = formatOf(qpath, bytes.subarray(0, startBytes), bytes.length);
        if (to === undefined) throw new MediaError("it is of no kind that is converted");
        const converted = await this.#conversions.get({ qpath, bytes }, to, surroundings);
        const size = this.#sizes.get(key) ?? sizeOf(qpath, bytes.subarray(0, startBytes), bytes.length) ??
          converted.length;
        if (size === converted.length) return converted;
        throw new MediaError(`it was converted to ${converted.length} bytes instead of ${size}`);
      } finally {
        this.#counters.add("converted", this.#conversions.converted - before);
        // Before anything is answered that depends on them.
        if (surroundings.asked.size > 0) {
          this.#notes.add({ high, low, paths: [...surroundings.asked].join(pathSeparator) });
        }
      }
    });
  }

  /**
   * Returns the result of `work`; reports the error and returns null if the file is damaged or of another kind.
   * @throws {ArchiveError} if it cannot be read.
   */
  async #soundly<Value>({ qpath, index, request }: Subject, work: () => Promise<Value>): Promise<Value | null> {
    try {
      return await work();
    } catch (error) {
      if (!isLasting(error)) throw error;
      const { path } = index.catalog.snapshot.sourceOf(request.entry);
      this.#report(`${path}: ${qpath} cannot be converted: ${messageOf(error)}`, path);
      return null;
    }
  }

  #fail({ failures, catalog: { snapshot } }: ConvertedIndex, entry: number): void {
    countFailure({ counters: this.#counters, failures, snapshot }, entry);
    this.#hand.replyError(Errno.EIO);
  }
}

/** Replies to the requests of a queue until it is stopped. */
export async function serveConversions(
  queue: RequestQueue,
  versions: Pick<IndexVersions<ConvertedIndex>, "of" | "forgetBefore">,
  hand: ClaimedRequest,
  thread: ConverterThread,
): Promise<void> {
  let oldest = queue.oldestVersion;
  while (!queue.isStopping) {
    const request = queue.take();
    if (!request) {
      if (oldest === queue.oldestVersion) continue;
      oldest = queue.oldestVersion;
      versions.forgetBefore(oldest);
      collectGarbage();
      continue;
    }
    hand.begin(request);
    // deno-lint-ignore no-await-in-loop -- one request at a time, so that a file is converted once
    const index = await versions.of(request.version);
    // deno-lint-ignore no-await-in-loop -- as above
    if (index) await thread.answer(index, request);
    hand.end();
  }
}
