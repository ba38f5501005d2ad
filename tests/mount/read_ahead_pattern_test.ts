/** Checks that the files read ahead are exactly those that a reader in order requests next. */
import { assert, assertEquals } from "@std/assert";
import { MountLayout } from "../../mount/layout/mount_layout.ts";
import { MountedTree } from "../../mount/layout/mounted_tree.ts";
import { ReadAhead } from "../../mount/session/read_ahead.ts";
import { createDecodeBuffers, DecodeMemory } from "../../mount/shared/decode_memory.ts";
import { none } from "../../index/columns/columns.ts";
import { pak } from "../formats/bytes.ts";
import { scan, writeFiles } from "../index/fixtures.ts";
import { numbersFrom, seed } from "../support/chance.ts";
import { temporaryDirectory } from "../support/temporary.ts";

const fileCount = 300;
const directoryCount = 12;
/** Version of the index that is served. */
const version = 7;

/** A tree of directories with files of `size` bytes, and a kernel that receives every noted file. */
class Reading {
  readonly mounted: MountedTree;
  readonly memory: DecodeMemory;
  readonly noted = new Set<number>();
  requests = 0;
  /** Whether the kernel refuses files that it does not know. */
  refuses = false;
  /** Files that cannot be read ahead. */
  readonly excluded = new Set<number>();
  readonly #ahead: ReadAhead;

  /** @param next to Another tree of the same mount. */
  constructor(mounted: MountedTree, beside?: Reading) {
    this.mounted = mounted;
    this.memory = beside?.memory ?? new DecodeMemory(createDecodeBuffers(0));
    this.#ahead = beside ? beside.#ahead : new ReadAhead(this.memory);
  }

  /** Indexes of the files of a directory, in listing order. */
  filesOf(name: string): number[] {
    const { tree } = this.mounted;
    const directory = tree.find(name);
    tree.list(directory);
    const first = tree.firstChildren[directory] ?? 0;
    return Array.from({ length: tree.childCounts[directory] ?? 0 }, (_, index) => first + index);
  }

  /** Reads a file, with a request unless it was read ahead. */
  read(index: number): void {
    if (this.noted.has(index)) return;
    this.requests++;
    const { tree } = this.mounted;
    const source = { version, aheadDescriptor: (entry: number) => this.excluded.has(entry) ? -1 : 3 + entry };
    this.#ahead.noticed(this.mounted, index, source);
    const queue = this.memory.ahead;
    for (let note = queue.take(1); note; note = queue.take(1)) {
      assertEquals(tree.parents[note.index], tree.parents[index], "a file of another directory");
      assert(note.index > index, "a file after the reader");
      assert(!this.noted.has(note.index), "a file was noted twice");
      const { entry, descriptor, high, low } = note;
      assertEquals(entry, tree.entries[note.index]);
      assert(entry !== none && !this.excluded.has(entry));
      assertEquals(
        { descriptor, high, low, version: note.version },
        { descriptor: 3 + entry, high: this.mounted.highOf(note.index), low: this.mounted.lowOf(note.index), version },
      );
      if (this.refuses) queue.refuse(note);
      else this.noted.add(note.index);
    }
    // At most half a window and the next window are ahead.
    const ahead = this.noted.values().filter((one) => one > index && tree.parents[one] === tree.parents[index]);
    assert(Array.from(ahead).length <= 96, "too many files ahead of the reader");
  }

  forget(): void {
    this.#ahead.forget();
  }
}

async function withTree(size: number, test: (make: () => Reading) => void): Promise<void> {
  await using directory = await temporaryDirectory();
  const names = Array.from({ length: directoryCount * fileCount }, (_, number) => {
    const file = String(number % fileCount).padStart(3, "0");
    return [`d${Math.floor(number / fileCount)}/${file}`, "x".repeat(size)] as const;
  });
  await writeFiles(directory.path, { "a.pak": pak([...names, ["d0/deep/x", "x"]]) });
  const catalog = scan(`${directory.path}/a.pak`, {});
  const view = catalog.views[0]?.name ?? null;
  test(() => {
    const layout = new MountLayout(catalog, { view, showPacks: false, showAs: false });
    const mounted = layout.tree(layout.rootTree);
    assert(mounted);
    return new Reading(mounted);
  });
}

Deno.test("a directory that is read in order costs few requests, and up to eight at a time as few", () =>
  withTree(1, (make) => {
    const alone = make();
    const files = alone.filesOf("d1");
    assertEquals(files.length, fileCount);
    files.forEach((index) => alone.read(index));
    // Requests: three before the pattern is detected, the reader's next six, and one per window.
    assert(alone.requests < fileCount / 6, `${alone.requests} requests`);
    for (const atOnce of [2, 8]) {
      const together = make();
      for (let number = 0; number < fileCount; number++) {
        for (let directory = 0; directory < atOnce; directory++) {
          together.read(together.filesOf(`d${directory}`)[number] ?? 0);
        }
      }
      assert(together.requests <= alone.requests * atOnce + 5, `${together.requests} requests for ${atOnce}`);
    }
    const tooMany = make();
    for (let number = 0; number < fileCount; number++) {
      for (let directory = 0; directory < directoryCount; directory++) {
        tooMany.read(tooMany.filesOf(`d${directory}`)[number] ?? 0);
      }
    }
    assertEquals(tooMany.noted.size, 0);
  }));

Deno.test("the same directory in two trees of a mount, read by turns, is two directories", () =>
  withTree(1, (make) => {
    const first = make();
    const { tree } = first.mounted;
    const second = new Reading(
      new MountedTree(1000, { view: null, parent: 1, resolve: () => tree }, () => 1001),
      first,
    );
    for (const index of first.filesOf("d1")) {
      first.read(index);
      second.read(index);
    }
    for (const { requests } of [first, second]) assert(requests < fileCount / 6, `${requests} requests`);
  }));

Deno.test("readers that leave out up to two files are in order, others are not", () =>
  withTree(1, (make) => {
    for (const [step, isInOrder] of [[1, true], [2, true], [3, true], [4, false], [-1, false]] as const) {
      const reading = make();
      const files = reading.filesOf("d2");
      const wanted = step < 0 ? files.toReversed() : files.filter((_, number) => number % step === 0);
      wanted.forEach((index) => reading.read(index));
      assertEquals(reading.noted.size > 0, isInOrder, `every ${step}`);
    }
    const chance = numbersFrom(seed);
    const shuffled = make();
    for (let turn = 0; turn < 2000; turn++) {
      const files = shuffled.filesOf(`d${chance(directoryCount)}`);
      shuffled.read(files[chance(files.length)] ?? 0);
    }
    assert(shuffled.noted.size < 200, `${shuffled.noted.size} files of random readers`);
    const again = make();
    const [first = 0, second = 0] = again.filesOf("d3");
    for (let turn = 0; turn < 50; turn++) again.read(turn % 2 === 0 ? first : first);
    again.read(second);
    assertEquals(again.noted.size, 0, "one file again and again");
  }));

Deno.test("where the kernel refuses, ever more files must be read in order, until it takes one again", () =>
  withTree(1, (make) => {
    const reading = make();
    reading.refuses = true;
    for (let directory = 0; directory < 6; directory++) {
      reading.filesOf(`d${directory}`).forEach((one) => reading.read(one));
    }
    assertEquals([reading.noted.size, reading.requests], [0, 6 * fileCount + 1]);
    reading.refuses = false;
    const before = reading.requests;
    reading.filesOf("d7").forEach((index) => reading.read(index));
    const late = reading.requests - before;
    assert(late > 200, `${late} requests: it must be read in order for longer`);
    reading.filesOf("d8").forEach((index) => reading.read(index));
    assert(reading.requests - before - late < fileCount / 6, "the kernel took them");
  }));

Deno.test("files that cannot be read ahead are left out, large ones end a window, and another index starts again", () =>
  withTree(60_000, (make) => {
    const reading = make();
    const { tree } = reading.mounted;
    const files = reading.filesOf("d4");
    files.forEach((index, number) => number % 3 === 0 && reading.excluded.add(tree.entries[index] ?? none));
    let most = 0;
    for (const index of files) {
      const before = reading.noted.size;
      reading.read(index);
      most = Math.max(most, reading.noted.size - before);
    }
    assert(reading.noted.size > fileCount / 3, `${reading.noted.size} noted`);
    assert(most <= 2 ** 21 / 60_000 + 1, `${most} at a time`);
    const other = make();
    const [first, second, third, fourth] = other.filesOf("d5");
    for (const index of [first, second]) other.read(index ?? 0);
    other.forget();
    for (const index of [third, fourth]) other.read(index ?? 0);
    assertEquals(other.noted.size, 0);
  }));
