/**
 * Phrases that code, messages, documents and tests avoid, each with its plain form.
 * @module
 */
import { assertEquals } from "@std/assert";
import { walk } from "@std/fs";
import { relative } from "node:path";

const root = new URL("../..", import.meta.url).pathname;

/** Forbidden patterns, each with its plain form. */
const plainForms: readonly (readonly [pattern: RegExp, plain: string])[] = [
  [/\/\*\*\s+(?:\* )?(?:Has|Lets) /g, "the verb of what the function does: tells, starts, waits, releases"],
  [/\bin front of\b/gi, "before"],
  [/\b(?:go|goes|going|went) on\b/gi, "continues, keeps"],
  [/\blets? go of\b/gi, "releases, drops, forgets"],
  [/\b(?:is|are|was|were) led to\b/gi, "is redirected to"],
  [/\b(?:must be|takes) a text\b|\ba text in quotes\b/gi, "a string"],
  [/\bpatience\b/gi, "timeout"],
  [/\bwhoever\b/gi, "name who it is: the reader, the client, the user"],
  [/\banew\b/gi, "again; rebuild, restart, reload"],
  [/\b(?:is|are|be) (?:that|those) of\b/gi, "a possessive, or the noun again: equals the file's, comes from the view"],
  [/\bof which (?:the|it|its|each|some|any|no|one|another)\b/gi, "whose; or a sentence of its own"],
  [/\basked for(?=[.,;:)]|"|$)/gim, "requested"],
  [/\bbeside (?:the|an?|its?|them|each|one)\b/gi, "next to, with, other than, while"],
  [/\bbehind (?:(?:its|the|an?) )?(?:name|header|table|data|member|command|option)s?\b/gi, "after"],
  [/\ball the same\b/gi, "still, anyway"],
  [/\bfor ever\b/gi, "forever, without a limit, indefinitely"],
  [/\bunder way\b/gi, "running, in progress"],
  [/\bnow and then\b/gi, "periodically, sometimes"],
  [/ \* @(param \w+|returns|module|internal)\b(?:(?!\*\/)[\s\S])*? \* @\1(?!\w)/g, "each tag of a comment once"],
  [/\/\*\*\s+(?:\* )?(?:As above|Th(?:at|ose) (?:of|that)|Of (?:the|those|which))\b/g, "repeat the noun"],
];
/** Forbidden patterns of docstrings, allowed in tests, whose subject is the test. */
const productForms: typeof plainForms = [
  [/\/\*\*\s+(?:\* )?(?:What|Which|Where|When|How many)\b/g, "a docstring begins with a verb or a noun"],
  [/\/\*\*\s+(?:\* )?(?:By|Of|Between)\b/g, "begin with the noun: sizes by name, ids of the files"],
  [/\/\*\*\s+(?:\* )?(?:Its|Their|Another)\b/g, "name the owner: id of the request"],
];

/** Returns `FILE:LINE: WORD; PLAIN FORM` for each find. */
function findsIn(file: string, text: string): string[] {
  const forms = file.startsWith("tests/") ? plainForms : [...plainForms, ...productForms];
  return forms.flatMap(([pattern, plain]) =>
    Array.from(text.matchAll(pattern), (match) => {
      const line = text.slice(0, match.index).split("\n").length;
      return `${file}:${line}: "${match[0].replace(/^\/\*\*\s+(\* )?/, "")}"; ${plain}`;
    })
  );
}

Deno.test("code, messages, documents and tests use plain phrases", async () => {
  const finds: string[] = [];
  const skip = [/\/(\.tools|\.git|\.ci|node_modules|coverage|reference)$/, /\/words_test\.ts$/];
  for await (const { path, isFile } of walk(root, { includeDirs: false, skip })) {
    const file = relative(root, path);
    if (!isFile || !/\.(ts|js|css|html|md|py|txt|c|sh)$|^pakfs$/.test(file)) {
      continue;
    }
    finds.push(...findsIn(file, await Deno.readTextFile(path)));
  }
  assertEquals(finds, []);
});
