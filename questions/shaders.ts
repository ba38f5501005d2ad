/**
 * Shaders of Quake III and materials of Doom 3.
 * @module
 */
import type { ShaderDefinitionRow, ShaderRow } from "./shaders/shader_index.ts";
import type { ShaderImageRow } from "./shaders/shader_images.ts";
import { numbered, type PagedQuestion, type Question, type ViewParameter, withPatterns } from "./question.ts";

/** Reply of `shader`. */
export interface ShaderResult {
  /** The requested name. */
  name: string;
  /** The view, as `game/gamedirectory`. */
  view: string;
  /** Name of the engine profile. */
  profile: string;
  /** Applied rules for shaders: the profile's engine's, or the nearest. */
  rules: string;
  /** Winner first, unusable ones last. Empty if the name is not defined. */
  definitions: ShaderDefinitionRow[];
  /** Faults of the files that define it, one sentence each. */
  warnings: string[];
  /** Kind of item that the engine shows for that name; null if neither exists. */
  answers: "shader" | "image" | null;
  /** Reason why not the other kind, as a sentence; null if there is only one kind. */
  because: string | null;
  /** Images of the name, in the order in which the engine would use them. */
  images: ShaderImageRow[];
}

/** Parameters of `shader`. */
export interface ShaderParameters extends ViewParameter {
  /** Name in any case, also with the extension of an image. */
  name: string;
}

/** Lists every definition of a shader or material, the winner first. */
export const shader: Question<ShaderParameters, ShaderResult> = {
  parameters: { view: "string", name: "required string" },
  answer: async (context, { view, name }) => {
    const index = await context.shaders(view);
    return {
      name,
      view: index.view.name,
      profile: index.view.game.profile.name,
      rules: index.rules.dialect.name,
      definitions: index.definitions(name),
      warnings: index.warningsFor(name),
      ...index.answer(name),
    };
  },
};

/** Parameters of `shaders`. */
export interface ShadersParameters extends ViewParameter {
  /** Pattern of names; a pattern without `/` is compared with the part after a name's last `/`. */
  pattern?: string;
}

/** Lists the names of shaders and materials. */
export const shaders: PagedQuestion<ShadersParameters, ShaderRow> = {
  parameters: { view: "string", pattern: "string" },
  list: async (context, { view, pattern = "" }, from) => {
    const index = await context.shaders(view);
    return numbered(pattern === "" ? index.rows() : withPatterns(() => index.matching(pattern)), from);
  },
};
