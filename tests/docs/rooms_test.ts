/**
 * Enforces the rooms of ARCHITECTURE.md: imports lead upwards in its table and through doors, and form no cycle.
 * @module
 */
import { assert, assertEquals } from "@std/assert";
import { basename, dirname, join, normalize } from "node:path";
import { readProgramModules } from "../support/program_modules.ts";

const root = new URL("../..", import.meta.url).pathname;
const packages = new Map([["deno-fuse-ffi", "deno-fuse-ffi/mod.ts"], ["@pakfs/pakfs", "mod.ts"]]);
const specifiers =
  /(?:^|\s)(?:import|export)\s[^;"]*?from "([^"]+)"|^import "([^"]+)"|\bimport\("([^"]+)"\)|new URL\("(\.[^"]+\.ts)", import\.meta\.url\)/gm;

/** A module that another one imports statically or dynamically, or starts as a worker. */
interface Import {
  readonly imported: string;
  readonly isLater: boolean;
  readonly isStart: boolean;
}

/** Returns the imports and workers of each file of the program. */
async function readImports(): Promise<Map<string, Import[]>> {
  const imports = new Map<string, Import[]>();
  for (const [file, text] of await readProgramModules()) {
    const code = text.replace(/\/\*\*[\s\S]*?\*\//g, "");
    imports.set(
      file,
      [...code.matchAll(specifiers)].flatMap(([, from, bare, later, started]) => {
        const specifier = from ?? bare ?? later ?? started ?? "";
        const local = specifier.startsWith(".") ? normalize(join(dirname(file), specifier)) : packages.get(specifier);
        return local === undefined || local === "deno.json"
          ? []
          : [{ imported: local, isLater: later !== undefined, isStart: started !== undefined }];
      }),
    );
  }
  return imports;
}

const roomOf = (file: string) => file.split("/")[0] ?? file;
const imports = await readImports();

const architecture = await Deno.readTextFile(join(root, "ARCHITECTURE.md"));
const rooms = Array.from(architecture.matchAll(/^\| `([\w.-]+)\/?` +\|[^|]*\|$/gm), ([, room]) => room ?? "");
const publicDoors = ["mod.ts", "formats/mod.ts", "deno-fuse-ffi/mod.ts"];
/** Doors that are imported as a whole. */
const wholeDoors = ["protocol/rows.ts", "questions/answer_types.ts", "questions/table.ts"];
/** Each engine is its own door. */
const isEngine = (file: string) => /^engines\/\w+\.ts$/.test(file);
const innerDoors = [
  ...rooms.map((room) => `${room}/mod.ts`).filter((door) => !publicDoors.includes(door)),
  "formats/parts.ts",
];

Deno.test("a room imports only rooms above it in the table of ARCHITECTURE.md", () => {
  assertEquals([...new Set([...imports.keys()].map(roomOf))].filter((room) => !rooms.includes(room)), []);
  // With docs, tests and tools the list stays short enough to be read at a glance.
  assert(rooms.length <= 16, "what is new belongs into one of the rooms");
  const forbidden = [...imports].flatMap(([file, targets]) =>
    targets.filter(({ imported }) => rooms.indexOf(roomOf(imported)) > rooms.indexOf(roomOf(file)))
      .map(({ imported }) => `${file} imports ${imported}`)
  );
  assertEquals(forbidden, []);
});

Deno.test("a room imports other rooms through their doors, which name no more than is used", async () => {
  const doors = new Set([...publicDoors, ...wholeDoors, ...innerDoors]);
  const past = [...imports].flatMap(([file, targets]) =>
    targets.filter(({ imported, isLater, isStart }) =>
      !isLater && !isStart && roomOf(imported) !== roomOf(file) && !doors.has(imported) && !isEngine(imported)
    ).map(({ imported }) => `${file} imports ${imported}`)
  );
  assertEquals(past, []);
  const modules = await readProgramModules();
  const used = new Set<string>();
  for (const [file, text] of modules) {
    for (
      const [, names = "", specifier = ""] of text.matchAll(
        /^(?:import|export) (?:type )?\{([^}]*)\} from "(\.[^"]+)"/gm,
      )
    ) {
      const door = normalize(join(dirname(file), specifier));
      if (roomOf(door) === roomOf(file)) continue;
      for (const name of names.split(",")) {
        used.add(`${door} ${name.trim().replace(/^type /, "").replace(/ as .*/, "")}`);
      }
    }
  }
  const unused = innerDoors.flatMap((door) =>
    Array.from(
      (modules.get(door) ?? "").matchAll(/^export (?:type )?\{([^}]*)\}/gm),
      ([, names = ""]) => names.split(","),
    )
      .flat().map((name) => name.trim().replace(/^type /, "").replace(/.* as /, ""))
      .filter((name) => name !== "" && !used.has(`${door} ${name}`)).map((name) => `${door} names ${name}`)
  );
  assertEquals(unused, []);
});

/** Returns a cycle of arrows that can be reached from `start`, if one exists. */
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
    // A door re-exports only modules of its own room.
    if (basename(file) === "mod.ts") continue;
    for (const { imported, isStart } of targets) {
      if (dirname(file) !== dirname(imported) && !isStart) arrows.add(`${dirname(file)} ${dirname(imported)}`);
    }
  }
  assert(arrows.size > 20);
  assertEquals([...arrows].filter((arrow) => arrows.has(arrow.split(" ").reverse().join(" "))), []);
});
