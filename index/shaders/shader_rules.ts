/**
 * Which shader definitions each engine knows, and which of equal names it uses.
 * @module
 */
import { none } from "../columns/columns.ts";
import type { Candidate } from "../profiles/candidate.ts";
import { decide, explain, ruleContext } from "../profiles/rules.ts";
import type { RuleName } from "../profiles/profile.ts";
import { ruleNotes } from "../settings/rule_notes.ts";
import type { View } from "../views/view.ts";
import { scanDoom3Declarations } from "./doom3_declarations.ts";
import { findQuake3Shaders, ioquake3Ignores, scanQuake3Shaders } from "./quake3_shaders.ts";
import type { LoadedFile, ShaderFile, ShaderFolder } from "./shader_files.ts";
import type { Definition, ScanWarning } from "./shader_scan.ts";

/** Shader files that ioquake3 and the original engine list at most (`MAX_SHADER_FILES`). */
const maxFiles = 4096;
/** Maximum bytes of a name that a Quake III surface can refer to (`MAX_QPATH` without its NUL). */
const maxName = 63;

/** A definition, its file, and whether the engine knows it. */
export interface KnownDefinition {
  readonly definition: Definition;
  readonly file: ShaderFile;
  /** Rank among the definitions that the engine knows: of equal names the lowest answers. */
  readonly order: number;
  /** Why the engine does not know it, as a sentence without a full stop; null if it does. */
  readonly reason: string | null;
}

/** A sentence about a line of one of the files. */
export interface FileWarning extends ScanWarning {
  readonly file: ShaderFile;
}

/** Definitions of files, by the rules of one engine. */
export interface KnownDefinitions {
  readonly definitions: readonly KnownDefinition[];
  readonly warnings: readonly FileWarning[];
}

/** Why one definition came before another. */
export interface ShaderDecision {
  /** The rule. */
  readonly decidedBy: string;
  /** Its sentence. */
  readonly because: string;
}

/** The shader rules of one engine. */
export interface ShaderRules {
  readonly name: "ioquake3" | "quake3" | "chomenor" | "doom3";
  readonly folder: ShaderFolder;
  /** Returns the definitions of files. `files` are in the order of {@linkcode readShaderFiles}. */
  know(files: readonly LoadedFile[], view: View): KnownDefinitions;
  /** Returns why `winner` answers and not `loser`; the engine knows both, and they have one name. */
  explain(winner: KnownDefinition, loser: KnownDefinition, view: View): ShaderDecision;
}

const quake3Folder: ShaderFolder = { directory: "scripts", extension: ".shader", isDeep: true };

/** Returns why a file is not read by engines for which one file of a path hides the others; null if it is. */
function hiddenReason(file: ShaderFile): string | null {
  if (file.problem !== null) return `${file.qpath} cannot be read: ${file.problem}`;
  const { winner } = file;
  return winner === null ? null : `${winner.qpath} of ${winner.source.name} replaces this file`;
}

function nameReason(definition: Definition): string | null {
  const isTooLong = new TextEncoder().encode(definition.name).length > maxName;
  return isTooLong ? `no surface can refer to a name of more than ${maxName} bytes` : null;
}

/** Returns the definitions of a file that the engine does not use. */
function dropped(
  { file, content }: LoadedFile,
  reason: string,
  isLeft: (definition: Definition) => boolean = () => true,
): KnownDefinition[] {
  return scanQuake3Shaders(content).definitions.filter(isLeft)
    .map((definition) => ({ definition, file, order: Number.MAX_SAFE_INTEGER, reason }));
}

function knowQuake3(files: readonly LoadedFile[], engine: "ioquake3" | "quake3"): KnownDefinitions {
  const title = engine === "ioquake3" ? "ioquake3" : "Quake III Arena";
  const definitions: KnownDefinition[] = [];
  const warnings: FileWarning[] = [];
  const accepted: LoadedFile[] = [];
  for (const loaded of files) {
    const { file, content } = loaded;
    const hidden = hiddenReason(file);
    const beyond = file.listIndex < maxFiles ? null : `${title} reads the first ${maxFiles} shader files only`;
    const ignored = hidden === null && engine === "ioquake3" ? ioquake3Ignores(content) : null;
    const complaint = ignored && `${ignored.message}; ${title} ignores this whole file`;
    if (ignored && complaint !== null) warnings.push({ file, line: ignored.line, message: complaint });
    const reason = hidden ?? beyond ?? (ignored && `${file.qpath} line ${ignored.line}: ${complaint}`);
    if (reason === null) accepted.push(loaded);
    else definitions.push(...dropped(loaded, reason));
  }
  const found = findQuake3Shaders(accepted.map(({ content }) => content), engine);
  const offsets = accepted.map(() => new Set<number>());
  found.forEach(({ file: number, definition }, order) => {
    const loaded = accepted[number];
    if (!loaded) return;
    offsets[number]?.add(definition.offset);
    definitions.push({ definition, file: loaded.file, order, reason: nameReason(definition) });
  });
  accepted.forEach((loaded, number) => {
    const lost = `earlier text hides it once ${title} has removed the comments and joined the files`;
    definitions.push(...dropped(loaded, lost, ({ offset }) => offsets[number]?.has(offset) === false));
  });
  return { definitions, warnings };
}

function inSameFile(winner: KnownDefinition, engine: string): ShaderDecision {
  return {
    decidedBy: "first-in-shader-file",
    because: `${winner.file.qpath} defines it more than once, and ${engine} uses the first.`,
  };
}

function lastListed(winner: KnownDefinition, loser: KnownDefinition, engine: string): ShaderDecision {
  return {
    decidedBy: "last-listed-shader-file",
    because: `${engine} lists ${winner.file.qpath} after ${loser.file.qpath}, and the file that it lists last wins.`,
  };
}

const ioquake3: ShaderRules = {
  name: "ioquake3",
  folder: quake3Folder,
  know: (files) => knowQuake3(files, "ioquake3"),
  explain: (winner, loser) =>
    winner.file === loser.file ? inSameFile(winner, "ioquake3") : lastListed(winner, loser, "ioquake3"),
};

const quake3: ShaderRules = {
  name: "quake3",
  folder: quake3Folder,
  know: (files) => knowQuake3(files, "quake3"),
  explain(winner, loser) {
    if (winner.file === loser.file) return inSameFile(winner, "Quake III Arena");
    if (winner.file.listIndex > loser.file.listIndex) return lastListed(winner, loser, "Quake III Arena");
    return {
      decidedBy: "first-shader-of-file",
      because:
        `it is the first shader of ${winner.file.qpath}, and Quake III Arena looks through the first shaders of ` +
        "all files before the others.",
    };
  },
};

function shaderCandidate(view: View, file: ShaderFile): Candidate {
  return { ...view.candidate(file.entry), isShader: true };
}

function isOfDuplicates(rule: RuleName): boolean {
  return ruleNotes[rule].question === "duplicates in a pack";
}

/** Returns the rule that decides between two files before the offsets of their shaders are compared, or null. */
function fileRule(view: View, a: Candidate, b: Candidate): RuleName | null {
  const areZips = a.source.format === "zip" && b.source.format === "zip";
  const rules = view.game.profile.rules.filter((name) => name !== "case-match" && (areZips || !isOfDuplicates(name)));
  const { rule } = decide(rules, a, b);
  return rule === "index-order" ? null : rule;
}

/** All files count, also those that others replace: packs decide, then offsets. */
const chomenor: ShaderRules = {
  name: "chomenor",
  folder: { ...quake3Folder, isDeep: false },
  know(files, view) {
    const { rules } = view.game.profile;
    const sorted = files.map((loaded) => ({ ...loaded, candidate: shaderCandidate(view, loaded.file) }))
      .sort((a, b) => decide(rules, a.candidate, b.candidate).order);
    const warnings: FileWarning[] = [];
    const found: { definition: Definition; file: ShaderFile; candidate: Candidate; rank: number }[] = [];
    let rank = 0;
    for (const [index, { file, content, candidate }] of sorted.entries()) {
      const above = sorted[index - 1];
      if (above && fileRule(view, above.candidate, candidate) !== null) rank++;
      const scan = scanQuake3Shaders(content);
      found.push(...scan.definitions.map((definition) => ({ definition, file, candidate, rank })));
      warnings.push(...scan.warnings.map((warning) => ({ ...warning, file })));
    }
    // Between files that tie the offset decides, then the other rules, by which the files are sorted already.
    const inOrder = found.sort((a, b) => a.rank - b.rank || a.definition.offset - b.definition.offset);
    const definitions = inOrder.map(({ definition, file }, order) => ({
      definition,
      file,
      order,
      reason: nameReason(definition),
    }));
    return { definitions, warnings };
  },
  explain(winner, loser, view) {
    const { rules, engine } = view.game.profile;
    if (winner.file === loser.file) return { ...inSameFile(winner, engine), decidedBy: "intra-shaderfile-position" };
    const candidates = [shaderCandidate(view, winner.file), shaderCandidate(view, loser.file)] as const;
    const ofFiles = fileRule(view, ...candidates);
    if (ofFiles !== null && isOfDuplicates(ofFiles) && winner.file.source === loser.file.source) {
      return {
        decidedBy: "intra-pk3-position",
        because: `${engine} uses ${winner.file.qpath} before ${loser.file.qpath} of the same source.`,
      };
    }
    if (ofFiles === null && winner.definition.offset !== loser.definition.offset) {
      return {
        decidedBy: "intra-shaderfile-position",
        because: `nothing else decides, and ${engine} uses the one nearer to the start of its file: at byte ` +
          `${winner.definition.offset} of ${winner.file.qpath}, not ${loser.definition.offset} of ${loser.file.qpath}.`,
      };
    }
    const { rule } = decide(rules, ...candidates);
    return { decidedBy: rule, because: `${explain(rule, ...candidates, ruleContext(view.game))}.` };
  },
};

const doom3: ShaderRules = {
  name: "doom3",
  folder: { directory: "materials", extension: ".mtr", isDeep: false },
  know(files) {
    const key = ({ file }: LoadedFile) => file.qpath.toLowerCase();
    const definitions: KnownDefinition[] = [];
    const warnings: FileWarning[] = [];
    for (const { file, content } of files.toSorted((a, b) => key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0)) {
      const reason = hiddenReason(file);
      const scan = scanDoom3Declarations(content);
      for (const definition of scan.definitions) {
        definitions.push({ definition, file, order: definitions.length, reason });
      }
      if (reason === null) warnings.push(...scan.warnings.map((warning) => ({ ...warning, file })));
    }
    return { definitions, warnings };
  },
  explain: (winner, loser) => ({
    decidedBy: "first-definition",
    because: winner.file === loser.file
      ? `${winner.file.qpath} defines it more than once, and Doom 3 keeps the first definition.`
      : `Doom 3 reads ${winner.file.qpath} before ${loser.file.qpath}, and keeps the first definition.`,
  }),
};

const byProfile: Readonly<Record<string, ShaderRules>> = { ioquake3, quake3, chomenor, dhewm3: doom3 };

/**
 * Returns the shader rules of a view's engine. For profiles without any: ioquake3's, or Doom 3's if the view has a
 * `materials` directory and no `scripts`.
 */
export function shaderRulesOf(view: View): ShaderRules {
  const rules = byProfile[view.game.profile.kin];
  if (rules) return rules;
  const hasDirectory = (path: string) => view.snapshot.findNode(path, true) !== none;
  return !hasDirectory("scripts") && hasDirectory("materials") ? doom3 : ioquake3;
}
