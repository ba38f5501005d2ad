/**
 * Builds a program or worker: its modules in few files, which Deno loads in a fraction of the time.
 *
 * The first file of a program holds what its entry uses. What it loads later is in further files, each with the modules
 * that no earlier one has, so that a start reads one file whatever the program may load. A worker is one file. Doors of
 * rooms (`mod.ts`) name far more modules than a program uses: unused ones are not read (`lazyBarrel`), and the bundler
 * says first which of the others are left; then these are laid into files.
 * @module
 */
import { dirname, join } from "@std/path";
import { type OutputChunk, type OutputOptions, type Plugin, rolldown } from "rolldown";
import { isTooNew, stampOf } from "./start.ts";

/** A tree of modules. */
export interface Tree {
  /** Path of its directory. */
  readonly root: string;
  /** Paths below `root` of the modules that names of packages lead to; other packages stay imports. */
  readonly packages: ReadonlyMap<string, string>;
}

/** A program or worker that was built. */
export interface Built {
  /** The code of each file by its name; the first file is called {@linkcode builtName}. */
  readonly files: ReadonlyMap<string, string>;
  /** Stamps of the modules that a start loads, from before they were read. */
  readonly atStart: readonly string[];
  /** Stamps of the other modules. */
  readonly later: readonly string[];
  /** Paths of the workers that it starts. */
  readonly workers: ReadonlySet<string>;
}

const rootModule = "system/program_root.ts";
/** Files of a build are three directories below the program's. */
const builtRoot = 'export const programRoot = import.meta.dirname.split("/").slice(0, -3).join("/");';
const workerAddress = /new URL\(\s*"(\.[^"]+_worker)\.ts",\s*import\.meta\.url,?\s*\)/g;
const laterImport = /(?<!typeof )\bimport\(\s*("[^"]+")/g;
const builtImport = /\bimport\((`\.\/[^`]+`)\)/g;

/** Returns the name of the file that starts a program or worker. */
export function builtName(entry: string): string {
  return `${entry.replace(/\.ts$/, "").replaceAll("/", ".")}.js`;
}

/** Reads the modules of one program. */
class Modules {
  readonly stamps = new Map<string, string>();
  /** Modules that each imports. */
  readonly imports = new Map<string, readonly string[]>();
  /** Workers that each starts. */
  readonly workers = new Map<string, readonly string[]>();
  readonly #tree: Tree;
  readonly #entry: string;
  readonly #looksLater: boolean;

  constructor(tree: Tree, entry: string, looksLater: boolean) {
    this.#tree = tree;
    this.#entry = entry;
    this.#looksLater = looksLater;
  }

  get plugin(): Plugin {
    const { root, packages } = this.#tree;
    return {
      name: "pakfs",
      resolveId: {
        // Tried outside of this thread, for each of some ten thousand imports.
        filter: { id: /^[^./]/ },
        handler: (id) => {
          const path = packages.get(id);
          return path === undefined ? { id, external: true } : join(root, path);
        },
      },
      load: (id) => {
        const path = id.slice(root.length + 1);
        const text = this.#read(path);
        if (path.endsWith(".json")) return { code: text, moduleType: "json" };
        return { code: path === rootModule ? builtRoot : this.#adapted(path, text), moduleType: "ts" };
      },
      moduleParsed: ({ id, importedIds }) => void this.imports.set(id, importedIds),
    };
  }

  #read(path: string): string {
    const stamp = stampOf(this.#tree.root, path);
    if (isTooNew(stamp)) throw new Error(`${path}: not built: it was written just now; try again`);
    this.stamps.set(path, stamp);
    return Deno.readTextFileSync(join(this.#tree.root, path));
  }

  /** Returns the code of a module with the addresses that it has in a build. */
  #adapted(path: string, text: string): string {
    const workers: string[] = [];
    let code = text.replaceAll(workerAddress, (_, name: string) => {
      const worker = `${join(dirname(path), name)}.ts`;
      workers.push(worker);
      return `new URL("./${builtName(worker)}", import.meta.url)`;
    });
    this.workers.set(join(this.#tree.root, path), workers);
    // A release, whose modules are not there, has nothing to look at.
    if (this.#looksLater) {
      code = code.replaceAll(laterImport, "Promise.resolve(globalThis.pakfsLooksLater?.()).then(() => import($1)");
    }
    return path === this.#entry ? code : code.replaceAll("import.meta.main", "false");
  }
}

/** Returns for each used module of a program the number of the file that it is in: 0 is loaded at the start. */
function filesOfModules(entry: string, used: readonly OutputChunk[]): ReadonlyMap<string, number> {
  const chunks = new Map(used.map((chunk) => [chunk.fileName, chunk]));
  const files = new Map<string, number>();
  const entries = used.filter(({ facadeModuleId }) => facadeModuleId === entry).map(({ fileName }) => fileName);
  const seen = new Set<string>();
  // It grows meanwhile.
  for (const [file, first] of entries.entries()) {
    const add = (name: string): void => {
      const chunk = chunks.get(name);
      if (chunk === undefined || seen.has(name)) return;
      seen.add(name);
      for (const id of chunk.moduleIds) files.set(id, file);
      chunk.imports.forEach(add);
      entries.push(...chunk.dynamicImports);
    };
    add(first);
  }
  return files;
}

/** All that is not ASCII is escaped: V8 keeps a string of other characters in twice the memory, and reads it slowly. */
function ascii(code: string): string {
  return code.replaceAll(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** Deno reads each file whose import has a plain string as its address before it starts the first, used or not. */
function readWhenRun(code: string): string {
  return code.replaceAll(builtImport, "import(String($1))");
}

/** How a program or worker is built. */
export interface BuildOptions {
  /** Whether what it loads later is in further files. */
  readonly splits: boolean;
  /** Whether modules that are loaded later are looked at when the first of them is (`start.ts`). */
  readonly looksLater: boolean;
}

/**
 * Builds a program or worker.
 * @param entry Its path below the root of the tree.
 * @throws {Error} if a module was written within the last second, or cannot be read or parsed.
 */
export async function build(tree: Tree, entry: string, { splits, looksLater }: BuildOptions): Promise<Built> {
  const { root } = tree;
  const stem = builtName(entry).slice(0, -".js".length);
  const modules = new Modules(tree, entry, looksLater);
  await using bundle = await rolldown({
    input: { [stem]: join(root, entry) },
    platform: "neutral",
    plugins: [modules.plugin],
    preserveEntrySignatures: "allow-extension",
    treeshake: { moduleSideEffects: false },
    experimental: { lazyBarrel: true },
    tsconfig: false,
    onLog: () => {},
  });
  const chunksOf = async (options: OutputOptions) =>
    (await bundle.generate({ format: "esm", ...options })).output
      .filter((file): file is OutputChunk => file.type === "chunk");
  const laidOut = splits ? filesOfModules(join(root, entry), await chunksOf({ preserveModules: true })) : undefined;
  const chunks = await chunksOf({
    minify: true,
    entryFileNames: "[name].js",
    chunkFileNames: `${stem}.[name].js`,
    codeSplitting: laidOut !== undefined && {
      includeDependenciesRecursively: false,
      groups: [{ name: (id) => String(laidOut.get(id) ?? "helpers") }],
    },
  });
  const files = laidOut ?? new Map(chunks.flatMap(({ moduleIds }) => moduleIds).map((id) => [id, 0]));
  const looked = new Map(files);
  // A module that became empty may have re-exported names of others.
  for (const [id, file] of files) {
    for (const imported of modules.imports.get(id) ?? []) {
      if (!files.has(imported)) looked.set(imported, Math.min(file, looked.get(imported) ?? file));
    }
  }
  const stamps = (isLater: boolean) =>
    Array.from(looked).flatMap(([id, file]) =>
      (file > 0) === isLater ? modules.stamps.get(id.slice(root.length + 1)) ?? [] : []
    );
  return {
    files: new Map(chunks.map(({ fileName, code }) => [fileName, readWhenRun(ascii(code))])),
    atStart: stamps(false),
    later: stamps(true),
    workers: new Set(Array.from(files.keys()).flatMap((id) => modules.workers.get(id) ?? [])),
  };
}
