// deno-lint-ignore-file no-await-in-loop -- one after the other, to see which one fails
import { assert, assertEquals, assertMatch } from "@std/assert";
import { convertersOf } from "../../media/convert/table.ts";
import type { Surroundings } from "../../media/convert/converter.ts";
import { encodePcx } from "../../daemon/demo/image.ts";
import { demoPalette } from "../../daemon/demo/palette.ts";
import { storedPng } from "../../media/pictures/png_writer.ts";
import { firstPixel, readGlb } from "../media/convert/gltf.ts";
import { join, pak, u32, zip } from "../formats/bytes.ts";
import { writeFiles } from "../index/fixtures.ts";
import { floorMap } from "../media/handmade_maps.ts";
import { md2, md3, mdl, testPalette } from "../media/handmade.ts";
import { needs } from "../support/programs.ts";
import { settle } from "../support/settle.ts";
import { output, pythonJson, run, type Workspace, workspace } from "./mounting.ts";

/** A picture of Quake. */
function lmp(width: number, height: number, colour: number): Uint8Array {
  const pixels = new Uint8Array(width * height).fill(colour);
  return new Uint8Array([...u32(width), ...u32(height), ...pixels]);
}

/** A picture of 24 bits, uncompressed. */
function tga(width: number, height: number, colour: number): Uint8Array {
  const bytes = new Uint8Array(18 + width * height * 3).fill(colour);
  bytes.set([0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, width % 256, width >> 8, height % 256, height >> 8, 24, 0]);
  return bytes;
}

type Bytes = Readonly<Record<string, Uint8Array>>;

/** Returns a file's conversion by the table, given the files around it by their exact paths. */
async function converted(qpath: string, files: Bytes): Promise<Uint8Array> {
  const file = (path: string) => Promise.resolve(files[path] && { qpath: path, bytes: files[path] });
  const surroundings: Surroundings = { file, image: file, shader: () => Promise.resolve(undefined) };
  const [converter] = convertersOf(qpath);
  const bytes = files[qpath];
  assert(converter && bytes, qpath);
  return await converter.convert({ qpath, bytes }, surroundings);
}

/** Size by stat and bytes by reading, as seen by another process. */
async function seen(path: string): Promise<{ size: number; bytes: Uint8Array }> {
  const script = "import json,os,sys; s=os.stat(sys.argv[1]).st_size; b=open(sys.argv[1],'rb').read(); " +
    "print(json.dumps([s, b.hex()]))";
  const [size, hex] = await pythonJson(script, path) as [number, string];
  return { size, bytes: Uint8Array.fromHex(hex) };
}

async function assertShown(here: Workspace, qpath: string, ending: string, files: Bytes): Promise<void> {
  const expected = await converted(qpath, files);
  const { size, bytes } = await seen(`${here.mountPoint}/.as/quake/id1/${qpath}.${ending}`);
  assertEquals([size, bytes.toHex()], [expected.length, expected.toHex()], qpath);
}

async function refresh(here: Workspace): Promise<void> {
  const { code, stderr } = await here.pakfs("refresh", "-q");
  assertEquals([code, stderr], [0, ""]);
}

const inodeOf = (path: string) => output("stat", "-c", "%i", path);

const files: Bytes = {
  "gfx/palette.lmp": testPalette(),
  "gfx/conback.lmp": lmp(40, 30, 7),
  "progs/player.mdl": mdl(),
  "textures/wall.tga": tga(20, 10, 90),
  "default.cfg": new TextEncoder().encode("bind x y"),
};

Deno.test(
  "files are shown converted below .as, with the bytes that converting them gives, all others as they are",
  needs("python3"),
  async () => {
    await using here = await workspace();
    await writeFiles(`${here.path}/quake`, { "id1/pak0.pak": pak(Object.entries(files)), "mod/a.txt": "a" });
    await here.mount(`${here.path}/quake`);
    const root = `${here.mountPoint}/.as`;
    assertEquals(await output("ls", "-A", here.mountPoint), "quake\n");
    assertEquals(await output("ls", "-A", root), "quake\n");
    assertEquals((await output("ls", `${root}/quake`)).split("\n"), ["id1", "mod", ""]);
    assertEquals(
      await output("sh", "-c", 'cd "$1" && find . -type f | LC_ALL=C sort', "sh", `${root}/quake/mod`),
      "./a.txt\n./default.cfg\n./gfx/conback.lmp.png\n./gfx/palette.lmp.png\n./progs/player.mdl.glb\n" +
        "./textures/wall.tga.png\n",
    );
    assertEquals((await here.status()).counters["converted"], 0, "listing converts nothing");
    for (const [qpath, ending] of Object.entries({ "gfx/conback.lmp": "png", "progs/player.mdl": "glb" })) {
      await assertShown(here, qpath, ending, files);
    }
    await assertShown(here, "textures/wall.tga", "png", files);
    const png = `${root}/quake/id1/gfx/conback.lmp.png`;
    assertMatch((await run("identify", [png])).stdout, / PNG 40x30 /);

    // An unconverted file is the same inode in both views.
    const [plain, shown] = ["quake/id1/default.cfg", ".as/quake/id1/default.cfg"].map((path) =>
      `${here.mountPoint}/${path}`
    );
    assertEquals(await output("cat", shown ?? ""), "bind x y");
    assertEquals(await inodeOf(shown ?? ""), await inodeOf(plain ?? ""));
    // A converted file's own name has the original's inode; other names are unknown.
    assertEquals(await inodeOf(png.slice(0, -4)), await inodeOf(`${here.mountPoint}/quake/id1/gfx/conback.lmp`));
    for (const name of ["gfx/conback.lmp.wav", "gfx/conback.png", "gfx.png", "default.cfg.png"]) {
      assertEquals((await run("stat", [`${root}/quake/id1/${name}`])).code, 1, name);
    }
    assertEquals(await output("sh", "-c", 'cd "$1/gfx" && ls -d ../progs', "sh", `${root}/quake/id1`), "../progs\n");
  },
);

Deno.test("--show-as lists .as, also next to a view at the root", needs("python3"), async () => {
  await using here = await workspace();
  await writeFiles(`${here.path}/quake`, { "id1/pak0.pak": pak(Object.entries(files)), "id1/x.lmp": lmp(4, 4, 1) });
  await here.mount("--show-as", "--show-packs", "--view", "quake/id1", `${here.path}/quake`);
  assertEquals(await output("ls", "-A", here.mountPoint), ".as\n.packs\ndefault.cfg\ngfx\nprogs\ntextures\nx.lmp\n");
  await assertShown(here, "gfx/conback.lmp", "png", files);
  assertEquals(
    await inodeOf(`${here.mountPoint}/.as/quake/id1/default.cfg`),
    await inodeOf(`${here.mountPoint}/default.cfg`),
  );
});

Deno.test("a picture is looked at by its header only, and 20 readers at once have it converted once", async () => {
  await using here = await workspace();
  const pictures = Array.from({ length: 1000 }, (_, index) => [`gfx/${index}.lmp`, lmp(8, 8, index % 200)] as const);
  const large = [["gfx/palette.lmp", testPalette()], ["large.tga", tga(1500, 1000, 3)]] as const;
  await writeFiles(`${here.path}/quake`, { "id1/pak0.pak": pak([...pictures, ...large]) });
  await here.mount(`${here.path}/quake`);
  const view = `${here.mountPoint}/.as/quake/id1`;
  const sizes = await output("sh", "-c", 'ls -l "$1/gfx" | awk "/png/ { print \\$5 }" | sort | uniq -c', "sh", view);
  const expected = await converted("gfx/0.lmp", { "gfx/0.lmp": lmp(8, 8, 0), "gfx/palette.lmp": testPalette() });
  assertMatch(sizes, new RegExp(`^ *1000 ${expected.length}$`, "m"));
  assertEquals((await here.status()).counters["converted"], 0);
  const sums = await output(
    "sh",
    "-c",
    'for n in $(seq 20); do sha256sum < "$1/large.tga.png" & done; wait',
    "sh",
    view,
  );
  assertEquals(new Set(sums.trim().split("\n")).size, 1);
  assertEquals((await here.status()).counters["converted"], 1);
});

Deno.test(
  "what cannot be converted has the size of its original and cannot be read, and the log says why",
  needs("python3"),
  async () => {
    await using here = await workspace();
    const packed = zip([
      { name: "gfx/palette.lmp", content: testPalette(), method: 8 },
      { name: "gfx/pop.lmp", content: "xy", method: 8 },
      { name: "gfx/empty.lmp", content: "" },
      { name: "gfx/short.lmp", content: lmp(100, 100, 1).subarray(0, 5000), method: 8 },
      { name: "gfx/huge.tga", content: tga(60_000, 1, 0).fill(255, 12, 16), method: 8 },
      { name: "progs/cut.mdl", content: mdl().subarray(0, 90) },
      { name: "both.lmp", content: lmp(2, 2, 2) },
      { name: "both.lmp.png", content: "a file of that name" },
      { name: "good.lmp", content: lmp(2, 2, 2) },
    ]);
    await writeFiles(`${here.path}/quake`, { "id1/pak0.pk3": packed });
    await here.mount("--profile", "darkplaces", `${here.path}/quake`);
    const view = `${here.mountPoint}/.as/quake/id1`;
    for (
      const [name, size] of Object.entries({ "gfx/pop.lmp.png": 2, "gfx/short.lmp.png": 5000, "progs/cut.mdl.glb": 90 })
    ) {
      assertEquals(await output("stat", "-c", "%s", `${view}/${name}`), `${size}\n`, name);
      const { code, stderr } = await run("cat", [`${view}/${name}`]);
      assertEquals([code, /Input\/output error/.test(stderr)], [1, true], name);
    }
    assertEquals((await run("cat", [`${view}/gfx/huge.tga.png`])).code, 1);
    // The kernel would not read an empty file.
    assertMatch((await run("stat", [`${view}/gfx/empty.lmp.png`])).stderr, /Input\/output error/);
    const { problems } = await here.status();
    assertMatch(problems.join("\n"), /pak0\.pk3: gfx\/pop\.lmp cannot be converted: /);
    assertEquals(
      await output("sh", "-c", 'cd "$1" && ls -A', "sh", view),
      "both.lmp\nboth.lmp.png\ngfx\ngood.lmp.png\nprogs\n",
    );
    assertEquals(await output("cat", `${view}/both.lmp.png`), "a file of that name");
    const good = { "good.lmp": lmp(2, 2, 2), "gfx/palette.lmp": testPalette() };
    assertEquals((await seen(`${view}/good.lmp.png`)).bytes, await converted("good.lmp", good));
  },
);

/** For each input line, reads files, and those kept open since the previous line. */
const looker = `
import json, os, sys
paths = sys.argv[1:]
held = []
def content(file):
    try:
        return os.pread(file, 1 << 24, 0).hex()
    except OSError:
        return None
for line in sys.stdin:
    kept = [content(file) for file in held]
    for file in held:
        os.close(file)
    held = [os.open(path, os.O_RDONLY) for path in paths]
    fresh = [[os.fstat(file).st_size, os.fstat(file).st_ino, content(file)] for file in held]
    print(json.dumps({"kept": kept, "fresh": fresh}), flush=True)
`;

interface Looks {
  /** Bytes of the open file, or null for an error. */
  readonly kept: readonly (string | null)[];
  /** Size, inode number and bytes of the current file. */
  readonly fresh: readonly (readonly [size: number, inode: number, bytes: string])[];
}

/** Starts the program; the returned function makes it read. */
function startLooker(paths: readonly string[]) {
  const child = new Deno.Command("python3", {
    args: ["-c", looker, ...paths],
    stdin: "piped",
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  const lines = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  const writer = child.stdin.getWriter();
  return {
    async look(): Promise<Looks> {
      await writer.write(new TextEncoder().encode("\n"));
      let line = "";
      while (!line.endsWith("\n")) {
        const { value } = await lines.read();
        if (value === undefined) throw new Error("the looker has ended");
        line += value;
      }
      return JSON.parse(line);
    },
    async [Symbol.asyncDispose](): Promise<void> {
      await writer.close();
      await lines.cancel();
      await child.status;
    },
  };
}

Deno.test(
  "a refresh gives new bytes to what was converted from another file, palette or skin, and to nothing else",
  needs("python3"),
  async () => {
    await using here = await workspace();
    let now: Bytes = {
      ...files,
      "models/a.md2": md2(["models/skin.tga"]),
      "models/b.md3": md3("models/late.tga"),
      "models/skin.tga": tga(4, 4, 10),
    };
    await writeFiles(`${here.path}/quake`, { "id1/pak0.pak": pak(Object.entries(now)) });
    await settle();
    await here.mount(`${here.path}/quake`);
    const view = `${here.mountPoint}/.as/quake/id1`;
    const endings = {
      "gfx/conback.lmp": "png",
      "textures/wall.tga": "png",
      "models/a.md2": "glb",
      "models/b.md3": "glb",
      "progs/player.mdl": "glb",
    };
    const qpaths = Object.keys(endings);
    await using reader = startLooker(Object.entries(endings).map(([qpath, ending]) => `${view}/${qpath}.${ending}`));
    const check = async () => {
      const looks = await reader.look();
      for (const [index, qpath] of qpaths.entries()) {
        const [size, , bytes] = looks.fresh[index] ?? [];
        const expected = await converted(qpath, now);
        assertEquals([size, bytes], [expected.length, expected.toHex()], qpath);
      }
      return looks;
    };
    let before = await check();
    assertEquals((await run("stat", [`${view}/new.lmp.png`])).code, 1);
    const steps: readonly { readonly change: Bytes; readonly changed: readonly string[] }[] = [
      {
        change: { "gfx/palette.lmp": testPalette().map((byte) => 255 - byte) },
        changed: ["gfx/conback.lmp", "progs/player.mdl"],
      },
      { change: { "models/skin.tga": tga(30, 40, 20) }, changed: ["models/a.md2"] },
      { change: { "models/late.tga": tga(5, 5, 30) }, changed: ["models/b.md3"] },
      { change: { "gfx/conback.lmp": lmp(50, 20, 9), "new.lmp": lmp(3, 3, 3) }, changed: ["gfx/conback.lmp"] },
      { change: { "unrelated.txt": new Uint8Array(9) }, changed: [] },
    ];
    for (const [number, { change, changed }] of steps.entries()) {
      now = { ...now, ...change };
      await writeFiles(`${here.path}/quake`, { [`id1/pak${number + 1}.pak`]: pak(Object.entries(change)) });
      // A pack read right after it was written would count as changed again.
      await settle();
      await refresh(here);
      const after = await check();
      for (const [index, qpath] of qpaths.entries()) {
        const [, inode, bytes] = before.fresh[index] ?? [];
        const mustChange = changed.includes(qpath);
        assertEquals(after.fresh[index]?.[1] !== inode, mustChange, `${qpath} in step ${number}`);
        const kept = after.kept[index];
        assert(kept === bytes || (mustChange && kept === null), `an open file has its own bytes: ${qpath}`);
      }
      before = after;
    }
    assertEquals((await seen(`${view}/new.lmp.png`)).bytes, await converted("new.lmp", now));
  },
);

Deno.test(
  "a map of Quake 2 is converted again once another picture replaces its texture, or the texture changes",
  needs("python3"),
  async () => {
    await using here = await workspace();
    const wal = (index: number) =>
      join(new Uint8Array(32), u32(16, 16, 100), new Uint8Array(56), new Uint8Array(256).fill(index));
    const files: Bytes = {
      "pics/colormap.pcx": encodePcx({ width: 1, height: 1, rgba: new Uint8Array(4) }, demoPalette()),
      "maps/a.bsp": floorMap("quake2"),
      "textures/floor.wal": wal(7),
    };
    await writeFiles(`${here.path}/q2`, { "baseq2/pak0.pak": pak(Object.entries(files)) });
    await settle();
    await here.mount("--profile", "q2pro", `${here.path}/q2`);
    const map = `${here.mountPoint}/.as/q2/baseq2/maps/a.bsp.glb`;
    const shown = async () => firstPixel(readGlb((await seen(map)).bytes), "textures/floor.wal");
    const colour = (index: number) => `${demoPalette().subarray(index * 3, index * 3 + 3).toHex()}ff`;
    assertEquals(await shown(), colour(7));
    const steps: readonly [Bytes, string][] = [
      [{ "textures/floor.wal": wal(90) }, colour(90)],
      [{ "textures/floor.tga": tga(1, 1, 0x11) }, "111111ff"],
      [{ "textures/floor.png": storedPng({ width: 1, height: 1, rgba: Uint8Array.of(1, 2, 3, 255) }) }, "010203ff"],
    ];
    for (const [number, [change, expected]] of steps.entries()) {
      await writeFiles(`${here.path}/q2`, { [`baseq2/pak${number + 1}.pak`]: pak(Object.entries(change)) });
      await refresh(here);
      assertEquals(await shown(), expected);
    }
  },
);

Deno.test("unmounting while a file is converted ends its readers and the daemon", async () => {
  await using here = await workspace();
  await writeFiles(`${here.path}/quake`, { "id1/large.tga": tga(6000, 6000, 9), "id1/small.tga": tga(2, 2, 9) });
  await here.mount(`${here.path}/quake`);
  const view = `${here.mountPoint}/.as/quake/id1`;
  await output("stat", `${view}/large.tga.png`);
  const readers = Array.from({ length: 4 }, () => run("cat", [`${view}/large.tga.png`]));
  await here.stop();
  await Promise.all(readers);
});

Deno.test(
  "lumps without an extension are shown converted where their directory says what they are",
  needs("python3"),
  async () => {
    await using here = await workspace();
    const rare = new Uint8Array(64).fill(1);
    const lumps: Bytes = {
      "flats/FLOOR": new Uint8Array(4096).fill(9),
      "flats/F1_START": new Uint8Array(0),
      "sprites/S_END": new Uint8Array(0),
      "README": rare,
      "maps/MAP01/THINGS": rare,
      "a.wav": rare,
    };
    const palette = new Uint8Array(14 * 768).fill(40);
    const all: Bytes = { ...lumps, PLAYPAL: palette, COLORMAP: new Uint8Array(34 * 256).fill(3) };
    await writeFiles(`${here.path}/quake`, { "id1/pak0.pak": pak(Object.entries(all)) });
    await here.mount(`${here.path}/quake`);
    const shown = await output(
      "sh",
      "-c",
      'cd "$1" && find . -type f | LC_ALL=C sort',
      "sh",
      `${here.mountPoint}/.as/quake/id1`,
    );
    assertEquals(
      shown,
      "./COLORMAP.png\n./PLAYPAL.png\n./README\n./a.wav\n./flats/F1_START\n./flats/FLOOR.png\n./maps/MAP01/THINGS\n./sprites/S_END\n",
    );
    for (const qpath of ["flats/FLOOR", "COLORMAP", "PLAYPAL"]) await assertShown(here, qpath, "png", all);
  },
);
