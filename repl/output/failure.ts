/**
 * Outcomes of a command line: the client's errors, and how errors are reported to people and programs.
 * @module
 */
import {
  ConnectionLostError,
  DaemonUnreachableError,
  errorCodes,
  RpcError,
  type RpcErrorObject,
} from "../../protocol/mod.ts";
import { BrokenPipeError } from "./sink.ts";
import { ArchiveError, messageOf } from "../../formats/parts.ts";
import { exitCodes, nearest, nearestNames, quoted, shellWord, UsageError } from "../../system/mod.ts";

/** A command failed. The message is a sentence for people. */
export class CommandError extends Error {
  override readonly name = "CommandError";
}

/** One word for the kind of a failure, in the `error` objects that `--json` prints. */
export type FailureKind =
  | "usage"
  | "failed"
  | "notFound"
  | "unreadable"
  | "archive"
  | "unreachable"
  | "connectionLost"
  | "protocolMismatch"
  | "staleCursor"
  | "cancelled"
  | "brokenPipe";

/** An error, ready to be reported. */
export interface Failure {
  kind: FailureKind;
  message: string;
  exitCode: number;
  data?: RpcErrorObject["data"];
}

const rpcKinds: ReadonlyMap<number, FailureKind> = new Map([
  [errorCodes.invalidParams, "usage"],
  [errorCodes.cancelled, "cancelled"],
  [errorCodes.protocolMismatch, "protocolMismatch"],
  [errorCodes.notFound, "notFound"],
  [errorCodes.unreadable, "unreadable"],
  [errorCodes.staleCursor, "staleCursor"],
]);

function exitCodeOf(kind: FailureKind): number {
  if (kind === "usage") return exitCodes.usage;
  if (kind === "cancelled") return exitCodes.interrupted;
  if (kind === "unreachable") return exitCodes.unreachable;
  if (kind === "brokenPipe") return exitCodes.brokenPipe;
  return exitCodes.failed;
}

/** Maximum suggestions in a message; a game may have a hundred views. */
const maxSuggestions = 5;

function withSuggestions(message: string, data: RpcErrorObject["data"]): string {
  const named = message.split(/[\s",;:]+/);
  const suggestions = (data?.suggestions ?? []).filter((suggestion) => !named.includes(suggestion));
  const [, kind, word = ""] = /^(?:unknown|no) ([a-z ]*?) ?"([^"]+)"/.exec(message) ??
    /^(?:unknown|no) (\w+) ([^";\s]+)/.exec(message) ?? [];
  // A view may be identified by its game or its game directory alone.
  const known = kind === "view" ? [...suggestions, ...suggestions.flatMap((view) => view.split("/"))] : suggestions;
  const near = suggestions.length === 1 ? suggestions[0] : nearest(word, known) ?? nearestNames(word, known)[0];
  if (near !== undefined) return `${message}; did you mean ${quoted(near)}?`;
  if (kind === "view" || kind === "profile") return `${message}; "pakfs ${kind}s" lists them`;
  if (data?.errno === "EISDIR") return `${message}; ls ${shellWord(data.path ?? "")} lists it`;
  const [, path] = /^no (?!such )(?:file )?"?(.+?)"? in \S+$/.exec(message) ?? [];
  if (suggestions.length === 0 && path !== undefined) return `${message}; try find ${shellWord(patternFor(path))}`;
  if (suggestions.length === 0) return message;
  const more = suggestions.length > maxSuggestions ? ` and ${suggestions.length - maxSuggestions} more` : "";
  return `${message}: ${suggestions.slice(0, maxSuggestions).join(", ")}${more}`;
}

/** Returns a pattern that finds files similar to a missing path. */
function patternFor(path: string): string {
  return /[*?]/.test(path) ? path : `*${path.replace(/^.*[/\\]/, "")}*`;
}

function rpcFailure(error: RpcError): Failure {
  // An errno means that the file is the problem (a directory, for example) instead of the typed name.
  const isFile = error.code === errorCodes.invalidParams && error.data?.errno !== undefined;
  const kind = isFile ? "failed" : rpcKinds.get(error.code) ?? "failed";
  const message = kind === "staleCursor"
    ? "the index was refreshed while it was being listed; run the command again"
    : withSuggestions(error.message.replace(/; choose a view$/, "; choose one with --view"), error.data);
  return { kind, message, exitCode: exitCodeOf(kind), ...(error.data ? { data: error.data } : {}) };
}

function kindOf(error: unknown): FailureKind {
  if (error instanceof UsageError) return "usage";
  if (error instanceof BrokenPipeError) return "brokenPipe";
  if (error instanceof DaemonUnreachableError) return "unreachable";
  if (error instanceof ConnectionLostError) return "connectionLost";
  if (error instanceof ArchiveError) return "archive";
  if (error instanceof Deno.errors.NotFound) return "notFound";
  if (error instanceof DOMException && error.name === "AbortError") return "cancelled";
  return "failed";
}

/** Converts Deno's `No such file or directory (os error 2): open '/x'` to `/x: no such file or directory`. */
function plainMessage(message: string): string {
  const parts = /^(.+) \(os error \d+\)(?:: \w+ '(.+)')?$/s.exec(message);
  if (!parts) return message;
  const [, reason = "", path] = parts;
  const plain = reason.charAt(0).toLowerCase() + reason.slice(1);
  return path === undefined ? plain : `${path.replace(/' -> '.*$/s, "")}: ${plain}`;
}

/**
 * Replaces Deno's advice to add a flag: the launcher grants the permissions of each command, so a missing one is its
 * bug.
 */
function missingPermission(message: string): string {
  const flag = /, run again with the --\S+ flag$/;
  if (!flag.test(message)) return message;
  return `${message.replace(flag, "")}, which the launcher did not grant: please report this as a bug of pakfs`;
}

/** Returns the failure to report for `error`. */
export function failureOf(error: unknown): Failure {
  if (error instanceof RpcError) return rpcFailure(error);
  const kind = kindOf(error);
  const said = messageOf(error);
  const message = error instanceof Deno.errors.NotCapable ? missingPermission(said) : plainMessage(said);
  return { kind, message, exitCode: exitCodeOf(kind) };
}
