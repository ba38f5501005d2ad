/**
 * Methods that list what there is: `games`, `views`, `path`, `packs`, `checksum`, `pure`, `complete`.
 * @module
 */
import { checksumResult, packNamed } from "../checksum.ts";
import { completePack, completePath, completeView } from "../complete.ts";
import { gameRows, packRows, pathRows, viewRows } from "../listings.ts";
import { invalid, type Parameters } from "../parameters.ts";
import { pureResult } from "../pure.ts";
import { defaultPageSize, type ResultOf } from "../protocol.ts";
import { type HandlerContext, type Handlers, optionalViewOf, pageOf, viewOf } from "./handler.ts";

function packs(context: HandlerContext, parameters: Parameters): ResultOf<"packs"> {
  const checksum = parameters.optionalInteger32("checksum");
  return pageOf(parameters, packRows(context.host.catalog, optionalViewOf(context, parameters), checksum));
}

function checksum(context: HandlerContext, parameters: Parameters): ResultOf<"checksum"> {
  const { catalog } = context.host;
  const pack = packNamed(catalog, optionalViewOf(context, parameters), parameters.text("pack"));
  return checksumResult(catalog, pack, parameters.optionalInteger32("feed") ?? 0);
}

function pure(context: HandlerContext, parameters: Parameters): ResultOf<"pure"> {
  return pureResult(context.host.catalog, viewOf(context, parameters), parameters.optionalTexts("list"));
}

function complete(context: HandlerContext, parameters: Parameters): ResultOf<"complete"> {
  const kind = parameters.text("kind");
  const prefix = parameters.text("prefix");
  const limit = Math.min(parameters.wholeNumber("limit", 100), defaultPageSize);
  const { catalog } = context.host;
  if (kind === "view") return { matches: completeView(catalog, prefix, limit) };
  if (kind === "pack") return { matches: completePack(catalog, optionalViewOf(context, parameters), prefix, limit) };
  if (kind === "qpath") return { matches: completePath(viewOf(context, parameters), prefix, limit) };
  throw invalid(`"kind" must be "qpath", "view" or "pack"`);
}

/** Handlers of this file. */
export const placeHandlers: Handlers<"games" | "views" | "path" | "packs" | "checksum" | "pure" | "complete"> = {
  games: ({ host }, parameters) => pageOf(parameters, gameRows(host.catalog)),
  views: ({ host }, parameters) => pageOf(parameters, viewRows(host.catalog, parameters.optionalText("game"))),
  path: (context, parameters) => pageOf(parameters, pathRows(viewOf(context, parameters))),
  packs,
  checksum,
  pure,
  complete,
};
