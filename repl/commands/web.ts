/**
 * Views in a browser: `web`.
 * @module
 */
import type { Palette } from "../../media/mod.ts";
import { convertedDirectory, exitCodes, UsageError } from "../../system/mod.ts";
import { command, type Context } from "../command/command.ts";
import { GameSessions } from "../command/game_sessions.ts";
import { paletteGiven, paletteOption } from "../command/palette_option.ts";
import type { Session } from "../command/session.ts";
import { CommandError } from "../output/failure.ts";
import { oneRow } from "../output/results.ts";
import { runInShell } from "../output/shell_pipe.ts";

/** Default port: PAKS on a telephone keypad. */
const usualPort = 7257;

/** Returns the path of the page of the context's view, else of the list of views. */
async function startPath({ view, session, signal }: Context): Promise<string> {
  if (view === undefined) {
    // Requested in any case, so that a missing daemon is reported at once.
    await session.call("views", { limit: 1 }, { signal });
    return "/";
  }
  const { rows: [row] } = await session.call("path", { view, limit: 1 }, { signal });
  return `/${(row?.view ?? view).split("/").map(encodeURIComponent).join("/")}/`;
}

/** Content of the page. */
interface Shown {
  readonly connection: Session | GameSessions;
  readonly path: string;
  readonly palette: Palette | undefined;
}

/** Serves on the given port; by default on the usual port, or on a free one if that is in use. */
async function serve(given: number | undefined, shown: Shown) {
  const { serveWeb } = await import("../../web/server.ts");
  const options = { ...shown, directory: convertedDirectory() };
  try {
    return await serveWeb({ ...options, port: given ?? usualPort });
  } catch (error) {
    if (error instanceof Deno.errors.NotCapable) {
      throw new CommandError("web needs a separate process; run pakfs web in a shell", { cause: error });
    }
    if (!(error instanceof Deno.errors.AddrInUse)) throw error;
    if (given !== undefined) {
      throw new CommandError(`port ${given} is in use; choose another with --port, or omit it`);
    }
    return await serveWeb({ ...options, port: 0 });
  }
}

export const web = command({
  name: "web",
  group: "Browse",
  scope: "anywhere",
  live: true,
  rows: ["WebRow"],
  summary: "show views in a browser: pictures, sounds, models, maps, and why each file wins",
  arguments: [],
  options: [
    { name: "port", value: "N", summary: `port on 127.0.0.1; default ${usualPort}, or a free one` },
    paletteOption,
    { name: "open", summary: "start the browser with xdg-open" },
  ],
  details: [
    "Prints an address with a token and serves it until Ctrl-C. Only programs of this machine can connect, and only " +
    "a browser with the token is answered. The page cannot change anything.",
  ],
  examples: [
    { line: "web", does: "print the address of the page" },
    { line: "web --open --view quake/hipnotic", does: "open a view in the browser" },
  ],
  async *run(context, input) {
    const { options } = input;
    const { session, signal, output } = context;
    const port = options.count("port");
    if (port !== undefined && port > 65535) throw new UsageError("--port takes a number up to 65535");
    const palette = await paletteGiven(context, input);
    const path = await startPath(context);
    await using games = new GameSessions(session);
    // An index in this process handles several calls at a time.
    const connection = options.list("source").length > 0 ? session : games;
    await using server = await serve(port, { connection, path, palette });
    const { url } = server;
    yield oneRow({ url }, (page) => page.line(url));
    output.flush();
    output.remark("serving; press Ctrl-C to stop");
    if (options.flag("open")) {
      const code = await runInShell('xdg-open "$1"', { terminal: undefined, signal }, [server.ticket()]);
      if (code !== 0) output.warning("xdg-open did not start a browser; open the address yourself");
    }
    const ended = Promise.withResolvers<void>();
    if (signal.aborted) ended.resolve();
    signal.addEventListener("abort", () => ended.resolve(), { once: true });
    await ended.promise;
    return exitCodes.ok;
  },
});
