/**
 * Zips as three independent readers see them: 7-Zip, unzip and yauzl, the strictest. Real packs of OpenArena, with
 * their odd members: names that lead out, files without content, textures compressed to a thousandth.
 */
import { assert, assertEquals } from "@std/assert";
import { openArchive } from "../../formats/mod.ts";
import { verifyArchive } from "../../formats/verify.ts";
import { debianPackage } from "../support/debian_data.ts";
import { needs } from "../support/programs.ts";
import { temporaryDirectory } from "../support/temporary.ts";
import { output, string, text, zip } from "./bytes.ts";

/** Facts by which the readers are compared: name in the archive, size and CRC-32 in hexadecimal. */
type Member = readonly [name: string, size: number, crc32: string];

const hex = (value: number) => value.toString(16).padStart(8, "0");
const byName = (members: Member[]) => members.sort(([a], [b]) => a < b ? -1 : a > b ? 1 : 0);

function ours(path: string): Member[] {
  using archive = openArchive(path);
  assertEquals(archive.format.name, "zip");
  return byName(Array.from(archive, ({ member, size, crc32 }) => [member, size, crc32 ?? ""]));
}

async function sevenZip(path: string): Promise<Member[]> {
  const program = `${debianPackage("7zip")}/usr/bin/7zz`;
  const listing = string(await output(program, "l", "-slt", "-ba", path));
  const members = listing.split("\n\n").map((block) =>
    new Map(
      block.split("\n").map((line): [string, string] => {
        const sign = line.indexOf(" = ");
        return [line.slice(0, sign), line.slice(sign + 3)];
      }),
    )
  ).filter((fields) => fields.get("Folder") === "-");
  return byName(
    members.map((fields) => [
      fields.get("Path") ?? "",
      Number(fields.get("Size")),
      (fields.get("CRC") || "00000000").toLowerCase(),
    ]),
  );
}

/** The used part of yauzl, which has no types. */
interface YauzlEntry {
  readonly fileName: string;
  readonly uncompressedSize: number;
  readonly crc32: number;
}
interface YauzlFile {
  readEntry(): void;
  on(event: "entry", listener: (entry: YauzlEntry) => void): void;
  on(event: "end", listener: () => void): void;
  on(event: "error", listener: (error: Error) => void): void;
}
interface Yauzl {
  open(
    path: string,
    options: { lazyEntries: boolean; validateEntrySizes: boolean; strictFileNames?: boolean; decodeStrings?: boolean },
    listener: (error: Error | null, file: YauzlFile) => void,
  ): void;
}

async function yauzl(path: string): Promise<Member[]> {
  const { default: library } = await import("yauzl") as unknown as { default: Yauzl };
  const members: Member[] = [];
  await new Promise<void>((resolve, reject) => {
    library.open(path, { lazyEntries: true, validateEntrySizes: true }, (error, file) => {
      if (error) return reject(error);
      file.on("error", reject);
      file.on("end", resolve);
      file.on("entry", ({ fileName, uncompressedSize, crc32 }) => {
        if (!fileName.endsWith("/")) members.push([fileName, uncompressedSize, hex(crc32)]);
        file.readEntry();
      });
      file.readEntry();
    });
  });
  return byName(members);
}

async function sound(path: string): Promise<number> {
  using archive = openArchive(path);
  let members = 0;
  for await (const { problem } of verifyArchive(archive)) {
    assertEquals(problem, null);
    members++;
  }
  return members;
}

/** Packs by Debian package, with their members other than directories, as in the packages' own lists. */
const packs: readonly (readonly [debian: string, path: string, files: number])[] = [
  ["openarena-081-misc", "baseoa/pak5-TA.pk3", 119],
  ["openarena-081-misc", "baseoa/pak6-misc.pk3", 228],
  ["openarena-oacmp1", "oacmp-mod/z_oacmpcampaign.pk3", 2],
  ["openarena-data", "baseoa/pak0.pk3", 978],
];

for (const [debian, name, files] of packs) {
  Deno.test(
    `7-Zip and yauzl see what is read from ${name}, and every member has its checksum`,
    needs("debian:7zip", `debian:${debian}`),
    async () => {
      const path = `${debianPackage(debian)}/usr/share/games/openarena/${name}`;
      const members = ours(path);
      assertEquals(members.length, files);
      assertEquals(await sevenZip(path), members);
      assertEquals(await yauzl(path), members);
      assertEquals(await sound(path), files);
    },
  );
}

Deno.test(
  "mp-pak0.pk3 has names that lead out: yauzl refuses it, here they are kept inside under other names",
  needs("debian:openarena-data"),
  async () => {
    const path = `${debianPackage("openarena-data")}/usr/share/games/openarena/missionpack/mp-pak0.pk3`;
    const members = ours(path);
    assertEquals(members.length, 487 - 51);
    using archive = openArchive(path);
    const leading = Array.from(archive).filter(({ member }) => member.startsWith("../"));
    assertEquals(leading.map(({ member }) => member).sort(), ["../COPYING", "../CREDITS"]);
    assert(leading.every(({ qpath }) => qpath.startsWith("_unsafe/") && !qpath.includes("..")));
    const refused = await yauzl(path).then(() => "", String);
    assert(refused.includes("invalid relative path"), refused);
    for (const { member, qpath } of leading) {
      // deno-lint-ignore no-await-in-loop -- two
      assertEquals(archive.read(qpath), await output("unzip", "-p", path, member));
    }
  },
);

Deno.test(
  "a zip with the longest comment is read as 7-Zip and unzip read it",
  needs("unzip", "debian:7zip"),
  async () => {
    await using directory = await temporaryDirectory();
    const members = [
      { name: "maps/a (final) version.bsp", content: "spaces and parentheses ".repeat(100), method: 8 as const },
      { name: "empty.txt", content: "" },
      { name: "scripts/a.shader", content: "textures/a {}\n" },
    ];
    const plain = zip(members);
    const commented = plain.slice();
    const comment = text("not the end: PK\x05\x07".padEnd(65_535, "x"));
    new DataView(commented.buffer).setUint16(commented.length - 2, comment.length, true);
    const path = `${directory.path}/a.pk3`;
    await Deno.writeFile(path, Uint8Array.of(...commented, ...comment));
    assertEquals(await sevenZip(path), ours(path));
    assertEquals(string(await output("unzip", "-p", path, "scripts/a.shader")), "textures/a {}\n");
    assertEquals(await sound(path), 3);
  },
);
