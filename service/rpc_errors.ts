/**
 * Converts errors to the protocol's errors.
 * @module
 */
import { ArchiveError, messageOf } from "../formats/parts.ts";
import { GameError } from "../games/mod.ts";
import { MissingPathError, QuestionError } from "../questions/mod.ts";
import { ViewError } from "../views/mod.ts";
import { errorCodes, RpcError, type RpcErrorObject } from "../protocol/mod.ts";
import { nearestNames } from "../system/mod.ts";
import { nearestPath } from "./methods/complete.ts";

/** Returns the error for the caller of a method that has thrown. */
export function rpcError(error: unknown, signal: AbortSignal | undefined): RpcError {
  if (error instanceof RpcError) return error;
  if (signal?.aborted) return new RpcError({ code: errorCodes.cancelled, message: "cancelled" });
  const message = messageOf(error);
  if (error instanceof ViewError) {
    const [, wanted = ""] = /^unknown \w+ (?:directory )?(\S+)/.exec(message) ?? [];
    const data = { errno: "ENOENT", suggestions: ranked(wanted, error.suggestions) };
    return new RpcError({ code: errorCodes.notFound, message, data });
  }
  if (error instanceof QuestionError) {
    const code = error.fault === "invalid" ? errorCodes.invalidParams : errorCodes.notFound;
    return new RpcError({ code, message, ...dataOf(error) });
  }
  if (error instanceof ArchiveError) {
    const errno = systemErrorName(error.cause) ?? "EIO";
    const data = { errno, path: error.path, ...(error.offset === undefined ? {} : { offset: error.offset }) };
    return new RpcError({ code: errorCodes.unreadable, message, data });
  }
  if (error instanceof GameError) {
    return new RpcError({ code: errorCodes.unreadable, message, data: { path: error.subject } });
  }
  const errno = systemErrorName(error);
  if (errno !== undefined) return new RpcError({ code: errorCodes.unreadable, message, data: { errno } });
  return new RpcError({ code: errorCodes.internalError, message });
}

function dataOf(error: QuestionError): Pick<RpcErrorObject, "data"> {
  if (!error.data) return {};
  const { path, suggestions } = error.data;
  if (suggestions) return { data: { ...error.data, suggestions: ranked(path ?? "", suggestions) } };
  if (!(error instanceof MissingPathError)) return { data: error.data };
  const near = nearestPath(error.view, error.path);
  const found = near === undefined ? nearestNames(error.path, error.others()) : [near];
  return { data: { ...error.data, ...(found.length === 0 ? {} : { suggestions: found }) } };
}

/** Returns names sorted by similarity to `wanted`. */
function ranked(wanted: string, names: readonly string[]): string[] {
  return Array.from(new Set([...nearestNames(wanted, names), ...names]));
}

/** Returns the errno name of an operating system error, or undefined. */
function systemErrorName(error: unknown): string | undefined {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return typeof code === "string" && /^E[A-Z0-9]+$/.test(code) && !code.startsWith("ERR_") ? code : undefined;
}
