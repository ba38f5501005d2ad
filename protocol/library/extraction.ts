/**
 * Copies files of a view into a directory.
 * @module
 */
import { OutputDirectory } from "../../formats/parts.ts";
import { errorCodes, RpcError } from "../messages.ts";
import type { FileRow } from "../rows.ts";

/** A file cannot be written to its path. */
export class ExtractionError extends Error {
  /** Name of the class. */
  override readonly name = "ExtractionError";
}

/** Fields of a file that extraction needs. */
export interface ExtractableFile extends Pick<FileRow, "qpath" | "size" | "mtime"> {
  /** Extension that is appended to the path of a converted file. */
  readonly to?: string;
}

/** A file that was written to `path`, or the reason why it was not. */
export type Extracted<File extends ExtractableFile = ExtractableFile> =
  & { readonly file: File }
  & ({ readonly path: string } | { readonly error: Error });

/**
 * Returns the path of a file below a directory.
 * @throws {ExtractionError} if it would be outside the directory or cannot be a file name.
 */
export function safeDestination(directory: string, qpath: string): string {
  const names = qpath.split("/");
  if (names.some((name) => name === "" || name === "." || name === ".." || /[\0\\]/.test(name))) {
    throw new ExtractionError(`cannot extract ${JSON.stringify(qpath)}: not a safe path`);
  }
  return `${directory.replace(/(?<=.)\/+$/, "")}/${qpath}`;
}

/**
 * Writes files below a directory, which is created if it is missing. Each appears only when it is complete, with its
 * time, and replaces an existing file; symbolic links in the directory are not followed. Yields each file, and
 * continues after one that cannot be read or written.
 * @param content Streams the content to write for a file.
 * @throws {ExtractionError} if the directory is a file.
 * @throws {Error} if the disk is full, the connection ends or the signal aborts; complete files are kept.
 */
export async function* extractFiles<File extends ExtractableFile>(
  files: Iterable<File> | AsyncIterable<File>,
  directory: string,
  content: (file: File) => AsyncIterable<Uint8Array>,
  signal: AbortSignal | undefined,
): AsyncGenerator<Extracted<File>> {
  const output = await OutputDirectory.make(
    directory,
    (sentence, { cause }) => new ExtractionError(sentence, { cause }),
  );
  for await (const file of files) {
    signal?.throwIfAborted();
    const { qpath, mtime, to } = file;
    const target = to === undefined ? qpath : `${qpath}.${to}`;
    try {
      const path = safeDestination(directory, target);
      await output.writeStream({ target, member: qpath, mtime, signal }, content(file));
      yield { file, path };
    } catch (error) {
      if (!isOfOneFile(error)) throw error;
      yield { file, error };
    }
  }
}

/** Returns whether an error is about one file, so that the others can still be written. */
export function isOfOneFile(error: unknown): error is Error {
  if (error instanceof ExtractionError) return true;
  if (!(error instanceof RpcError)) return false;
  const { code, data } = error;
  if (code === errorCodes.unreadable || code === errorCodes.internalError || code === errorCodes.tooLarge) return true;
  // Without a path the view is missing.
  return code === errorCodes.invalidParams || (code === errorCodes.notFound && data?.path !== undefined);
}
