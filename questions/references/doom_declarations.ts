/**
 * Textures, classes, sounds and maps defined in a view's lumps for Doom's engines, and the names in them.
 *
 * GZDoom reads the lumps with a name in all files, and later ones override earlier ones; Boom's descendants do so for
 * `UMAPINFO`. GZDoom uses `TEXTURE1` and `PNAMES` of each WAD, the other engines only the last.
 * @module
 */
import { append, ArchiveError } from "../../formats/parts.ts";
import { type DoomGame, gzdoomSprite, iwadWith } from "../../engines/mod.ts";
import { at, none, type Source } from "../../index/mod.ts";
import { MediaError } from "../../media/mod.ts";
import type { View } from "../../views/mod.ts";
import type { Reading, UnfollowedRow } from "../reference_rows.ts";
import type { KnownDefinition } from "../shaders/shader_rules.ts";
import { type Actors, readActors } from "./doom_actors.ts";
import { type Animation, engineAnimations, readAnimated, readAnimDefs, readSwitches } from "./doom_animations.ts";
import { readDehacked, renamedKey } from "./doom_dehacked.ts";
import { flatFolder, mapLumps, thingType } from "./doom_map.ts";
import { type MapInfo, readMapInfo } from "./doom_map_info.ts";
import { actorName } from "./doom_names.ts";
import { readSoundInfo, readSoundSequences } from "./doom_sounds.ts";
import { type DoomDefinition, readTexture1, readTextures } from "./doom_textures.ts";
import { engineThings } from "./doom_things.ts";
import { needed, optional, type Reference } from "./reference.ts";

/** Maximum bytes of a file, and of all files of a view. */
const maxFile = 8 * 1024 * 1024;
const maxBytes = 64 * 1024 * 1024;
/** Maximum number of included files. */
const maxIncludes = 4096;
/** Maximum definitions of a view, and references in them. */
const maxDefinitions = 200_000;
const maxReferences = 1_000_000;
/** Maximum frames of an animation. */
const maxFrames = 1000;

/** A file that has the name of a lump. */
interface Copy {
  readonly entry: number;
  readonly qpath: string;
}

/** Sky and music of a map. */
interface MapSetting {
  readonly sky: string;
  readonly music: string | undefined;
}

/** Declarations of the lumps of one view. */
export class DoomDeclarations {
  readonly #view: View;
  readonly #known = new Map<string, KnownDefinition>();
  readonly #references = new Map<KnownDefinition, readonly Reference[]>();
  /** Further references by type and name, for items that are always shown together. */
  readonly #others = new Map<string, Reference[]>();
  readonly #onlyNamed = new Set<KnownDefinition>();
  readonly #files = new Map<number, readonly Reference[]>();
  readonly #problems = new Map<number, string>();
  readonly #maps = new Map<string, readonly Reference[]>();
  readonly #things = new Map<number, string>();
  readonly #replacing = new Set<string>();
  /** New names in `DEHACKED` for sprites, sounds and music of the engine. */
  readonly #renamed = new Map<string, string>();
  /** Names of the composed textures in the order of their lumps. */
  readonly #sequence: string[] = [];
  readonly #unfollowed = new Map<string, UnfollowedRow>();
  readonly #sprites: ReadonlyMap<string, ReadonlyMap<string, string>>;
  readonly game: DoomGame;
  #bytes = 0;
  #referenceCount = 0;

  private constructor(view: View) {
    this.#view = view;
    const { names, sprites } = namesOf(view);
    this.game = iwadWith(names)?.game ?? "doom";
    this.#sprites = sprites;
  }

  /** Reads the lumps of a view that contain definitions. */
  static async read(view: View, reading: Reading): Promise<DoomDeclarations> {
    const declarations = new DoomDeclarations(view);
    await declarations.#readAll(reading);
    return declarations;
  }

  get #lumps() {
    return this.#view.game.profile.loadList?.lumps;
  }

  /** Whether the text lumps of ZDoom are used: also if the engine is unknown. */
  get #readsZdoom(): boolean {
    return this.#lumps === undefined || this.#lumps === "gzdoom";
  }

  async #readAll(reading: Reading): Promise<void> {
    const isVanilla = this.#lumps === "vanilla";
    await this.#readTextures(reading);
    const each = async (name: string, read: (bytes: Uint8Array, copy: Copy) => readonly Reference[]) => {
      for (const copy of this.#copies(name)) {
        // deno-lint-ignore no-await-in-loop -- one file after the other, later ones over earlier ones
        await this.#readFile(copy, reading, (bytes) => read(bytes, copy));
      }
    };
    const animations: Animation[] = [...engineAnimations];
    const add = (read: (bytes: Uint8Array) => Animation[]) => (bytes: Uint8Array) => {
      append(animations, read(bytes));
      return [];
    };
    if (!isVanilla) {
      await each("ANIMATED", add(readAnimated));
      await each("SWITCHES", add(readSwitches));
    }
    await each("ANIMDEFS", add(readAnimDefs));
    for (const animation of animations) this.#animate(animation);
    await each("SNDINFO", (bytes, copy) => {
      const { definitions, music } = readSoundInfo(bytes);
      this.#define(definitions, copy);
      for (const [number, lump] of music) {
        const name = `MAP${String(number).padStart(2, "0")}`;
        this.#maps.set(name, [...this.#maps.get(name) ?? [], needed("music", lump, "music")]);
      }
      return [];
    });
    await each("SNDSEQ", (bytes, copy) => this.#define(readSoundSequences(bytes), copy));
    await this.#readMaps(reading);
    if (this.#readsZdoom) await this.#readActors(reading);
    await each("DEHACKED", (bytes, copy) => {
      const { renamed, references, hasNumbers } = readDehacked(bytes);
      if (hasNumbers) this.#remark(copy, "what DEHACKED changes by numbers is not followed");
      if (isVanilla) this.#remark(copy, "this engine reads DEHACKED only with -dehlump, which is not followed");
      for (const [key, name] of renamed) this.#renamed.set(key, name);
      return references;
    });
  }

  /** Reads `TEXTURE1`, `TEXTURE2`, `PNAMES` and `TEXTURES`. */
  async #readTextures(reading: Reading): Promise<void> {
    const last = (copies: readonly Copy[]) => this.#lumps === "gzdoom" ? copies : copies.slice(-1);
    const patches = this.#copies("PNAMES");
    for (const name of ["TEXTURE1", "TEXTURE2"]) {
      for (const copy of last(this.#copies(name))) {
        const names = this.#lumps === "gzdoom"
          ? patches.findLast((other) => this.#rankOf(other) <= this.#rankOf(copy))
          : patches.at(-1);
        // deno-lint-ignore no-await-in-loop -- later ones over earlier ones
        const found = names && await this.#content(names, reading);
        // deno-lint-ignore no-await-in-loop -- as above
        await this.#readFile(copy, reading, (bytes) => {
          const definitions = readTexture1(bytes, found);
          append(this.#sequence, definitions.map((definition) => definition.name.toUpperCase()));
          return this.#define(definitions, copy);
        });
      }
    }
    if (!this.#readsZdoom) return;
    for (const copy of this.#copies("TEXTURES")) {
      // deno-lint-ignore no-await-in-loop -- as above
      await this.#readFile(copy, reading, (bytes) => {
        const definitions = readTextures(bytes);
        append(this.#sequence, definitions.map(({ name }) => name.toUpperCase()));
        return this.#define(definitions, copy);
      });
    }
  }

  async #readMaps(reading: Reading): Promise<void> {
    // GZDoom ignores the others if a file has ZMAPINFO; here the keys of all are used.
    const names = this.#readsZdoom ? ["UMAPINFO", "MAPINFO", "ZMAPINFO"] : ["MAPINFO", "UMAPINFO"];
    const add = (info: MapInfo) => {
      for (const [name, references] of info.maps) {
        const known = (this.#maps.get(name) ?? []).filter(({ why }) => !references.some((one) => one.why === why));
        this.#maps.set(name, [...known, ...references]);
      }
      for (const [number, name] of info.things) this.#things.set(number, name);
      return info.game;
    };
    for (const name of names.flatMap((one) => this.#copies(one))) {
      // deno-lint-ignore no-await-in-loop -- later ones over earlier ones
      await this.#readWithIncludes(name, reading, (bytes) => {
        const info = readMapInfo(bytes);
        return { references: add(info), includes: info.includes };
      });
    }
  }

  async #readActors(reading: Reading): Promise<void> {
    for (const name of ["DECORATE", "ZSCRIPT"]) {
      for (const copy of this.#copies(name)) {
        const read = (bytes: Uint8Array, file: Copy) => {
          const actors: Actors = readActors(bytes);
          this.#define(actors.definitions, file);
          for (const [number, actor] of actors.things) this.#things.set(number, actor);
          for (const actor of actors.replacing) this.#replacing.add(actor);
          return { references: [], includes: actors.includes };
        };
        // deno-lint-ignore no-await-in-loop -- later ones over earlier ones
        await this.#readWithIncludes(copy, reading, read);
        if (name === "ZSCRIPT") this.#remark(copy, "what ZScript computes is not followed, only the names in it");
      }
    }
  }

  async #readWithIncludes(
    first: Copy,
    reading: Reading,
    read: (bytes: Uint8Array, file: Copy) => { references: readonly Reference[]; includes: readonly string[] },
  ): Promise<void> {
    const files = [first];
    const known = new Set([first.entry]);
    for (const file of files) {
      // deno-lint-ignore no-await-in-loop -- in the order in which they are included
      await this.#readFile(file, reading, (bytes) => {
        const { references, includes } = read(bytes, file);
        const found: Reference[] = [];
        for (const path of includes) {
          // A path relative to the including file, or a full one.
          const paths = [path, file.qpath.replace(/[^/]*$/, path)] as const;
          const copy = paths.map((one) => this.#copyAt(one)).find((one) => one !== undefined);
          found.push({ kind: "file", names: paths, why: "included file", isOptional: false });
          if (!copy || known.has(copy.entry) || files.length >= maxIncludes) continue;
          known.add(copy.entry);
          files.push(copy);
        }
        return [...references, ...found];
      });
    }
  }

  /** Reads a file and stores its references, or its read error. */
  async #readFile(copy: Copy, reading: Reading, read: (bytes: Uint8Array) => readonly Reference[]): Promise<void> {
    try {
      const bytes = await this.#content(copy, reading);
      this.#files.set(copy.entry, read(bytes));
    } catch (error) {
      if (!(error instanceof MediaError) && !(error instanceof ArchiveError)) throw error;
      this.#files.set(copy.entry, []);
      this.#problems.set(copy.entry, error.message);
    }
    await reading.pause();
  }

  async #content({ entry }: Copy, reading: Reading): Promise<Uint8Array> {
    const size = at(this.#view.snapshot.columns.entrySizes, entry);
    if (size > maxFile) throw new MediaError(`it has ${size} bytes; up to ${maxFile} are read`);
    if (this.#bytes + size > maxBytes) throw new MediaError(`the files before it have ${maxBytes} bytes already`);
    this.#bytes += size;
    return (await reading.read(entry, 0, size)).slice();
  }

  /** Stores definitions, which override those of earlier files; within a file the first of a name counts. */
  #define(definitions: readonly DoomDefinition[], { entry, qpath }: Copy): readonly Reference[] {
    const { snapshot } = this.#view;
    const file = {
      ...{ qpath, entry, source: snapshot.sourceOf(entry), member: snapshot.memberOf(entry), listIndex: 0 },
      ...{ winner: null, problem: null },
    };
    const own = new Set<string>();
    for (const { type, name, offset, line, references, isOnlyNamed } of definitions) {
      const key = keyOf(type, name);
      if (own.has(key)) continue;
      own.add(key);
      this.#referenceCount += references.length;
      if (this.#references.size >= maxDefinitions || this.#referenceCount > maxReferences) {
        throw new MediaError(`the files up to it have more than ${maxDefinitions} definitions`);
      }
      // Lumps have upper-case names.
      const shown = type === "texture" ? name.toUpperCase() : name.toLowerCase();
      const definition = { type, name: shown, start: offset, offset, end: offset, nameOffset: offset, line };
      const known: KnownDefinition = { definition, file, order: this.#known.size, reason: null };
      const before = this.#known.get(key);
      if (before) this.#references.delete(before);
      this.#known.set(key, known);
      this.#references.set(known, references);
      if (isOnlyNamed && !before && !this.#isInOtherSource(name, file.source)) this.#onlyNamed.add(known);
    }
    return [];
  }

  /** Returns whether a source other than this one has a wall or floor of a name. */
  #isInOtherSource(name: string, { id }: Source): boolean {
    return ["textures", "flats"].flatMap((folder) => this.#copiesAt(`${folder}/${name}`))
      .some(({ entry }) => this.#view.snapshot.sourceOf(entry).id !== id);
  }

  /** Returns whether nothing shows a definition but what names it: a wall or floor that replaces none. */
  isOnlyNamed(known: KnownDefinition): boolean {
    return this.#onlyNamed.has(known);
  }

  #remark({ entry, qpath }: Copy, reason: string): void {
    const { path } = this.#view.snapshot.sourceOf(entry);
    if (!this.#unfollowed.has(reason)) this.#unfollowed.set(reason, { name: qpath, source: path, reason });
  }

  /** Makes each frame of an animation refer to the next, and the last to the first. */
  #animate({ isFlat, frames, upTo, why }: Animation): void {
    const [first = ""] = frames;
    const all = upTo === undefined ? frames : this.#framesFrom(first.toUpperCase(), upTo, isFlat);
    if (all.length < 2) return;
    for (const [index, frame] of all.entries()) {
      const next = all[(index + 1) % all.length] ?? "";
      const reference = optional("texture", why, isFlat ? flatFolder + next : next);
      this.#others.getOrInsert(frameKey(frame, isFlat), []).push(reference);
    }
  }

  /** Returns the consecutive names from one frame to another, or a number of them, in lump order. */
  #framesFrom(first: string, upTo: string | number, isFlat: boolean): readonly string[] {
    const start = this.#sequence.indexOf(first);
    if (!isFlat && start >= 0) {
      const end = typeof upTo === "number" ? start + upTo - 1 : this.#sequence.lastIndexOf(upTo.toUpperCase());
      return this.#sequence.slice(Math.min(start, end), Math.min(Math.max(start, end) + 1, start + maxFrames));
    }
    const folders = isFlat ? ["flats", "textures"] : ["textures", "patches"];
    for (const folder of folders) {
      const from = this.#copyAt(`${folder}/${first}`);
      if (!from) continue;
      const { snapshot } = this.#view;
      const to = typeof upTo === "number" ? undefined : this.#copyAt(`${folder}/${upTo}`);
      const { firstEntry, entryCount } = snapshot.sourceOf(from.entry);
      const last = typeof upTo === "number" ? from.entry + upTo - 1 : to?.entry ?? -1;
      if (last >= firstEntry + entryCount || last < from.entry || last - from.entry >= maxFrames) return [];
      return Array.from({ length: last - from.entry + 1 }, (_, index) => {
        const path = snapshot.pathOf(at(snapshot.columns.entryNodes, from.entry + index));
        return path.slice(path.lastIndexOf("/") + 1).toUpperCase();
      });
    }
    return [];
  }

  /** Returns the copies of a lump that the engine reads, in load order. */
  #copies(name: string): Copy[] {
    return [name, `lumps/${name}`].flatMap((path) => this.#copiesAt(path));
  }

  #copiesAt(path: string): Copy[] {
    const { snapshot } = this.#view;
    const node = snapshot.findNode(path, true);
    if (node === none) return [];
    return this.#view.candidatesOf(node)
      .filter((entry) =>
        !snapshot.isDirectory(entry) && this.#view.searches(snapshot.sourceOf(entry).id) &&
        this.#view.refusal(entry) === null
      )
      .map((entry) => ({ entry, qpath: snapshot.pathOf(at(snapshot.columns.entryNodes, entry)) }))
      .sort((a, b) => this.#rankOf(a) - this.#rankOf(b) || a.entry - b.entry);
  }

  /** Returns the position of a file's source in load order. */
  #rankOf({ entry }: Copy): number {
    const { id } = this.#view.snapshot.sourceOf(entry);
    return -this.#view.searchPath.findIndex((source) => source.id === id);
  }

  #copyAt(path: string): Copy | undefined {
    const { tree } = this.#view;
    const node = tree.find(path);
    const entry = node === none ? none : at(tree.entries, node);
    return entry === none ? undefined : { entry, qpath: tree.pathOf(node) };
  }

  /** Returns the definitions that the engine uses. */
  winners(): KnownDefinition[] {
    return [...this.#known.values()];
  }

  /** Returns the definition of a type and name that the engine uses; for a thing, the definition of its class. */
  winner(type: string, name: string): KnownDefinition | undefined {
    if (type !== thingType) return this.#known.get(keyOf(type, name));
    const actor = this.#things.get(Number(name));
    return actor === undefined ? undefined : this.#known.get(keyOf("actor", actor));
  }

  /** Returns the references of a definition. */
  referencesOf(known: KnownDefinition): Reference[] {
    const { type, name } = known.definition;
    const own = (this.#references.get(known) ?? []).flatMap((reference) => this.expanded(reference));
    return type === "texture" ? [...own, ...this.#others.get(frameKey(name, false)) ?? []] : own;
  }

  /** Returns the references of a file that contains definitions, or is a floor or the lump that opens a map. */
  fileReferences(entry: number, qpath: string): Reference[] | undefined {
    const map = this.mapNamed(qpath);
    if (map !== undefined) return this.#mapReferences(map);
    const found = this.#files.get(entry);
    // A lump in several files counts as one item, with the references of all.
    if (found) return this.#copiesAt(qpath).flatMap((copy) => this.#files.get(copy.entry) ?? []);
    const [, folder = "", name = ""] = /^(flats|textures|patches)\/([^/]+)$/i.exec(qpath) ?? [];
    if (name === "") return undefined;
    const others = this.#others.get(frameKey(name, true)) ?? [];
    // A picture in this folder may be on walls and floors.
    return folder.toLowerCase() === "flats" ? others : [...others, ...this.#others.get(frameKey(name, false)) ?? []];
  }

  /** Returns the reason why a file cannot be read; undefined if it can. */
  problemOf(entry: number): string | undefined {
    return this.#problems.get(entry);
  }

  /** Returns the entries of the files with definitions. */
  files(): number[] {
    return [...this.#files.keys()];
  }

  /** Returns the possible paths of pictures of animations. */
  frames(): string[] {
    const names = Array.from(this.#others.keys(), (key) => key.slice(key.indexOf(" ") + 1));
    return names.flatMap((name) => ["flats", "textures", "patches"].map((folder) => `${folder}/${name}`));
  }

  /** Returns the parts of the view's files that are not followed. */
  unfollowed(): UnfollowedRow[] {
    return [...this.#unfollowed.values()];
  }

  /** Returns the name of the map that a lump opens, or undefined. */
  mapNamed(qpath: string): string | undefined {
    const name = /^(?:lumps\/)?([^/]+)$/.exec(qpath)?.[1];
    const isMap = name !== undefined && ["THINGS", "TEXTMAP"].some((lump) => this.#copyAt(`maps/${name}/${lump}`));
    return isMap ? name.toUpperCase() : undefined;
  }

  /** Returns the paths of the lumps that open maps. */
  markers(): string[] {
    return childrenOf(this.#view, "maps").flatMap((name) =>
      [name, `lumps/${name}`].filter((path) => this.#copyAt(path) && this.mapNamed(path) !== undefined)
    );
  }

  #mapReferences(name: string): Reference[] {
    const lumps = childrenOf(this.#view, `maps/${name}`);
    const known = new Set(lumps.map((lump) => lump.toUpperCase()));
    const others = known.has("TEXTMAP") ? [] : mapLumps.filter((lump) => !known.has(lump));
    const parts = [...lumps, ...others].map((lump) => needed("file", `maps/${name}/${lump}`, "lump of the map"));
    return [...parts, ...this.settingsOf(name)];
  }

  /** Returns the pictures and music of a map according to lumps about maps, or the engine's defaults. */
  settingsOf(name: string): Reference[] {
    const said = this.#maps.get(name) ?? [];
    const { sky, music: usual } = defaultsOf(name, this.game);
    const music = usual?.startsWith("D_") ? `D_${this.#nameOf("music", usual.slice("D_".length))}` : usual;
    const has = (why: string) => said.some((one) => one.why === why);
    return [
      ...said,
      ...(has("sky") ? [] : [needed("texture", sky, "sky")]),
      ...(music === undefined || has("music") ? [] : [needed("music", music, "music")]),
      ...Array.from(
        this.#replacing,
        (actor) => optional("definition", "class that replaces another", actorName(actor)),
      ),
    ];
  }

  /** Expands a reference to a thing of the engine, or to a frame of a sprite. */
  expanded(reference: Reference): Reference[] {
    const { kind, names: [name], isOptional } = reference;
    const number = kind === "definition" ? /^thing (\d+)$/.exec(name)?.[1] : undefined;
    if (number !== undefined) {
      const actor = this.winner(thingType, number);
      if (actor) return [{ ...reference, names: [actorName(actor.definition.name)] }];
      const thing = engineThings(this.game).get(Number(number));
      // The engine's own files define further things.
      if (!thing) return [];
      const why = `thing ${number}`;
      return [
        ...thing.frames.flatMap((frame) => {
          const name = this.#nameOf("sprite", frame.slice(0, 4)) + frame.slice(4).replace("\\", "^");
          return this.#frame(needed("image", `sprites/${this.#spriteOf(name)}`, why));
        }),
        ...thing.sounds.map((sound) => optional("sound", why, `DS${this.#nameOf("sound", sound.slice("DS".length))}`)),
      ];
    }
    const isFrame = kind === "image" && /^sprites\/.{5}$/.test(name) && !isOptional;
    return isFrame ? this.#frame(reference) : [reference];
  }

  /** Returns the name of a frame of the engine's as the view has it: GZDoom renames those of games but Doom. */
  #spriteOf(name: string): string {
    return this.#lumps === "gzdoom" ? gzdoomSprite(this.game, name, this.#sprites.has("MNTRF")) : name;
  }

  /** Returns the name in use of a sprite, sound or music of the engine. */
  #nameOf(type: "sprite" | "sound" | "music", name: string): string {
    return this.#lumps === "vanilla" ? name : this.#renamed.get(renamedKey(type, name)) ?? name;
  }

  /** Returns references to the pictures of a frame, and to its missing rotations. */
  #frame(reference: Reference): Reference[] {
    const { names: [name], why } = reference;
    const pictures = this.#sprites.get(name.slice("sprites/".length).toUpperCase());
    if (!pictures) return [reference];
    const found = Array.from(new Set(pictures.values()), (path) => needed("file", path, why));
    const isWhole = pictures.has("0") || this.#lumps === "gzdoom";
    const missing = isWhole ? [] : Array.from("12345678").filter((rotation) => !pictures.has(rotation));
    return [...found, ...missing.map((rotation) => needed("image", `${name}${rotation}`, why))];
  }
}

function keyOf(type: string, name: string): string {
  return `${type} ${name.toLowerCase()}`;
}

function frameKey(name: string, isFlat: boolean): string {
  return `${isFlat ? "flat" : "texture"} ${name.toUpperCase()}`;
}

/** Returns the names in a directory of a view. */
function childrenOf({ tree }: View, path: string): string[] {
  return tree.childrenAt(path).map((child) => tree.nameOf(child));
}

/** Returns the names of lumps that distinguish games, and the pictures of each frame of sprites by rotation. */
function namesOf(view: View) {
  const sprites = new Map<string, Map<string, string>>();
  const names = new Set(["", "lumps", "flats"].flatMap((directory) => childrenOf(view, directory)));
  for (const name of childrenOf(view, "sprites")) {
    names.add(name);
    const [, sprite = "", frame, rotation, second, other] =
      /^(.{4})(.)([0-9A-G])(?:(.)([0-9A-G]))?(?:\.[^.]*|~\d+)?$/i.exec(name) ?? [];
    for (const [letter, angle] of [[frame, rotation], [second, other]]) {
      if (letter === undefined || angle === undefined) continue;
      const pictures = sprites.getOrInsertComputed(`${sprite}${letter}`.toUpperCase(), () => new Map());
      // The lump of a file comes before its full path.
      if (!pictures.has(angle) || !name.includes(".")) pictures.set(angle.toUpperCase(), `sprites/${name}`);
    }
  }
  return { names: new Set(Array.from(names, (name) => name.toUpperCase())), sprites };
}

/** Music of Doom's fourth episode, and of the maps of Doom II. */
const fourthEpisode = "E3M4 E3M2 E3M3 E1M5 E2M7 E2M4 E2M6 E2M5 E1M9".split(" ");
const doom2Music =
  ("RUNNIN STALKS COUNTD BETWEE DOOM THE_DA SHAWN DDTBLU IN_CIT DEAD STLKS2 THEDA2 DOOM2 DDTBL2 RUNNI2 " +
    "DEAD2 STLKS3 ROMERO SHAWN2 MESSAG COUNT2 DDTBL3 AMPIE THEDA3 ADRIAN MESSG2 ROMER2 TENSE SHAWN3 OPENIN EVIL ULTIMA")
    .split(" ");
/** Music of Heretic's episodes: `S_music` of chocolate-doom's src/heretic/sounds.c. */
const hereticMusic = [
  "E1M1 E1M2 E1M3 E1M4 E1M5 E1M6 E1M7 E1M8 E1M9",
  "E2M1 E2M2 E2M3 E2M4 E1M4 E2M6 E2M7 E2M8 E2M9",
  "E1M1 E3M2 E3M3 E1M6 E1M3 E1M2 E1M5 E1M9 E2M6",
  "E1M6 E1M2 E1M3 E1M4 E1M5 E1M1 E1M7 E1M8 E1M9",
  "E2M1 E2M2 E2M3 E2M4 E1M4 E2M6 E2M7 E2M8 E2M9",
  "E3M2 E3M3 E1M6",
].map((episode) => episode.split(" "));
const hereticSkies = ["SKY1", "SKY2", "SKY3", "SKY1", "SKY3"];

/** Returns the sky and music that engines choose by a map's name, if no lump defines them. */
function defaultsOf(name: string, game: DoomGame): MapSetting {
  const [, episode, map] = /^E(\d)M(\d)$/.exec(name)?.map(Number) ?? [];
  if (episode !== undefined && map !== undefined) {
    if (game === "heretic") {
      const music = hereticMusic[episode - 1]?.[map - 1];
      return { sky: hereticSkies[episode - 1] ?? "SKY1", music: music && `MUS_${music}` };
    }
    const music = episode === 4 ? fourthEpisode[map - 1] : episode < 4 ? name : undefined;
    return { sky: `SKY${Math.min(episode, 4)}`, music: music && `D_${music}` };
  }
  const number = Number(/^MAP(\d\d)$/.exec(name)?.[1] ?? 0);
  if (game === "strife") return { sky: number >= 9 && number < 32 ? "SKYMNT01" : "SKYMNT02", music: undefined };
  const music = game === "doom" ? doom2Music[number - 1] : undefined;
  return { sky: number < 12 ? "SKY1" : number < 21 ? "SKY2" : "SKY3", music: music && `D_${music}` };
}
