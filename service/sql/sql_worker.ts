/**
 * Executes SQL statements in a separate process, which can be ended at any moment: a statement may never end, and
 * nothing else stops SQLite.
 * @module
 */
import { getPriority, setPriority } from "node:os";
import { ContentReader, indexFrom, type IndexParts } from "../../index/mod.ts";
import {
  type KnownHash,
  shaderIndex,
  SqlError,
  SqlReader,
  type TableSource,
  viewReferences,
} from "../../questions/mod.ts";
import { collectGarbage } from "../../system/mod.ts";
import { Catalog } from "../../views/mod.ts";

export { noteCalls } from "../../system/mod.ts";

/** An index without its columns. */
export interface DetachedIndex extends Omit<IndexParts, "snapshot"> {
  readonly snapshot: Omit<IndexParts["snapshot"], "columns">;
}

/** Work for the process. */
export type SqlOrder =
  /** The index of the statements that follow. */
  | { readonly kind: "index"; readonly index: DetachedIndex; readonly columns: IndexParts["snapshot"]["columns"] }
  /** The hashes that are known now, for statements with the table of these. */
  | { readonly kind: "hashes"; readonly hashes: readonly KnownHash[] }
  | { readonly kind: "run"; readonly statement: string }
  /** Reads rows of the last statement. */
  | { readonly kind: "rows"; readonly after: number; readonly limit: number; readonly maxBytes: number };

/** Result of a request. */
export type SqlAnswer =
  | { readonly kind: "ready" }
  | { readonly kind: "names"; readonly names: readonly string[] }
  /** Rows, as JSON. */
  | { readonly kind: "rows"; readonly columns: { readonly rows: Uint8Array }; readonly isEnd: boolean }
  /** A sentence for the user. */
  | { readonly kind: "problem"; readonly message: string };

const encoder = new TextEncoder();

// Other clients, the mount and refreshes come first: a tenth of their time when all processors are busy. On Linux the
// priority applies to this thread alone.
setPriority(0, Math.max(10, getPriority(0)));

let reader: SqlReader | undefined;
let hashes: readonly KnownHash[] = [];

function sourceOf(parts: IndexParts): TableSource {
  const index = indexFrom(parts);
  const content = new ContentReader(index.snapshot);
  const reading = {
    read: (entry: number, offset: number, length: number) => content.read(entry, offset, length),
    pause: () => Promise.resolve(),
  };
  const shaders: TableSource["shaders"] = (view) =>
    Promise.try(() => shaderIndex(view, (entry) => content.readWhole(entry)));
  const references: TableSource["references"] = async (view) => await viewReferences(await shaders(view), reading);
  return { catalog: new Catalog(index), ...reading, shaders, references, hashes: () => hashes };
}

/** Executes one request. */
export async function answer(order: SqlOrder): Promise<SqlAnswer> {
  try {
    if (order.kind === "index") {
      const { index, columns } = order;
      const source = sourceOf({ ...index, snapshot: { ...index.snapshot, columns } });
      if (!await reader?.follow(source)) reader = new SqlReader(source);
      // V8 does not count the shared memory of the index before.
      collectGarbage();
      return { kind: "ready" };
    }
    if (!reader) throw new RangeError("Cannot carry out a statement without an index");
    if (order.kind === "hashes") {
      ({ hashes } = order);
      reader.forget("hashes");
      return { kind: "ready" };
    }
    if (order.kind === "run") return { kind: "names", names: await reader.run(order.statement) };
    const { rows, isEnd } = reader.rows(order.after, order.limit, order.maxBytes);
    return { kind: "rows", columns: { rows: encoder.encode(JSON.stringify(rows)) }, isEnd };
  } catch (error) {
    if (error instanceof SqlError) return { kind: "problem", message: error.message };
    throw error;
  }
}
