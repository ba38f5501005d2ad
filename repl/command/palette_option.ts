/**
 * Palette that the user chooses for pictures without one: `--palette`.
 * @module
 */
import { MediaError, type Palette, readPaletteFile, viewPalette } from "../../media/mod.ts";
import { RpcError } from "../../protocol/mod.ts";
import { hostPath, type OptionSpec, quoted } from "../../system/mod.ts";
import { CommandError } from "../output/failure.ts";
import { ask, type Context, type Input } from "./command.ts";

/** Maximum bytes of a palette's file: a PCX may be a screenshot. */
const maxFile = 16 * 1024 * 1024;

/** The option. */
export const paletteOption: OptionSpec = {
  name: "palette",
  value: "FILE|VIEW",
  kind: "file",
  summary: "colours of pictures without their own: a palette.lmp, PLAYPAL or PCX, or those of another view",
};

/** Returns the content of a local file; undefined if it is missing. */
async function fileContent(path: string): Promise<Uint8Array | undefined> {
  try {
    const { isFile, size } = await Deno.stat(path);
    if (!isFile || size > maxFile) return undefined;
    return await Deno.readFile(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound || error instanceof Deno.errors.NotADirectory) return undefined;
    throw error;
  }
}

function paletteIn(bytes: Uint8Array, path: string): Palette {
  try {
    return readPaletteFile(bytes, path);
  } catch (error) {
    if (!(error instanceof MediaError)) throw error;
    throw new CommandError(`--palette ${quoted(path)}: ${error.message}`, { cause: error });
  }
}

/**
 * Returns the value of {@linkcode paletteOption}.
 * @throws {CommandError} if it is no palette, or neither a file nor a view with a palette.
 */
export async function paletteGiven(context: Context, { options }: Input): Promise<Palette | undefined> {
  const given = options.value("palette");
  if (given === undefined) return undefined;
  const bytes = await fileContent(hostPath(given));
  if (bytes) return paletteIn(bytes, given);
  const { ViewFiles } = await import("../../protocol/library/conversion.ts");
  const files = new ViewFiles({ call: (method, params) => ask(context, method, params) }, { view: given });
  try {
    const palette = await viewPalette(files, "quake") ?? await viewPalette(files, "doom");
    if (palette) return { ...palette, origin: `${palette.origin} of ${given}` };
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
  }
  throw new CommandError(`--palette ${quoted(given)}: no such file, and no view with a palette; views lists them`);
}
