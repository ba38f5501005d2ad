/**
 * Serializes lists of archives for another thread: the columns of many tables joined, so that few buffers are
 * transferred for any number of archives.
 * @module
 */
import { at } from "../columns/columns.ts";
import { EntryTable, type NestedArchive, type RawNameColumns, RawNames } from "../../formats/parts.ts";
import type { PackList } from "./read_pack.ts";

/** Columns with one element for each row; `nameEnds` are relative to the start of each list's names. */
const rowColumns = {
  offsets: Float64Array,
  compressedSizes: Float64Array,
  sizes: Float64Array,
  mtimes: Float64Array,
  crcs: Uint32Array,
  methods: Uint8Array,
  flags: Uint8Array,
  damage: Uint8Array,
  nameEnds: Uint32Array,
} as const satisfies Partial<Record<keyof EntryTable, unknown>>;
const rowColumnNames = Object.keys(rowColumns) as (keyof typeof rowColumns)[];

/** The row columns of several lists, one list after another, and their names. */
type JoinedColumns = Readonly<
  Record<
    keyof typeof rowColumns | "names",
    Float64Array<ArrayBuffer> | Uint32Array<ArrayBuffer> | Uint8Array<ArrayBuffer>
  >
>;

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
  const joined = rowColumnNames.map((name) => [name, new rowColumns[name](rows)] as const);
  const names = new Uint8Array(serialized.reduce((sum, list) => sum + list.nameBytes, 0));
  const columns = { ...Object.fromEntries(joined), names } as JoinedColumns;
  let row = 0;
  let name = 0;
  for (const { table } of lists) {
    const { length } = table;
    for (const [column, values] of joined) values.set(table[column].subarray(0, length), row);
    names.set(table.names.subarray(0, nameBytesOf(table)), name);
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
    Object.assign(table, Object.fromEntries(rowColumnNames.map((own) => [own, columns[own].subarray(row, end)])));
    Object.assign(table, { names: columns.names.subarray(name, name + list.nameBytes) });
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
