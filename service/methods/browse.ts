/**
 * Methods that show a view's files: `ls`, `find`, `usage`, `stat`, `read`.
 * @module
 */
import { none } from "../../index/columns/columns.ts";
import { findFiles } from "../../index/questions/find.ts";
import { usageRows } from "../../index/questions/usage.ts";
import { fileRow, treeRow } from "../../index/questions/rows.ts";
import type { View } from "../../index/views/view.ts";
import { invalid, type Parameters } from "../parameters.ts";
import { errorCodes, maxRead, type ResultOf, RpcError } from "../../protocol/messages.ts";
import {
  cleanPath,
  cursorAt,
  type HandlerContext,
  type Handlers,
  nodeOf,
  PageRows,
  positionOf,
  rowsPerTurn,
  takeTurn,
  viewOf,
} from "./handler.ts";

/** The path of a node: as it is listed, or where that would be another node as it was asked for. */
function foundPath({ tree }: View, node: number, asked: string): string {
  return tree.isVariant(node) ? cleanPath(asked) : tree.pathOf(node);
}

async function ls(
  context: HandlerContext,
  parameters: Parameters,
  signal: AbortSignal | undefined,
): Promise<ResultOf<"ls">> {
  const view = viewOf(context, parameters);
  const path = parameters.optionalText("path") ?? "";
  const node = nodeOf(view, path);
  const { tree } = view;
  const found = foundPath(view, node, path);
  if (!tree.isDirectory(node)) return { rows: [fileRow(view, node, found)], cursor: null };
  const prefix = found === "" ? "" : `${found}/`;
  const from = positionOf(context, parameters, "ls");
  const count = tree.childCounts[node] ?? 0;
  const first = tree.firstChildren[node] ?? 0;
  const page = new PageRows<ResultOf<"ls">["rows"][number]>(parameters.pageSize());
  let place = from;
  while (place < count && !page.isFull) {
    page.add(treeRow(view, first + place, `${prefix}${tree.nameOf(first + place)}`));
    place++;
    // deno-lint-ignore no-await-in-loop -- lets other clients, and a cancellation, have their turn
    if (page.rows.length % rowsPerTurn === 0) await takeTurn(signal);
  }
  return { rows: page.rows, cursor: place < count ? cursorAt(context, "ls", place) : null };
}

async function find(
  context: HandlerContext,
  parameters: Parameters,
  signal: AbortSignal | undefined,
): Promise<ResultOf<"find">> {
  const view = viewOf(context, parameters);
  const after = positionOf(context, parameters, "find");
  const page = new PageRows<ResultOf<"find">["rows"][number]>(parameters.pageSize());
  for (const node of matchingNodes(view, parameters, after)) {
    if (node === none) {
      // deno-lint-ignore no-await-in-loop -- lets other clients, and a cancellation, have their turn
      await takeTurn(signal);
      continue;
    }
    page.add(fileRow(view, node));
    if (page.isFull) return { rows: page.rows, cursor: cursorAt(context, "find", node) };
    // deno-lint-ignore no-await-in-loop -- as above
    if (page.rows.length % rowsPerTurn === 0) await takeTurn(signal);
  }
  return { rows: page.rows, cursor: null };
}

async function usage(
  context: HandlerContext,
  parameters: Parameters,
  signal: AbortSignal | undefined,
): Promise<ResultOf<"usage">> {
  const view = viewOf(context, parameters);
  const node = nodeOf(view, parameters.optionalText("path") ?? "");
  const from = positionOf(context, parameters, "usage");
  const page = new PageRows<ResultOf<"usage">["rows"][number]>(parameters.pageSize());
  let place = 0;
  for (const row of usageRows(view, node, parameters.wholeNumber("depth", 1))) {
    if (page.isFull) return { rows: page.rows, cursor: cursorAt(context, "usage", place) };
    if (place >= from) page.add(row);
    place++;
    // deno-lint-ignore no-await-in-loop -- lets other clients, and a cancellation, have their turn
    if (place % rowsPerTurn === 0) await takeTurn(signal);
  }
  return { rows: page.rows, cursor: null };
}

function matchingNodes(view: View, parameters: Parameters, after: number): Generator<number> {
  try {
    return findFiles(view, parameters.texts("patterns"), parameters.filters(), after);
  } catch (error) {
    throw error instanceof RangeError ? invalid(error.message) : error;
  }
}

async function stat(context: HandlerContext, parameters: Parameters): Promise<ResultOf<"stat">> {
  const view = viewOf(context, parameters);
  const qpath = parameters.text("qpath");
  const node = nodeOf(view, qpath);
  const row = treeRow(view, node, foundPath(view, node, qpath));
  if (row.type === "directory") return row;
  return { ...row, dataOffset: await context.content.dataOffset(view.tree.entries[node] ?? none) };
}

async function read(
  context: HandlerContext,
  parameters: Parameters,
  signal: AbortSignal | undefined,
): Promise<ResultOf<"read">> {
  const view = viewOf(context, parameters);
  const qpath = parameters.text("qpath");
  const entry = view.tree.entries[nodeOf(view, qpath)] ?? none;
  if (entry === none) {
    const message = `${qpath} is a directory`;
    throw new RpcError({ code: errorCodes.invalidParams, message, data: { errno: "EISDIR", path: qpath } });
  }
  const version = context.content.versionOf(entry);
  if ((parameters.optionalText("version") ?? version) !== version) {
    const message = `${qpath} was changed while it was read; read it from the start`;
    throw new RpcError({ code: errorCodes.unreadable, message, data: { errno: "ESTALE", path: qpath } });
  }
  const offset = parameters.wholeNumber("offset", 0);
  const length = Math.min(parameters.wholeNumber("length", maxRead), maxRead);
  const bytes = await context.content.read(entry, offset, length, signal);
  const size = view.snapshot.columns.entrySizes[entry] ?? 0;
  return { data: bytes.toBase64(), size, end: offset + bytes.length >= size, version };
}

/** Handlers of this file. */
export const browseHandlers: Handlers<"ls" | "find" | "usage" | "stat" | "read"> = { ls, find, usage, stat, read };
