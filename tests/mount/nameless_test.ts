import { assertEquals } from "@std/assert";
import { createHash } from "node:crypto";
import { deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from "node:zlib";
import { hashName } from "../../formats/core/name_hashes.ts";
import { variantNamed } from "../../formats/mod.ts";
import { hex, join, text, u32 } from "../formats/bytes.ts";
import { dragonNestPak } from "../formats/dragonnest.ts";
import { type HashedMember, hashedPack } from "../formats/hashed.ts";
import { writeFiles } from "../index/fixtures.ts";
import { needs } from "../support/programs.ts";
import { manifest, python, workspace } from "./mounting.ts";

function line(path: string, content: Uint8Array): string {
  return `${createHash("sha256").update(content).digest("hex")}  ${path}`;
}

function hashOf(path: string): number {
  const variant = variantNamed("jenkins+upper+backslash");
  if (!variant) throw new Error("no such variant");
  return hashName(path, variant);
}

const small = text("a small file, ".repeat(20));
/** Too large to be decompressed on the session thread. */
const large = text("a large file, which a decoder decompresses; ".repeat(10_000));
/** Too large for the ring: it goes to a file. */
const huge = new Uint8Array(20 * 1024 * 1024).map((_, index) => (index * index) >>> 11);

Deno.test(
  "a hashed pack and a Dragon Nest pak are mounted under names, each file decompressed or refused",
  needs("python3"),
  async () => {
    await using here = await workspace();
    const packers: Readonly<Record<string, (content: Uint8Array) => Uint8Array>> = {
      zlib: (content) => deflateSync(content),
      deflate: (content) => deflateRawSync(content),
      gzip: (content) => gzipSync(content),
      zstd: (content) => zstdCompressSync(content),
      sized: (content) => join(u32(content.length), deflateSync(content)),
    };
    const files = new Map<string, Uint8Array>();
    const members: HashedMember[] = Object.entries(packers).flatMap(([name, compressed]) =>
      Object.entries({ small, large, huge }).map(([size, content]) => {
        files.set(`${name}/${size}.dat`, content);
        return { hash: hashOf(`${name}/${size}.dat`), data: new Uint8Array(compressed(content)), size: content.length };
      })
    );
    files.set("lz4/small.dat", text("hello hello hello hello hello hello"));
    files.set("stored/large.dat", large);
    const lz4 = hex("04224d186440a7100000006f68656c6c6f200600055068656c6c6f00000000bd9cd674");
    members.push({ hash: hashOf("lz4/small.dat"), data: lz4, size: 35 });
    const stored = { hash: hashOf("stored/large.dat"), data: large };
    const damaged = { hash: hashOf("bad/short.dat"), data: new Uint8Array(deflateSync(large)), size: large.length + 1 };
    const foreign = { hash: hashOf("bad/foreign.dat"), data: new Uint8Array(50).fill(0xff), size: 400 };
    const all = [...members, stored, damaged, foreign].sort((a, b) => a.hash - b.hash);
    await writeFiles(here.path, {
      "engine/a.pack": hashedPack(all),
      "names.txt": [...files.keys(), "bad/short.dat", "bad/foreign.dat"].join("\n"),
      "dn/Resource00.pak": dragonNestPak([
        {
          name: hex("5c b0 a1 b3 aa 5c c5 d7 bd ba c6 ae 2e 74 78 74"),
          data: new Uint8Array(deflateSync(large, { level: 1 })),
          size: large.length,
        },
        { name: "\\raw.txt", data: small, size: small.length },
        { name: "\\learned.txt", data: new Uint8Array(deflateSync(small, { level: 1 })), size: 0 },
      ]),
    });
    await here.mount("--profile", "hashed", "--names", `${here.path}/names.txt`, `${here.path}/engine`);
    const root = `${here.mountPoint}/engine/engine`;
    const read = await python(
      `
import os, sys
for name in sys.argv[2:]:
    try:
        print(name, len(open(os.path.join(sys.argv[1], name), "rb").read()))
    except OSError as error:
        print(name, error.errno)
`,
      root,
      "bad/short.dat",
      "bad/foreign.dat",
    );
    assertEquals(read, "bad/short.dat 5\nbad/foreign.dat 5\n"); // EIO
    const directories = new Set(files.keys().map((path) => path.slice(0, path.indexOf("/"))));
    const sums = await Promise.all(Array.from(directories, async (directory) => {
      return (await manifest(`${root}/${directory}`)).map((found) => found.replace("  ", `  ${directory}/`));
    }));
    assertEquals(sums.flat().sort(), Array.from(files, ([path, content]) => line(path, content)).sort());
    await here.stop();

    await here.mount(`${here.path}/dn`);
    assertEquals(
      await manifest(`${here.mountPoint}/dn/dn`),
      [line("가나/테스트.txt", large), line("raw.txt", small), line("learned.txt", small)].sort(),
    );
  },
);
