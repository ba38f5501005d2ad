/**
 * SQL over the index: `sql`.
 * @module
 */
import { errorCodes, maxPageBytes, maxPageSize, RpcError } from "../../protocol/mod.ts";
import { knownHashes } from "../../index/mod.ts";
import type { Method } from "./method.ts";
import { cursorAt, pageRequest } from "./pages.ts";

/** Instead of the number of an index in cursors: no refresh changes a result. */
const anyIndex = 0;

/** Returns the rows of a statement. */
export const sql: Method<"sql"> = {
  parameters: { statement: "required string", limit: "count", cursor: "string" },
  answer: async ({ catalog, queries, hashes }, params, signal) => {
    const { statement, cursor } = params;
    const { from, limit } = pageRequest("sql", params, anyIndex);
    const limits = { rows: Math.min(limit, maxPageSize), bytes: maxPageBytes };
    const page = cursor === undefined
      ? await queries.run({ catalog, statement, hashes: () => knownHashes(hashes()) }, limits, signal)
      : await queries.more(from.part, from.at, limits, signal);
    if (!page) {
      const message = "the result of the statement was discarded; send it again";
      throw new RpcError({ code: errorCodes.staleCursor, message });
    }
    const { columns, rows, result } = page;
    const next = result === null ? null : cursorAt("sql", { at: from.at + rows.length, part: result }, anyIndex);
    return { columns: [...columns], rows: [...rows], cursor: next };
  },
};
