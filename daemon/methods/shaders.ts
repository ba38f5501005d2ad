/**
 * Methods about shaders and materials: `shader`, `shaders`.
 * @module
 */
import { type ShaderIndex, shaderIndex } from "../../index/shaders/shader_index.ts";
import type { Parameters } from "../parameters.ts";
import type { ResultOf } from "../protocol.ts";
import { type HandlerContext, type Handlers, pageOf, viewOf } from "./handler.ts";

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

/** Handlers of this file. */
export const shaderHandlers: Handlers<"shader" | "shaders"> = {
  shader,
  shaders: (context, parameters) =>
    pageOf(context, parameters, shaderIndexOf(context, parameters).rows(parameters.optionalText("pattern"))),
};
