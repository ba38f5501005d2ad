/**
 * Extended attributes of mounted files: the origin of each.
 * @module
 */
import { none, type Snapshot } from "../../index/mod.ts";
import type { MountedTree } from "../layout/mounted_tree.ts";

const encoder = new TextEncoder();
const decoder = new TextDecoder();
const prefix = "user.pakfs.";

/** A file of a tree. */
interface Subject {
  readonly mounted: MountedTree;
  readonly index: number;
  readonly snapshot: Snapshot;
  readonly entry: number;
}

const values: Readonly<Record<string, (subject: Subject) => string | undefined>> = {
  source: ({ snapshot, entry }) => snapshot.sourceOf(entry).path,
  member: ({ snapshot, entry }) => snapshot.memberOf(entry),
  part: ({ snapshot, entry }) => snapshot.locationOf(entry).part,
  offset: ({ snapshot, entry }) => String(snapshot.locationOf(entry).offset),
  method: ({ snapshot, entry }) => snapshot.methodOf(entry),
  crc32: ({ snapshot, entry }) => snapshot.crcOf(entry)?.toString(16).padStart(8, "0"),
  shadows: ({ mounted, index, entry }) =>
    mounted.view?.losersTo(entry, mounted.tree.askedPathOf(index)).length.toString(),
  view: ({ mounted }) => mounted.view?.name,
};

/** Returns the value of `user.pakfs.*` for a node of a tree, or `undefined` if there is none. */
export function extendedAttribute(mounted: MountedTree, index: number, name: Uint8Array): Uint8Array | undefined {
  const { entries, snapshot } = mounted.tree;
  const entry = entries[index] ?? none;
  const text = decoder.decode(name);
  if (entry === none || !text.startsWith(prefix)) return undefined;
  const key = text.slice(prefix.length);
  const value = Object.hasOwn(values, key) ? values[key]?.({ mounted, index, snapshot, entry }) : undefined;
  return value === undefined ? undefined : encoder.encode(value);
}

/** Returns the names of all attributes of a node, each followed by a zero byte. */
export function extendedAttributeNames(mounted: MountedTree, index: number): Uint8Array {
  const { entries, snapshot } = mounted.tree;
  const entry = entries[index] ?? none;
  if (entry === none) return new Uint8Array(0);
  const names = Object.keys(values).filter((name) => values[name]?.({ mounted, index, snapshot, entry }) !== undefined);
  return encoder.encode(names.map((name) => `${prefix}${name}\0`).join(""));
}
