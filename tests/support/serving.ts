/**
 * A server that answers from a catalog over a socket in this process.
 * @module
 */
import { listen, type Server, type ServerOptions } from "../../daemon/server/server.ts";
import type { Catalog } from "../../views/catalog.ts";
import { RefreshReports } from "../../service/refresh_reports.ts";
import type { ServiceHost } from "../../service/methods/method.ts";
import { Service } from "../../service/service.ts";

/** A server and its service. */
export interface Serving extends AsyncDisposable {
  readonly socket: string;
  readonly server: Server;
  readonly service: Service;
}

/** Options of {@linkcode serve}. */
export interface ServeOptions {
  readonly server?: ServerOptions;
  /** Parts of a daemon; by default nothing can be refreshed or reloaded. */
  readonly host?: Partial<ServiceHost>;
}

/** Answers from `catalog` at a socket. */
export async function serve(catalog: Catalog, socket: string, options: ServeOptions = {}): Promise<Serving> {
  const server = await listen(socket, options.server);
  const service = new Service({
    catalog,
    mounts: () => [],
    socket,
    clients: () => server.clients(),
    problems: () => ({ sentences: [], omitted: 0 }),
    counters: () => ({}),
    errors: () => [],
    watch: () => [],
    refreshed: () => null,
    reports: new RefreshReports(),
    refresh: () => Promise.reject(new Error("nothing is refreshed here")),
    reload: () => Promise.reject(new Error("nothing is reloaded here")),
    stop: () => {},
    ...options.host,
  });
  server.serve(service);
  return {
    socket,
    server,
    service,
    async [Symbol.asyncDispose](): Promise<void> {
      await server.close();
      await service[Symbol.asyncDispose]();
    },
  };
}
