/**
 * Reads the list of one archive. It needs only the file, so that any thread can do it.
 * @module
 */
import {
  addEmbeddedWads,
  addNested,
  addSearchedPacks,
  ArchiveError,
  type ArchiveFormat,
  type ByteReader,
  contentType,
  describeUnknown,
  detectFormat,
  EntryTable,
  FileByteReader,
  type FormatName,
  formatNamed,
  grouped,
  hasZipDirectory,
  isTypedWad,
  isUnpackedFirst,
  LimitError,
  messageOf,
  RawNames,
  ReadError,
} from "../../formats/parts.ts";
import {
  eternityWads,
  gzdoomTable,
  type LumpReading,
  singleLump,
  singleLumpFormat,
  topWads,
  typedLumps,
  unpackedWads,
  withWadNamespaces,
} from "../../engines/mod.ts";
import { type NestedSearch, packSearch } from "./nested_packs.ts";
import { type FileList, unknownFormat } from "./plan.ts";

/** Result of reading an archive. */
export interface PackList extends Pick<FileList & { kind: "read" }, "format" | "table" | "failure"> {
  /** Whether the failure is a read error, which is no statement about the archive: the next scan reads it again. */
  readonly mayPass?: boolean;
}

/** Options for reading the archives of a game. */
export interface PackReading {
  /** Whether inner archives are listed too. */
  readonly nested: boolean;
  /** Format assumed for an archive without a signature; null: such a file is no archive. */
  readonly packFormat: FormatName | null;
  /** Naming of lumps, if an engine loads a list of files; null: by the archive's format. */
  readonly lumps: LumpReading | null;
  /** Whether upper case in names of zip members becomes lower case. */
  readonly smallInZips: boolean;
  /** Whether colons in names of zip members become slashes. */
  readonly colonsInZips: boolean;
  /** How inner packs are searched; null: they are not. */
  readonly search: NestedSearch | null;
  /** Whether lumps of WADs are named by their types. */
  readonly lumpTypes: boolean;
  /** Whether no engine chose the file: it counts as a zip only if it does not begin like a file of another format. */
  readonly isAlone: boolean;
}

/** An archive to read. */
export interface UnreadArchive extends PackReading {
  readonly path: string;
  /** Size in bytes when it was found. */
  readonly size: number;
  /** Mtime in milliseconds since the epoch when it was found. */
  readonly mtime: number;
  /** Ctime when it was found. */
  readonly ctime: number;
}

/** Opens an archive of known size and time, like {@linkcode FileByteReader}. */
export type OpenArchive = (path: string, known: Pick<ByteReader, "size" | "mtime">) => ByteReader;

const openByPath: OpenArchive = (path, known) => new FileByteReader(path, known);

/** Minimum size in bytes of an archive that takes long to be unpacked. */
const minSlow = 1024 * 1024;

/**
 * Returns whether an archive is unpacked by another program before it is listed, which may take minutes, or may have such
 * an archive in it.
 */
export function isSlow({ path, size, mtime, nested, isAlone, lumps }: UnreadArchive): boolean {
  if (size < minSlow) return false;
  if (nested) return true;
  if (!(isAlone || lumps !== null)) return false;
  try {
    using file = new FileByteReader(path, { size, mtime });
    return isUnpackedFirst(file);
  } catch {
    return false; // reading it reports the error
  }
}

/** Maximum directories of an archive that are not of its usual depth: each takes as much memory as a file. */
const maxDirectories = 4_000_000;
/** Directories of a member in archives of a usual depth, which may be in any order. */
const usualDepth = 16;

/**
 * Rejects a table whose names are too deep: a name of 2,048 bytes may be in a thousand directories.
 * @throws {LimitError} if they are.
 */
export function requireFewDirectories(table: EntryTable, path: string, unusual: number = maxDirectories): void {
  const most = unusual + usualDepth * table.length;
  // A directory's name has two bytes with its slash.
  if ((table.nameEnds[table.length - 1] ?? 0) < 2 * most) return;
  let count = 0;
  let previous: Uint8Array = new Uint8Array(0);
  for (let row = 0; row < table.length; row++) {
    const name = table.pathBytes(row);
    let index = 0;
    while (index < name.length && name[index] === previous[index]) index++;
    for (; index < name.length; index++) if (name[index] === slash) count++;
    previous = name;
  }
  if (count <= most) return;
  throw new LimitError(`its files are in over ${grouped(most)} directories; that many are not indexed`, { path });
}

/**
 * Returns the list of an archive's members; a failure is returned as a message, so that the others are still indexed.
 */
export function readPack(archive: UnreadArchive, open: OpenArchive = openByPath): PackList {
  try {
    using file = open(archive.path, archive);
    const list = archive.lumps === null ? readMembers(file, archive) : readLumps(file, archive.lumps, archive.ctime);
    requireFewDirectories(list.table, archive.path);
    return list;
  } catch (error) {
    const failure = messageOf(error);
    const mayPass = !(error instanceof ArchiveError) || error instanceof ReadError;
    return mayPass ? { ...unread(failure), mayPass } : unread(failure);
  }
}

function readMembers(file: ByteReader, archive: UnreadArchive): PackList {
  const { path, nested, smallInZips, colonsInZips, search, lumpTypes, isAlone } = archive;
  const found = detectFormat(file);
  const format = found && (isAlone || !found.isNoPack) ? found : formatOfPack(file, archive);
  if (!format) return unread(isAlone ? describeUnknown(file) : unknownFormat);
  const listed = format.read(file);
  const table = lumpTypes && isTypedWad(format.name)
    ? typedLumps(listed, format.name, path.slice(path.lastIndexOf("/") + 1))
    : listed;
  if (format.name === "zip" && smallInZips) renameMembers(table, smallName);
  if (format.name === "zip" && colonsInZips) renameMembers(table, slashedName);
  if (search) addSearchedPacks(file, format, table, packSearch(search, table, format.name));
  // Archives inside packs without names are listed after names are found: their directories are named after them.
  if (nested && !format.nameless) addNested(file, format, table);
  return { format: format.name, table, failure: null };
}

/** Returns the format in which an engine reads a file without the signature of its packs. */
function formatOfPack(file: ByteReader, { packFormat, isAlone }: PackReading): ArchiveFormat | undefined {
  const name = !isAlone && hasZipDirectory(file) ? "zip" : packFormat;
  return name === null ? undefined : formatNamed(name);
}

/** Formats that GZDoom reads in addition to WADs; any other file is one lump to it. */
const gzdoomFormats: readonly FormatName[] = ["zip", "quake-pak", "grp", "rff", "hog", "7z"];

/**
 * Returns the list of a file that an engine for Doom loads. In Boom and the original, names depend on other files too.
 */
function readLumps(file: ByteReader, { rules, filters, engine }: LumpReading, ctime: number): PackList {
  const { path, size, mtime } = file;
  const name = path.slice(path.lastIndexOf("/") + 1);
  const format = detectFormat(file);
  if (rules === "gzdoom") {
    if (format?.name === "wad") {
      return { format: "wad", table: withWadNamespaces(format.read(file), "wad", path), failure: null };
    }
    if (format && gzdoomFormats.includes(format.name) && !isLateZip(file, format)) {
      return readGzdoomArchive(file, format, filters, name);
    }
  } else if (rules === "eternity") {
    if (format?.name === "wad") return { format: "wad", table: format.read(file), failure: null };
    if (format?.name === "zip" && !isLateZip(file, format)) {
      const table = format.read(file);
      addEmbeddedWads(file, format, table, eternityWads(table));
      return { format: "zip", table, failure: null };
    }
  } else if (rules === "woof" ? format?.name === "zip" : rules === "boom" && /\.zip$/i.test(name)) {
    if (format?.name !== "zip") return unread(`${engine} reads it as a zip, which it is not`);
    const table = format.read(file);
    addEmbeddedWads(file, format, table, rules === "woof" ? topWads(table) : unpackedWads(table));
    return { format: "zip", table, failure: null };
  } else if (rules === "vanilla" ? /wad$/i.test(name) : /\.wad$/i.test(name)) {
    if (format?.name !== "wad") return unread(`${engine} reads it as a WAD, which it is not`);
    return { format: "wad", table: format.read(file), failure: null };
  }
  // GZDoom's src/common/filesystem/source/file_lump.cpp 47: OpenLump; others know the short name alone.
  const table = singleLump(path, { size, mtime, ctime, hasFullName: rules === "gzdoom" });
  return { format: singleLumpFormat, table, failure: null };
}

/** Returns whether a zip is not at the first byte of its file, as GZDoom requires. */
function isLateZip(file: ByteReader, { name }: ArchiveFormat): boolean {
  return name === "zip" && file.size >= 4 && contentType(file.read(0, 4), 4) !== "zip";
}

function readGzdoomArchive(
  file: ByteReader,
  format: ArchiveFormat,
  filters: readonly string[],
  name: string,
): PackList {
  const { table, embedded } = gzdoomTable(format.read(file), filters, name);
  addEmbeddedWads(file, format, table, embedded);
  return { format: format.name, table: withWadNamespaces(table, format.name, file.path), failure: null };
}

/** Changes the paths of members, and stores the original names that differ. */
function renameMembers(table: EntryTable, rename: (path: Uint8Array, raw: Uint8Array) => Uint8Array | null): void {
  const rawNames = new RawNames();
  // A renamed path is at most two bytes longer: a drive letter and a slash.
  const names = new Uint8Array(table.names.length + 2 * table.length);
  const nameEnds = new Uint32Array(table.nameEnds.length);
  let end = 0;
  for (let row = 0; row < table.length; row++) {
    const path = table.pathBytes(row);
    const own = table.rawNames.get(row);
    const renamed = rename(path, own ?? path);
    const raw = own ?? (renamed ? path : undefined);
    if (raw) rawNames.set(row, raw);
    names.set(renamed ?? path, end);
    end += (renamed ?? path).length;
    nameEnds[row] = end;
  }
  table.names = names;
  table.nameEnds = nameEnds;
  table.rawNames = rawNames;
}

/** Returns a path in lower case; null if it is lower case already. */
function smallName(path: Uint8Array): Uint8Array | null {
  return path.some(isCapital) ? path.map((byte) => isCapital(byte) ? byte + 0x20 : byte) : null;
}

/**
 * Returns a path with slashes instead of colons, also after a drive letter, which the policy for names drops; null
 * without colons. A path that would get empty, `.` or `..` components is unchanged: the engine does not find it with
 * that path.
 */
function slashedName(path: Uint8Array, raw: Uint8Array): Uint8Array | null {
  if (!raw.includes(colon)) return null;
  const [name = ""] = latin1.decode(raw).split("\0");
  if (/(^|[/\\:])\.{0,2}([/\\:]|$)/.test(name)) return path.slice();
  const drive = raw !== path && /^[A-Za-z]:/.test(name) ? raw.subarray(0, 2) : raw.subarray(0, 0);
  return Uint8Array.of(...drive, ...path).map((byte) => byte === colon ? slash : byte);
}

const latin1 = new TextDecoder("latin1");
const colon = 0x3a;
const slash = 0x2f;

function isCapital(byte: number): boolean {
  return byte >= 0x41 && byte <= 0x5a;
}

function unread(failure: string): PackList {
  return { format: "unknown", table: new EntryTable(), failure };
}
