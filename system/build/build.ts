/**
 * Builds a program or worker: its modules in few files, which Deno loads in a fraction of the time.
 *
 * The first file of a program holds the modules that its entry imports. Dynamically imported modules are in further
 * files, each with the modules that no earlier one has, so that a start reads only one file. A worker is one file.
 * Interfaces of rooms (`mod.ts`) export far more modules than a program uses: unused ones are not read (`lazyBarrel`).
 * The bundler first determines the remaining modules; then these are assigned to files.
 * @module
 */
import { dirname, join } from "@std/path";
import { type OutputChunk, type OutputOptions, type Plugin, rolldown } from "rolldown";
import { isTooNew, stampOf } from "./start.ts";

/** A tree of modules. */
export interface Tree {
  /** Path of its directory. */
  readonly root: string;
  /** Paths below `root` of the modules for names of packages; other packages remain imports. */
  readonly packages: ReadonlyMap<string, string>;
}

/** A built program or worker. */
export interface Built {
  /** The code of each file by name; the first file is {@linkcode builtName}. */
  readonly files: ReadonlyMap<string, string>;
  /** Timestamps of the modules that a start loads, from before they were read. */
  readonly atStart: readonly string[];
  /** Timestamps of the other modules. */
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
  /** Imported modules of each module. */
  readonly imports = new Map<string, readonly string[]>();
  /** Workers started by each module. */
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
        // Checked outside this thread, for each of about ten thousand imports.
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
    // A release, which has no modules, has nothing to check.
    if (this.#looksLater) {
      code = code.replaceAll(laterImport, "Promise.resolve(globalThis.pakfsLooksLater?.()).then(() => import($1)");
    }
    return path === this.#entry ? code : code.replaceAll("import.meta.main", "false");
  }
}

/** Returns the file number of each used module of a program: file 0 is loaded at the start. */
function filesOfModules(entry: string, used: readonly OutputChunk[]): ReadonlyMap<string, number> {
  const chunks = new Map(used.map((chunk) => [chunk.fileName, chunk]));
  const files = new Map<string, number>();
  const entries = used.filter(({ facadeModuleId }) => facadeModuleId === entry).map(({ fileName }) => fileName);
  const seen = new Set<string>();
  // The list grows meanwhile.
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

/** All non-ASCII characters are escaped: V8 stores other strings in twice the memory, and reads them slowly. */
function ascii(code: string): string {
  return code.replaceAll(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** Hides imports from Deno, which would otherwise read each file with a literal import address at the start. */
function readWhenRun(code: string): string {
  return code.replaceAll(builtImport, "import(String($1))");
}

/** Options for building a program or worker. */
export interface BuildOptions {
  /** Whether dynamically imported modules are in further files. */
  readonly splits: boolean;
  /** Whether dynamically imported modules are checked only when the first of them is loaded (`start.ts`). */
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
