/**
 * Rules of each engine: the shader definitions that it knows, and the winner among equal names.
 * @module
 */
import { append } from "../../formats/parts.ts";
import { none } from "../../index/mod.ts";
import {
  type Candidate,
  decide,
  explain,
  type JoinedShaders,
  type ListedShaders,
  quake3Shaders,
  type RankedShaders,
  ruleContext,
  type RuleName,
  ruleNotes,
  type ShaderDialect,
  type ShaderOmission,
} from "../../engines/mod.ts";
import type { View } from "../../views/mod.ts";
import { scanDoom3Declarations } from "./doom3_scan.ts";
import { checkShaderFile, findQuake3Shaders, scanQuake3Shaders } from "./quake3_shaders.ts";
import { scanDarkPlacesShaders } from "./darkplaces_shaders.ts";
import type { LoadedShaderFile, ShaderFile, ShaderFolder } from "./shader_files.ts";
import type { Definition, ScanWarning, ShaderScan } from "./shader_scan.ts";

/** Maximum bytes of a name that a Quake III surface can refer to (`MAX_QPATH` without its NUL). */
const maxName = 63;

/** A definition, its file, and whether the engine knows it. */
export interface KnownDefinition {
  readonly definition: Definition;
  readonly file: ShaderFile;
  /** Rank among the definitions that the engine knows: the lowest of equal names wins. */
  readonly order: number;
  /** Reason why the engine does not know it, as a sentence without a full stop; null if it does. */
  readonly reason: string | null;
}

/** A message about a line of one of the files. */
export interface FileWarning extends ScanWarning {
  readonly file: ShaderFile;
}

/** Definitions of files, by the rules of one engine. */
export interface KnownDefinitions {
  readonly definitions: readonly KnownDefinition[];
  readonly warnings: readonly FileWarning[];
}

/** Reason why one definition came before another. */
export interface ShaderDecision {
  /** The rule. */
  readonly decidedBy: string;
  /** Sentence of the reason. */
  readonly because: string;
}

/** The shader rules of one engine. */
export interface ShaderRules {
  /** How the engine reads shaders. */
  readonly dialect: ShaderDialect;
  readonly folder: ShaderFolder;
  /** Returns the definitions of files. `files` are in the order of {@linkcode readShaderFiles}. */
  know(files: readonly LoadedShaderFile[], view: View): KnownDefinitions;
  /** Returns the reason why `winner` wins over `loser`, which the engine both knows, with the same name. */
  explain(winner: KnownDefinition, loser: KnownDefinition, view: View): ShaderDecision;
}

const encoder = new TextEncoder();
const latin = new TextDecoder("windows-1252");

/**
 * Returns the reason why a file is not read by engines for which one file of a path hides the others; null if it is
 * read.
 */
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
  { file, content }: LoadedShaderFile,
  reason: string,
  isLeft: (definition: Definition) => boolean = () => true,
): KnownDefinition[] {
  return scanQuake3Shaders(content).definitions.filter(isLeft)
    .map((definition) => ({ definition, file, order: Number.MAX_SAFE_INTEGER, reason }));
}

/** Returns the content of a file with the comments that an engine inserts. */
function withOmissions(name: string, content: Uint8Array, omissions: readonly ShaderOmission[]): Uint8Array {
  const omission = omissions.find(({ file, size, offset, text }) =>
    file === name && size === content.length && latin.decode(content.subarray(offset, offset + text.length)) === text
  );
  if (!omission) return content;
  const changed = content.slice();
  for (const { begin, end } of omission.comments) {
    changed.set(encoder.encode("/*"), begin);
    changed.set(encoder.encode("*/"), end);
  }
  return changed;
}

/** Returns a string of spaces and newlines that replaces the text before an offset and keeps line numbers. */
function blankedTo(content: Uint8Array, start: number): Uint8Array {
  return content.map((byte, index) => index < start && byte !== 0x0a ? 0x20 : byte);
}

/** A file, and the part of it that an engine reads. */
interface ReadFile extends LoadedShaderFile {
  /** The text that it reads, at the offsets of the content. */
  readonly text: Uint8Array;
  /** Offset of that text. */
  readonly from: number;
}

function knowQuake3(files: readonly LoadedShaderFile[], view: View, engine: JoinedShaders): KnownDefinitions {
  const { title, directory, omissions } = engine;
  const maxFiles = view.game.profile.limits.find(({ kind }) => kind === "shader-files")?.most ?? Infinity;
  const definitions: KnownDefinition[] = [];
  const warnings: FileWarning[] = [];
  const accepted: ReadFile[] = [];
  for (const loaded of files) {
    const { file } = loaded;
    const hidden = hiddenReason(file) ??
      (file.listIndex < maxFiles ? null : `${title} reads the first ${maxFiles} shader files only`);
    if (hidden !== null) {
      append(definitions, dropped(loaded, hidden));
      continue;
    }
    const content = withOmissions(file.qpath.slice(directory.length + 1), loaded.content, omissions);
    const { fault, start } = checkShaderFile(content, engine);
    const ignores = start === null ? "this whole file" : "what is before it";
    const message = fault === null ? "" : `${fault.message}; ${title} ignores ${ignores}`;
    if (fault) warnings.push({ file, line: fault.line, message });
    if (start === null) append(definitions, dropped(loaded, `${file.qpath} line ${fault?.line}: ${message}`));
    else accepted.push({ ...loaded, text: start === 0 ? content : blankedTo(content, start), from: start });
  }
  const found = findQuake3Shaders(accepted.map(({ text }) => text), engine);
  const offsets = accepted.map(() => new Set<number>());
  found.forEach(({ file: number, definition }, order) => {
    const loaded = accepted[number];
    if (!loaded) return;
    offsets[number]?.add(definition.offset);
    definitions.push({ definition, file: loaded.file, order, reason: nameReason(definition) });
  });
  const lost = `earlier text hides it once ${title} has removed the comments and joined the files`;
  const skipped = `${title} ignores what is before a shader without an opening {`;
  for (const [number, loaded] of accepted.entries()) {
    const isFound = ({ offset }: Definition) => offsets[number]?.has(offset) === true;
    append(definitions, dropped(loaded, lost, (one) => one.offset >= loaded.from && !isFound(one)));
    append(definitions, dropped(loaded, skipped, ({ offset }) => offset < loaded.from));
  }
  return { definitions, warnings };
}

function inSameFile(winner: KnownDefinition, engine: string, which: "first" | "last" = "first"): ShaderDecision {
  return {
    decidedBy: `${which}-in-shader-file`,
    because: `${winner.file.qpath} defines it more than once, and ${engine} uses the ${which}.`,
  };
}

function betweenFiles(winner: KnownDefinition, loser: KnownDefinition, engine: string): ShaderDecision {
  const isLater = winner.file.listIndex > loser.file.listIndex;
  const [order, which] = isLater ? ["after", "last"] : ["before", "first"];
  return {
    decidedBy: `${which}-listed-shader-file`,
    because:
      `${engine} lists ${winner.file.qpath} ${order} ${loser.file.qpath}, and the file that it lists ${which} wins.`,
  };
}

/** Returns the reason why one of two definitions comes first in an engine's text. */
function explainQuake3(
  { title, order }: JoinedShaders,
  winner: KnownDefinition,
  loser: KnownDefinition,
): ShaderDecision {
  const isSameFile = winner.file === loser.file;
  const isEarlier = isSameFile
    ? winner.definition.offset < loser.definition.offset
    : winner.file.listIndex > loser.file.listIndex;
  if (order === "hash" && !isEarlier) {
    return {
      decidedBy: "shader-hash",
      because: `another shader before both has the hash of this name, and of those after it ${title} finds the last.`,
    };
  }
  if (isSameFile) return inSameFile(winner, title, order === "last" ? "last" : "first");
  if (isEarlier || order === "last") return betweenFiles(winner, loser, title);
  return {
    decidedBy: "first-shader-of-file",
    because:
      `it is the first shader of ${winner.file.qpath}, and ${title} looks through the first shaders of all files ` +
      "before the others.",
  };
}

function joinedRules(engine: JoinedShaders): ShaderRules {
  return {
    dialect: engine,
    folder: { directory: engine.directory, extension: ".shader", isDeep: true },
    know: (files, view) => knowQuake3(files, view, engine),
    explain: (winner, loser) => explainQuake3(engine, winner, loser),
  };
}

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

/** All files count, including overridden ones: packs decide, then offsets. */
const rankedRules = (dialect: RankedShaders): ShaderRules => ({
  dialect,
  folder: { directory: "scripts", extension: ".shader", isDeep: false },
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
      append(found, scan.definitions.map((definition) => ({ definition, file, candidate, rank })));
      append(warnings, scan.warnings.map((warning) => ({ ...warning, file })));
    }
    // For tied files the offset decides, then the other rules, which have sorted the files already.
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
});

/** Returns the definitions of an engine that reads files independently, sorted by name, and keeps the first. */
function knowInOrder(
  files: readonly LoadedShaderFile[],
  scan: (content: Uint8Array) => ShaderScan,
  refusal: (definition: Definition) => string | null,
): KnownDefinitions {
  const key = ({ file }: LoadedShaderFile) => file.qpath.toLowerCase();
  const definitions: KnownDefinition[] = [];
  const warnings: FileWarning[] = [];
  for (const { file, content } of files.toSorted((a, b) => key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0)) {
    const hidden = hiddenReason(file);
    const scanned = scan(content);
    for (const definition of scanned.definitions) {
      definitions.push({ definition, file, order: definitions.length, reason: hidden ?? refusal(definition) });
    }
    if (hidden === null) append(warnings, scanned.warnings.map((warning) => ({ ...warning, file })));
  }
  return { definitions, warnings };
}

function listedRules(dialect: ListedShaders): ShaderRules {
  const { title, syntax, directory, extension } = dialect;
  const isDoom3 = syntax === "doom3";
  return {
    dialect,
    folder: { directory, extension, isDeep: false },
    know: (files) =>
      isDoom3
        ? knowInOrder(files, scanDoom3Declarations, () => null)
        // Shaders that disable themselves count.
        : knowInOrder(files, scanDarkPlacesShaders, nameReason),
    explain: (winner, loser) =>
      !isDoom3 && winner.file === loser.file ? inSameFile(winner, title) : {
        decidedBy: "first-definition",
        because: winner.file === loser.file
          ? `${winner.file.qpath} defines it more than once, and ${title} keeps the first definition.`
          : `${title} reads ${winner.file.qpath} before ${loser.file.qpath}, and keeps the first definition.`,
      },
  };
}

/** Materials, as read by every engine of Doom 3's family. */
const doom3Materials: ListedShaders = {
  reading: "listed",
  name: "doom3",
  title: "Doom 3",
  syntax: "doom3",
  directory: "materials",
  extension: ".mtr",
};

/**
 * Returns how the engine of a view reads shaders. By default like ioquake3, or like Doom 3 if the view has a
 * `materials` directory and no `scripts`.
 */
export function shaderRulesOf(view: View): ShaderRules {
  const dialect = view.game.profile.shaders ?? dialectOfFiles(view);
  if (dialect.reading === "joined") return joinedRules(dialect);
  return dialect.reading === "ranked" ? rankedRules(dialect) : listedRules(dialect);
}

function dialectOfFiles(view: View): ShaderDialect {
  const hasDirectory = (path: string) => view.snapshot.findNode(path, true) !== none;
  return !hasDirectory("scripts") && hasDirectory("materials") ? doom3Materials : quake3Shaders;
}
