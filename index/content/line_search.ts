/**
 * Lines of text files that match a regular expression.
 *
 * The text is searched as a whole, which takes a tenth of the time of splitting it into lines; each hit is then
 * confirmed on its line alone, so that no match extends past the line.
 * @module
 */
import { decodeText, joined, looksBinary, messageOf } from "../../formats/parts.ts";
import type { SubjectReader } from "./subject_reader.ts";

/** Maximum characters of a line; longer lines are cut around their match. */
const maxLineLength = 65_536;

/** A JavaScript regular expression, in the form for threads. */
export interface Expression {
  readonly source: string;
  readonly ignoresCase: boolean;
  /** Whether the first line of each file is enough. */
  readonly isFirstEnough: boolean;
}

/** Lines found in some subjects, in order. */
export interface FoundLines {
  /** Number of found lines per subject. */
  readonly counts: Uint32Array;
  /** Line numbers, from 1, with the text of the lines. */
  readonly numbers: Uint32Array;
  readonly lines: readonly string[];
  /** Reasons why subjects cannot be read, by index. */
  readonly problems: ReadonlyMap<number, string>;
}

/**
 * Returns the expression, for one line.
 * @throws {SyntaxError} if it is invalid.
 */
export function lineExpression({ source, ignoresCase }: Omit<Expression, "isFirstEnough">): RegExp {
  return new RegExp(source, ignoresCase ? "iu" : "u");
}

/** Searches subjects. A subject that cannot be read has a problem instead. */
export async function searchSubjects(
  reader: SubjectReader,
  subjects: Uint32Array,
  expression: Expression,
): Promise<FoundLines> {
  const search = new LineSearch(expression);
  const problems = new Map<number, string>();
  const counts = new Uint32Array(subjects.length);
  for (const [index, subject] of subjects.entries()) {
    const pieces: Uint8Array[] = [];
    try {
      // deno-lint-ignore no-await-in-loop -- one after the other bounds memory
      await reader.read(subject, (piece) => pieces.push(piece));
      const only = pieces.length === 1 ? pieces[0] : undefined;
      counts[index] = search.in(only ?? joined(...pieces));
    } catch (error) {
      reader.close();
      problems.set(index, messageOf(error));
    }
  }
  reader.close();
  return { counts, numbers: Uint32Array.from(search.numbers), lines: search.lines, problems };
}

/** Searches one file. */
export function searchBytes(bytes: Uint8Array, expression: Expression): FoundLines {
  const search = new LineSearch(expression);
  const counts = Uint32Array.of(search.in(bytes));
  return { counts, numbers: Uint32Array.from(search.numbers), lines: search.lines, problems: new Map() };
}

/** Finds lines in one text after another. */
class LineSearch {
  readonly numbers: number[] = [];
  readonly lines: string[] = [];
  readonly #line: RegExp;
  /** Finds all places where a line may match; undefined if each line must be tested separately. */
  readonly #whole: RegExp | undefined;
  readonly #isFirstEnough: boolean;

  constructor(expression: Expression) {
    this.#line = lineExpression(expression);
    // A negative look-around, or a group with its own flags, may match in a line but not in the whole text; a class of
    // most characters would match to the end of the text from each line.
    const isAlike = !/\(\?(?:!|<!|[-ims]+:)|\[\^|\\[SDWP]/.test(expression.source);
    this.#whole = isAlike ? new RegExp(this.#line.source, `${this.#line.flags}gm`) : undefined;
    this.#isFirstEnough = expression.isFirstEnough;
  }

  /** Adds the lines of a file; returns their number. */
  in(bytes: Uint8Array): number {
    if (looksBinary(bytes)) return 0;
    const before = this.lines.length;
    const text = decodeText(bytes);
    let number = 1;
    let counted = 0;
    for (let start = 0; start < text.length;) {
      if (this.#whole) {
        this.#whole.lastIndex = start;
        const hit = this.#whole.exec(text)?.index;
        if (hit === undefined) break;
        start = hit === 0 ? 0 : text.lastIndexOf("\n", hit - 1) + 1;
        if (start >= text.length) break;
      }
      const next = text.indexOf("\n", start);
      const end = next < 0 ? text.length : next;
      const line = text.slice(start, text[end - 1] === "\r" && end > start ? end - 1 : end);
      const match = this.#line.exec(line);
      if (match) {
        for (; (counted = text.indexOf("\n", counted)) >= 0 && counted < start; counted++) number++;
        if (counted < 0) counted = text.length;
        this.numbers.push(number);
        this.lines.push(shortened(line, match.index));
        if (this.#isFirstEnough) break;
      }
      if (next < 0) break;
      start = next + 1;
    }
    return this.lines.length - before;
  }
}

/** Returns a line, or the part of a long one around its match. */
function shortened(line: string, index: number): string {
  if (line.length <= maxLineLength) return line;
  const start = Math.max(0, Math.min(index - maxLineLength / 4, line.length - maxLineLength));
  return line.slice(start, start + maxLineLength);
}
