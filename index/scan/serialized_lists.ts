/**
 * Serializes lists of archives for another thread: the columns of many tables joined, so that few buffers are
 * transferred for any number of archives.
 * @module
 */
import { at } from "../columns/columns.ts";
import { EntryTable, type NestedArchive, type RawNameColumns, RawNames } from "../../formats/parts.ts";
import type { PackList } from "./read_pack.ts";

/** Columns with one element for each row, and all names. */
interface JoinedColumns {
  readonly offsets: Float64Array<ArrayBuffer>;
  readonly compressedSizes: Float64Array<ArrayBuffer>;
  readonly sizes: Float64Array<ArrayBuffer>;
  readonly mtimes: Float64Array<ArrayBuffer>;
  readonly crcs: Uint32Array<ArrayBuffer>;
  readonly methods: Uint8Array<ArrayBuffer>;
  readonly flags: Uint8Array<ArrayBuffer>;
  readonly damage: Uint8Array<ArrayBuffer>;
  /** Offsets relative to the start of each list's names. */
  readonly nameEnds: Uint32Array<ArrayBuffer>;
  readonly names: Uint8Array<ArrayBuffer>;
}

/** One list without its rows; most lack the optional fields. */
interface SerializedList {
  readonly format: string;
  readonly failure: string | null;
  readonly mayPass?: boolean;
  readonly rows: number;
  readonly nameBytes: number;
  readonly rest?: {
    readonly warnings: readonly string[];
    readonly rawNames: RawNameColumns;
    readonly foreignMethods: ReadonlyMap<number, number>;
    readonly layout: EntryTable["layout"];
    readonly nested: readonly NestedArchive[];
  };
}

/** Lists of several archives, to be posted to another thread. */
export interface SerializedLists {
  readonly lists: readonly SerializedList[];
  readonly columns: JoinedColumns;
}

/** Serializes lists. */
export function serializeLists(lists: readonly PackList[]): SerializedLists {
  const serialized = lists.map(serializedList);
  const rows = serialized.reduce((sum, list) => sum + list.rows, 0);
  const columns: JoinedColumns = {
    offsets: new Float64Array(rows),
    compressedSizes: new Float64Array(rows),
    sizes: new Float64Array(rows),
    mtimes: new Float64Array(rows),
    crcs: new Uint32Array(rows),
    methods: new Uint8Array(rows),
    flags: new Uint8Array(rows),
    damage: new Uint8Array(rows),
    nameEnds: new Uint32Array(rows),
    names: new Uint8Array(serialized.reduce((sum, list) => sum + list.nameBytes, 0)),
  };
  let row = 0;
  let name = 0;
  for (const { table } of lists) {
    const { length } = table;
    columns.offsets.set(table.offsets.subarray(0, length), row);
    columns.compressedSizes.set(table.compressedSizes.subarray(0, length), row);
    columns.sizes.set(table.sizes.subarray(0, length), row);
    columns.mtimes.set(table.mtimes.subarray(0, length), row);
    columns.crcs.set(table.crcs.subarray(0, length), row);
    columns.methods.set(table.methods.subarray(0, length), row);
    columns.flags.set(table.flags.subarray(0, length), row);
    columns.damage.set(table.damage.subarray(0, length), row);
    columns.nameEnds.set(table.nameEnds.subarray(0, length), row);
    columns.names.set(table.names.subarray(0, nameBytesOf(table)), name);
    row += length;
    name += nameBytesOf(table);
  }
  return { lists: serialized, columns };
}

/** Returns the buffers of serialized lists, to transfer them without a copy when they are posted. */
export function buffersOf({ columns }: SerializedLists): ArrayBuffer[] {
  return Object.values(columns).map((column: JoinedColumns[keyof JoinedColumns]) => column.buffer);
}

/** Deserializes lists. Their tables are views of the joined columns, and must not be extended. */
export function deserializeLists({ lists, columns }: SerializedLists): PackList[] {
  let row = 0;
  let name = 0;
  return lists.map((list) => {
    const end = row + list.rows;
    const table = new EntryTable();
    table.length = list.rows;
    table.offsets = columns.offsets.subarray(row, end);
    table.compressedSizes = columns.compressedSizes.subarray(row, end);
    table.sizes = columns.sizes.subarray(row, end);
    table.mtimes = columns.mtimes.subarray(row, end);
    table.crcs = columns.crcs.subarray(row, end);
    table.methods = columns.methods.subarray(row, end);
    table.flags = columns.flags.subarray(row, end);
    table.damage = columns.damage.subarray(row, end);
    table.nameEnds = columns.nameEnds.subarray(row, end);
    table.names = columns.names.subarray(name, name + list.nameBytes);
    addRest(table, list);
    row = end;
    name += list.nameBytes;
    const { format, failure, mayPass } = list;
    return { format, failure, table, ...(mayPass && { mayPass }) };
  });
}

function serializedList({ format, failure, mayPass, table }: PackList): SerializedList {
  const { rawNames, foreignMethods, warnings, layout, nested } = table;
  const list = { format, failure, rows: table.length, nameBytes: nameBytesOf(table), ...(mayPass && { mayPass }) };
  const isPlain = rawNames.size + foreignMethods.size + warnings.length + nested.length === 0 && layout === undefined;
  if (isPlain) return list;
  return { ...list, rest: { warnings, rawNames: rawNames.columns(), foreignMethods, layout, nested } };
}

function addRest(table: EntryTable, { rest }: SerializedList): void {
  if (!rest) return;
  table.warnings.push(...rest.warnings);
  table.rawNames = new RawNames(rest.rawNames);
  for (const [row, method] of rest.foreignMethods) table.foreignMethods.set(row, method);
  table.layout = rest.layout;
  table.nested.push(...rest.nested);
}

function nameBytesOf({ length, nameEnds }: EntryTable): number {
  return length === 0 ? 0 : at(nameEnds, length - 1);
}
