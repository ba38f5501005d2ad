/**
 * Whether what maps and models name is in the view, as the engine would look for it.
 * @module
 */
import { errorCodes, RpcError } from "../../protocol/messages.ts";
import type { ParamsOf, ResultOf } from "../../protocol/methods.ts";
import { ask, type Context, inView } from "../command/command.ts";
import { content } from "../command/content.ts";
import type { FoundKind } from "../rows/show_rows.ts";

/** Where a name leads to. */
export interface Found {
  /** What the view has of that name; null if nothing. */
  readonly found: FoundKind;
  /** Images that the shader asks for and the view lacks. */
  readonly lacks: readonly string[];
}

/** Questions that are asked at a time: an answer is quicker than its way. */
const askedTogether = 16;
/** Bytes of a shader that are looked at for images. */
const maxShaderText = 256 * 1024;

/** Answers `question` for every thing, in their order. */
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

/** What a promise gives, or undefined where the view has no such thing. */
async function unlessMissing<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof RpcError && error.code === errorCodes.notFound) return undefined;
    throw error;
  }
}

/** Asks a context's view what there is of a name. Remembers what it has been told. */
export class Lookups {
  readonly #context: Context;
  readonly #shaders = new Map<string, Promise<ResultOf<"shader">>>();

  constructor(context: Context) {
    this.#context = context;
  }

  /** Whether there is a file of that path. */
  async hasFile(qpath: string): Promise<boolean> {
    const params: ParamsOf<"stat"> = { ...inView(this.#context), qpath };
    return (await unlessMissing(ask(this.#context, "stat", params)))?.type === "file";
  }

  /** A file's text, at most so many bytes of it; undefined if there is none. */
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

  /** What Quake 2 finds for a texture of a map: `textures/NAME.wal`. */
  async quake2Texture(name: string): Promise<Found> {
    return { found: await this.hasFile(`textures/${name}.wal`) ? "file" : null, lacks: [] };
  }

  /** What Quake 3 finds for the name of a surface: a shader, else an image. */
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

  /** Whether there is a shader or an image of that name. */
  async named(name: string): Promise<Found> {
    return { found: (await this.#shader(name)).answers, lacks: [] };
  }

  /** Whether there is an image of that name, under any of the extensions that the engine tries. */
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

/** What a sky's six sides are called. */
const skySides = ["rt", "bk", "lf", "ft", "up", "dn"] as const;

/**
 * The images that a shader of Quake 3 asks for. Names that begin with `$` or `*` are the engine's own.
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
