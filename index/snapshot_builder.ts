/**
 * Collects sources and their members, and turns them into one snapshot.
 * @module
 */
import { entryIsDirectory, type EntryTable } from "../formats/entry_table.ts";
import { clashSuffix } from "../formats/extract.ts";
import { sharedUint32 } from "./columns.ts";
import { GrowableFloat64, GrowableUint32, GrowableUint8 } from "./growable.ts";
import { NameBuilder } from "./name_builder.ts";
import { Snapshot } from "./snapshot.ts";
import type { Source, SourceDescription } from "./source.ts";

/** Builds one {@linkcode Snapshot}; used once. */
export class SnapshotBuilder {
  readonly #names = new NameBuilder();
  readonly #nodes = new GrowableUint32();
  readonly #sources = new GrowableUint32();
  readonly #offsets = new GrowableFloat64();
  readonly #packedSizes = new GrowableFloat64();
  readonly #sizes = new GrowableFloat64();
  readonly #times = new GrowableFloat64();
  readonly #crcs = new GrowableUint32();
  readonly #methods = new GrowableUint8();
  readonly #flags = new GrowableUint8();
  readonly #damage = new GrowableUint8();
  readonly #rawIndexes = new GrowableUint32();
  readonly #rawNames = new GrowableUint8();
  readonly #rawStarts = new GrowableUint32();
  readonly #list: Source[] = [];

  constructor() {
    this.#rawStarts.push(0);
  }

  /** Adds a source with its members; returns it with its number. */
  addSource(description: SourceDescription, table: EntryTable): Source {
    const source: Source = {
      ...description,
      id: this.#list.length,
      firstEntry: this.#nodes.length,
      entryCount: table.length,
      warnings: table.warnings,
    };
    this.#list.push(source);
    for (let index = 0; index < table.length; index++) {
      this.#nodes.push(this.#names.addPath(table.pathBytes(index)));
      this.#sources.push(source.id);
      this.#rawIndexes.push(0);
    }
    this.#offsets.append(table.offsets.subarray(0, table.length));
    this.#packedSizes.append(table.packedSizes.subarray(0, table.length));
    this.#sizes.append(table.sizes.subarray(0, table.length));
    this.#times.append(table.mtimes.subarray(0, table.length));
    this.#crcs.append(table.crcs.subarray(0, table.length));
    this.#methods.append(table.methods.subarray(0, table.length));
    this.#flags.append(table.flags.subarray(0, table.length));
    this.#damage.append(table.damage.subarray(0, table.length));
    for (const [index, rawName] of table.rawNames) {
      this.#rawNames.append(rawName);
      this.#rawIndexes.values[source.firstEntry + index] = this.#rawStarts.length;
      this.#rawStarts.push(this.#rawNames.length);
    }
    return source;
  }

  /** The finished snapshot. */
  finish(): Snapshot {
    const clashes = this.#addClashNames();
    const names = this.#names.finish();
    return new Snapshot(
      {
        ...names,
        entryNodes: this.#nodes.shared(),
        entrySources: this.#sources.shared(),
        entryOffsets: this.#offsets.shared(),
        entryPackedSizes: this.#packedSizes.shared(),
        entrySizes: this.#sizes.shared(),
        entryTimes: this.#times.shared(),
        entryCrcs: this.#crcs.shared(),
        entryMethods: this.#methods.shared(),
        entryFlags: this.#flags.shared(),
        entryDamage: this.#damage.shared(),
        entryRawNames: this.#rawIndexes.shared(),
        rawNames: this.#rawNames.shared(),
        rawNameStarts: this.#rawStarts.shared(),
        ...this.#candidates(),
      },
      this.#list,
      clashes,
    );
  }

  /**
   * A name can be a file in one source and a directory in another (`sound` and `sound/x.wav`). The directory keeps
   * the name; for the file a second one is made, to be used in views that show both.
   */
  #addClashNames(): Map<number, number> {
    const names = this.#names;
    const isDirectory = new Uint8Array(names.nodeCount);
    for (let node = 1; node < names.nodeCount; node++) isDirectory[names.foldOf(names.parentOf(node))] = 1;
    for (let entry = 0; entry < this.#nodes.length; entry++) {
      if (((this.#flags.values[entry] ?? 0) & entryIsDirectory) === 0) continue;
      isDirectory[names.foldOf(this.#nodes.values[entry] ?? 0)] = 1;
    }
    const clashes = new Map<number, number>();
    /** By fold node of a second name: the fold node it was made for. Spellings of one name may share it. */
    const madeFor = new Map<number, number>();
    const suffix = new TextEncoder().encode(clashSuffix);
    for (let entry = 0; entry < this.#nodes.length; entry++) {
      const node = this.#nodes.values[entry] ?? 0;
      if (((this.#flags.values[entry] ?? 0) & entryIsDirectory) !== 0) continue;
      if (isDirectory[names.foldOf(node)] !== 1 || clashes.has(node)) continue;
      let name = names.nameOf(node);
      let alias = node;
      do {
        name = Uint8Array.of(...name, ...suffix);
        const before = names.nodeCount;
        alias = names.addChild(names.parentOf(node), name, 0, name.length);
        const fold = names.foldOf(alias);
        const isTaken = alias < before || (fold !== alias && madeFor.get(fold) !== names.foldOf(node));
        if (isTaken) alias = node; // put one more suffix behind it
      } while (alias === node);
      madeFor.set(names.foldOf(alias), names.foldOf(node));
      clashes.set(node, alias);
    }
    return clashes;
  }

  #candidates() {
    const starts = sharedUint32(this.#names.nodeCount + 1);
    const nodes = this.#nodes.values;
    const count = this.#nodes.length;
    for (let entry = 0; entry < count; entry++) {
      const after = this.#names.foldOf(nodes[entry] ?? 0) + 1;
      starts[after] = (starts[after] ?? 0) + 1;
    }
    for (let node = 1; node < starts.length; node++) starts[node] = (starts[node] ?? 0) + (starts[node - 1] ?? 0);
    const next = starts.slice();
    const candidates = sharedUint32(count);
    for (let entry = 0; entry < count; entry++) {
      const fold = this.#names.foldOf(nodes[entry] ?? 0);
      const place = next[fold] ?? 0;
      candidates[place] = entry;
      next[fold] = place + 1;
    }
    return { candidateStarts: starts, candidates };
  }
}
