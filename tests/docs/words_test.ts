/**
 * Words that code, messages and documents do not use: each has a plain form.
 * @module
 */
import { assertEquals } from "@std/assert";
import { walk } from "@std/fs";
import { relative } from "node:path";

const root = new URL("../..", import.meta.url).pathname;

/** Patterns, and the plain form of what they find. */
const plainForms: readonly (readonly [pattern: RegExp, plain: string])[] = [
  [/\/\*\*\s+(?:\* )?What\b/g, "a docstring begins with a verb or a noun"],
  [/\bwhoever\b/gi, "name who it is: the reader, the client, the user"],
  [/\btold\b/gi, "reported, notified, passed"],
  [/\bnobody\b/gi, "no client, no user, nothing"],
  [/\banew\b/gi, "again; rebuild, restart, reload"],
  [/\b(?:go|goes|going) on\b/gi, "continues, keeps"],
  [/\bthere (?:is|are) no\b/gi, "unknown, missing, not found, no ..."],
];

/** Returns `FILE:LINE: WORD; PLAIN FORM` for each find. */
function findsIn(file: string, text: string): string[] {
  return plainForms.flatMap(([pattern, plain]) =>
    Array.from(text.matchAll(pattern), (match) => {
      const line = text.slice(0, match.index).split("\n").length;
      return `${file}:${line}: "${match[0].replace(/^\/\*\*\s+(\* )?/, "")}"; ${plain}`;
    })
  );
}

Deno.test("code, messages and documents use plain words", async () => {
  const finds: string[] = [];
  const skip = [/\/(\.tools|\.git|\.ci|tests|node_modules|coverage|reference)$/, /\/CHANGELOG\.md$/];
  for await (const { path, isFile } of walk(root, { includeDirs: false, skip })) {
    const file = relative(root, path);
    if (!isFile || !/\.(ts|md|py)$|^pakfs$/.test(file)) {
      continue;
    }
    finds.push(...findsIn(file, await Deno.readTextFile(path)));
  }
  assertEquals(finds, []);
});
