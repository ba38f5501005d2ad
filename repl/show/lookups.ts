/**
 * Looks up the files that maps and models name, as the engine would.
 * @module
 */
import { errorCodes, RpcError } from "../../protocol/messages.ts";
import type { ParamsOf, ResultOf } from "../../protocol/methods.ts";
import { ask, type Context, inView } from "../command/command.ts";
import { content } from "../command/content.ts";
import type { FoundKind } from "../rows/show_rows.ts";

/** Result of looking up a name. */
export interface Found {
  /** Kind of the file of that name in the view; null if it is missing. */
  readonly found: FoundKind;
  /** Images that the shader asks for and the view lacks. */
  readonly lacks: readonly string[];
}

/** Number of questions asked at a time, since the round trip takes longer than the answer. */
const askedTogether = 16;
/** Maximum bytes of a shader that are searched for images. */
const maxShaderText = 256 * 1024;

/** Answers `question` for every item, in their order. */
export async function forEach<Thing, Answer>(
  things: readonly Thing[],
  question: (thing: Thing) => Promise<Answer>,
  progress: (done: number) => void,
): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (let start = 0; start < things.length; start += askedTogether) {
    // deno-lint-ignore no-await-in-loop -- a few at a time, so that Ctrl-C is heard
    answers.push(...await Promise.all(things.slice(start, start + askedTogether).map(question)));
    progress(answers.length);
  }
  return answers;
}

/** Returns the value of a promise, or undefined if the daemon answers "not found". */
async function unlessMissing<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof RpcError && error.code === errorCodes.notFound) return undefined;
    throw error;
  }
}

/** Looks up names in a context's view, and caches the answers. */
export class Lookups {
  readonly #context: Context;
  readonly #shaders = new Map<string, Promise<ResultOf<"shader">>>();

  constructor(context: Context) {
    this.#context = context;
  }

  /** Returns whether a file of that path exists. */
  async hasFile(qpath: string): Promise<boolean> {
    const params: ParamsOf<"stat"> = { ...inView(this.#context), qpath };
    return (await unlessMissing(ask(this.#context, "stat", params)))?.type === "file";
  }

  /** Returns a file's text, up to `maxBytes`; undefined if it is missing. */
  async text(qpath: string, offset: number, length: number): Promise<string | undefined> {
    return await unlessMissing(this.#text(qpath, offset, length));
  }

  async #text(qpath: string, offset: number, length: number): Promise<string> {
    const decoder = new TextDecoder("windows-1252");
    let text = "";
    for await (const bytes of content(this.#context, qpath, { offset, length })) {
      text += decoder.decode(bytes, { stream: true });
    }
    return text;
  }

  /** Returns what Quake 2 finds for a texture of a map: `textures/NAME.wal`. */
  async quake2Texture(name: string): Promise<Found> {
    return { found: await this.hasFile(`textures/${name}.wal`) ? "file" : null, lacks: [] };
  }

  /** Returns what Quake 3 finds for the name of a surface: a shader, else an image. */
  async surface(name: string): Promise<Found> {
    const { answers, definitions, rules } = await this.#shader(name);
    const [definition] = definitions;
    if (answers !== "shader" || !definition || rules === "doom3") return { found: answers, lacks: [] };
    const { qpath, offset, length } = definition;
    const text = await this.text(qpath, offset, Math.min(length, maxShaderText)) ?? "";
    const images = [...shaderImages(text)];
    const present = await Promise.all(images.map((image) => this.hasImage(image)));
    return { found: "shader", lacks: images.filter((_, index) => !present[index]) };
  }

  /** Returns whether a shader or an image of that name exists. */
  async named(name: string): Promise<Found> {
    return { found: (await this.#shader(name)).answers, lacks: [] };
  }

  /** Returns whether an image of that name exists, under any of the extensions that the engine tries. */
  async hasImage(name: string): Promise<boolean> {
    return (await this.#shader(name)).images.some(({ usable }) => usable);
  }

  #shader(name: string): Promise<ResultOf<"shader">> {
    const known = this.#shaders.get(name);
    if (known) return known;
    const asked = ask(this.#context, "shader", { ...inView(this.#context), name });
    this.#shaders.set(name, asked);
    return asked;
  }
}

/** Suffixes of a sky's six sides. */
const skySides = ["rt", "bk", "lf", "ft", "up", "dn"] as const;

/**
 * Returns the images that a shader of Quake 3 names. Names that begin with `$` or `*` are the engine's own.
 * @param text The shader, from its name to its closing brace.
 */
export function shaderImages(text: string): Set<string> {
  const images = new Set<string>();
  const add = (name: string | undefined) => {
    if (name !== undefined && name !== "-" && !/^[$*]/.test(name)) images.add(name);
  };
  for (const line of text.split("\n")) {
    const words = line.replace(/\/\/.*$/, "").split(/[\s"]+/).filter((word) => word !== "");
    const [directive = "", ...values] = words;
    const name = directive.toLowerCase();
    if (name === "map" || name === "clampmap") add(values[0]);
    else if (name === "animmap") values.slice(1).forEach(add);
    else if (name === "skyparms") {
      for (const box of [values[0], values[2]]) {
        if (box !== undefined && box !== "-") skySides.forEach((side) => add(`${box}_${side}`));
      }
    }
  }
  return images;
}
