/**
 * A `Connection` over a handful of files, and a socket that serves it, for tests of the client.
 * @module
 */
import type { Connection } from "../../protocol/connection.ts";
import { errorCodes, RpcError } from "../../protocol/messages.ts";
import type {
  FileRow,
  FindFilters,
  ListRow,
  NamesRow,
  RefreshedEvent,
  UsageRow,
  WhichResult,
} from "../../protocol/rows.ts";
import type { MethodName, Page, ParamsOf, ResultOf, SubscribeParameters } from "../../protocol/methods.ts";
import { compileGlob } from "../../formats/core/glob.ts";

/** Times of the fixture: local, so that listings look the same in every time zone. */
export const fixtureTime: number = new Date(1997, 2, 11, 13, 5).getTime();

/** One file of the fixture. */
export interface FixtureFile {
  qpath: string;
  content: Uint8Array;
  source: string;
  format: string;
  method?: string;
  shadows?: number;
  damaged?: string;
}

const encoder = new TextEncoder();

/** A name that would clear the screen and change colours if printed raw. */
export const hostileName = "maps/\x1b[2J\x1b[31mevil\n.bsp";

/** The files of `quake/hipnotic`. */
export function fixtureFiles(): FixtureFile[] {
  const hipnotic = "/games/quake/hipnotic/pak0.pak";
  const base = "/games/quake/id1/pak0.pak";
  return [
    { qpath: "default.cfg", content: encoder.encode("bind w +forward\n"), source: base, format: "quake-pak" },
    { qpath: "gfx/palette.lmp", content: new Uint8Array(768), source: hipnotic, format: "quake-pak", shadows: 2 },
    {
      qpath: "maps/e1m1.bsp",
      content: Uint8Array.from({ length: 40 }, (_, i) => i),
      source: base,
      format: "quake-pak",
    },
    { qpath: "maps/hip1m1.bsp", content: new Uint8Array(3000), source: hipnotic, format: "quake-pak" },
    { qpath: "maps/my map.bsp", content: new Uint8Array(5), source: "/games/quake/hipnotic", format: "loose" },
    {
      qpath: "sound/bad.wav",
      content: new Uint8Array(9),
      source: "/games/quake/hipnotic/extra.pk3",
      format: "zip",
      method: "deflate",
      damaged: "its checksum is wrong",
    },
    { qpath: "sound/misc/talk.wav", content: encoder.encode("RIFF...."), source: base, format: "quake-pak" },
  ];
}

function fileRow(file: FixtureFile): FileRow {
  return {
    type: "file",
    qpath: file.qpath,
    view: "quake/hipnotic",
    size: file.content.length,
    mtime: fixtureTime,
    source: file.source,
    member: file.qpath,
    format: file.format,
    offset: 12,
    packedSize: file.method === "deflate" ? 7 : file.content.length,
    method: file.method ?? "store",
    crc32: file.format === "zip" ? "0badf00d" : null,
    shadows: file.shadows ?? 0,
    ...(file.damaged === undefined ? {} : { damaged: file.damaged }),
  };
}

function notFound(message: string, data?: RpcError["data"]): RpcError {
  return new RpcError({ code: errorCodes.notFound, message, ...(data ? { data } : {}) });
}

/** Questions tested with a real index instead. */
function notHere(): never {
  throw notFound("the fake daemon does not know");
}

/** A refresh that changed packs and files. */
export const exampleRefresh: RefreshedEvent = {
  subscription: 1,
  time: new Date(1997, 2, 11, 13, 5, 9).getTime(),
  milliseconds: 4.5,
  packs: { added: 1, removed: 0, changed: 1 },
  packPaths: { added: ["/q/id1/pak1.pak"], removed: [], changed: ["/q/id1/evil\x1b.pak"] },
  packProblems: [{ source: "/q/id1/pak1.pak", problem: "the file is cut short\x1b[2J" }],
  files: { added: 3, removed: 1, changed: 0 },
  views: [
    {
      view: "q/id1",
      change: "changed",
      files: { added: 2, removed: 1, changed: 0 },
      sample: [{ qpath: "a.txt", change: "added" }, { qpath: "b.txt", change: "removed" }],
    },
    { view: "q/mod", change: "removed", files: { added: 0, removed: 0, changed: 0 }, sample: [] },
  ],
  dropped: 0,
};

/** Answers the protocol's methods out of memory. Pages have `pageSize` rows, so that cursors are followed. */
export class FakeConnection implements Connection {
  /** Calls made: `find {"patterns":["*"]}`. */
  readonly calls: string[] = [];
  /** Whether `close` was called. */
  closed = false;
  /** Events for subscribers. */
  refreshes: readonly RefreshedEvent[] = [];
  readonly #files: readonly FixtureFile[];
  readonly #pageSize: number;

  constructor(files: readonly FixtureFile[] = fixtureFiles(), pageSize = 2) {
    this.#files = files;
    this.#pageSize = pageSize;
  }

  /** Reports the events of `refreshes`, and then ends. */
  subscribe(params: SubscribeParameters): Promise<AsyncIterableIterator<RefreshedEvent>> {
    this.calls.push(`subscribe ${JSON.stringify(params)}`);
    const events = this.refreshes;
    return Promise.resolve((async function* () {
      yield* events;
    })());
  }

  call<M extends MethodName>(
    method: M,
    params: ParamsOf<M>,
    options: { signal?: AbortSignal } = {},
  ): Promise<ResultOf<M>> {
    this.calls.push(`${method} ${JSON.stringify(params)}`);
    const answers: { [Name in MethodName]?: (params: ParamsOf<Name>) => unknown } = {
      hello: () => ({ protocol: 1, server: "fake", version: "0.0.0", pid: 1, capabilities: [] }),
      games: (given) => this.#page(given, [game]),
      views: (given) => this.#page(given, views),
      path: (given) => this.#page(given, searchPath(this.#view(given.view))),
      packs: (given) => {
        const { checksum } = given;
        if (checksum === undefined) return this.#page(given, packs);
        return this.#page(given, [pk3].filter((pack) => pack.checksum === (checksum | 0)));
      },
      checksum: (given) => this.#checksum(given.pack, given.feed ?? 0),
      pure: (given) => this.#pure(given.list),
      names: (given) => this.#page(given, given.pack === undefined ? namesRows : namesRows.slice(0, 1)),
      ls: (given) => this.#page(given, this.#list(this.#view(given.view), given.path ?? "")),
      find: (given) => this.#page(given, this.#find(given.patterns, given.filters)),
      qpaths: (given) => this.#page(given, this.#find(given.patterns, given.filters).map(({ qpath }) => qpath)),
      usage: (given) => this.#page(given, this.#usage(given.path ?? "", given.depth ?? 1)),
      stat: (given) => this.#stat(given.qpath),
      which: (given) => this.#which(given.qpath),
      shadowed: notHere,
      conflicts: notHere,
      unique: notHere,
      needs: (given) => this.#page(given, []),
      users: notHere,
      missing: notHere,
      overrides: notHere,
      diff: notHere,
      diffstat: notHere,
      limits: notHere,
      registered: notHere,
      shader: (given) => this.#shader(given.name),
      shaders: (given) => this.#page(given, shaders.filter(({ name }) => compileGlob(given.pattern ?? "**")(name))),
      read: (given) => this.#read(given.qpath, given.offset ?? 0, given.length ?? 1024 * 1024),
      complete: (given) => ({ matches: this.#complete(given.kind, given.prefix) }),
      status: () => status,
      subscribe: notHere,
      unsubscribe: notHere,
      refresh: () => ({
        packs: { added: 1, removed: 0, changed: 0 },
        files: { added: 1200, removed: 0, changed: 1 },
        milliseconds: 12.5,
      }),
      reload: () => ({
        packs: { added: 0, removed: 2, changed: 0 },
        files: { added: 0, removed: 7, changed: 0 },
        milliseconds: 20,
        config: "/home/user/.config/pakfs/config.toml",
        needsRestart: [
          "socket: changed to /run/other.sock, but /run/pakfs.sock stays in use; restart the daemon to apply it",
        ],
      }),
      stop: () => ({ stopping: true }),
    };
    return new Promise((resolve, reject) => {
      if (options.signal?.aborted) throw new RpcError({ code: errorCodes.cancelled, message: "cancelled" });
      try {
        const answer = answers[method];
        if (!answer) throw new Error(`the fake connection has no ${method}`);
        resolve(answer(params) as ResultOf<M>);
      } catch (error) {
        reject(error);
      }
    });
  }

  close(): Promise<void> {
    this.closed = true;
    return Promise.resolve();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #page<Row>(params: { limit?: number; cursor?: string }, rows: readonly Row[]): Page<Row> {
    const start = Number(params.cursor ?? 0);
    const end = start + Math.min(params.limit ?? this.#pageSize, this.#pageSize);
    return { rows: rows.slice(start, end), cursor: end < rows.length ? String(end) : null };
  }

  #view(name = "quake/hipnotic"): string {
    const view = views.find((row) => row.view === name || row.view.endsWith(`/${name}`));
    if (!view) throw notFound(`unknown view ${name}`, { suggestions: ["quake/hipnotic"] });
    return view.view;
  }

  #list(view: string, path: string): ListRow[] {
    const prefix = path === "" ? "" : `${path}/`;
    const rows = new Map<string, ListRow>();
    for (const file of this.#files) {
      if (file.qpath === path) return [fileRow(file)];
      if (!file.qpath.startsWith(prefix)) continue;
      const [name = "", ...below] = file.qpath.slice(prefix.length).split("/");
      const qpath = prefix + name;
      if (below.length === 0) rows.set(qpath, fileRow(file));
      else if (!rows.has(qpath)) {
        rows.set(qpath, { type: "directory", qpath, view, entries: this.#list(view, qpath).length });
      }
    }
    if (rows.size === 0) throw notFound(`${view} has no ${path}`, { errno: "ENOENT" });
    return [...rows.values()].sort((a, b) => a.qpath < b.qpath ? -1 : 1);
  }

  #find(patterns: readonly string[], filters: FindFilters = {}): FileRow[] {
    const tests = patterns.map((pattern) => compileGlob(pattern));
    return this.#files.filter((file) =>
      tests.some((test) => test(file.qpath)) &&
      file.content.length >= (filters.minSize ?? 0) && file.content.length <= (filters.maxSize ?? Infinity) &&
      (filters.extensions?.some((extension) => file.qpath.endsWith(`.${extension}`)) ?? true) &&
      (filters.source === undefined || file.source.includes(filters.source))
    ).map(fileRow);
  }

  #usage(path: string, deepest: number, depth = 0): UsageRow[] {
    const view = "quake/hipnotic";
    const prefix = path === "" ? "" : `${path}/`;
    const below = this.#files.filter(({ qpath }) => qpath.startsWith(prefix));
    const own = below.filter(({ qpath }) => !qpath.slice(prefix.length).includes("/"));
    const sum = (files: readonly FixtureFile[]) => files.reduce((size, { content }) => size + content.length, 0);
    const [size, ownSize] = [sum(below), sum(own)];
    const row = {
      qpath: path,
      view,
      depth,
      files: below.length,
      size,
      packedSize: size,
      ownFiles: own.length,
      ownSize,
    };
    if (depth === deepest) return [row];
    const directories = this.#list(view, path).filter(({ type }) => type === "directory");
    return [row, ...directories.flatMap(({ qpath }) => this.#usage(qpath, deepest, depth + 1))];
  }

  #file(qpath: string): FixtureFile {
    const file = this.#files.find((one) => one.qpath === qpath);
    if (!file) throw notFound(`quake/hipnotic has no ${qpath}`, { errno: "ENOENT" });
    return file;
  }

  #stat(qpath: string): ResultOf<"stat"> {
    if (this.#files.some((file) => file.qpath.startsWith(`${qpath}/`))) {
      const entries = this.#list("quake/hipnotic", qpath).length;
      return { type: "directory", qpath, view: "quake/hipnotic", entries };
    }
    return { ...fileRow(this.#file(qpath)), dataOffset: 12 };
  }

  #which(qpath: string): WhichResult {
    const answer = { qpath, view: "quake/hipnotic", profile: "quake" };
    return { ...answer, candidates: qpath === "gfx/palette.lmp" ? candidates : [] };
  }

  #checksum(pack: string, feed: number): ResultOf<"checksum"> {
    if (pack !== pk3.pack) throw notFound(`no pack "${pack}"`, { errno: "ENOENT" });
    const { source, checksum } = pk3;
    return { pack, source, checksum, unsigned: checksum >>> 0, pure: 541582738 + feed, feed };
  }

  #pure(list: readonly string[] = [String(pk3.checksum)]): ResultOf<"pure"> {
    const rows = list.map((wanted, index) => {
      const isKnown = wanted === pk3.pack || wanted === String(pk3.checksum);
      const { pack, gameDirectory, source, checksum } = isKnown
        ? pk3
        : { pack: null, gameDirectory: null, source: null, checksum: null };
      return { rank: index + 1, wanted, checksum, pack, gameDirectory, source };
    });
    const missing = rows.filter((row) => row.source === null).length;
    return { view: `quake/hipnotic:pure=${list.join(",")}`, profile: "quake", packs: rows, missing };
  }

  #shader(name: string): ResultOf<"shader"> {
    const answer = { name, view: "quake/hipnotic", profile: "quake", rules: "ioquake3" as const };
    const nothing = { definitions: [], warnings: [], answers: null, because: null, images: [] };
    if (name !== "textures/a") return { ...answer, ...nothing };
    return {
      ...answer,
      ...nothing,
      answers: "shader",
      definitions,
      warnings: ['scripts/bad.shader line 12: shader "x" has no opening {'],
    };
  }

  #read(qpath: string, offset: number, length: number): ResultOf<"read"> {
    const { content, damaged } = this.#file(qpath);
    if (damaged !== undefined) {
      throw new RpcError({ code: errorCodes.unreadable, message: `${qpath}: ${damaged}`, data: { errno: "EIO" } });
    }
    // Short answers, so that files are read in several chunks.
    const piece = content.subarray(offset, offset + Math.min(length, 1000));
    const end = offset + piece.length >= content.length;
    return { data: piece.toBase64(), size: content.length, end, version: "1" };
  }

  #complete(kind: "qpath" | "view" | "pack" | "source" | "shader", prefix: string): string[] {
    if (kind === "view") return views.map((row) => row.view).filter((view) => view.startsWith(prefix));
    if (kind === "pack" || kind === "source") {
      return packs.map((row) => row.pack).filter((pack) => pack.startsWith(prefix));
    }
    if (kind === "shader") return shaders.map(({ name }) => name).filter((name) => name.startsWith(prefix));
    const cut = prefix.lastIndexOf("/") + 1;
    const matches = this.#files.filter(({ qpath }) => qpath.startsWith(prefix)).map(({ qpath }) => {
      const slash = qpath.indexOf("/", cut);
      return slash < 0 ? qpath : qpath.slice(0, slash + 1);
    });
    return [...new Set(matches)];
  }
}

const game = {
  game: "quake",
  profile: "quake",
  because: "id1/pak0.pak was found",
  sources: ["/games/quake"],
  base: "id1",
  views: 2,
  packs: 3,
  files: 1234,
};

const views = [
  { view: "quake/id1", game: "quake", profile: "quake", gameDirectories: ["id1"], packs: 1, base: true },
  {
    view: "quake/hipnotic",
    game: "quake",
    profile: "quake",
    gameDirectories: ["hipnotic", "id1"],
    packs: 2,
    base: false,
  },
];

const pak0 = {
  game: "quake",
  gameDirectory: "id1",
  pack: "pak0.pak",
  source: "/games/quake/id1/pak0.pak",
  format: "quake-pak",
  files: 339,
  size: 18689235,
  mtime: fixtureTime,
  usable: true,
  reason: null,
  wins: null,
  warnings: [],
  checksum: null,
};
const notCounted = "pak1.pak is missing, and the engine stops counting there";
const pak7 = { pack: "pak7.pak", source: "/games/quake/id1/pak7.pak", files: 1, size: 100 };
const packs = [pak0, { ...pak0, ...pak7, usable: false, reason: notCounted }];

/** Hashed packs: one with mostly known names, one without. */
const namesRows: NamesRow[] = [
  {
    game: "engine",
    gameDirectory: "data",
    pack: "a.pack",
    source: "/games/engine/data/a.pack",
    hash: "fnv1a+lower",
    files: 1200,
    named: 1100,
    tried: 90_000,
    expected: 0.0251,
    collisions: [{ hash: "0badcafe", names: ["maps/a", "maps/b"] }],
  },
  {
    game: "engine",
    gameDirectory: "data",
    pack: "b.pack",
    source: "/games/engine/data/b.pack",
    hash: null,
    files: 8,
    named: 0,
    tried: 90_000,
    expected: 0.00017,
    collisions: [],
  },
];

/** A pack found only by a look-up of checksums. */
const pk3 = {
  ...pak0,
  gameDirectory: "hipnotic",
  pack: "extra.pk3",
  source: "/games/quake/hipnotic/extra.pk3",
  format: "zip",
  files: 1,
  size: 100,
  checksum: -633993734,
};

const shaders: ResultOf<"shaders">["rows"] = [
  {
    name: "textures/a",
    type: "shader",
    qpath: "scripts/a.shader",
    source: "/games/quake/hipnotic/extra.pk3",
    line: 7,
    offset: 120,
    length: 40,
    definitions: 3,
  },
  {
    name: "textures/b",
    type: "shader",
    qpath: "scripts/bad.shader",
    source: "/games/quake/hipnotic/extra.pk3",
    line: 1,
    offset: 0,
    length: 20,
    definitions: 1,
    dropped: "ioquake3 ignores this whole file",
  },
];

const definitions: ResultOf<"shader">["definitions"] = [
  { file: "a", line: 7, reason: null, decidedBy: null, because: null },
  {
    file: "b",
    line: 3,
    reason: null,
    decidedBy: "last-listed-shader-file",
    because: "ioquake3 lists scripts/a.shader after scripts/b.shader, and the file that it lists last wins.",
  },
  { file: "bad", line: 20, reason: "ioquake3 ignores this whole file", decidedBy: null, because: null },
].map(({ file, line, reason, decidedBy, because }, index) => ({
  rank: index + 1,
  type: "shader",
  qpath: `scripts/${file}.shader`,
  source: "/games/quake/hipnotic/extra.pk3",
  member: `scripts/${file}.shader`,
  offset: line * 20,
  length: 40,
  line,
  usable: reason === null,
  reason,
  decidedBy,
  because,
}));

function searchPath(view: string) {
  const rows = [
    {
      source: "/games/quake/hipnotic/pak0.pak",
      kind: "pack",
      format: "quake-pak",
      gameDirectory: "hipnotic",
      files: 200,
    },
    { source: "/games/quake/hipnotic", kind: "loose", format: "loose", gameDirectory: "hipnotic", files: 1 },
    { source: "/games/quake/id1/pak0.pak", kind: "pack", format: "quake-pak", gameDirectory: "id1", files: 339 },
  ];
  return rows.filter((row) => view === "quake/hipnotic" || row.gameDirectory === "id1")
    .map((row, index) => ({ rank: index + 1, view, ...row }));
}

const winner = {
  rank: 1,
  source: "/games/quake/hipnotic/pak0.pak",
  member: "gfx/palette.lmp",
  kind: "pack",
  gameDirectory: "hipnotic",
  size: 768,
  usable: true,
  reason: null,
  decidedBy: null,
  because: null,
} as const;
const byDirectory = { decidedBy: "game-directory", because: "hipnotic is searched before id1." };
const inId1 = { ...winner, gameDirectory: "id1" };
const candidates: WhichResult["candidates"] = [
  winner,
  { ...inId1, rank: 2, source: "/games/quake/id1", kind: "loose", ...byDirectory },
  { ...inId1, rank: 3, source: pak7.source, usable: false, reason: notCounted, decidedBy: "numbering" },
];

const status: ResultOf<"status"> = {
  pid: 4242,
  version: "0.1.0",
  mount: "/mnt/games",
  rootView: null,
  mounts: [{ mount: "/mnt/games", rootView: null, games: ["quake"], views: 2, packs: 2, files: 1234 }],
  socket: "/run/pakfs.sock",
  started: 0,
  games: 1,
  views: 2,
  packs: 2,
  files: 1234,
  indexBytes: 65536,
  residentBytes: 52428800,
  clients: 1,
  problems: ["/games/quake/id1/bad.pak: is no archive"],
  problemCount: 1,
  watch: [{ path: "/games/quake", mode: "events", because: null }],
  refreshed: null,
  counters: { lookups: 17 },
  errors: [{ source: "/games/quake/id1/pak0.pak", reads: 3 }],
};
