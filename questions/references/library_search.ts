/**
 * Searches archives that provide missing files of a view: a walk like that of `needs` over the view and archives
 * outside search paths, whose files may need further ones.
 * @module
 */
import { type Archive, ArchiveError, openArchive } from "../../formats/mod.ts";
import { archiveFormats, messageOf } from "../../formats/parts.ts";
import { isDoom3, type ShaderDialect } from "../../engines/mod.ts";
import { none } from "../../index/mod.ts";
import { MediaError } from "../../media/mod.ts";
import { readFileSystems } from "../../system/mod.ts";
import { QuestionError } from "../question.ts";
import type { ProviderRow, Reading } from "../reference_rows.ts";
import { scanDoom3Declarations } from "../shaders/doom3_scan.ts";
import { extensionOf, pathOfName, withoutExtension } from "../shaders/engine_images.ts";
import { scanQuake3Shaders } from "../shaders/quake3_shaders.ts";
import { type EnginePaths, textureOr } from "./engine_paths.ts";
import { readerOf, readReferences } from "./readers.ts";
import type { Reference } from "./reference.ts";
import { referencesIn } from "./shader_references.ts";
import type { FileThing, ReadResult, ReferenceResolver, ShaderThing, Thing } from "./thing.ts";
import { Walk } from "./walk.ts";

/** Maximum archives of a library, and maximum depth of directories. */
const maxArchives = 10_000;
const maxDepth = 8;
/** Maximum archives for which every set is tried; with more, a set is found greedily. */
const maxExact = 10;
/** Maximum bytes of a shader file. */
const maxShaderFile = 16 * 1024 * 1024;

/** References of a view, and the paths that its engine tries for names. */
export interface ViewResolver extends ReferenceResolver {
  readonly paths: EnginePaths;
}

/** An archive of the library, with its files by path and its shaders by name. */
class LibraryArchive {
  readonly path: string;
  size = 0;
  problem: string | null = null;
  readonly #foldsCase: boolean;
  readonly #files = new Map<string, string>();
  readonly #references = new Map<string, readonly Reference[]>();

  constructor(path: string, { view, paths }: ViewResolver, dialect: ShaderDialect) {
    this.path = path;
    this.#foldsCase = view.game.profile.ignoreCase;
    try {
      this.size = Deno.statSync(path).size;
      using archive = openArchive(path);
      for (const { qpath, size, damaged } of archive) {
        if (damaged !== undefined) continue;
        this.#files.set(this.#folded(qpath), qpath);
        const isShaders = /^(?:scripts\/[^/]*\.shader|materials\/[^/]*\.mtr)$/i.test(qpath) && size <= maxShaderFile;
        if (isShaders && (paths.family === "quake3" || paths.family === "doom3")) {
          this.#addShaders(archive, qpath, dialect);
        }
      }
    } catch (error) {
      if (!(error instanceof ArchiveError) && !(error instanceof Error && "code" in error)) throw error;
      this.problem = messageOf(error).replace(`${path}: `, "");
      this.#files.clear();
      this.#references.clear();
    }
  }

  #addShaders(archive: Archive, qpath: string, dialect: ShaderDialect): void {
    try {
      const content = archive.read(qpath);
      const { definitions } = isDoom3(dialect) ? scanDoom3Declarations(content) : scanQuake3Shaders(content);
      for (const { type, name, offset, end } of definitions) {
        const key = `shader ${name}`;
        if (this.#references.has(key)) continue;
        this.#references.set(key, referencesIn(type, content.subarray(offset, end)));
      }
    } catch (error) {
      if (!(error instanceof ArchiveError)) throw error;
      this.problem ??= error.message.replace(`${this.path}: `, "");
    }
  }

  #folded(path: string): string {
    return this.#foldsCase ? path.toLowerCase() : path;
  }

  /** Returns the item that resolves a reference: a path, or `shader NAME`; undefined if there is none. */
  answer({ kind, names }: Reference, paths: EnginePaths): string | undefined {
    for (const name of names) {
      const shader = `shader ${withoutExtension(pathOfName(name)).toLowerCase()}`;
      if (textureOr(kind) === "texture" && this.#references.has(shader)) return shader;
      const path = paths.of(kind, name).map((one) => this.#files.get(this.#folded(one))).find((one) =>
        one !== undefined
      );
      if (path !== undefined) return path;
    }
    return undefined;
  }

  /** Returns the references of an item. */
  referencesOf(answer: string, { paths }: ViewResolver): readonly Reference[] {
    return this.#references.getOrInsertComputed(answer, () => this.#read(answer, paths));
  }

  #read(qpath: string, paths: EnginePaths): readonly Reference[] {
    const { family, hasQuake3Classes } = paths;
    const reader = readerOf(qpath, family);
    if (!reader) return [];
    try {
      using archive = openArchive(this.path);
      if ((archive.find(qpath)?.size ?? 0) > reader.maxBytes) return [];
      return readReferences(reader, archive.read(qpath), { qpath, family, hasQuake3Classes })
        .filter(({ kind }) => paths.follows(kind));
    } catch (error) {
      if (!(error instanceof ArchiveError) && !(error instanceof MediaError)) throw error;
      this.problem ??= `${qpath}: ${error.message}`;
      return [];
    }
  }
}

/** Resolves references in a view, and then in some archives. */
class WithArchives implements ReferenceResolver {
  readonly #of: ViewResolver;
  readonly #archives: readonly LibraryArchive[];
  readonly #found = new Map<string, readonly Reference[]>();
  /** Unresolved references, by key. */
  readonly missing = new Map<string, Reference>();

  constructor(of: ViewResolver, archives: readonly LibraryArchive[]) {
    this.#of = of;
    this.#archives = archives;
  }

  get view() {
    return this.#of.view;
  }

  resolve(reference: Reference): Thing {
    const thing = this.#of.resolve(reference);
    if (thing.type !== "missing") return thing;
    for (const archive of this.#archives) {
      const answer = archive.answer(reference, this.#of.paths);
      if (answer === undefined) continue;
      const key = `${archive.path} ${answer}`;
      this.#found.set(key, archive.referencesOf(answer, this.#of));
      return { type: "file", key, entry: none, qpath: answer };
    }
    if (!reference.isOptional) this.missing.set(thing.key, reference);
    return thing;
  }

  async read(thing: FileThing | ShaderThing, reading: Reading): Promise<ReadResult> {
    const references = this.#found.get(thing.key);
    return references ? { references, problem: null } : await this.#of.read(thing, reading);
  }

  readWidely(thing: FileThing | ShaderThing, reading: Reading): Promise<ReadResult> {
    return this.read(thing, reading);
  }

  kindOfFile(file: FileThing) {
    return this.#of.kindOfFile(file);
  }
}

/**
 * Returns the archives at some paths: files, or files in directories that look like archives; and the reasons why
 * directories below cannot be read, by path.
 */
function archivePaths(library: readonly string[]): { paths: string[]; unreadable: ReadonlyMap<string, string> } {
  const systems = readFileSystems();
  const extensions = new Set(archiveFormats.flatMap((format) => [...format.extensions]));
  const found = new Set<string>();
  const unreadable = new Map<string, string>();
  const add = (path: string, depth: number, isNamed: boolean) => {
    const remote = systems.remoteOf(path);
    if (remote) throw new QuestionError("invalid", `${path}: on ${remote.type}, which may not answer; copy it`);
    let names: string[] | undefined;
    try {
      if (Deno.statSync(path).isDirectory) names = Array.from(Deno.readDirSync(path), ({ name }) => name);
    } catch (error) {
      if (isNamed) {
        throw new QuestionError(
          "notFound",
          `${path}: ${error instanceof Deno.errors.NotFound ? "not found" : messageOf(error)}`,
          { errno: "ENOENT", path },
        );
      }
      if (!(error instanceof Deno.errors.NotFound)) unreadable.set(path, messageOf(error));
      return;
    }
    if (!names) {
      if (isNamed || extensions.has(`.${extensionOf(path)}`)) found.add(path);
      if (found.size > maxArchives) throw new QuestionError("invalid", `more than ${maxArchives} archives`);
      return;
    }
    if (depth > maxDepth) return;
    for (const name of names.sort()) if (!name.startsWith(".")) add(`${path}/${name}`, depth + 1, false);
  };
  for (const path of library) add(path.replace(/(?<=.)\/+$/, ""), 0, true);
  return { paths: [...found], unreadable };
}

/** A walk's unresolved names, by key. */
type Missing = ReadonlyMap<string, Reference>;

/** Finds the archives that provide missing files of a view, and a smallest set of them. */
export class LibrarySearch {
  readonly #resolver: ViewResolver;
  readonly #roots: readonly (FileThing | ShaderThing)[];
  readonly #reading: Reading;

  constructor(resolver: ViewResolver, roots: readonly (FileThing | ShaderThing)[], reading: Reading) {
    this.#resolver = resolver;
    this.#roots = roots;
    this.#reading = reading;
  }

  /**
   * Returns a row per archive that provides something or cannot be read, and one for the items that none provides.
   * @throws {QuestionError} if a path of the library is not found, or may hang.
   */
  async rows(library: readonly string[], dialect: ShaderDialect): Promise<ProviderRow[]> {
    const archives: LibraryArchive[] = [];
    const { paths, unreadable } = archivePaths(library);
    for (const path of paths) {
      // deno-lint-ignore no-await-in-loop -- one archive after the other
      await this.#reading.pause();
      archives.push(new LibraryArchive(path, this.#resolver, dialect));
    }
    const lacking = new Map(await this.#missingWith([]));
    const provided = new Map<LibraryArchive, Set<string>>();
    // It grows meanwhile: items from an archive may need more.
    for (const [key, reference] of lacking) {
      for (const archive of archives) {
        const answer = archive.answer(reference, this.#resolver.paths);
        if (answer === undefined) continue;
        provided.set(archive, (provided.get(archive) ?? new Set()).add(key));
        if (reference.kind === "map") continue;
        for (const next of archive.referencesOf(answer, this.#resolver)) {
          if (next.isOptional || next.kind === "map") continue;
          const thing = this.#resolver.resolve(next);
          if (thing.type === "missing") lacking.set(thing.key, next);
        }
      }
      // deno-lint-ignore no-await-in-loop -- as above
      await this.#reading.pause();
    }
    const candidates = [...provided.keys()];
    const isProvidable = (key: string) => provided.values().some((keys) => keys.has(key));
    const first = [...(await this.#missingWith([])).keys()].filter(isProvidable);
    const isWhole = async (set: readonly LibraryArchive[]) =>
      first.every((key) => set.some((archive) => provided.get(archive)?.has(key))) &&
      !(await this.#missingWith(set)).keys().some(isProvidable);
    const isExact = candidates.length <= maxExact;
    const chosen = new Set(
      isExact ? await smallestOf(candidates, isWhole) : await this.#greedy(provided, isProvidable),
    );
    const nameOf = (key: string) => lacking.get(key)?.names[0] ?? key;
    const rows = archives.filter((archive) => provided.has(archive) || archive.problem !== null).map((archive) => ({
      source: archive.path,
      size: archive.size,
      provides: Array.from(provided.get(archive) ?? [], nameOf).sort(),
      chosen: chosen.has(archive),
      exact: isExact,
      problem: archive.problem,
    }));
    const nothing = { size: 0, provides: [], chosen: false, exact: isExact };
    for (const [source, problem] of unreadable) rows.push({ source, ...nothing, problem });
    const left = [...(await this.#missingWith([...chosen])).keys()].map(nameOf).sort();
    if (left.length === 0) return rows;
    return [...rows, { source: null, size: 0, provides: left, chosen: false, exact: isExact, problem: null }];
  }

  async #missingWith(archives: readonly LibraryArchive[]): Promise<Missing> {
    const resolver = new WithArchives(this.#resolver, archives);
    const walk = new Walk(resolver, this.#roots);
    await walk.advance(Number.POSITIVE_INFINITY, this.#reading);
    return resolver.missing;
  }

  /** Adds the archive that provides most until none provides more, then removes redundant archives. */
  async #greedy(
    provided: ReadonlyMap<LibraryArchive, ReadonlySet<string>>,
    isProvidable: (key: string) => boolean,
  ): Promise<LibraryArchive[]> {
    let chosen: LibraryArchive[] = [];
    const left = async (set: readonly LibraryArchive[]) =>
      [...(await this.#missingWith(set)).keys()].filter(isProvidable);
    for (let missing = await left([]); missing.length > 0;) {
      const gain = (archive: LibraryArchive) => missing.filter((key) => provided.get(archive)?.has(key)).length;
      const [best] = [...provided.keys()].filter((archive) => !chosen.includes(archive))
        .sort((a, b) => gain(b) - gain(a) || a.size - b.size);
      if (!best) break;
      chosen.push(best);
      // deno-lint-ignore no-await-in-loop -- each choice depends on the one before
      missing = await left(chosen);
    }
    for (const archive of [...chosen]) {
      const without = chosen.filter((one) => one !== archive);
      // deno-lint-ignore no-await-in-loop -- as above
      if ((await left(without)).length === 0) chosen = without;
    }
    return chosen;
  }
}

/** Returns the smallest set that passes a test; among equal sizes, the one with the fewest bytes. */
async function smallestOf(
  archives: readonly LibraryArchive[],
  passes: (set: readonly LibraryArchive[]) => Promise<boolean>,
): Promise<readonly LibraryArchive[]> {
  const bytesOf = (set: readonly LibraryArchive[]) => set.reduce((sum, { size }) => sum + size, 0);
  const sets = Array.from({ length: 2 ** archives.length }, (_, bits) => archives.filter((_, bit) => bits & (1 << bit)))
    .sort((a, b) => a.length - b.length || bytesOf(a) - bytesOf(b));
  // deno-lint-ignore no-await-in-loop -- the first that passes
  for (const set of sets) if (await passes(set)) return set;
  return archives;
}
