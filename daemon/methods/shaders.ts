/**
 * Methods about shaders and materials: `shader`, `shaders`.
 * @module
 */
import { type ShaderIndex, shaderIndex } from "../../index/shaders/shader_index.ts";
import { invalid, type Parameters } from "../parameters.ts";
import type { ResultOf } from "../protocol.ts";
import { type HandlerContext, type Handlers, pageOf, takeTurn, viewOf } from "./handler.ts";

/** The shaders of the view that a call asks about. */
export function shaderIndexOf(context: HandlerContext, parameters: Parameters): ShaderIndex {
  return shaderIndex(viewOf(context, parameters), (entry) => context.content.readWhole(entry));
}

function shader(context: HandlerContext, parameters: Parameters): ResultOf<"shader"> {
  const name = parameters.text("name");
  const index = shaderIndexOf(context, parameters);
  return {
    name,
    view: index.view.name,
    profile: index.view.game.profile.name,
    rules: index.rules.name,
    definitions: index.definitions(name),
    warnings: index.warningsFor(name),
    ...index.answer(name),
  };
}

async function shaders(
  context: HandlerContext,
  parameters: Parameters,
  signal: AbortSignal | undefined,
): Promise<ResultOf<"shaders">> {
  const index = shaderIndexOf(context, parameters);
  const pattern = parameters.optionalText("pattern") ?? "";
  if (pattern === "") return pageOf(context, parameters, index.rows());
  const rows: ResultOf<"shaders">["rows"] = [];
  try {
    for (const row of index.matching(pattern)) {
      if (row) rows.push(row);
      // deno-lint-ignore no-await-in-loop -- lets other clients, and a cancellation, have their turn
      else await takeTurn(signal);
    }
  } catch (error) {
    throw error instanceof RangeError ? invalid(error.message) : error;
  }
  return pageOf(context, parameters, rows);
}

/** Handlers of this file. */
export const shaderHandlers: Handlers<"shader" | "shaders"> = {
  shader,
  shaders,
};
