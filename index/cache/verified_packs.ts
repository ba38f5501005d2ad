/**
 * Large stored members with verified checksums, recorded next to the index caches for later mounts. A record is valid
 * only for the verified file, identified by its ctime, which no program can set.
 *
 * A pack that changed just before it was mounted is not recorded.
 * @module
 */
import { crc32, messageOf } from "../../formats/parts.ts";
import { join } from "@std/path";
import { ownFileBytes, writeOwnFile } from "../../system/mod.ts";
import { hasNumbers, isRecord } from "./json_fields.ts";
import type { Identity } from "../columns/identity.ts";

/** A stored member whose bytes matched the checksum in its archive. */
export interface VerifiedMember {
  /** Offset in the index, which is the offset of the header before the data. */
  readonly offset: number;
  readonly dataOffset: number;
  /** Size in bytes. */
  readonly size: number;
  readonly crc32: number;
}

/** A pack with verified members. */
export interface VerifiedPack {
  readonly path: string;
  /** Identity of the file that was verified. */
  readonly identity: Identity;
  readonly members: readonly VerifiedMember[];
}

/** Name of the file in the directory of the index caches. */
export const verifiedPacksName = "members.verified";
const title = "pakfs verified members 1";
/** Maximum bytes of a file; a longer one was not written by pakfs. */
const maxFile = 16 * 1024 * 1024;
/** Maximum number of recorded members; each takes less than 120 bytes. */
const maxMembers = 100_000;

/**
 * Returns the packs that the file in `directory` lists; none if it is missing.
 * @throws {Error} if it is damaged, of another version, or other users can write to it.
 */
export async function readVerifiedPacks(directory: string): Promise<VerifiedPack[]> {
  const path = join(directory, verifiedPacksName);
  try {
    return await Promise.try(() => parse(new TextDecoder().decode(ownFileBytes(path, maxFile))));
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return [];
    throw new Error(`${path} not used: ${messageOf(error)}`, { cause: error });
  }
}

/**
 * Writes packs, followed by the packs that the file already lists; for each path the first counts.
 * @throws {Error} if the file cannot be written.
 */
export async function writeVerifiedPacks(directory: string, packs: readonly VerifiedPack[]): Promise<void> {
  const path = join(directory, verifiedPacksName);
  // A damaged file is replaced.
  const earlier = await readVerifiedPacks(directory).catch(() => []);
  const body = JSON.stringify(newest([...packs, ...earlier]));
  try {
    await writeOwnFile(directory, path, [new TextEncoder().encode(`${headerOf(body)}\n${body}`)]);
  } catch (error) {
    throw new Error(`${path} not written: ${messageOf(error)}`, { cause: error });
  }
}

/** Returns the first pack of each path, within the limits. */
function newest(packs: readonly VerifiedPack[]): VerifiedPack[] {
  const byPath = new Map<string, VerifiedPack>();
  let count = 0;
  for (const pack of packs) {
    if (byPath.has(pack.path) || count + pack.members.length > maxMembers) continue;
    byPath.set(pack.path, pack);
    count += pack.members.length;
  }
  return Array.from(byPath.values());
}

function headerOf(body: string): string {
  return `${title} ${crc32(body).toString(16).padStart(8, "0")}`;
}

function parse(text: string): VerifiedPack[] {
  const end = text.indexOf("\n");
  const body = text.slice(end + 1);
  if (text.slice(0, Math.max(0, end)) !== headerOf(body)) throw new Error("its checksum or version is wrong");
  const packs: unknown = JSON.parse(body);
  if (!Array.isArray(packs) || !packs.every(isPack)) throw new Error("it has unexpected fields");
  return packs;
}

function isPack(value: unknown): value is VerifiedPack {
  if (!isRecord(value)) return false;
  const { path, identity, members } = value;
  return typeof path === "string" && hasNumbers(identity, ["device", "inode", "size", "mtime", "ctime"]) &&
    Array.isArray(members) &&
    members.every((member) => hasNumbers(member, ["offset", "dataOffset", "size", "crc32"]));
}
