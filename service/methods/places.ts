/**
 * Methods that list what there is: `games`, `views`, `path`, `packs`, `checksum`, `pure`, `names`, `limits`,
 * `registered`, `complete`.
 * @module
 */
import { checksumResult, packNamed } from "../checksum.ts";
import { completePack, completePath, completeShader, completeSource, completeView } from "../complete.ts";
import { gameRows, namesRows, packRows, pathRows, viewRows } from "../listings.ts";
import { limitRows } from "../../index/questions/limits.ts";
import { registered } from "../../index/questions/registered.ts";
import { shaderIndexOf } from "./shaders.ts";
import { invalid, type Parameters } from "../parameters.ts";
import { pureResult } from "../pure.ts";
import { defaultPageSize, maxTextLength, type ResultOf } from "../../protocol/messages.ts";
import { type HandlerContext, type Handlers, optionalViewOf, pageOf, takeTurn, viewOf } from "./handler.ts";

async function packs(
  context: HandlerContext,
  parameters: Parameters,
  signal: AbortSignal | undefined,
): Promise<ResultOf<"packs">> {
  const checksum = parameters.optionalInteger32("checksum");
  const fullyShadowed = parameters.flag("fullyShadowed");
  const rows: ResultOf<"packs">["rows"] = [];
  for (const row of packRows(context.catalog, optionalViewOf(context, parameters), { checksum, fullyShadowed })) {
    if (row) rows.push(row);
    // A pack may cost the tree of a view, or the checksum of all its files.
    // deno-lint-ignore no-await-in-loop -- lets other clients, and a cancellation, have their turn
    else await takeTurn(signal);
  }
  return pageOf(context, parameters, rows);
}

function checksum(context: HandlerContext, parameters: Parameters): ResultOf<"checksum"> {
  const { catalog } = context;
  const pack = packNamed(catalog, optionalViewOf(context, parameters), parameters.text("pack"));
  return checksumResult(catalog, pack, parameters.optionalInteger32("feed") ?? 0);
}

function pure(context: HandlerContext, parameters: Parameters): ResultOf<"pure"> {
  const list = parameters.optionalTexts("list");
  const length = list?.reduce((sum, word) => sum + word.length + 1, 0) ?? 0;
  if (length > maxTextLength) throw invalid(`"list" has ${length} characters; the maximum is ${maxTextLength}`);
  return pureResult(context.catalog, viewOf(context, parameters), list);
}

function names(context: HandlerContext, parameters: Parameters): ResultOf<"names"> {
  const { catalog } = context;
  const view = optionalViewOf(context, parameters);
  const name = parameters.optionalText("pack");
  const pack = name === undefined ? undefined : packNamed(catalog, view, name);
  return pageOf(context, parameters, namesRows(catalog, pack ? undefined : view, pack));
}

async function complete(context: HandlerContext, parameters: Parameters): Promise<ResultOf<"complete">> {
  const kind = parameters.text("kind");
  const prefix = parameters.text("prefix");
  const limit = Math.min(parameters.wholeNumber("limit", 100), defaultPageSize);
  const { catalog } = context;
  if (kind === "view") return { matches: completeView(catalog, prefix, limit) };
  if (kind === "pack") return { matches: completePack(catalog, optionalViewOf(context, parameters), prefix, limit) };
  if (kind === "source") return { matches: completeSource(viewOf(context, parameters), prefix, limit) };
  if (kind === "qpath") return { matches: completePath(viewOf(context, parameters), prefix, limit) };
  if (kind === "shader") return { matches: completeShader(await shaderIndexOf(context, parameters), prefix, limit) };
  throw invalid(`"kind" must be "qpath", "view", "pack", "source" or "shader"`);
}

/** Handlers of this file. */
export const placeHandlers: Handlers<
  "games" | "views" | "path" | "packs" | "checksum" | "pure" | "names" | "limits" | "registered" | "complete"
> = {
  games: (context, parameters) => pageOf(context, parameters, gameRows(context.catalog)),
  views: (context, parameters) =>
    pageOf(context, parameters, viewRows(context.catalog, parameters.optionalText("game"))),
  path: (context, parameters) => pageOf(context, parameters, pathRows(viewOf(context, parameters))),
  packs,
  checksum,
  pure,
  names,
  limits: (context, parameters) => pageOf(context, parameters, limitRows(viewOf(context, parameters))),
  registered: (context, parameters) =>
    registered(viewOf(context, parameters), (entry, offset, length) => context.content.read(entry, offset, length)),
  complete,
};
