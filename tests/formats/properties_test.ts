import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { type FormatName, formatNamed, openArchive, verifyArchive } from "../../formats/mod.ts";
import { join, source } from "./bytes.ts";

const component = fc.string({ unit: fc.constantFrom(..."abcXYZ019_-+() .~%éж\u{1f600}"), minLength: 1, maxLength: 6 })
  .filter((name) => name !== "." && name !== "..");
const path = fc.array(component, { minLength: 1, maxLength: 3 }).map((components) => components.join("/"))
  .filter((name) => new TextEncoder().encode(name).length <= 56);
const content = fc.oneof(
  fc.uint8Array({ maxLength: 300 }),
  fc.nat(5000).map((length) => new Uint8Array(length).fill(7)),
);
const files = fc.uniqueArray(fc.tuple(path, content), { selector: ([name]) => name, maxLength: 12 });

async function roundTrip(
  format: FormatName,
  members: readonly (readonly [string, Uint8Array])[],
  method: "store" | "deflate",
): Promise<void> {
  const write = formatNamed(format)?.write;
  assert(write);
  const entries = members.map(([name, bytes], index) => ({ path: name, content: () => bytes, mtime: index * 1000 }));
  const written = join(...await Array.fromAsync(write(entries, { path: "x", method })));
  using archive = openArchive(source(written));
  assertEquals(archive.format.name, format);
  assertEquals([...archive].map(({ qpath }) => qpath), members.map(([name]) => name));
  for (const [name, bytes] of members) assertEquals(archive.read(name), bytes);
  for await (const { member, problem } of verifyArchive(archive)) assertEquals(problem, null, member);
}

Deno.test("any files written to a zip are read from it", async () => {
  await fc.assert(
    fc.asyncProperty(files, fc.constantFrom("store", "deflate"), (members, method) =>
      roundTrip(
        "zip",
        members.filter(([name]) => !/%(?=[01][0-9A-F]|25|7F|[89][0-9A-F]|C2)/.test(name)),
        method,
      )),
    {
      numRuns: 150,
    },
  );
});

Deno.test("any files written to a Quake PAK are read from it", async () => {
  await fc.assert(
    fc.asyncProperty(files, (members) =>
      roundTrip(
        "quake-pak",
        members.filter(([name]) => !/%(?=[01][0-9A-F]|25|7F|[89][0-9A-F]|C2)/.test(name)),
        "store",
      )),
    {
      numRuns: 150,
    },
  );
});
