/**
 * Questions to an index, and their answers as strings that can be compared.
 * @module
 */
import type { Connection } from "../../protocol/connection.ts";
import type { MethodName, ParamsOf, QuestionMethods } from "../../protocol/methods.ts";

/** Name of a question. */
export type AskedMethod = keyof QuestionMethods;

/** A question with its parameters. */
export interface AskedRequest {
  readonly method: AskedMethod;
  readonly params: ParamsOf<AskedMethod>;
}

/** All pages of an answer as one, or the message of the error: where a page ends depends on how long its rows took. */
export async function askWhole(connection: Connection, { method, params }: AskedRequest): Promise<string> {
  try {
    const pages: Record<string, unknown>[] = [];
    for (let cursor: unknown; cursor !== null; cursor = pages.at(-1)?.cursor ?? null) {
      const page = cursor === undefined ? params : { ...params, cursor };
      // deno-lint-ignore no-await-in-loop -- each page names the next
      pages.push({ ...await connection.call(method as MethodName, page as never) });
    }
    const { cursor: _, progress: _ofPage, ...answer } = pages.at(-1) ?? {};
    return JSON.stringify("rows" in answer ? { ...answer, rows: pages.flatMap(({ rows }) => rows) } : answer);
  } catch (error) {
    return String(error);
  }
}

/** An answer without what differs between machines: the directory, times, and sizes of directories. */
export function comparable(answer: string, root: string): string {
  return answer.replaceAll(root, "ROOT").replaceAll(/"mtime":[\d.]+/g, "")
    .replaceAll(/("format":"pk3dir","files":\d+,"size"):\d+/g, "$1");
}
