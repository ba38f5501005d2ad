// deno-lint-ignore-file no-await-in-loop -- one after the other, to see which one fails
/** Files of a view as conversions request them, compared with the files on disk, and the notes of these requests. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { ContentReader } from "../../index/content/content_reader.ts";
import { none } from "../../index/columns/columns.ts";
import { MediaError } from "../../media/core/reader.ts";
import { NotedSurroundings, ViewFiles } from "../../mount/converting/view_files.ts";
import { entryAt } from "../../mount/shared/conversions.ts";
import { profileNamed } from "../../engines/table.ts";
import { ViewFiles as AskedFiles } from "../../protocol/library/conversion.ts";
import { openLocalGames } from "../../service/local.ts";
import { wad, zip } from "../formats/bytes.ts";
import { installation, scan } from "../index/fixtures.ts";
import { scanCatalog } from "../support/catalogs.ts";

const block = (image: string) => `{\n{\nmap ${image}\n}\n}\n`;

/**
 * Scripts as the engines read them: the original game joins them, so that a name may have its block in another file.
 */
const scripts = {
  quake3: {
    "scripts/a.shader": `${block("textures/b.tga")}textures/own\n${block("textures/late.tga")}`,
    "scripts/b.shader": `textures/sky\n${block("textures/gone.tga")}textures/parted\n`,
  },
  ioquake3: {
    "scripts/a.shader": `textures/own\n${block("textures/late.tga")}textures/sky\n${block("textures/gone.tga")}`,
    "scripts/b.shader": "textures/parted\n",
  },
};
const images = { "textures/late.tga": "late", "textures/own.tga": "own", "textures/b.jpg": "b" };

for (const profile of ["quake3", "ioquake3"] as const) {
  Deno.test(`conversions are given shaders and images as the engine finds them, and all they depend on is noted: ${profile}`, async () => {
    await using directory = await installation({ "baseq3/pak0.pk3": "" });
    const pack = zip(Object.entries({ ...scripts[profile], ...images }).map(([name, content]) => ({ name, content })));
    await Deno.writeFile(`${directory.path}/baseq3/pak0.pk3`, pack);
    const view = scan(directory.path, { profile }).view();
    await using content = new ContentReader(view.snapshot);
    const files = new ViewFiles(view, content);
    const isJoined = profile === "quake3";
    const asked: Record<string, readonly (readonly [string, string | undefined])[]> = {
      shader: [
        ["textures/own", `{\n{\nmap textures/late.tga\n}\n}`],
        ["textures/sky", `{\n{\nmap textures/gone.tga\n}\n}`],
        // The block is in another file.
        ["textures/parted", undefined],
        ["textures/b", undefined],
        ["textures/missing", undefined],
      ],
      image: [
        ["textures/own", "late"],
        ["textures/sky", undefined],
        ["textures/b.tga", "b"],
        ["textures/missing", undefined],
      ],
      file: [["textures/own.tga", "own"], ["textures/own", undefined]],
    };
    assertEquals((await files.shaders()).winner("textures/parted") !== undefined, isJoined);
    for (const [kind, answers] of Object.entries(asked)) {
      for (const [name, expected] of answers) {
        const surroundings = new NotedSurroundings(files);
        const found = kind === "shader"
          ? await surroundings.shader(name)
          : new TextDecoder().decode((await surroundings[kind === "image" ? "image" : "file"](name))?.bytes) ||
            undefined;
        // Engines differ on text after a closing brace on its line.
        assertEquals(found?.trim(), expected, `${kind} ${name}`);
        const noted = Array.from(surroundings.asked);
        if (kind === "file") assertEquals(noted, [name]);
        else if (expected === "late") assertEquals(noted, ["scripts/", "textures/late.tga.*", "textures/late.tga"]);
        else assert(noted.includes("scripts/") && noted.includes(`${name}.*`), noted.join(" "));
      }
    }
  });
}

Deno.test("inputs that conversions share are read once, but only small ones and not too many are kept", async () => {
  const small = Array.from({ length: 65 }, (_, number) => [`gfx/${number}.lmp`, `${number}`] as const);
  const limit = 64 * 1024;
  await using directory = await installation({
    ...Object.fromEntries(small.map(([name, text]) => [`id1/${name}`, text])),
    "id1/most.lmp": "m".repeat(limit),
    "id1/more.lmp": "m".repeat(limit + 1),
    "id1/huge.lmp": "",
  });
  await Deno.truncate(`${directory.path}/id1/huge.lmp`, 256 * 2 ** 20 + 1);
  const view = scan(directory.path, { profile: "quake" }).view();
  await using content = new ContentReader(view.snapshot);
  let reads = 0;
  const { read } = content;
  content.read = (...parameters) => {
    reads++;
    return read.apply(content, parameters);
  };
  const files = new ViewFiles(view, content);
  const entryOf = (name: string) => {
    const entry = entryAt(view, name);
    assert(entry !== none, name);
    return entry;
  };
  const readsOf = async (name: string, isInput: boolean) => {
    const before = reads;
    assertEquals((await files.read(entryOf(name), isInput)).length, files.sizeOf(entryOf(name)));
    return reads - before;
  };
  for (const [name, isInput, again] of [["most", true, 0], ["more", true, 1], ["gfx/0", false, 1]] as const) {
    assertEquals([await readsOf(`${name}.lmp`, isInput), await readsOf(`${name}.lmp`, isInput)], [1, again], name);
  }
  const { length } = small;
  for (const [index, [name]] of small.entries()) {
    assertEquals([await readsOf(name, true), await readsOf(name, true)], [1, 0], name);
    // Only the last 64 are kept, so the first is another.
    if (index + 2 === length) {
      assertEquals([await readsOf("gfx/0.lmp", true), await readsOf("most.lmp", false)], [0, 1]);
    }
  }
  assertEquals(await readsOf("gfx/0.lmp", false), 1, "the oldest has left");
  assertEquals(await readsOf("gfx/1.lmp", false), 0);
  await assertRejects(() => files.read(entryOf("huge.lmp")), MediaError, "268435457");
});

Deno.test("definitions of all files are read under any rules of GZDoom's, as long as they are not too large together", async () => {
  const gzdoom = profileNamed("gzdoom");
  const boom = profileNamed("boom");
  assert(gzdoom && boom);
  await using root = await installation({
    "doom2.wad": wad([["TEXTURES", "first"], ["MAP01", ""]], "IWAD"),
    "a.wad": wad([["TEXTURES", "second"], ["LARGE", "1"]]),
    "b.pk3": zip([{ name: "TEXTURES.txt", content: "third" }]),
    "large.lmp": "",
  });
  await Deno.truncate(`${root.path}/large.lmp`, 256 * 2 ** 20);
  const path = (name: string) => `${root.path}/${name}`;
  for (
    const [profile, expected] of [
      [gzdoom, ["first", "second", "third"]],
      [{ ...gzdoom, origin: "gzdoom", name: "mine" }, ["first", "second", "third"]],
      [boom, ["second"]],
    ] as const
  ) {
    const files = ["a.wad", "b.pk3", "large.lmp"].map(path);
    const game = { name: "doom", iwad: path("doom2.wad"), files, sources: [path("doom2.wad"), ...files], profile };
    const view = scanCatalog([game]).view();
    await using content = new ContentReader(view.snapshot);
    await using connection = await openLocalGames([game]);
    for (
      const surroundings of [
        new NotedSurroundings(new ViewFiles(view, content)),
        new AskedFiles(connection, { view: view.name }),
      ]
    ) {
      const found = await surroundings.files("TEXTURES");
      assertEquals(found.map(({ bytes }) => new TextDecoder().decode(bytes)), [...expected], profile.name);
      if (profile === boom) continue;
      const { message } = await assertRejects(() => surroundings.files("LARGE"), MediaError);
      assertEquals(message, "2 copies of LARGE have 268435457 bytes; up to 268435456 are read");
    }
  }
});
