/**
 * Determines which files hold the bytes of a source that consists of several files.
 * @module
 */
import { dirname, resolve } from "@std/path";
import type { EntryTable } from "../../formats/parts.ts";
import { type Identity, identityFrom, isSameIdentity } from "./identity.ts";
import type { ByteLayout, LayoutFile } from "./source.ts";

/**
 * Returns the identity of the file at `path`; all zero if it is missing, so that a part that remains missing counts as
 * unchanged.
 */
function partIdentity(path: string): Identity {
  try {
    return identityFrom(Deno.statSync(path));
  } catch {
    return { device: 0, inode: 0, size: 0, mtime: 0, ctime: 0 };
  }
}

/** Returns the layout of an archive on disk, or null if one file holds all its members. */
export function byteLayoutOf(path: string, identity: Identity, { layout, nested }: EntryTable): ByteLayout | null {
  if (!layout) return null;
  const files = layout.files.map((file): LayoutFile => {
    if (file.kind === "archive") return { kind: "disk", path, identity };
    if (file.kind === "decompressed") return { kind: "decompressed", row: file.member };
    const part = resolve(dirname(path), file.name);
    return { kind: "disk", path: part, identity: partIdentity(part) };
  });
  return { files, ranges: layout.ranges, nested: [...nested] };
}

/** Returns whether two layouts are the same, file by file. */
export function isSameByteLayout(a: ByteLayout | null, b: ByteLayout | null): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}

/** Returns whether all files of a layout except the archive itself are unchanged. */
export function hasSameParts(byteLayout: ByteLayout | null): boolean {
  const parts = byteLayout?.files.slice(1) ?? [];
  return parts.every((file) => file.kind === "decompressed" || isSameIdentity(file.identity, partIdentity(file.path)));
}

/** Returns the paths of a layout's files except the archive itself. */
export function partPaths(byteLayout: ByteLayout | null): string[] {
  return byteLayout?.files.slice(1).flatMap((file) => file.kind === "disk" ? [file.path] : []) ?? [];
}
