/**
 * Images with the name of a shader: an engine shows them if no shader has the name, or if it ranks all files and
 * prefers the image.
 * @module
 */
import { explain, type RuleContext, ruleContext, type ShaderDialect } from "../../engines/mod.ts";
import { type CandidateRow, candidateRow, type JudgedCandidate, judgedCandidates, type View } from "../../views/mod.ts";
import { type EngineImages, extensionOf } from "./engine_images.ts";
import type { ShaderFile } from "./shader_files.ts";

/** An image with the name of a shader. */
export interface ShaderImageRow extends CandidateRow {
  /** Path of the image. */
  qpath: string;
}

/** Result for a name: the shader, the image, or nothing. */
export interface ShaderAnswer {
  /** The kind that the engine shows; null if neither exists. */
  answers: "shader" | "image" | null;
  /** Reason why not the other kind, as a sentence; null if there is only one kind. */
  because: string | null;
  /** Images of the name, in the order in which the engine would use them. */
  images: ShaderImageRow[];
}

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
  engine: EngineImages,
  { reading }: ShaderDialect,
  name: string,
  shader: ShaderFile | null,
): ShaderAnswer {
  const images = imagesOf(view, engine, name);
  const winner = images.find(({ candidate }) => candidate.reason === null);
  const first = winner?.candidate;
  const context = ruleContext(view.game);
  const rows = images.map(({ qpath, candidate }, index) => ({
    ...candidateRow(view, candidate, first, index + 1),
    ...(first && candidate.reason === null && qpath !== winner?.qpath && reading !== "ranked"
      ? decisionBetween(engine, first, candidate, context)
      : {}),
    qpath,
  }));
  if (!shader || !first) return { answers: shader ? "shader" : first ? "image" : null, because: null, images: rows };
  if (reading !== "ranked") {
    return {
      answers: "shader",
      because: `${context.engine} looks for an image only where no shader has the name.`,
      images: rows,
    };
  }
  const asShader = { ...view.candidate(shader.entry), isShader: true };
  const { order, rule } = engine.decide(asShader, first);
  const [before, after] = order < 0 ? [asShader, first] : [first, asShader];
  return {
    answers: order < 0 ? "shader" : "image",
    because: `${explain(rule, before, after, context)}.`,
    images: rows,
  };
}

/** Returns all files at the paths of a name, in the order in which the engine would use them. */
function imagesOf(view: View, engine: EngineImages, name: string): Image[] {
  const images = engine.paths(name, true).flatMap((qpath, rank) =>
    judgedCandidates(view, qpath).map((candidate): Image => ({
      qpath,
      candidate: { ...candidate, extension: { name: extensionOf(qpath), rank } },
    }))
  );
  const isUnusable = ({ candidate }: Image) => Number(candidate.reason !== null);
  return images.sort((a, b) => isUnusable(a) - isUnusable(b) || engine.compare(a.candidate, b.candidate));
}

function decisionBetween(
  engine: EngineImages,
  first: JudgedCandidate,
  loser: JudgedCandidate,
  context: RuleContext,
): { decidedBy: string; because: string } {
  const { rule } = engine.decide(first, loser);
  return { decidedBy: rule, because: `${explain(rule, first, loser, context)}.` };
}
