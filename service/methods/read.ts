/**
 * Reads parts of a view's files: `read`.
 * @module
 */
import { at, none } from "../../index/mod.ts";
import { cleanPath, nodeAt } from "../../questions/mod.ts";
import { judgedCandidates, type View } from "../../views/mod.ts";
import { errorCodes, maxRead, RpcError } from "../../protocol/mod.ts";
import type { Method } from "./method.ts";

/**
 * Returns the entry of a candidate of a path, numbered like in `which`.
 * @throws {RpcError} if the path has fewer candidates.
 */
function candidateEntry(view: View, qpath: string, number: number): number {
  const candidates = judgedCandidates(view, cleanPath(qpath));
  const candidate = candidates[number - 1];
  if (candidate) return candidate.entry;
  const message = `${qpath} has ${candidates.length} candidates in ${view.name}, not ${number}`;
  throw new RpcError({ code: errorCodes.notFound, message, data: { errno: "ENOENT", path: qpath } });
}

/** Returns up to {@linkcode maxRead} bytes of a file. */
export const read: Method<"read"> = {
  parameters: {
    view: "string",
    qpath: "required string",
    candidate: "count",
    offset: "count",
    length: "count",
    version: "string",
  },
  answer: async (
    { catalog, content },
    { view: name, qpath, candidate, offset = 0, length = maxRead, version: expected },
    signal,
  ) => {
    const view = catalog.view(name);
    const entry = candidate === undefined
      ? view.tree.entryOf(nodeAt(view, qpath))
      : candidateEntry(view, qpath, candidate);
    if (entry === none) {
      const message = `${qpath} is a directory`;
      throw new RpcError({ code: errorCodes.invalidParams, message, data: { errno: "EISDIR", path: qpath } });
    }
    const version = content.versionOf(entry);
    if ((expected ?? version) !== version) {
      const message = `${qpath} was changed while it was read; read it from the start`;
      throw new RpcError({ code: errorCodes.unreadable, message, data: { errno: "ESTALE", path: qpath } });
    }
    const bytes = await content.read(entry, offset, Math.min(length, maxRead), signal);
    const size = at(view.snapshot.columns.entrySizes, entry);
    return { data: bytes.toBase64(), size, end: offset + bytes.length >= size, version };
  },
};
