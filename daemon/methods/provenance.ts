/**
 * Methods that tell where files come from: `which`.
 * @module
 */
import { whichCandidates } from "../../index/which.ts";
import type { Parameters } from "../parameters.ts";
import type { ResultOf } from "../protocol.ts";
import { cleanPath, type HandlerContext, type Handlers, viewOf } from "./handler.ts";

function which(context: HandlerContext, parameters: Parameters): ResultOf<"which"> {
  const view = viewOf(context, parameters);
  const qpath = cleanPath(parameters.text("qpath"));
  const candidates = whichCandidates(view, qpath);
  return { qpath, view: view.name, profile: view.game.profile.name, candidates };
}

/** Handlers of this file. */
export const provenanceHandlers: Handlers<"which"> = { which };
