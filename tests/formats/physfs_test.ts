import { assert, assertEquals } from "@std/assert";
import { type Archive, type FormatName, openArchive } from "../../formats/mod.ts";
import { debianPackage } from "../support/debian_data.ts";
import { temporaryDirectory } from "../support/temporary.ts";
import { grp, type HandFile, hog, output, pak, string } from "./bytes.ts";

const script = new URL("./physfs.py", import.meta.url).pathname;

type Listing = Record<string, readonly [size: number, sha256: string]>;

/** What PhysFS, an independent implementation, reads from an archive. */
async function physfs(path: string): Promise<Listing> {
  const root = await debianPackage("libphysfs1");
  const [library] = await Array.fromAsync(Deno.readDir(`${root}/usr/lib`), ({ name }) => `${root}/usr/lib/${name}`);
  return JSON.parse(string(await output("python3", script, `${library}/libphysfs.so.1`, path)));
}

async function listing(archive: Archive): Promise<Listing> {
  const rows = Array.from(archive, async ({ qpath, size }) => {
    const digest = await crypto.subtle.digest("SHA-256", archive.read(qpath).slice());
    return [qpath, [size, new Uint8Array(digest).toHex()]] as const;
  });
  return Object.fromEntries(await Promise.all(rows));
}

const content = (index: number) => `content ${index} `.repeat(index * index % 50);
const dosFiles: readonly HandFile[] = Array.from({ length: 40 }, (_, index) => [`F${index}.DAT`, content(index)]);
const deepFiles: readonly HandFile[] = Array.from(
  { length: 40 },
  (_, index) => [`${["maps/", "gfx/env/", ""][index % 3]}f${index}.dat`, content(index)],
);

const archives: readonly (readonly [FormatName, Uint8Array])[] = [
  ["quake-pak", pak(deepFiles)],
  ["grp", grp(dosFiles)],
  ["hog", hog(dosFiles)],
];

for (const [format, bytes] of archives) {
  Deno.test(`PhysFS reads the same names and bytes from a ${format}`, async () => {
    await using directory = await temporaryDirectory();
    const path = `${directory.path}/archive`;
    await Deno.writeFile(path, bytes);
    using archive = openArchive(path);
    assertEquals(archive.format.name, format);
    const theirs = await physfs(path);
    assertEquals(await listing(archive), theirs);
    assertEquals(Object.keys(theirs).length, 40);
  });
}

Deno.test("PhysFS reads the same names and bytes from QuakeSpasm's own PAK", async () => {
  const path = `${await debianPackage("quakespasm")}/usr/share/games/quake/quakespasm.pak`;
  const found = await Deno.stat(path).then(() => path, () => undefined);
  assert(found, `there is no ${path}`);
  using archive = openArchive(found);
  const theirs = await physfs(found);
  assertEquals(await listing(archive), theirs);
  assertEquals([Object.keys(theirs).length, Object.values(theirs).reduce((sum, [size]) => sum + size, 0)], [
    8,
    557_928,
  ]);
});
