/**
 * Methods about being told of refreshes: `subscribe`, `unsubscribe`.
 * @module
 */
import { EventQueue } from "../event_queue.ts";
import type { Parameters } from "../parameters.ts";
import { errorCodes, largestSample, type ResultOf, RpcError, usualSample } from "../protocol.ts";
import type { HandlerContext, Handlers, Peer } from "./handler.ts";

function subscribe(context: HandlerContext, parameters: Parameters): ResultOf<"subscribe"> {
  const peer = peerOf(context);
  const subscription = parameters.requiredNumber("subscription");
  const views = parameters.optionalTexts("views") ?? null;
  const sample = Math.min(parameters.wholeNumber("sample", usualSample), largestSample);
  for (const view of views ?? []) context.catalog.view(view);
  const queue = new EventQueue(() => end());
  const end = context.host.reports.add({
    views: views && views.map((view) => context.catalog.view(view).name),
    sample,
    deliver: (event) => queue.push({ subscription, ...event }),
  });
  try {
    peer.subscribe(subscription, queue);
  } catch (error) {
    queue.close();
    throw error;
  }
  return { subscription };
}

function peerOf({ peer }: HandlerContext): Peer {
  if (peer) return peer;
  throw new RpcError({ code: errorCodes.invalidRequest, message: "there is no connection to send notifications over" });
}

/** Handlers of this file. */
export const subscriptionHandlers: Handlers<"subscribe" | "unsubscribe"> = {
  subscribe,
  unsubscribe: (context, parameters) => ({
    unsubscribed: peerOf(context).unsubscribe(parameters.requiredNumber("subscription")),
  }),
};
