/**
 * Orders and names the members of archives with full paths (zip, 7z, Quake PAK, directories) as GZDoom does:
 * `PostProcessArchive`, `FindCommonFolder`, `FilterLumps` and `CheckEmbedded` of
 * src/common/filesystem/source/resourcefile.cpp, and `LumpRecord::SetFromLump` of filesystem.cpp.
 * @module
 */
import { append } from "../../formats/parts.ts";
import type { Namespace } from "./lump_file.ts";

/** A member of an archive. */
export interface GzdoomMember {
  /** Row in the archive. */
  readonly row: number;
  /** Path by which the engine finds it; for dropped members, the path in the archive. */
  readonly path: string;
  /** Path with namespace and short name, or null. */
  readonly lump: string | null;
  readonly isDropped: boolean;
  /** Whether it is a WAD that is loaded right after the archive. */
  readonly isEmbedded: boolean;
}

/** Names of files that identify the folder of a project: `requiredPrefixes` of d_main.cpp. */
const projectFiles = (
  "mapinfo zmapinfo umapinfo gameinfo sndinfo sndseq sbarinfo menudef gldefs animdefs decorate zscript iwadinfo complvl " +
  "terrain maps/"
).split(" ");

const blocked = /^(.*\.(bat|exe)|(.*\/)?__macosx\/.*)$/s;

/** Folders that are namespaces. */
const folders: ReadonlySet<string> = new Set<Namespace | "patches" | "graphics" | "sounds" | "music">([
  "flats",
  "textures",
  "hires",
  "sprites",
  "voxels",
  "colormaps",
  "acs",
  "voices",
  "patches",
  "graphics",
  "sounds",
  "music",
]);

/** Folders in which a WAD's lump outside all namespaces is also found. */
export const sharedFolders: readonly string[] = ["patches", "graphics", "sounds", "music"];

/** A component that pakfs does not show as it is stored. */
const oddComponent = /(^|\/)(\.{0,2})\//;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

interface Named {
  readonly row: number;
  path: string;
  /** The path in lower case, as the sort key; empty if the member is dropped. */
  key: string;
}

/**
 * Returns the members in the order in which GZDoom has them: of one name the last is found.
 * @param members Rows and paths of the files of an archive, in its order, and the stored names of those that have a
 *   component that is empty, `.` or `..`: names are compared as they are stored.
 * @param filters Folders of `filter/` that count, the last before the others.
 * @param archive File name of the archive.
 */
export function gzdoomMembers(
  members: readonly {
    readonly row: number;
    readonly path: string;
    readonly stored?: string;
    readonly isReadable: boolean;
  }[],
  filters: readonly string[],
  archive: string,
): GzdoomMember[] {
  const named = members.map(({ row, path, stored = path, isReadable }): Named => {
    const key = stored.normalize("NFC").toLowerCase();
    return { row, path, key: isReadable && !blocked.test(key) ? key : "" };
  }).sort((a, b) => compareText(a.key, b.key));
  stripCommonFolder(named);
  const ordered = filtered(named, filters);
  const stem = archive.replace(/\.[^.]*$/, "").toLowerCase();
  return ordered.map(({ row, path, key }) => {
    const isEmbedded = isEmbeddedWad(key, stem);
    const isDropped = key === "" || isEmbedded || oddComponent.test(key);
    return { row, path, lump: isDropped ? null : lumpPath(path, key), isDropped, isEmbedded };
  });
}

/** Orders strings like `strcmp`, by bytes. */
function compareText(a: string, b: string): number {
  if (a === b) return 0;
  for (let index = 0;; index++) {
    const [left, right] = [a.codePointAt(index) ?? -1, b.codePointAt(index) ?? -1];
    if (left !== right) return left - right;
  }
}

/** Strips a folder that contains everything, if it has a file that identifies a project. */
function stripCommonFolder(named: readonly Named[]): void {
  let folder: string | undefined;
  let first = "";
  let isProject = false;
  for (const { key } of named) {
    if (key === "") continue;
    if (key.startsWith("filter/")) return;
    if (folder === undefined) {
      if (!key.includes("/")) break;
      folder = key.slice(0, key.lastIndexOf("/") + 1);
      first = key.slice(0, key.indexOf("/") + 1);
    }
    if (!key.startsWith(folder)) folder = key.startsWith(first) ? first : "";
    if (folder === "") break;
    const start = folder;
    // A name that is one letter shorter than the file's also matches, because of how the engine compares suffixes.
    isProject ||= projectFiles.some((name) =>
      key.startsWith(start + name) || key.lastIndexOf(name) === key.length - name.length
    );
  }
  if (!isProject || !folder) return;
  for (const member of named) if (member.key !== "") cut(member, folder.length);
}

function cut(member: Named, length: number): void {
  // A member whose stored name contains `..` is shown elsewhere.
  const isShown = member.path.normalize("NFC").toLowerCase() === member.key;
  member.key = member.key.slice(length);
  if (isShown) member.path = member.path.slice(length);
}

/** Returns the stored name of a member that has odd components, as GZDoom reads it; undefined for others. */
export function oddName(raw: Uint8Array | undefined): string | undefined {
  const name = raw === undefined ? "" : decoder.decode(raw.slice()).replaceAll("\\", "/");
  return oddComponent.test(name) ? name : undefined;
}

/** Moves the content of active folders of `filter/` to the end, without that prefix; drops all other folders. */
function filtered(named: readonly Named[], filters: readonly string[]): Named[] {
  let rest = [...named];
  const moved: Named[] = [];
  for (const filter of filters) {
    const prefix = `filter/${filter}/`;
    const found = rest.filter(({ key }) => key.startsWith(prefix));
    if (found.length === 0) continue;
    rest = rest.filter(({ key }) => !key.startsWith(prefix));
    for (const member of found) cut(member, prefix.length);
    append(moved, found);
  }
  for (const member of rest) if (member.key.startsWith("filter/")) member.key = "";
  return [...rest, ...moved];
}

/** Returns whether a member is a WAD at the top level of the archive, or in a folder named after it. */
function isEmbeddedWad(key: string, stem: string): boolean {
  if (!key.endsWith(".wad") || key.indexOf(".wad") !== key.length - 4) return false;
  return !key.includes("/") || key === `${stem}/${key.slice(key.lastIndexOf("/") + 1)}`;
}

/** Returns the path with namespace and short name of a member; null if only its full path finds it. */
function lumpPath(path: string, key: string): string | null {
  const slash = key.indexOf("/");
  const folder = slash < 0 ? "" : key.slice(0, slash);
  if (slash >= 0 && !folders.has(folder)) return null;
  const base = path.slice(path.lastIndexOf("/") + 1);
  const dot = base.lastIndexOf(".");
  const name = (dot < 0 ? base : base.slice(0, dot)).toUpperCase();
  const short = decoder.decode(encoder.encode(name).subarray(0, 8)).replaceAll("\uFFFD", "");
  if (short === "") return null;
  return folder === "" ? short : `${folder}/${short}`;
}
