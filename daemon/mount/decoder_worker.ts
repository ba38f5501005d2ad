/**
 * A decoder: a thread that unpacks members off the queue and answers the requests that wait for them.
 * @module
 */
import { openReplier, type Replier } from "deno-fuse-ffi";
import { Snapshot } from "../../index/snapshot.ts";
import { collectGarbage } from "../memory.ts";
import { CLibrary } from "../native/c_library.ts";
import { failSlot } from "./abandon.ts";
import { answerWaiters, decodeSlot, type DecodingParts, sentenceOf } from "./content_server.ts";
import { Counters } from "./counters.ts";
import {
  DecodeMemory,
  EntryStates,
  slotKind,
  slotStatus,
  timeToReadAhead,
  timeToStop,
  timeToTidy,
  verification,
} from "./decode_memory.ts";
import { PlannedFault } from "./fault.ts";
import { MemberDecoder } from "./member_decoder.ts";
import type { DecoderMessage, DecoderStart, ForgottenMessage, Generation, ShowMessage } from "./messages.ts";
import { PageFiller } from "./page_filler.ts";
import { UnpackedFiles } from "./unpacked_files.ts";
import { UnpackedOpener } from "./unpacked_opener.ts";
import { Inbox, workerScope } from "./worker_scope.ts";

const scope = workerScope<DecoderStart | ShowMessage | ForgottenMessage, DecoderMessage>();
const inbox = new Inbox(scope);

/** What all indexes have in common. */
interface Tools {
  readonly memory: DecodeMemory;
  readonly library: CLibrary;
  readonly replier: Replier;
  readonly counters: Counters;
  readonly report: (message: string, source?: string) => void;
  readonly spillDirectory: string;
}

/** What there is for the entries of one index. */
interface DecoderParts extends DecodingParts, Tools {
  readonly opener: UnpackedOpener;
}

function tell(message: DecoderMessage): void {
  scope.postMessage(message);
}

function partsOf(tools: Tools, { catalog, entries, unpacked: states, failures }: Generation): DecoderParts {
  const { memory, library, spillDirectory } = tools;
  const snapshot = Snapshot.from(catalog.snapshot);
  const isStopping = () => memory.isStopping;
  const decoder = new MemberDecoder(snapshot, library, isStopping);
  const unpacked = new UnpackedFiles(snapshot, states);
  const opener = new UnpackedOpener({ snapshot, library, decoder, unpacked, spillDirectory }, isStopping);
  return {
    ...tools,
    snapshot,
    states: new EntryStates(entries),
    failures: new Uint32Array(failures),
    decoder,
    opener,
  };
}

async function spillSlot(parts: DecoderParts, slot: number, mapped: DisposableStack) {
  const { memory, states, snapshot, decoder, report, counters, spillDirectory } = parts;
  const entry = memory.entry(slot);
  try {
    const file = await decoder.spill(entry, memory.fileDescriptor(slot), spillDirectory, mapped);
    counters.add("decoded", 1);
    states.verified[entry] = verification.sound;
    memory.publish(slot, slotStatus.ready, file);
  } catch (error) {
    // A full disk is no damage of the archive: the entry is not marked, only this attempt has failed.
    memory.publish(slot, slotStatus.failed);
    if (!memory.isStopping) report(sentenceOf(error), snapshot.sourceOf(entry).path);
  }
}

/** Opens the file of a slot whose file had to be made first; false, and the slot has failed, if that is impossible. */
async function openSlot({ memory, snapshot, opener, report }: DecoderParts, slot: number): Promise<boolean> {
  if (memory.fileDescriptor(slot) >= 0) return true;
  try {
    memory.setFileDescriptor(slot, await opener.descriptorOf(memory.entry(slot)));
    return true;
  } catch (error) {
    memory.publish(slot, slotStatus.failed);
    if (!memory.isStopping) report(sentenceOf(error), snapshot.sourceOf(memory.entry(slot)).path);
    return false;
  }
}

/** The indexes that slots can still speak of: the one that is shown, and the one before it. */
class Generations implements Disposable {
  readonly #tools: Tools;
  readonly #parts = new Map<number, DecoderParts>();

  constructor(tools: Tools, first: Generation) {
    this.#tools = tools;
    this.#add(first);
  }

  /** What there is for the index of a number, which is asked for if need be; nothing for one that is no longer kept. */
  async of(number: number): Promise<DecoderParts | undefined> {
    const known = this.#parts.get(number);
    if (known) return known;
    tell({ type: "wants", generation: number });
    const answer = await inbox.next();
    if (answer.type === "show") this.#add(answer.generation);
    return this.#parts.get(number);
  }

  [Symbol.dispose](): void {
    for (const { decoder } of this.#parts.values()) decoder[Symbol.dispose]();
    this.#parts.clear();
  }

  /** Lets go of indexes older than that of the number. */
  forgetBefore(oldest: number): void {
    for (const [number, { decoder }] of this.#parts) {
      if (number >= oldest) continue;
      decoder[Symbol.dispose]();
      this.#parts.delete(number);
    }
  }

  #add(generation: Generation): void {
    this.#parts.set(generation.number, partsOf(this.#tools, generation));
    this.forgetBefore(generation.number - 1);
  }
}

/** Reads ahead what has been noted, until somebody waits for something else. */
async function readAhead(memory: DecodeMemory, generations: Generations, filler: PageFiller, thread: number) {
  while (!memory.hasQueued && !memory.isStopping) {
    const note = memory.ahead.take(thread);
    if (!note) return;
    // deno-lint-ignore no-await-in-loop -- one member at a time is what a decoder does
    const parts = await generations.of(note.generation);
    if (parts) filler.fill(note, parts);
  }
  memory.ahead.letGo(thread);
}

async function serve(
  { memory, library, replier }: Tools,
  generations: Generations,
  start: DecoderStart,
): Promise<void> {
  const { thread, faultAfter } = start;
  using filler = new PageFiller(memory, library, start.session);
  let taken = 0;
  let hasCalledForHelp = false;
  for (let slot = memory.dequeue(); slot !== timeToStop; slot = memory.dequeue()) {
    if (slot === timeToTidy) {
      generations.forgetBefore(memory.oldestGeneration);
      collectGarbage();
      continue;
    }
    if (slot === timeToReadAhead) {
      // deno-lint-ignore no-await-in-loop -- as there is nothing else to do
      await readAhead(memory, generations, filler, thread);
      continue;
    }
    memory.hold(thread, slot);
    if (memory.hasQueued && !hasCalledForHelp) {
      tell({ type: "busy" });
      hasCalledForHelp = true;
    }
    if (++taken === faultAfter) throw new PlannedFault("decoder");
    // deno-lint-ignore no-await-in-loop -- one member at a time is what a decoder does
    const parts = await generations.of(memory.generation(slot));
    if (!parts) {
      memory.letGo(thread);
      failSlot(memory, replier, slot);
      continue;
    }
    using mapped = new DisposableStack();
    // deno-lint-ignore no-await-in-loop -- as above
    const isOpen = await openSlot(parts, slot);
    if (isOpen && memory.kind(slot) === slotKind.file) {
      // deno-lint-ignore no-await-in-loop -- as above
      await spillSlot(parts, slot, mapped);
    } else if (isOpen) decodeSlot(parts, slot);
    answerWaiters(parts, slot);
    memory.letGo(thread);
    memory.release(slot);
  }
}

async function run(start: DecoderStart): Promise<void> {
  const memory = new DecodeMemory(start.buffers);
  memory.join();
  try {
    // The session did not wait for a decoder that was still coming up: there may be nobody left to answer.
    if (memory.isStopping) return;
    using library = new CLibrary();
    using replier = openReplier();
    const counters = new Counters(start.counters, start.thread);
    const report = (message: string, source?: string) => tell({ type: "problem", message, source });
    const { spillDirectory } = start;
    const tools = { memory, library, replier, counters, report, spillDirectory };
    using generations = new Generations(tools, start.generation);
    tell({ type: "ready" });
    await serve(tools, generations, start);
  } finally {
    memory.leave();
  }
}

const first = await inbox.next();
if (first.type === "start") await run(first);
tell({ type: "ended" });
scope.close();
