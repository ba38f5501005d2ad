/**
 * Methods about being told of refreshes: `subscribe`, `unsubscribe`.
 * @module
 */
import { EventQueue } from "../../protocol/event_queue.ts";
import { invalid, type Parameters } from "../parameters.ts";
import { defaultSample, errorCodes, maxSample, type ResultOf, RpcError } from "../../protocol/messages.ts";
import { type HandlerContext, type Handlers, type Peer, takeTurn } from "./handler.ts";

/** Views of one subscription: each of them is compared at each refresh. */
const maxViews = 256;
/** Views that are looked up between two turns of others: one with settings has to be made. */
const viewsPerTurn = 8;

async function subscribe(
  context: HandlerContext,
  parameters: Parameters,
  signal: AbortSignal | undefined,
): Promise<ResultOf<"subscribe">> {
  const peer = peerOf(context);
  const subscription = parameters.requiredNumber("subscription");
  const views = parameters.optionalTexts("views") ?? null;
  const sample = Math.min(parameters.wholeNumber("sample", defaultSample), maxSample);
  if (views && views.length > maxViews) {
    throw invalid(`"views" has ${views.length} elements; the maximum is ${maxViews}`);
  }
  const names: string[] = [];
  for (const view of views ?? []) {
    names.push(context.catalog.view(view).name);
    // deno-lint-ignore no-await-in-loop -- lets other clients, and a cancellation, have their turn
    if (names.length % viewsPerTurn === 0) await takeTurn(signal);
  }
  const queue = new EventQueue(() => end());
  const end = context.host.reports.add({
    views: views && names,
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
