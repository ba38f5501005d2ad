/**
 * Links and paths that documents name.
 * @module
 */
import { assert, assertEquals } from "@std/assert";
import { exists } from "@std/fs";
import { dirname, join, normalize } from "node:path";

const root = new URL("../..", import.meta.url).pathname;
const fixed = [
  "README.md",
  "ARCHITECTURE.md",
  "CHANGELOG.md",
  "tools/README.md",
  "tools/bench/README.md",
  "tools/mutants/README.md",
  "tools/oracle/README.md",
  "tools/abi/README.md",
  "tools/release/README.md",
  "tools/soak/README.md",
  "deno-fuse-ffi/README.md",
];

/** Returns the documents with their text. */
async function documents(): Promise<Map<string, string>> {
  const inDocs = (await Array.fromAsync(Deno.readDir(`${root}docs`))).filter(({ name }) => name.endsWith(".md"));
  const paths = [...fixed, ...inDocs.map(({ name }) => `docs/${name}`)];
  return new Map(await Promise.all(paths.map(async (path) => [path, await Deno.readTextFile(root + path)] as const)));
}

/** Returns the anchors of a document's headings, as GitHub makes them. */
function anchorsOf(markdown: string): string[] {
  return Array.from(
    markdown.matchAll(/^#+ (.*)$/gm),
    ([, title = ""]) => title.toLowerCase().replaceAll(/[^\w\- ]/g, "").replaceAll(" ", "-"),
  );
}

Deno.test("links in documents lead to files and headings", async () => {
  const texts = await documents();
  const broken: string[] = [];
  for (const [path, text] of texts) {
    for (const [, target = ""] of text.matchAll(/\]\((?!https?:)([^)]*)\)/g)) {
      const [file = "", anchor] = target.split("#");
      const linked = file === "" ? path : normalize(join(dirname(path), file));
      const isFound = anchor === undefined
        // deno-lint-ignore no-await-in-loop -- a few dozen links
        ? await exists(root + linked)
        : anchorsOf(texts.get(linked) ?? "").includes(anchor);
      if (!isFound) broken.push(`${path}: ${target}`);
    }
  }
  assertEquals(broken, []);
});

Deno.test("paths of the source tree that documents name exist", async () => {
  const rooms = (await Array.fromAsync(Deno.readDir(root))).filter(({ isDirectory }) => isDirectory);
  const begins = new RegExp(`^(${rooms.map(({ name }) => name.replaceAll(".", "\\.")).join("|")})/[\\w./-]*$`);
  const missing: string[] = [];
  let checked = 0;
  for (const [path, text] of await documents()) {
    for (const [, code = ""] of text.matchAll(/`([^`\n]+)`/g)) {
      if (!begins.test(code) || code.startsWith("docs/reference")) continue;
      checked++;
      // deno-lint-ignore no-await-in-loop -- a hundred paths
      if (!await exists(root + code)) missing.push(`${path}: ${code}`);
    }
  }
  assert(checked > 20);
  assertEquals(missing, []);
});
