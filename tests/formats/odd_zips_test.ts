/**
 * Zips with odd ends, as three independent readers see them: Python's zipfile, unzip and 7-Zip. If two of them list the
 * same, and the third does not object with a list of its own, pakfs must list and read the same.
 */
import { assert, assertEquals } from "@std/assert";
import { ArchiveError, openArchive, verifyArchive } from "../../formats/mod.ts";
import { debianPackage } from "../support/debian_data.ts";
import fc from "../support/fast_check.ts";
import { needs } from "../support/programs.ts";
import { temporaryDirectory } from "../support/temporary.ts";
import { type HandMember, join, string, text, zip } from "./bytes.ts";

/** Name and size of each file, in order of names; null where a reader refuses the archive. */
type Listing = readonly string[] | null;

const sorted = (lines: string[]): Listing => lines.sort();

async function ours(path: string): Promise<Listing> {
  try {
    using archive = openArchive(path);
    for await (const { member, problem } of verifyArchive(archive)) assertEquals(problem, null, `${path}: ${member}`);
    return sorted(Array.from(archive, ({ member, size }) => `${member} ${size}`));
  } catch (error) {
    if (error instanceof ArchiveError) return null;
    throw error;
  }
}

async function run(program: string, parameters: readonly string[], input = ""): Promise<{ code: number; out: string }> {
  const child = new Deno.Command(program, {
    args: [...parameters],
    stdin: "piped",
    stdout: "piped",
    stderr: "null",
  }).spawn();
  const writer = child.stdin.getWriter();
  await writer.write(text(input));
  await writer.close();
  const { code, stdout } = await child.output();
  return { code, out: string(stdout) };
}

async function python(paths: readonly string[]): Promise<Listing[]> {
  const script = new URL("zips.py", import.meta.url).pathname;
  const { out } = await run("python3", [script, "list"], paths.map((path) => `${path}\n`).join(""));
  return out.trim().split("\n").map((line) =>
    (JSON.parse(line) as [string, number][] | null)?.map((member) => member.join(" ")) ?? null
  ).map((lines) => lines && sorted(lines));
}

async function unzip(path: string): Promise<Listing> {
  const { out } = await run("unzip", ["-l", "-qq", path]);
  const lines = out.split("\n").flatMap((line) => {
    const [, size, name] = /^ *(\d+) +\S+ +\S+ +(.*)$/.exec(line) ?? [];
    return name === undefined ? [] : [`${name} ${size}`];
  });
  // Its exit code may be nonzero although it lists and extracts everything.
  return lines.length === 0 ? null : sorted(lines);
}

async function sevenZip(program: string, path: string): Promise<Listing> {
  const { code, out } = await run(program, ["l", "-slt", "-ba", "-tzip", path]);
  if (code > 1) return null;
  return sorted(
    out.split("\n\n").flatMap((block) => {
      const [, name] = /^Path = (.*)$/m.exec(block) ?? [];
      const [, size] = /^Size = (.*)$/m.exec(block) ?? [];
      return name === undefined ? [] : [`${name} ${size}`];
    }),
  );
}

interface Oddity {
  readonly members: readonly HandMember[];
  readonly comment: string;
  /** Bytes of the comment that are missing at the end. */
  readonly cut: number;
  readonly trailing: number;
  readonly junk: number;
  readonly zip64: boolean;
  /** Bytes of the extensible data sector of the zip64 record. */
  readonly sector: number;
  readonly overcount: number;
  readonly disk: 0 | 1;
}

/** The bytes of an odd archive. */
function layOut(odd: Oddity): Uint8Array {
  const plain = zip(odd.members, { zip64: odd.zip64, comment: text(odd.comment) });
  const end = plain.length - odd.comment.length - 22;
  const view = new DataView(plain.buffer);
  view.setUint16(end + 4, odd.disk, true);
  view.setUint16(end + 6, odd.disk, true);
  const cut = plain.subarray(0, plain.length - Math.min(odd.cut, odd.comment.length));
  const junk = new Uint8Array(odd.junk).fill(0x2e);
  const trailing = new Uint8Array(odd.trailing).fill(0x0a);
  if (!odd.zip64) {
    const count = odd.members.length + odd.overcount;
    view.setUint16(end + 8, count, true);
    view.setUint16(end + 10, count, true);
    return join(junk, cut, trailing);
  }
  const record = end - 20 - 56;
  view.setBigUint64(record + 4, BigInt(44 + odd.sector), true);
  view.setBigUint64(end - 20 + 8, BigInt(record), true);
  return join(junk, cut.subarray(0, end - 20), new Uint8Array(odd.sector), cut.subarray(end - 20), trailing);
}

const content = fc.constantFrom("", "a", "some text ".repeat(40));
const inner = fc.array(content, { minLength: 1, maxLength: 2 }).map((contents) =>
  zip(contents.map((one, index) => ({ name: `inner${index}.txt`, content: one })))
);
const contents = fc.array(fc.oneof({ arbitrary: content, weight: 2 }, inner), { minLength: 1, maxLength: 3 });
const members = contents.map((all) =>
  all.map((one, index): HandMember => ({ name: `m${index}.${typeof one === "string" ? "txt" : "pk3"}`, content: one }))
);
/** Mostly zero, so that only one or two fields are odd at a time. */
const some = (values: fc.Arbitrary<number>) => fc.oneof({ arbitrary: fc.constant(0), weight: 3 }, values);
const oddity: fc.Arbitrary<Oddity> = fc.record({
  members,
  comment: fc.constantFrom("", "by somebody", "x".repeat(30), "not the end: PK\x05\x06 of it", "y".repeat(2000)),
  cut: some(fc.oneof(fc.integer({ min: 1, max: 30 }), fc.integer({ min: 1, max: 2000 }))),
  trailing: some(fc.constantFrom(1, 4, 100, 3000)),
  junk: some(fc.constantFrom(1, 22, 70_000)),
  zip64: fc.boolean(),
  sector: some(fc.constantFrom(1, 24, 300)),
  overcount: some(fc.constantFrom(1, 2, 7)),
  disk: fc.constantFrom(0, 0, 0, 1),
});

Deno.test(
  "zips with odd ends are listed as Python, unzip and 7-Zip list them",
  needs("python3", "unzip", "debian:7zip"),
  async () => {
    await using directory = await temporaryDirectory();
    const program = `${debianPackage("7zip")}/usr/bin/7zz`;
    const oddities = fc.sample(oddity, Number(Deno.env.get("PAKFS_ODD_ZIPS") ?? 60));
    const paths = oddities.map((_, index) => `${directory.path}/${index}.zip`);
    await Promise.all(oddities.map((odd, index) => Deno.writeFile(paths[index] ?? "", layOut(odd))));
    const fromPython = await python(paths);
    let agreed = 0;
    for (const [index, path] of paths.entries()) {
      // deno-lint-ignore no-await-in-loop -- one archive after another
      const [unzipped, sevenZipped] = await Promise.all([unzip(path), sevenZip(program, path)]);
      const lists = [fromPython[index] ?? null, unzipped, sevenZipped].filter((list) => list !== null);
      const what = JSON.stringify(oddities[index], (key, value) => key === "content" ? undefined : value);
      // deno-lint-ignore no-await-in-loop -- one archive after another
      const read = await ours(path);
      const [first] = lists;
      if (first === undefined || lists.length < 2 || lists.some((list) => list.join() !== first.join())) continue;
      agreed++;
      assertEquals(read, first, what);
    }
    assert(agreed > oddities.length / 2, `the three agree on ${agreed} of ${oddities.length} only`);
  },
);
