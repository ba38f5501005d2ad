/**
 * Readers of SQL statements, for tests.
 * @module
 */
import { SqlReader, type SqlValue } from "../../../questions/sql/statement.ts";
import type { TableSource } from "../../../questions/sql/table_groups.ts";
import { shaderIndex } from "../../../questions/shaders/shader_index.ts";
import { viewReferences } from "../../../questions/references/view_references.ts";
import { ContentReader } from "../../../index/content/content_reader.ts";
import type { Catalog } from "../../../views/catalog.ts";

/** A row of a result. */
export type Row = readonly SqlValue[];

/** Results of tests are small. */
const maxResultBytes = 16 * 1024 * 1024;

/** Returns all data of the tables. */
export function sourceOf(catalog: Catalog): TableSource {
  const content = new ContentReader(catalog.snapshot);
  const reading = {
    read: (entry: number, offset: number, length: number) => content.read(entry, offset, length),
    pause: () => Promise.resolve(),
  };
  const shaders = (view: Catalog["views"][number]) =>
    Promise.try(() => shaderIndex(view, (entry) => content.readWhole(entry)));
  const references = async (view: Catalog["views"][number]) => await viewReferences(await shaders(view), reading);
  return { catalog, ...reading, shaders, references, hashes: () => [] };
}

/** Returns a reader of statements over a catalog. */
export function readerOf(catalog: Catalog): SqlReader {
  return new SqlReader(sourceOf(catalog), maxResultBytes);
}

/** Returns all rows of a statement. */
export async function rowsOf(reader: SqlReader, statement: string): Promise<Row[]> {
  await reader.run(statement);
  const rows: Row[] = [];
  for (;;) {
    const page = reader.rows(rows.length, 100, 1e6);
    rows.push(...page.rows);
    if (page.isEnd) return rows;
  }
}
