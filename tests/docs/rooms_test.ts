/**
 * Enforces the table of rooms in ARCHITECTURE.md: the imports that it allows, and no circles.
 * @module
 */
import { assert, assertEquals } from "@std/assert";
import { dirname, join, normalize } from "node:path";
import { readProgramModules } from "../support/program_modules.ts";

const root = new URL("../..", import.meta.url).pathname;
const packages = new Map([["deno-fuse-ffi", "deno-fuse-ffi/mod.ts"], ["@pakfs/pakfs", "mod.ts"]]);
const specifiers =
  /(?:^|\s)(?:import|export)\s[^;"]*?from "([^"]+)"|^import "([^"]+)"|\bimport\("([^"]+)"\)|new URL\("(\.[^"]+\.ts)", import\.meta\.url\)/gm;

/** Returns what each file of the program imports, and the workers that it starts. */
async function readImports(): Promise<Map<string, { imported: string; isStart: boolean }[]>> {
  const imports = new Map<string, { imported: string; isStart: boolean }[]>();
  for (const [file, text] of await readProgramModules()) {
    const code = text.replace(/\/\*\*[\s\S]*?\*\//g, "");
    imports.set(
      file,
      [...code.matchAll(specifiers)].flatMap(([, from, bare, later, started]) => {
        const specifier = from ?? bare ?? later ?? started ?? "";
        const local = specifier.startsWith(".") ? normalize(join(dirname(file), specifier)) : packages.get(specifier);
        return local === undefined || local === "deno.json"
          ? []
          : [{ imported: local, isStart: started !== undefined }];
      }),
    );
  }
  return imports;
}

const roomOf = (file: string) => file.split("/")[0] ?? file;
const imports = await readImports();

Deno.test("a room imports only what the table of ARCHITECTURE.md lets it import", async () => {
  const text = await Deno.readTextFile(join(root, "ARCHITECTURE.md"));
  const rows = [...text.matchAll(/^\| `([\w.-]+)\/?` +\|[^|]*\| ([^|]+?) *\|$/gm)];
  const allowed = new Map(rows.map(([, room, list]) => [room ?? "", (list ?? "").split(", ")]));
  assertEquals([...new Set([...imports.keys()].map(roomOf))].filter((room) => !allowed.has(room)), []);
  // With docs, tests and tools a list that is read at one glance.
  assert(allowed.size <= 16, "what is new belongs into one of the rooms");
  const forbidden = [...imports].flatMap(([file, targets]) =>
    targets.flatMap(({ imported }) => {
      const [from, to] = [roomOf(file), roomOf(imported)];
      const list = allowed.get(from) ?? [];
      return from === to || list.includes(to) || list.includes(imported) ? [] : [`${file} imports ${imported}`];
    })
  );
  assertEquals(forbidden, []);
});

/** Returns a circle of arrows that can be reached from `start`, if there is one. */
function circle(
  start: string,
  arrows: (node: string) => Iterable<string>,
  done: Set<string>,
  path: string[] = [],
): string[] {
  if (path.includes(start)) return [...path.slice(path.indexOf(start)), start];
  if (done.has(start)) return [];
  for (const next of arrows(start)) {
    const found = circle(next, arrows, done, [...path, start]);
    if (found.length > 0) return found;
  }
  done.add(start);
  return [];
}

Deno.test("files do not import each other in a circle, types included", () => {
  const done = new Set<string>();
  const arrows = (file: string) =>
    (imports.get(file) ?? []).filter(({ isStart }) => !isStart).map(({ imported }) => imported);
  assertEquals([...imports.keys()].map((file) => circle(file, arrows, done)).filter(({ length }) => length > 0), []);
});

Deno.test("no two folders import each other", () => {
  const arrows = new Set<string>();
  for (const [file, targets] of imports) {
    for (const { imported, isStart } of targets) {
      if (dirname(file) !== dirname(imported) && !isStart) arrows.add(`${dirname(file)} ${dirname(imported)}`);
    }
  }
  assert(arrows.size > 20);
  assertEquals([...arrows].filter((arrow) => arrows.has(arrow.split(" ").reverse().join(" "))), []);
});
