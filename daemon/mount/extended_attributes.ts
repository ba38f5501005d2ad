/**
 * Extended attributes of mounted files: where each comes from.
 * @module
 */
import { none } from "../../index/columns.ts";
import { shownPlace } from "../../index/placement.ts";
import type { MountLayout } from "./layout.ts";

const encoder = new TextEncoder();
const decoder = new TextDecoder();
const prefix = "user.pakfs.";

/** What can be asked of one file: a tree of the layout and a node of the tree. */
interface Subject {
  readonly layout: MountLayout;
  readonly tree: number;
  readonly entry: number;
}

const values: Readonly<Record<string, (subject: Subject) => string | undefined>> = {
  source: ({ layout, tree, entry }) => layout.tree(tree).snapshot.sourceOf(entry).path,
  member: ({ layout, tree, entry }) => layout.tree(tree).snapshot.memberOf(entry),
  part: ({ layout, tree, entry }) => shownPlace(layout.tree(tree).snapshot, entry).part,
  offset: ({ layout, tree, entry }) => String(shownPlace(layout.tree(tree).snapshot, entry).offset),
  method: ({ layout, tree, entry }) => layout.tree(tree).snapshot.methodOf(entry),
  crc32: ({ layout, tree, entry }) => layout.tree(tree).snapshot.crcOf(entry)?.toString(16).padStart(8, "0"),
  shadows: ({ layout, tree, entry }) => layout.view(tree)?.shadowedBy(entry).toString(),
  view: ({ layout, tree }) => layout.view(tree)?.name,
};

/** The value of `user.pakfs.*` for a node of a tree, or `undefined` where there is none. */
export function extendedAttribute(
  layout: MountLayout,
  tree: number,
  index: number,
  name: Uint8Array,
): Uint8Array | undefined {
  const entry = layout.tree(tree).entries[index] ?? none;
  const text = decoder.decode(name);
  if (entry === none || !text.startsWith(prefix)) return undefined;
  const value = Object.hasOwn(values, text.slice(prefix.length))
    ? values[text.slice(prefix.length)]?.({ layout, tree, entry })
    : undefined;
  return value === undefined ? undefined : encoder.encode(value);
}

/** Names of all attributes that a node has, each followed by a zero byte. */
export function extendedAttributeNames(layout: MountLayout, tree: number, index: number): Uint8Array {
  const entry = layout.tree(tree).entries[index] ?? none;
  if (entry === none) return new Uint8Array(0);
  const names = Object.keys(values).filter((name) => values[name]?.({ layout, tree, entry }) !== undefined);
  return encoder.encode(names.map((name) => `${prefix}${name}\0`).join(""));
}
