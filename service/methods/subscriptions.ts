/**
 * Methods about notifications of refreshes: `subscribe`, `unsubscribe`.
 * @module
 */
import { defaultSample, errorCodes, EventQueue, maxSample, maxSubscribedViews, RpcError } from "../../protocol/mod.ts";
import { type Method, type MethodContext, type Peer, takeTurn } from "./method.ts";
import { invalid } from "./parameters.ts";

/** Number of looked-up views after which to yield: a view with settings must be created. */
const viewsPerTurn = 8;

/** Opens a subscription. */
export const subscribe: Method<"subscribe"> = {
  parameters: { subscription: "required count", views: "strings", sample: "count", settle: "flag" },
  answer: async (context, { subscription, views, sample = defaultSample, settle = false }, signal) => {
    const peer = peerOf(context);
    if (views && views.length > maxSubscribedViews) {
      throw invalid(`"views" has ${views.length} elements; the maximum is ${maxSubscribedViews}`);
    }
    const names: string[] = [];
    for (const view of views ?? []) {
      names.push(context.catalog.view(view).name);
      // deno-lint-ignore no-await-in-loop -- lets other clients, and a cancellation, have their turn
      if (names.length % viewsPerTurn === 0) await takeTurn(signal);
    }
    const queue = new EventQueue(() => end());
    const end = context.host.reports.add({
      views: views ? names : null,
      sample: Math.min(sample, maxSample),
      settles: settle,
      deliver: (event) => queue.push({ subscription, ...event }),
    });
    try {
      peer.subscribe(subscription, queue);
    } catch (error) {
      queue.close();
      throw error;
    }
    return { subscription };
  },
};

/** Ends a subscription. */
export const unsubscribe: Method<"unsubscribe"> = {
  parameters: { subscription: "required count" },
  answer: (context, { subscription }) => ({ unsubscribed: peerOf(context).unsubscribe(subscription) }),
};

function peerOf({ peer }: MethodContext): Peer {
  if (peer) return peer;
  throw new RpcError({ code: errorCodes.invalidRequest, message: "no connection to send notifications over" });
}
