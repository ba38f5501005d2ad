/**
 * Images with the name of a shader: an engine shows them if no shader has the name, and under Chomenor's rules also if the
 * image is preferred to the shader.
 * @module
 */
import { decide, explain, imageExtensions, ruleContext } from "../profiles/rules.ts";
import type { View } from "../views/view.ts";
import { type CandidateRow, candidateRow, type JudgedCandidate, judgedCandidates } from "../views/which.ts";
import type { ShaderFile } from "./shader_files.ts";
import type { ShaderRules } from "./shader_rules.ts";

/** An image with the name of a shader. */
export interface ShaderImageRow extends CandidateRow {
  /** Path of the image. */
  qpath: string;
}

/** Answer to a name: the shader, the image, or nothing. */
export interface ShaderAnswer {
  /** Which of both the engine shows; null if neither exists. */
  answers: "shader" | "image" | null;
  /** Why not the other one, as a sentence; null without another. */
  because: string | null;
  /** Images of the name, in the order in which the engine would use them. */
  images: ShaderImageRow[];
}

/** Extensions in the order in which an engine looks for them. id: R_LoadImage of code/renderer/tr_image.c. */
const extensionsOf: Readonly<Record<ShaderRules["name"], readonly string[]>> = {
  ioquake3: imageExtensions,
  chomenor: imageExtensions,
  quake3: ["tga", "jpg"],
  doom3: ["tga", "jpg"],
};

interface Image {
  readonly qpath: string;
  readonly candidate: JudgedCandidate;
}

/**
 * Decides between a shader and the images of its name.
 * @param shader The file of the definition that the engine uses, or null if it knows none.
 */
export function shaderAnswer(
  view: View,
  rules: ShaderRules["name"],
  name: string,
  shader: ShaderFile | null,
): ShaderAnswer {
  const images = imagesOf(view, rules, name);
  const first = images.find(({ candidate }) => candidate.reason === null)?.candidate;
  const rows = images.map(({ qpath, candidate }, index) => ({
    ...candidateRow(view, candidate, first, index + 1),
    ...(candidate !== first && candidate.reason === null && first?.extensionRank !== candidate.extensionRank &&
        rules !== "chomenor"
      ? extensionDecision(view, first, candidate)
      : {}),
    qpath,
  }));
  if (!shader || !first) return { answers: shader ? "shader" : first ? "image" : null, because: null, images: rows };
  const context = ruleContext(view.game);
  if (rules !== "chomenor") {
    return {
      answers: "shader",
      because: `${context.engine} looks for an image only where no shader has the name.`,
      images: rows,
    };
  }
  const asShader = { ...view.candidate(shader.entry), isShader: true };
  const { order, rule } = decide(view.game.profile.rules, asShader, first);
  const [winner, loser] = order < 0 ? [asShader, first] : [first, asShader];
  return {
    answers: order < 0 ? "shader" : "image",
    because: `${explain(rule, winner, loser, context)}.`,
    images: rows,
  };
}

function imagesOf(view: View, rules: ShaderRules["name"], name: string): Image[] {
  const plain = name.replace(/\.[^./]*$/, "");
  const images = extensionsOf[rules].flatMap((extension) => {
    const qpath = `${plain}.${extension}`;
    const extensionRank = imageExtensions.indexOf(extension);
    return judgedCandidates(view, qpath).map((candidate) => ({ qpath, candidate: { ...candidate, extensionRank } }));
  });
  const isUnusable = ({ candidate }: Image) => Number(candidate.reason !== null);
  if (rules !== "chomenor") return images.sort((a, b) => isUnusable(a) - isUnusable(b));
  return images.sort((a, b) =>
    isUnusable(a) - isUnusable(b) || decide(view.game.profile.rules, a.candidate, b.candidate).order
  );
}

function extensionDecision(view: View, first: JudgedCandidate | undefined, loser: JudgedCandidate) {
  if (!first) return {};
  const because = `${explain("extension", first, loser, ruleContext(view.game))}.`;
  return { decidedBy: "extension", because };
}
