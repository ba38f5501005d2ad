/**
 * An installation with members of all sizes and kinds, sound and damaged, with known bytes.
 * @module
 */
import { assertEquals } from "@std/assert";
import type { Catalog } from "../../views/catalog.ts";
import { pak, zip } from "../formats/bytes.ts";
import { scan, writeFiles } from "../index/fixtures.ts";
import { content, modelRing } from "./content_model.ts";

/** Sizes of members: decompressed by the session, in the ring, at its limit, and beyond it. */
const sizes = [1, 5000, 70_000, 200_000, modelRing / 2, modelRing / 2 + 1, 400_000];

function files() {
  const members = ["stored", "deflated"].flatMap((kind) =>
    sizes.map((size) => ({ name: `${kind}-${size}`, bytes: content(`${kind}${size}`, size), kind }))
  );
  // The archive must itself be decompressed before its members can be read.
  const nested = members.filter(({ bytes }) => bytes.length !== 200_000 && bytes.length < modelRing / 2)
    .map(({ name, kind, bytes: { length } }) => ({
      name: `inner.zip.d/${name}`,
      kind,
      bytes: content(`n${kind}`, length),
    }));
  return { members, nested, plain: { name: "plain", bytes: content("plain", 300_000) } };
}

/** Writes the files below a directory, and indexes them. */
export async function catalogOf(directory: string): Promise<Catalog> {
  const { members, nested, plain } = files();
  const damaged = members.map(({ name, bytes, kind }) => ({
    name: `damaged-${name}`,
    content: bytes,
    method: kind === "stored" ? 0 : 8,
    crc: 0x1234_5678,
  }));
  const zipOf = (some: typeof members) =>
    zip(some.map(({ name, bytes, kind }) => ({
      name: name.replace(/.*\//, ""),
      content: bytes,
      method: kind === "stored" ? 0 : 8,
    })));
  await writeFiles(`${directory}/game`, {
    "a.pk3": zipOf(members),
    // More bytes follow than a header may take.
    "outer.pk3": zip([{
      name: "inner.zip",
      content: zipOf([...nested, { name: "rest", kind: "stored", bytes: new Uint8Array(200_000) }]),
      method: 8,
    }]),
    "damaged.pk3": zip(damaged),
    "b.pak": pak([[plain.name, plain.bytes]]),
    "loose.dat": content("loose", 150_000),
  });
  return scan(`${directory}/game`, { profile: "generic", nested: true });
}

/** Expected bytes of entries by name; null: damaged. */
export function entriesOf(
  { snapshot }: Catalog,
): Map<string, { entry: number; bytes: Uint8Array | null; size: number }> {
  const { members, nested, plain } = files();
  const known = new Map([...members, ...nested, plain].map(({ name, bytes }) => [name, bytes]));
  known.set("loose.dat", content("loose", 150_000));
  const entries = new Map<string, { entry: number; bytes: Uint8Array | null; size: number }>();
  for (let entry = 0; entry < snapshot.entryCount; entry++) {
    const name = snapshot.memberOf(entry);
    const size = snapshot.columns.entrySizes[entry] ?? 0;
    const bytes = known.get(name) ?? (name.startsWith("damaged-") ? null : undefined);
    if (bytes !== undefined) entries.set(name, { entry, bytes, size });
  }
  assertEquals(entries.size, members.length * 2 + nested.length + 2);
  return entries;
}
