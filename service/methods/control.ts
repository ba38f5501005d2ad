/**
 * Methods about the daemon itself: `hello`, `run`, `status`, `refresh`, `reload`, `mount`, `unmount`,
 * `stop`.
 * @module
 */
import { gameRows, limitProblems } from "../../questions/mod.ts";
import {
  errorCodes,
  maxStatusProblems,
  oldestProtocolVersion,
  protocolVersion,
  RpcError,
  version,
} from "../../protocol/mod.ts";
import type { Method } from "./method.ts";

/** Capabilities beyond the methods of every version. */
const capabilities: readonly string[] = ["cancel", "complete", "mount", "read", "refresh", "reload", "subscribe"];

/** Agrees on a protocol version. */
export const hello: Method<"hello"> = {
  parameters: { protocol: "required versions", client: "required string" },
  answer: (_context, { protocol: [oldest, newest] }) => {
    const shared = Math.min(newest, protocolVersion);
    if (shared < oldest || shared < oldestProtocolVersion) {
      throw new RpcError({
        code: errorCodes.protocolMismatch,
        message: `this daemon speaks protocol ${oldestProtocolVersion} to ${protocolVersion}, ` +
          `the client ${oldest} to ${newest}`,
      });
    }
    return { protocol: shared, server: "pakfs", version, pid: Deno.pid, capabilities: [...capabilities] };
  },
};

/** Returns the state of the daemon. */
export const status: Method<"status"> = {
  parameters: {},
  answer: async ({ host, catalog, started }) => {
    await host.look?.();
    const mounts = host.mounts();
    const [first] = mounts;
    const hostProblems = host.problems();
    const problems = [...catalog.problems, ...limitProblems(catalog), ...hostProblems.sentences];
    return {
      pid: Deno.pid,
      version,
      mount: first?.mount ?? null,
      rootView: first?.rootView ?? null,
      mounts,
      socket: host.socket,
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
  },
};

/** Brings the index up to date. */
export const refresh: Method<"refresh"> = { parameters: {}, answer: ({ host }) => host.refresh() };

/** Reads and applies the configuration. */
export const reload: Method<"reload"> = { parameters: {}, answer: ({ host }) => host.reload() };

/** Mounts other games. */
export const mount: Method<"mount"> = {
  parameters: { config: "required table", view: "string", showPacks: "flag", showAs: "flag" },
  answer: ({ host, peer }, request, signal) => {
    const onProgress = (done: number, total: number, name: string) => peer?.progress({ done, total, name });
    const mounted = host.mount?.(request, signal, onProgress);
    if (mounted) return mounted;
    throw new RpcError({ code: errorCodes.mountFailed, message: "only a daemon can mount" });
  },
};

/** Unmounts a mount. */
export const unmount: Method<"unmount"> = {
  parameters: { mount: "required string", lazy: "flag" },
  answer: ({ host }, request) => {
    const unmounted = host.unmount?.(request);
    if (unmounted) return unmounted;
    throw new RpcError({ code: errorCodes.mountFailed, message: "nothing is mounted" });
  },
};

/** Ends the daemon. */
export const stop: Method<"stop"> = {
  parameters: {},
  answer: ({ host }) => {
    host.stop();
    return { stopping: true };
  },
};
