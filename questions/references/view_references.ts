/**
 * References of the files of a view, resolved as its engine would: the table of readers finds names, which the engine's
 * paths and the view resolve.
 * @module
 */
import type { ReferenceKind } from "../../engines/mod.ts";
import { append, ArchiveError } from "../../formats/parts.ts";
import { at, none } from "../../index/mod.ts";
import { MissingPathError } from "../files.ts";
import { onceForEachName } from "../filters.ts";
import { sourceNames, sourcesNamed } from "../named_sources.ts";
import { QuestionError } from "../question.ts";
import type {
  FollowedRow,
  LackRow,
  MissingRow,
  NeedKind,
  NeedWalk,
  ProviderRow,
  Reading,
  ReferrerRow,
  UnfollowedRow,
  UnusedFiles,
  UserRow,
  ViewReferences,
} from "../reference_rows.ts";
import { entryDamage, mapBeside, sideFileReason, type View } from "../../views/mod.ts";
import type { ShaderIndex } from "../shaders/shader_index.ts";
import type { KnownDefinition } from "../shaders/shader_rules.ts";
import { MediaError } from "../../media/mod.ts";
import { ArenaFiles } from "./arena_files.ts";
import { Doom3Declarations } from "./doom3_declarations.ts";
import { DoomDeclarations } from "./doom_declarations.ts";
import { EnginePaths, textureOr } from "./engine_paths.ts";
import { filesAfter } from "../find.ts";
import { LibrarySearch } from "./library_search.ts";
import { maxNamingFile, NamedFiles } from "./named_files.ts";
import { readerOf, readReferences } from "./readers.ts";
import { extensionOf, withoutExtension } from "../shaders/engine_images.ts";
import { needed, type Reference } from "./reference.ts";
import { ShaderReferences } from "./shader_references.ts";
import {
  definedKind,
  type FileThing,
  nameOf,
  needKindOf,
  Pacer,
  type ReadResult,
  type ReferenceResolver,
  type ShaderThing,
  type Thing,
} from "./thing.ts";
import { isFollowed, namingFiles, UnusedSearch } from "./unused_search.ts";
import { isOfBaseGame, Walk } from "./walk.ts";

/** Maximum cached references with resolved files; the oldest are evicted first. */
const maxKept = 200_000;
/** Maximum cached walks, so that their next pages cost little. */
const maxWalks = 4;
/** Maximum paths in a row. */
const maxTried = 8;

/** Types of the declarations that users can name. */
const namedTypes = ["texture", "actor", "entitydef", "model", "sound", "sequence", "skin", "particle"] as const;

/** A file or shader, and the shaders through which others refer to it. */
interface Target {
  readonly name: string;
  readonly key: string;
  /** Keys of shaders. */
  readonly shaders: ReadonlySet<string>;
}

/** References of the files of one view. */
class ReferencesOfView implements ViewReferences, ReferenceResolver {
  readonly view: View;
  readonly paths: EnginePaths;
  readonly #shaders: ShaderIndex;
  readonly #shaderReferences: ShaderReferences;
  readonly #arenas: ArenaFiles;
  readonly #kept = new Map<number, ReadResult>();
  #keptCount = 0;
  #declarations: Doom3Declarations | DoomDeclarations | undefined;
  #doom: DoomDeclarations | undefined;
  readonly #walks = new Map<string, Walk>();
  readonly #searches = new Map<string, UnusedSearch>();
  #namedFiles: NamedFiles | undefined;
  #files: Uint32Array | undefined;
  #definitions: readonly KnownDefinition[] | undefined;
  #target: Target | undefined;

  constructor(shaders: ShaderIndex) {
    this.view = shaders.view;
    this.#shaders = shaders;
    this.paths = new EnginePaths(shaders);
    this.#shaderReferences = new ShaderReferences(shaders);
    this.#arenas = new ArenaFiles(this.view);
  }

  /** Reads the data that determine the number of referrers. */
  async prepare(reading: Reading): Promise<void> {
    const { family } = this.paths;
    if (family === "doom3") this.#declarations ??= await Doom3Declarations.read(this.#shaders, reading);
    if (family === "doom" && !this.#doom) {
      const read = await DoomDeclarations.read(this.view, reading);
      // Requests may read them concurrently; the results of one reading belong together.
      this.#declarations = this.#doom ??= read;
    }
  }

  get referrerCount(): number {
    return this.#referrers().length + this.#winners().length;
  }

  walk(names: readonly string[]): NeedWalk {
    const key = JSON.stringify(names);
    const walk = this.#walks.get(key) ?? new Walk(this, names.flatMap((name) => this.#roots(name)));
    remember(this.#walks, key, walk);
    return walk;
  }

  async providers(names: readonly string[], library: readonly string[], reading: Reading): Promise<ProviderRow[]> {
    const files = names.length > 0 ? names : [this.view.gameDirectory.name];
    const search = new LibrarySearch(this, files.flatMap((name) => this.#roots(name)), reading);
    return await search.rows(library, this.#shaders.rules.dialect);
  }

  unused(maps: readonly string[], source: string | undefined): UnusedFiles {
    const key = JSON.stringify([maps, source]);
    const search = this.#searches.get(key) ?? this.#searchFor(maps, source);
    remember(this.#searches, key, search);
    return search;
  }

  /** @throws {QuestionError} if the engine's maps are not followed: all files would be unused. */
  #searchFor(maps: readonly string[], name: string | undefined): UnusedSearch {
    const [unread] = this.#unreadMaps();
    if (unread) {
      const why = `${unread.reason} (${unread.name})`;
      throw new QuestionError("invalid", `files of ${this.view.name} that are unused are unknown: ${why}`, {
        errno: "ENOTSUP",
      });
    }
    const { view, paths: { family } } = this;
    const own = view.searchPath.filter((source) =>
      source.gameDirectory === view.gameDirectory.name && !isOfBaseGame(view.game, source)
    );
    const sources = name === undefined ? new Set(own.map(({ id }) => id)) : sourcesNamed(view, name);
    const isMap = (thing: FileThing | ShaderThing): thing is FileThing =>
      thing.type === "file" &&
      (this.#doom
        ? this.kindOfFile(thing) === "map" && !thing.qpath.startsWith("maps/") || /\.wad$/i.test(thing.qpath)
        : extensionOf(thing.qpath) === (family === "doom3" ? "map" : "bsp"));
    const all = Array.from(this.#referrers(), (_, index) => this.#referrer(index)).filter(isMap);
    const ownMaps = all.filter(({ entry }) => sources.has(view.snapshot.sourceOf(entry).id));
    const played = maps.length > 0 ? maps.flatMap((map) => this.#roots(map)) : ownMaps.length > 0 ? ownMaps : all;
    const chosen = this.#named.ofEngine(family).map((reference) => this.resolve(reference))
      .filter((thing) => thing.type === "file");
    // Other definitions in Doom's lumps count: engines refuse a TEXTURE1 without the patches of all its textures.
    const naming = this.#doom
      ? Array.from({ length: this.referrerCount }, (_, index) => this.#referrer(index))
        .filter((thing) =>
          thing.type === "shader"
            ? !this.#doom?.isOnlyNamed(thing.definition)
            : this.kindOfFile(thing) === "file" && !isFollowed(thing.qpath, family)
        )
      : namingFiles(this, family);
    const walk = new Walk(this, [...played, ...naming, ...chosen], true);
    return new UnusedSearch(this, family, walk, sources);
  }

  async user(index: number, name: string, reading: Reading): Promise<UserRow | undefined> {
    const target = await this.#targetOf(name, reading);
    const thing = this.#referrer(index);
    if (thing.key === target.key) return undefined;
    const { references, problem } = await this.read(thing, reading);
    let through: { why: string; shader: string } | undefined;
    for (const reference of references) {
      const found = this.resolve(reference);
      if (found.key === target.key) {
        return { ...this.#referrerRow(thing), why: reference.why, through: null, problem: null };
      }
      if (found.type === "shader" && target.shaders.has(found.key)) {
        through ??= { why: reference.why, shader: found.definition.definition.name };
      }
    }
    if (!through) {
      return problem === null ? undefined : { ...this.#referrerRow(thing), why: "", through: null, problem };
    }
    return { ...this.#referrerRow(thing), why: through.why, through: through.shader, problem: null };
  }

  async lacking(
    index: number,
    sources: ReadonlySet<number> | undefined,
    reading: Reading,
  ): Promise<MissingRow | undefined> {
    const thing = this.#referrer(index);
    if (sources && !sources.has(this.view.snapshot.sourceOf(thing.entry).id)) return undefined;
    const { references, problem } = await this.read(thing, reading);
    const missing = new Map<string, LackRow>();
    for (const reference of references) {
      const { kind, why, isOptional } = reference;
      if (isOptional) continue;
      const found = this.resolve(reference);
      if (found.type !== "missing" || missing.has(found.key)) continue;
      missing.set(found.key, { kind: needKindOf(kind), name: found.name, why, tried: [...found.tried] });
    }
    if (missing.size === 0 && problem === null) return undefined;
    return { ...this.#referrerRow(thing), missing: [...missing.values()], problem };
  }

  unfollowed(names: readonly string[]): readonly UnfollowedRow[] {
    const unread = this.#unreadMaps();
    const requested = this.#doom ? [] : names.flatMap((name) => this.fileAt(name) ?? [])
      .filter(({ qpath }) => !isFollowed(qpath, this.paths.family))
      .map(({ entry, qpath }) => this.#unfollowedFile(entry, qpath));
    const others = requested.filter(({ reason }) => !unread.some((row) => row.reason === reason));
    return [...this.#doom?.unfollowed() ?? [], ...unread, ...others];
  }

  #unfollowedFile(entry: number, qpath: string): UnfollowedRow {
    const reason = `references in .${extensionOf(qpath)} files are not followed`;
    return { name: qpath, source: this.view.snapshot.sourceOf(entry).path, reason };
  }

  /** Returns the first file of each kind whose references are not read for the engine. */
  #unreadMaps(): UnfollowedRow[] {
    const { tree, game } = this.view;
    const wanted = new Set(game.profile.unreadMaps);
    const found: UnfollowedRow[] = [];
    for (const node of wanted.size === 0 ? [] : filesAfter(tree, 0)) {
      const entry = node === none ? none : at(tree.entries, node);
      const ending = entry === none ? "" : `.${extensionOf(tree.nameOf(node))}`;
      if (!wanted.delete(ending)) continue;
      found.push(this.#unfollowedFile(entry, tree.pathOf(node)));
      if (wanted.size === 0) break;
    }
    return found;
  }

  async followed(index: number, reading: Reading): Promise<FollowedRow> {
    const thing = this.#referrer(index);
    const { references, problem } = await this.read(thing, reading);
    const rows = references.map((reference) => {
      const { kind, names: [name], why, isOptional } = reference;
      const found = this.resolve(reference);
      const answer = found.type === "missing"
        ? null
        : found.type === "file"
        ? found.qpath
        : found.definition.file.qpath;
      return { kind: needKindOf(kind), name, why, optional: isOptional, answer };
    });
    return { ...this.#referrerRow(thing), references: rows, problem };
  }

  /** Resolves a reference. */
  resolve({ kind: referenceKind, names }: Reference): Thing {
    const kind = textureOr(referenceKind);
    const tried: string[] = [];
    for (const name of names) {
      const defined = kind === "texture"
        ? this.#shaderNamed(name)
        : kind === "definition"
        ? this.#definitionNamed(name)
        : undefined;
      if (defined) return defined;
      const paths = this.paths.of(kind, name);
      for (const path of paths) {
        const file = this.fileAt(path);
        if (file && !(kind === "side" && this.#isFromBelow(file))) return file;
        if (tried.length < maxTried) tried.push(path);
      }
      const composed = this.#composedAs(kind, paths);
      if (composed) return composed;
    }
    const [name] = names;
    return { type: "missing", key: `missing ${kind} ${name.toLowerCase()}`, name, tried };
  }

  /** Returns whether the engine ignores a file next to a map because it is from a lower game directory. */
  #isFromBelow({ qpath, entry }: FileThing): boolean {
    const map = mapBeside(this.view, qpath);
    const loaded = map === null ? undefined : this.fileAt(map);
    if (map === null || !loaded) return false;
    const directoryOf = (file: number) => this.view.snapshot.sourceOf(file).gameDirectory;
    return sideFileReason(this.view, directoryOf(entry), map, directoryOf(loaded.entry)) !== null;
  }

  /** Returns the file of a path; undefined if it is missing. */
  fileAt(path: string): FileThing | undefined {
    const { tree } = this.view;
    const node = tree.find(path);
    const entry = node === none ? none : at(tree.entries, node);
    if (entry === none) return undefined;
    return { type: "file", key: `file ${entry}`, entry, qpath: tree.isVariant(node) ? path : tree.pathOf(node) };
  }

  /** Reads the references of a file or shader. */
  async read(thing: FileThing | ShaderThing, reading: Reading): Promise<ReadResult> {
    if (thing.type === "shader") {
      return this.#doom
        ? { references: this.#doom.referencesOf(thing.definition), problem: null }
        : await this.#shaderReferences.of(thing.definition, reading);
    }
    const known = this.#kept.get(thing.entry);
    if (known) return known;
    const result = await this.#readFile(thing, reading);
    await reading.pause();
    this.#keep(thing.entry, result);
    return result;
  }

  async readWidely(thing: FileThing | ShaderThing, reading: Reading): Promise<ReadResult> {
    const isKnown = thing.type === "shader" || this.#doom !== undefined || isFollowed(thing.qpath, this.paths.family);
    if (isKnown) return await this.read(thing, reading);
    const size = at(this.view.snapshot.columns.entrySizes, thing.entry);
    if (size > maxNamingFile) {
      return { references: [], problem: `it has ${size} bytes; up to ${maxNamingFile} are searched for names` };
    }
    try {
      const references = this.#named.of(await reading.read(thing.entry, 0, size));
      await reading.pause();
      return { references, problem: null };
    } catch (error) {
      if (error instanceof MediaError || error instanceof ArchiveError) {
        return { references: [], problem: error.message };
      }
      throw error;
    }
  }

  get #named(): NamedFiles {
    return this.#namedFiles ??= new NamedFiles(this, this.#winners().map(({ definition }) => definition.name));
  }

  /** Returns the kind of a requested file. */
  kindOfFile({ qpath }: FileThing): NeedKind {
    if (this.#doom?.mapNamed(qpath) !== undefined) return "map";
    return readerOf(qpath, this.paths.family)?.kind ?? "file";
  }

  #keep(entry: number, result: ReadResult): void {
    if (this.#kept.has(entry)) return;
    this.#kept.set(entry, result);
    this.#keptCount += result.references.length + 1;
    for (const [oldest, { references }] of this.#kept) {
      if (this.#keptCount <= maxKept) break;
      this.#kept.delete(oldest);
      this.#keptCount -= references.length + 1;
    }
  }

  async #readFile({ entry, qpath }: FileThing, reading: Reading): Promise<ReadResult> {
    const { family } = this.paths;
    const own = this.#doom?.fileReferences(entry, qpath);
    if (own) return { references: own, problem: this.#doom?.problemOf(entry) ?? null };
    const reader = readerOf(qpath, family);
    if (!reader) return { references: [], problem: entryDamage(this.view, entry) };
    const size = at(this.view.snapshot.columns.entrySizes, entry);
    if (size > reader.maxBytes) {
      return { references: [], problem: `it has ${size} bytes; up to ${reader.maxBytes} are read` };
    }
    try {
      const bytes = await reading.read(entry, 0, size);
      const file = { qpath, family, hasQuake3Classes: this.paths.hasQuake3Classes };
      const isHexenMap = family === "doom" && this.fileAt(qpath.replace(/[^/]*$/, "BEHAVIOR")) !== undefined;
      const references = readReferences(reader, bytes, { ...file, isHexenMap })
        .filter(({ kind }) => this.paths.follows(kind));
      if (this.#doom) return { references: this.#withMap(references, qpath, this.#doom), problem: null };
      if (family !== "quake3") return { references, problem: null };
      const skins = reader.kind === "model" ? this.#skinsOf(qpath) : [];
      // The shaders of a skin file replace those in the model.
      const kept = skins.length > 0 ? references.filter(({ kind }) => kind !== "surface") : references;
      const arenas = reader.kind === "map" ? await this.#arenas.of(qpath, reading) : [];
      return { references: [...kept, ...skins, ...arenas], problem: null };
    } catch (error) {
      if (error instanceof MediaError || error instanceof ArchiveError) {
        return { references: [], problem: error.message };
      }
      throw error;
    }
  }

  /** Returns the skin files of a model of Quake III: `upper_NAME.skin` next to `upper.md3`. */
  #skinsOf(qpath: string): Reference[] {
    const { tree } = this.view;
    const slash = qpath.lastIndexOf("/") + 1;
    const directory = tree.find(qpath.slice(0, slash));
    if (directory === none || !tree.isDirectory(directory)) return [];
    const start = `${withoutExtension(qpath.slice(slash)).replace(/_\d$/, "")}_`;
    const ascii = /^\p{ASCII}*/u.exec(start)?.[0] ?? "";
    const children = tree.childrenBeginning(directory, new TextEncoder().encode(ascii));
    return Array.from(children, (child) => tree.nameOf(child))
      .filter((name) => name.toLowerCase().startsWith(start.toLowerCase()) && /\.skin$/i.test(name))
      .map((name) => needed("file", qpath.slice(0, slash) + name, "skin"));
  }

  /** Expands references, and adds sky and music to those of a map in a separate WAD. */
  #withMap(references: readonly Reference[], qpath: string, doom: DoomDeclarations): Reference[] {
    const name = /^maps\/([^/]+)\.wad$/i.exec(qpath)?.[1]?.toUpperCase();
    const settings = name === undefined ? [] : doom.settingsOf(name);
    return [...references.flatMap((reference) => doom.expanded(reference)), ...settings];
  }

  /** Returns the composed texture that GZDoom shows as a floor, patch or sprite without a file. */
  #composedAs(kind: ReferenceKind, paths: readonly string[]): ShaderThing | undefined {
    const isPicture = kind === "texture" || kind === "image";
    if (!isPicture || this.view.game.profile.loadList?.lumps !== "gzdoom") return undefined;
    return paths.map((path) => this.#definitionNamed(`texture ${path.slice(path.lastIndexOf("/") + 1)}`))
      .find((found) => found !== undefined);
  }

  #shaderNamed(name: string): ShaderThing | undefined {
    const { family } = this.paths;
    if (family === "doom") return this.#definitionNamed(`texture ${name}`);
    if (family !== "quake3" && family !== "doom3") return undefined;
    const definition = this.#shaders.winner(name);
    if (!definition) return undefined;
    // An engine that ranks all files may prefer an image.
    if (this.#shaders.rules.dialect.reading === "ranked" && this.#shaders.answer(name).answers === "image") {
      return undefined;
    }
    return shaderThing(definition);
  }

  /** Returns a declaration by type and name: `sound NAME`. */
  #definitionNamed(typed: string): ShaderThing | undefined {
    const blank = typed.indexOf(" ");
    const definition = this.#declarations?.winner(typed.slice(0, blank), typed.slice(blank + 1));
    return definition && shaderThing(definition);
  }

  /** Returns a declaration by its name alone. */
  #declarationNamed(name: string): ShaderThing | undefined {
    return namedTypes.map((type) => this.#definitionNamed(`${type} ${name}`)).find((found) => found !== undefined);
  }

  /** Resolves a name from the user. */
  #roots(name: string): (FileThing | ShaderThing)[] {
    if (this.#doom) {
      const map = /^(?:maps\/)?([^/]+?)\/?$/i.exec(name)?.[1] ?? name;
      const marker = [map, `lumps/${map}`].find((path) =>
        this.#doom?.mapNamed(path) !== undefined && this.fileAt(path)
      );
      const file = [marker ?? `maps/${map}.wad`, name].map((path) => this.fileAt(path)).find((found) =>
        found !== undefined
      );
      if (file) return [file];
    }
    const file = [name, `maps/${name}.bsp`, `maps/${name}`, `maps/${name}.map`].map((path) => this.fileAt(path))
      .find((found) => found !== undefined);
    if (file) return [file];
    const shader = this.#shaderNamed(name);
    if (shader) return [shader];
    const { tree } = this.view;
    const directory = tree.find(name);
    if (directory !== none && directory !== 0) {
      const path = `${tree.pathOf(directory)}/`;
      const below = Array.from(this.#referrers(), (_, index) => this.#referrer(index))
        .filter((thing) => thing.type === "file" && thing.qpath.startsWith(path));
      if (below.length > 0) return below;
    }
    const declared = this.#declarationNamed(name);
    return declared ? [declared] : this.#ofSource(name);
  }

  /** Returns the maps, models, shaders and declarations of a pack or game directory. */
  #ofSource(name: string): (FileThing | ShaderThing)[] {
    let sources: ReadonlySet<number>;
    try {
      sources = sourcesNamed(this.view, name);
    } catch (error) {
      const isUnknown = error instanceof QuestionError && error.data?.path !== undefined;
      throw isUnknown || /[./]/.test(name) ? this.#missing(name) : error;
    }
    return Array.from({ length: this.referrerCount }, (_, index) => this.#referrer(index))
      .filter(({ entry }) => sources.has(this.view.snapshot.sourceOf(entry).id));
  }

  #missing(name: string): QuestionError {
    const { tree } = this.view;
    const node = tree.find(name);
    if (node !== none && tree.isDirectory(node)) {
      return new QuestionError("notFound", `nothing below ${name} in ${this.view.name} refers to other files`);
    }
    return new MissingPathError(this.view, name, () => {
      const referrers = Array.from({ length: this.referrerCount }, (_, index) => nameOf(this.#referrer(index)));
      return [...referrers, ...sourceNames(this.view)];
    });
  }

  #referrer(index: number): FileThing | ShaderThing {
    const files = this.#referrers();
    if (index >= files.length) {
      const definition = this.#winners()[index - files.length];
      if (!definition) throw new RangeError(`no file or shader ${index} refers to others`);
      return shaderThing(definition);
    }
    const { tree } = this.view;
    const node = at(files, index);
    const entry = at(tree.entries, node);
    return { type: "file", key: `file ${entry}`, entry, qpath: tree.pathOf(node) };
  }

  #referrerRow(thing: FileThing | ShaderThing): ReferrerRow {
    const { view } = this;
    const { path, gameDirectory } = view.snapshot.sourceOf(thing.entry);
    const place = { view: view.name, source: path, gameDirectory };
    if (thing.type === "file") return { kind: this.kindOfFile(thing), name: thing.qpath, qpath: thing.qpath, ...place };
    const { definition, file } = thing.definition;
    return { kind: definedKind(thing), name: definition.name, qpath: file.qpath, ...place };
  }

  /** Returns the nodes of files that may refer to others. */
  #referrers(): Uint32Array {
    if (this.#files) return this.#files;
    const { tree, snapshot } = this.view;
    // A lump is identified by its full path.
    const isReferrer = this.#doom
      ? (node: number) => readerOf(snapshot.pathOf(node), "doom") !== undefined
      : onceForEachName(snapshot, (name) => readerOf(name, this.paths.family) !== undefined);
    const found: number[] = [];
    for (let node = 0; node < tree.length; node++) {
      if (at(tree.entries, node) !== none && isReferrer(at(tree.nodes, node))) found.push(node);
    }
    if (this.#doom) append(found, this.#doomReferrers(this.#doom, new Set(found)));
    this.#files = Uint32Array.from(found);
    return this.#files;
  }

  /** Returns the nodes of the lumps that open maps and of those with definitions, except some nodes. */
  #doomReferrers(doom: DoomDeclarations, without: ReadonlySet<number>): number[] {
    const { tree, snapshot } = this.view;
    const paths = doom.files().map((entry) => snapshot.pathOf(at(snapshot.columns.entryNodes, entry)));
    const nodes = [...doom.markers(), ...paths, ...doom.frames()].map((path) => tree.find(path));
    return [...new Set(nodes)].filter((node) => node !== none && at(tree.entries, node) !== none && !without.has(node));
  }

  /** Returns the definitions of shaders and the declarations that the engine uses. */
  #winners(): readonly KnownDefinition[] {
    this.#definitions ??= this.#shaders.rows().flatMap(({ name }) => this.#shaders.winner(name) ?? [])
      .filter(({ definition }) => definition.type === "shader" || definition.type === "material")
      .concat(this.#declarations?.winners() ?? []);
    return this.#definitions;
  }

  /** Returns the key of a file or shader, and the keys of the shaders that refer to it, also through others. */
  async #targetOf(name: string, reading: Reading): Promise<Target> {
    if (this.#target?.name === name) return this.#target;
    const thing = this.fileAt(name) ?? this.#shaderNamed(name) ?? this.#declarationNamed(name);
    if (!thing) throw this.#missing(name);
    const users = new Map<string, string[]>();
    const pacer = new Pacer(reading);
    // Shaders of Quake III refer only to files.
    for (const definition of thing.type === "file" || this.#declarations ? this.#winners() : []) {
      const shader = shaderThing(definition);
      // deno-lint-ignore no-await-in-loop -- shader files are read one after the other, each once
      const { references } = await this.read(shader, reading);
      for (const { key } of references.map((reference) => this.resolve(reference))) {
        users.getOrInsert(key, []).push(shader.key);
      }
      // deno-lint-ignore no-await-in-loop -- as above
      await pacer.step();
    }
    const shaders = new Set(users.get(thing.key));
    for (const key of shaders) for (const user of users.get(key) ?? []) shaders.add(user);
    this.#target = { name, key: thing.key, shaders };
    return this.#target;
  }
}

/** Marks a walk as the most recently used, and drops the least recently used. */
function remember<Walked>(kept: Map<string, Walked>, key: string, walk: Walked): void {
  kept.delete(key);
  kept.set(key, walk);
  const [oldest] = kept.keys();
  if (kept.size > maxWalks && oldest !== undefined) kept.delete(oldest);
}

function shaderThing(definition: KnownDefinition): ShaderThing {
  const { entry } = definition.file;
  return { type: "shader", key: `${definition.definition.type} ${definition.definition.name}`, entry, definition };
}

const known = new WeakMap<View, ReferencesOfView>();

/** Returns the references of the files of a view, cached as long as the view. */
export async function viewReferences(shaders: ShaderIndex, reading: Reading): Promise<ViewReferences> {
  const references = known.getOrInsertComputed(shaders.view, () => new ReferencesOfView(shaders));
  await references.prepare(reading);
  return references;
}
