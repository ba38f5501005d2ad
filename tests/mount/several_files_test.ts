import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { type HandMember, pak, vpk, type VpkFile, wad, zip } from "../formats/bytes.ts";
import { writeFiles } from "../index/fixtures.ts";
import { needs } from "../support/programs.ts";
import { output, python, until, workspace } from "./mounting.ts";

/** Letters that identify their position in a file, and the file's number. */
function letters(number: number, length: number): string {
  return Array.from({ length: Math.ceil(length / 16) }, (_, line) => `${number} ${line}`.padEnd(15) + "\n").join("")
    .slice(0, length);
}

function sha256(content: string | Uint8Array): Promise<string> {
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
  return crypto.subtle.digest("SHA-256", bytes.slice()).then((digest) => new Uint8Array(digest).toHex());
}

/** Returns `sha256sum` of the mounted files; `EIO` for unreadable ones. */
async function sums(directory: string, ...paths: readonly string[]): Promise<Record<string, string>> {
  const script = `
import errno, hashlib, json, os, sys
def sum(path):
    try:
        with open(os.path.join(sys.argv[1], path), "rb") as file:
            return hashlib.sha256(file.read()).hexdigest()
    except OSError as error:
        return errno.errorcode[error.errno]
print(json.dumps({path: sum(path) for path in sys.argv[2:]}))`;
  return JSON.parse(await python(script, directory, ...paths));
}

async function expected(contents: Readonly<Record<string, string | Uint8Array>>): Promise<Record<string, string>> {
  const pairs = Object.entries(contents).map(async ([path, content]) => [path, await sha256(content)] as const);
  return Object.fromEntries(await Promise.all(pairs));
}

/** Contents of a VPK in parts: small and large; stored in a part, partly preloaded, or wholly preloaded. */
const vpkContents = {
  "small.txt": letters(1, 1000),
  "large.bin": letters(2, 20_000_000),
  "split.txt": letters(3, 5000),
  "largesplit.bin": letters(4, 20_000_001),
  "preloaded.txt": letters(5, 600),
  "own.txt": letters(6, 3000),
  "empty": "",
};

/** The directory file and the parts. */
function vpkFiles(): Record<string, Uint8Array> {
  const parts: Record<number, string> = { 0: "x", 3: "yz" };
  const files = Object.entries(vpkContents).map(([path, content]): VpkFile => {
    const preload = { "split.txt": 100, "largesplit.bin": 999, "preloaded.txt": 600 }[path] ?? 0;
    if (path === "own.txt") return { path, content, part: 0x7fff, offset: 2 };
    const part = path.startsWith("large") ? 3 : 0;
    const offset = parts[part]?.length ?? 0;
    parts[part] += content.slice(preload);
    return { path, content, preload, part, offset };
  });
  const missing: VpkFile = { path: "missing/gone.txt", content: "gone", part: 7, offset: 0 };
  const encode = (text: string) => new TextEncoder().encode(text);
  return {
    "pak01_dir.vpk": vpk([...files, missing], `..${vpkContents["own.txt"]}`),
    "pak01_000.vpk": encode(parts[0] ?? ""),
    "pak01_003.vpk": encode(parts[3] ?? ""),
  };
}

Deno.test(
  "a VPK in parts is mounted: every file is what it was made from, and a missing part costs its files",
  needs("python3"),
  async () => {
    await using here = await workspace();
    await writeFiles(
      here.path,
      Object.fromEntries(Object.entries(vpkFiles()).map(([name, bytes]) => [`vpk/${name}`, bytes])),
    );
    await here.mount(`${here.path}/vpk/pak01_dir.vpk`);
    const wanted: Record<string, string> = { ...await expected(vpkContents), "missing/gone.txt": "EIO" };
    assertEquals(await sums(here.mountPoint, ...Object.keys(wanted)), wanted);
    const attribute = (path: string, name: string) =>
      python(
        "import os, sys; print(os.getxattr(sys.argv[1], sys.argv[2]).decode())",
        `${here.mountPoint}/${path}`,
        name,
      );
    assertEquals(await attribute("small.txt", "user.pakfs.part"), `${here.path}/vpk/pak01_000.vpk\n`);
    assertEquals(await attribute("small.txt", "user.pakfs.offset"), "1\n");
    assertEquals(await attribute("small.txt", "user.pakfs.source"), `${here.path}/vpk/pak01_dir.vpk\n`);
    const cat = await here.pakfs("cat", "split.txt");
    assertEquals([cat.code, await sha256(cat.stdout)], [0, wanted["split.txt"]]);
    const stat = await here.pakfs("stat", "small.txt", "--json");
    const { part, offset, dataOffset } = JSON.parse(stat.stdout);
    assertEquals([part, offset, dataOffset], [`${here.path}/vpk/pak01_000.vpk`, 1, 1]);
  },
);

Deno.test("parts in a game directory are no packs of their own, and no files of a view that has the pack", async () => {
  await using here = await workspace();
  await writeFiles(here.path, {
    ...Object.fromEntries(Object.entries(vpkFiles()).map(([name, bytes]) => [`game/${name}`, bytes])),
    "game/loose.txt": "loose",
  });
  await here.mount("--show-packs", `${here.path}/game`);
  assertEquals(await output("ls", `${here.mountPoint}/.packs/game/game`), "pak01_dir.vpk\n");
  const names = (await output("ls", `${here.mountPoint}/game/game`)).trim().split("\n");
  assertEquals(names.filter((name) => name.endsWith(".vpk")), []);
  assertEquals(names.includes("loose.txt") && names.includes("split.txt"), true);
  assertEquals((await here.status()).problems, []);
});

Deno.test("a part that is replaced gives I/O errors, and the other files can be read", needs("python3"), async () => {
  await using here = await workspace();
  const directory = `${here.path}/vpk`;
  await writeFiles(
    here.path,
    Object.fromEntries(Object.entries(vpkFiles()).map(([name, bytes]) => [`vpk/${name}`, bytes])),
  );
  await here.mount(`${directory}/pak01_dir.vpk`);
  const bytes = await Deno.readFile(`${directory}/pak01_000.vpk`);
  await Deno.remove(`${directory}/pak01_000.vpk`);
  await Deno.writeFile(`${directory}/pak01_000.vpk`, bytes);
  await Deno.utime(`${directory}/pak01_000.vpk`, 1, 1);
  const before = await sums(here.mountPoint, "small.txt", "split.txt", "own.txt");
  assertEquals([before["small.txt"], before["split.txt"]], ["EIO", "EIO"]);
  assertEquals(before["own.txt"], await sha256(vpkContents["own.txt"]));
  assertStringIncludes((await here.status()).problems.join(), "changed or deleted since it was indexed");
});

const lumps = (number: number) =>
  wad([["PLAYPAL", letters(number, 768)], ["E1M1", ""], ["THINGS", letters(number, 50_000)]]);

/** A zip with a stored WAD, a compressed WAD, and a compressed PAK that holds a zip with a compressed file. */
function deepZip(): Uint8Array {
  const inner = zip([
    { name: "packed.txt", content: letters(10, 100_000), method: 8 },
    { name: "stored.txt", content: letters(11, 3000) },
    { name: "in.wad", content: lumps(12), method: 8 },
  ]);
  const members: HandMember[] = [
    { name: "stored.wad", content: lumps(1) },
    { name: "packed.wad", content: lumps(2), method: 8 },
    { name: "m.pak", content: pak([["in.pk3", inner], ["text", letters(13, 20_000_000)]]), method: 8 },
  ];
  return zip(members);
}

const deepContents = {
  "stored.wad": lumps(1),
  "stored.wad.d/maps/E1M1/THINGS": letters(1, 50_000),
  "packed.wad.d/lumps/PLAYPAL": letters(2, 768),
  "packed.wad.d/maps/E1M1/THINGS": letters(2, 50_000),
  "m.pak.d/text": letters(13, 20_000_000),
  "m.pak.d/in.pk3.d/packed.txt": letters(10, 100_000),
  "m.pak.d/in.pk3.d/stored.txt": letters(11, 3000),
  "m.pak.d/in.pk3.d/in.wad.d/lumps/PLAYPAL": letters(12, 768),
  "m.pak.d/in.pk3.d/in.wad": lumps(12),
};

Deno.test(
  "archives in archives are mounted as directories next to them, stored and packed, one in another",
  needs("python3"),
  async () => {
    await using here = await workspace();
    await writeFiles(here.path, { "deep.zip": deepZip() });
    await here.mount("--nested", `${here.path}/deep.zip`);
    const wanted = await expected(deepContents);
    // From the deepest to the outermost, as each decompresses the files around it.
    const paths = Object.keys(wanted).reverse();
    assertEquals(await sums(here.mountPoint, ...paths), wanted);
    const cat = await here.pakfs("cat", "m.pak.d/in.pk3.d/packed.txt");
    assertEquals(await sha256(cat.stdout), wanted["m.pak.d/in.pk3.d/packed.txt"]);
    const found = await here.pakfs("find", "THINGS", "--json");
    assertEquals(found.stdout.trim().split("\n").map((line) => JSON.parse(line).format), ["wad", "wad", "wad"]);
    assertEquals((await here.status()).problems, []);
  },
);

Deno.test("many programs at once read from one compressed archive in an archive", async () => {
  await using here = await workspace();
  const contents = Object.fromEntries(
    Array.from({ length: 40 }, (_, index) => [`f${index}`, letters(index, index * 5000)]),
  );
  const inner = zip(Object.entries(contents).map(([name, content]) => ({ name, content, method: 8 })));
  await writeFiles(here.path, { "a.zip": zip([{ name: "in.pk3", content: inner, method: 8 }]) });
  await here.mount("--nested", `${here.path}/a.zip`);
  const text = await output(
    "sh",
    "-c",
    'cd "$1" && find . -type f -print0 | xargs -0 -n 1 -P 8 sha256sum',
    "sh",
    `${here.mountPoint}/in.pk3.d`,
  );
  const found = text.trim().split("\n").map((line): [string, string] => [line.slice(68), line.slice(0, 64)]);
  assertEquals(Object.fromEntries(found.sort()), Object.fromEntries(Object.entries(await expected(contents)).sort()));
});

Deno.test("of archives in packs only the one whose file is loaded is shown as a directory", async () => {
  await using here = await workspace();
  await writeFiles(here.path, {
    "quake/id1/pak0.pak": pak([["gfx.wad", wad([["OLD", "old"], ["BOTH", "old"]])], ["one.wad", lumps(1)]]),
    "quake/id1/pak1.pak": pak([["gfx.wad", wad([["NEW", "new"], ["BOTH", "new"]])]]),
  });
  await here.mount("--nested", `${here.path}/quake`);
  const root = `${here.mountPoint}/quake/id1`;
  assertEquals(await output("ls", root), "gfx.wad\ngfx.wad.d\none.wad\none.wad.d\n");
  assertEquals(await output("ls", `${root}/gfx.wad.d/lumps`), "BOTH\nNEW\n");
  assertEquals(await output("cat", `${root}/gfx.wad.d/lumps/BOTH`), "new");
  const which = JSON.parse((await here.pakfs("which", "gfx.wad.d/lumps/OLD", "--json")).stdout);
  assertMatch(which.candidates[0].reason, /^gfx\.wad of pak0\.pak is not the one that is loaded/);
  const unmerged = `${here.mountPoint}/.packs/quake/id1/pak0.pak/gfx.wad.d/lumps`;
  assertEquals(await output("ls", unmerged), "BOTH\nOLD\n");
});

Deno.test(
  "an archive that has changed gives I/O errors for what was not decompressed yet, and never wrong bytes",
  needs("python3"),
  async () => {
    await using here = await workspace();
    const path = `${here.path}/deep.zip`;
    await writeFiles(here.path, { "deep.zip": deepZip() });
    await here.mount("--nested", path);
    const kept = "packed.wad.d/maps/E1M1/THINGS";
    assertEquals((await sums(here.mountPoint, kept))[kept], await sha256(letters(2, 50_000)));
    await Deno.remove(path);
    await Deno.writeFile(path, deepZip().fill(0x20, 0, 5000));
    const after = await sums(here.mountPoint, "m.pak.d/in.pk3.d/packed.txt", "m.pak.d/text");
    assertEquals(new Set(Object.values(after)), new Set(["EIO"]));
    await until("it was reported", async () => (await here.status()).problems.length > 0);
  },
);
