import { assertEquals } from "@std/assert";
import {
  createReadAheadBuffer,
  type ReadAheadItem,
  ReadAheadQueue,
  streamCount,
} from "../../mount/shared/read_ahead_queue.ts";
import { numbersFrom, seed } from "../support/chance.ts";

const capacity = 1024;
const lead = 6;
const threads = [0, 3, 63];

/** A model of the queue with plain arrays. */
class ModelQueue {
  readonly epochs = Array.from({ length: streamCount }, () => 0);
  readonly past = Array.from({ length: streamCount }, () => 0);
  readonly unknown = new Set<number>();
  readonly held = new Map<number, number>();
  notes: ReadAheadItem[] = [];

  begin(stream: number): number {
    this.past[stream] = 0;
    this.unknown.delete(stream);
    return this.epochs[stream] = (this.epochs[stream] ?? 0) + 1;
  }

  put(note: ReadAheadItem): boolean {
    return this.notes.length < capacity && this.notes.push(note) > 0;
  }

  take(thread: number): ReadAheadItem | undefined {
    this.held.delete(thread);
    for (let note = this.notes.shift(); note; note = this.notes.shift()) {
      const isVoid = this.epochs[note.stream] !== note.epoch || note.index <= (this.past[note.stream] ?? 0) + lead;
      if (isVoid) continue;
      this.held.set(thread, note.descriptor);
      return note;
    }
    return undefined;
  }

  refuse({ stream, epoch }: ReadAheadItem): void {
    if (this.epochs[stream] !== epoch) return;
    this.unknown.add(stream);
    this.past[stream] = Infinity;
  }

  isBusy(descriptor: number): boolean {
    return this.notes.some((note) => note.descriptor === descriptor) ||
      this.held.values().some((one) => one === descriptor);
  }
}

for (const start of [0, 2 ** 31 - 900]) {
  Deno.test(`notes are taken once, in order, unless they are void, and hold their descriptors: from ${start} on`, () => {
    const random = numbersFrom(seed);
    const buffer = createReadAheadBuffer();
    // Head and tail begin at high numbers, as after long use.
    new Int32Array(buffer).fill(start, 0, 2);
    const [session, decoder] = [new ReadAheadQueue(buffer), new ReadAheadQueue(buffer)];
    const model = new ModelQueue();
    const positions = Array.from({ length: streamCount }, () => 0);
    let taken: ReadAheadItem | undefined;
    for (let step = 0; step < 20_000; step++) {
      const stream = random(streamCount);
      const thread = threads[random(threads.length)] ?? 0;
      // Long stretches in which more is added than taken, the other way round, or until the queue is full.
      const kind = [random(10), 3 + random(10), random(7)][Math.floor(step / 3000) % 3] ?? 0;
      if (kind < 6) {
        const note = {
          stream,
          epoch: (model.epochs[stream] ?? 0) - (random(10) === 0 ? 1 : 0),
          index: positions[stream] = (positions[stream] ?? 0) + random(4),
          version: random(2 ** 31),
          entry: random(2 ** 31),
          descriptor: random(40),
          high: 2 ** 32 - 1 - random(9),
          low: random(2 ** 31) * 2,
        };
        assertEquals(session.put(note), model.put(note));
      } else if (kind === 6) {
        const past = Math.max(0, (positions[stream] ?? 0) - random(20));
        session.pass(stream, past);
        model.past[stream] = past;
      } else if (kind === 7 && random(10) === 0) {
        assertEquals(session.begin(stream), model.begin(stream));
        positions[stream] = 0;
      } else if (kind === 8) {
        if (taken && random(4) === 0) {
          decoder.refuse(taken);
          model.refuse(taken);
        }
        assertEquals(session.takeUnknown(stream), model.unknown.delete(stream));
      } else if (kind === 9) {
        decoder.releaseHeld(thread);
        model.held.delete(thread);
      } else {
        taken = decoder.take(thread);
        assertEquals(taken, model.take(thread), `step ${step}, PAKFS_SEED=${seed}`);
      }
      const descriptor = random(50);
      assertEquals([session.isBusy(descriptor), decoder.isWaiting], [model.isBusy(descriptor), model.notes.length > 0]);
    }
  });
}
