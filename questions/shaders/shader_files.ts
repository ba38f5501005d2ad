/**
 * The shader files of a view, in the order in which its engine lists them, and the files that they shadow.
 * @module
 */
import { messageOf } from "../../formats/parts.ts";
import { at, isDirectorySource, none, type Source } from "../../index/mod.ts";
import type { View } from "../../views/mod.ts";

/** Reads the whole content of an entry, verified. If it throws, the message becomes the file's `problem`. */
export type ReadEntry = (entry: number) => Uint8Array;

/** Maximum bytes of a file. Real files have at most a few hundred kilobytes. */
const maxFile = 16 * 1024 * 1024;
/** Maximum bytes of the shader files of one view. */
const maxBytes = 64 * 1024 * 1024;

/** Folder of shader files. */
export interface ShaderFolder {
  /** Directory, in lower case. */
  readonly directory: string;
  /** Extension of their names, in lower case. */
  readonly extension: string;
  /** Whether files one level below also count, if they are in archives. */
  readonly isDeep: boolean;
}

/** One shader file. */
export interface ShaderFile {
  /** Path in the view, as spelled in its source. */
  readonly qpath: string;
  readonly entry: number;
  readonly source: Source;
  /** Name inside its source, as spelled in an archive. */
  readonly member: string;
  /** Index in the engine's listing, from 0; for a shadowed file its winner's index. */
  readonly listIndex: number;
  /** The winner of this path in the view, which may be the file itself. */
  readonly winner: ShaderFile | null;
  /** Reason why it cannot be read, as a sentence without a full stop; else null. */
  readonly problem: string | null;
}

/** A shader file and its content. */
export interface LoadedShaderFile {
  readonly file: ShaderFile;
  /** Empty if the file cannot be read. */
  readonly content: Uint8Array;
}

/** Returns the paths of the files that an engine lists, in search order. */
function listedPaths(view: View, { directory, extension, isDeep }: ShaderFolder): string[] {
  const { snapshot } = view;
  const { nodeFolds, nodeParents, entryNodes } = snapshot.columns;
  const folder = snapshot.findNode(directory, true);
  if (folder === none) return [];
  const paths = new Map<string, string>();
  const foldOf = (node: number) => at(nodeFolds, node);
  for (const source of view.searchPath) {
    const isDirectory = isDirectorySource(source);
    for (let entry = source.firstEntry; entry < source.firstEntry + source.entryCount; entry++) {
      const node = at(entryNodes, entry);
      const parent = at(nodeParents, node);
      const isDirect = foldOf(parent) === folder;
      const isBelow = !isDirectory && isDeep && parent !== 0 && foldOf(at(nodeParents, parent)) === folder;
      if (!isDirect && !isBelow) continue;
      if (snapshot.isDirectory(entry) || !snapshot.nameOf(node).toLowerCase().endsWith(extension)) continue;
      if (view.refusal(entry) !== null) continue;
      const path = snapshot.pathOf(node);
      // Directories on disk are opened with their exact name.
      if (isDirectory && !path.startsWith(`${directory}/`)) continue;
      if (!paths.has(path.toLowerCase())) paths.set(path.toLowerCase(), path);
    }
  }
  return [...paths.values()];
}

/** Returns the entries of a path: the winner first, then the shadowed ones. */
function entriesOf(view: View, path: string): number[] {
  const { snapshot, tree } = view;
  const winner = tree.entryAt(path);
  if (winner === none) return [];
  const shadowed = snapshot.candidatesOf(at(snapshot.columns.entryNodes, winner), view.game.profile.ignoreCase)
    .filter((entry) => entry !== winner && !snapshot.isDirectory(entry) && view.searches(snapshot.sourceOf(entry).id))
    .filter((entry) => view.refusal(entry) === null);
  return [winner, ...shadowed];
}

/**
 * Reads the shader files of a view in the engine's listing order; each is followed by the files that it shadows. Reads
 * up to 64 MiB; files beyond, and damaged or too large ones, have a `problem`.
 */
export function readShaderFiles(view: View, folder: ShaderFolder, read: ReadEntry): LoadedShaderFile[] {
  const { snapshot } = view;
  const files: LoadedShaderFile[] = [];
  let bytes = 0;
  const contentOf = (entry: number): Pick<LoadedShaderFile, "content"> & Pick<ShaderFile, "problem"> => {
    const size = at(snapshot.columns.entrySizes, entry);
    const content = new Uint8Array(0);
    if (size > maxFile) return { content, problem: `it has ${size} bytes, more than a shader file can have` };
    if (bytes + size > maxBytes) return { content, problem: "the shader files before it have 64 MiB already" };
    bytes += size;
    try {
      return { content: read(entry), problem: null };
    } catch (error) {
      return { content, problem: messageOf(error) };
    }
  };
  let listed = 0;
  for (const path of listedPaths(view, folder)) {
    let winner: ShaderFile | null = null;
    for (const entry of entriesOf(view, path)) {
      const source = snapshot.sourceOf(entry);
      const qpath = snapshot.pathOf(at(snapshot.columns.entryNodes, entry));
      const member = snapshot.memberOf(entry);
      const { content, problem } = contentOf(entry);
      const file: ShaderFile = { qpath, entry, source, member, listIndex: listed, winner, problem };
      winner ??= file;
      files.push({ file, content });
    }
    if (winner) listed++;
  }
  return files;
}
