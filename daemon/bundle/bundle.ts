/**
 * Bundles: the modules of a program in few files, which Deno loads in a fraction of the time. A module is a function
 * that is called once, in the order in which Deno would evaluate it.
 * @module
 */
import { BundleError, bundleName, type Module, type ModuleReader } from "./modules.ts";

/** Returns a module and those that it imports, each after its own imports, without those in `known`. */
function inOrder(entry: string, reader: ModuleReader, known: ReadonlySet<string>): Module[] {
  const found = new Set(known);
  const open = new Set<string>();
  const order: Module[] = [];
  const visit = (path: string): void => {
    if (open.has(path)) throw new BundleError(`${path}: not bundled: it imports itself`);
    if (found.has(path)) return;
    open.add(path);
    const module = reader.read(path);
    module.imports.forEach(visit);
    open.delete(path);
    found.add(path);
    order.push(module);
  };
  visit(entry);
  return order;
}

/** Returns the modules of a program by file: those of its start, then those that each later import needs beside them. */
function modulesByFile(entry: string, reader: ModuleReader): readonly Module[][] {
  const known = new Set<string>();
  const files: Module[][] = [];
  const add = (wanted: string): void => {
    const modules = inOrder(wanted, reader, known);
    for (const { path } of modules) known.add(path);
    if (modules.length > 0) files.push(modules);
  };
  add(entry);
  // It grows meanwhile.
  for (const modules of files) modules.flatMap(({ laterImports }) => laterImports).forEach(add);
  return files;
}

/** All that is not ASCII is escaped: V8 keeps a text of other characters in twice the memory, and reads it slowly. */
function ascii(text: string): string {
  return text.replaceAll(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

const quoted = (value: unknown) => JSON.stringify(value);

/**
 * Returns the files of a program's bundle by their names. The first has the modules that the program needs at its start,
 * and exports what the program does.
 * @param root Address of the program's directory.
 * @param build Name of this build, which is part of all names.
 */
export function bundleOf(entry: string, reader: ModuleReader, root: URL, build: string): ReadonlyMap<string, string> {
  const [first = [], ...others] = modulesByFile(entry, reader);
  const stem = `${bundleName(entry)}.${build}`;
  const nameOf = (file: number) => `${stem}.${file}.mjs`;
  const made = ({ isAsync, code }: Module) =>
    `${isAsync ? "async " : ""}function ($of, $metaOf, $worker, $load) {\n${code}\n}`;
  const texts = [
    [
      "const $of = {};",
      "const $metaOf = (path) => {",
      `  const url = ${quoted(root.href)} + path;`,
      "  const filename = decodeURIComponent(new URL(url).pathname);",
      '  const dirname = filename.replace(/\\/[^/]*$/, "");',
      "  return { url, filename, dirname, main: false, resolve: (name) => import.meta.resolve(name) };",
      "};",
      "const $worker = (name, source) => {",
      `  const bundle = new URL(name + ${quoted(`.${build}.0.mjs`)}, import.meta.url);`,
      "  try { Deno.statSync(bundle); return bundle; } catch { return source; } // the program was updated meanwhile",
      "};",
      "const loading = {};",
      "const $load = (path) => loading[path] ??= $of[path] ? Promise.resolve($of[path]) : load(path);",
      `const paths = ${quoted(others.map((modules) => modules.map(({ path }) => path)))};`,
      "const load = async (path) => {",
      "  const file = 1 + paths.findIndex((list) => list.includes(path));",
      `  const { imports, make } = (await import(\`./${stem}.\${file}.mjs\`)).modules[path];`,
      "  for (const needed of imports) await $load(needed);",
      "  return $of[path] = await make(...parts);",
      "};",
      "const parts = [$of, $metaOf, $worker, $load];",
      ...first.map((module) =>
        `$of[${quoted(module.path)}] = ${module.isAsync ? "await " : ""}(${made(module)})(...parts);`
      ),
      `export const program = $of[${quoted(entry)}];`,
    ],
    ...others.map((modules) => [
      "export const modules = {",
      // V8 compiles a function in parentheses at once, and Deno keeps its code for the next start.
      ...modules.map((module) =>
        `${quoted(module.path)}: { imports: ${quoted(module.imports)}, make: (${made(module)}) },`
      ),
      "};",
    ]),
  ];
  return new Map(texts.map((lines, file) => [nameOf(file), ascii(lines.join("\n"))]));
}
