/**
 * Methods about the daemon itself: `hello`, `status`, `refresh`, `reload`, `stop`.
 * @module
 */
import { gameRows, limitProblems } from "../listings.ts";
import type { Parameters } from "../parameters.ts";
import {
  errorCodes,
  maxStatusProblems,
  oldestProtocolVersion,
  protocolVersion,
  type ResultOf,
  RpcError,
} from "../../protocol/messages.ts";
import { version } from "../../protocol/version.ts";
import type { HandlerContext, Handlers } from "./handler.ts";

/** What this server can do beyond the methods every version has. */
const capabilities: readonly string[] = ["cancel", "complete", "read", "refresh", "reload", "subscribe"];

function hello(parameters: Parameters): ResultOf<"hello"> {
  const [oldest, newest] = parameters.versions("protocol");
  parameters.text("client");
  const shared = Math.min(newest, protocolVersion);
  if (shared < oldest || shared < oldestProtocolVersion) {
    throw new RpcError({
      code: errorCodes.protocolMismatch,
      message: `this daemon speaks protocol ${oldestProtocolVersion} to ${protocolVersion}, ` +
        `the client ${oldest} to ${newest}`,
    });
  }
  return { protocol: shared, server: "pakfs", version, pid: Deno.pid, capabilities: [...capabilities] };
}

function status({ host, catalog, started }: HandlerContext): ResultOf<"status"> {
  const { mountPoint, socket } = host;
  const hostProblems = host.problems();
  const problems = [...catalog.problems, ...limitProblems(catalog), ...hostProblems.sentences];
  return {
    pid: Deno.pid,
    version,
    mount: mountPoint,
    rootView: mountPoint === null ? null : host.rootView ?? null,
    socket,
    started,
    games: catalog.games.length,
    views: catalog.views.length,
    packs: catalog.packs.length,
    files: gameRows(catalog).reduce((sum, game) => sum + game.files, 0),
    indexBytes: catalog.snapshot.byteLength,
    residentBytes: Deno.memoryUsage().rss,
    clients: host.clients(),
    problems: problems.slice(0, maxStatusProblems),
    problemCount: problems.length + hostProblems.omitted,
    watch: host.watch(),
    refreshed: host.refreshed(),
    counters: host.counters(),
    errors: host.errors(),
  };
}

/** Handlers of this file. */
export const controlHandlers: Handlers<"hello" | "status" | "refresh" | "reload" | "stop"> = {
  hello: (_context, parameters) => hello(parameters),
  status,
  refresh: ({ host }) => host.refresh(),
  reload: ({ host }) => host.reload(),
  stop: ({ host }) => {
    host.stop();
    return { stopping: true };
  },
};
