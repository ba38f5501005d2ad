/**
 * Methods about shaders and materials: `shader`, `shaders`.
 * @module
 */
import { shaderEntries, type ShaderIndex, shaderIndex } from "../../index/shaders/shader_index.ts";
import { invalid, type Parameters } from "../parameters.ts";
import { NotAnsweringError } from "../../content/remote_readers.ts";
import type { ResultOf } from "../../protocol/messages.ts";
import { type HandlerContext, type Handlers, pageOf, takeTurn, viewOf } from "./handler.ts";

/** The shaders of the view that a call asks about. */
export async function shaderIndexOf(context: HandlerContext, parameters: Parameters): Promise<ShaderIndex> {
  const { content } = context;
  const view = viewOf(context, parameters);
  const remote = new Map<number, Uint8Array | Error>();
  for (const entry of shaderEntries(view).filter((candidate) => content.isRemote(candidate))) {
    // deno-lint-ignore no-await-in-loop -- one file after the other is how its file system is read
    const read = await content.readRemote(entry).catch((error: Error) => error);
    // It may answer the next time; what is wrong with one file stays so until a refresh.
    if (read instanceof NotAnsweringError) throw read;
    remote.set(entry, read);
  }
  return shaderIndex(view, (entry) => {
    const read = remote.get(entry) ?? content.readWhole(entry);
    if (read instanceof Error) throw read;
    return read;
  });
}

async function shader(context: HandlerContext, parameters: Parameters): Promise<ResultOf<"shader">> {
  const name = parameters.text("name");
  const index = await shaderIndexOf(context, parameters);
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
  const index = await shaderIndexOf(context, parameters);
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
