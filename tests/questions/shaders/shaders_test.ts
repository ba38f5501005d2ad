import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { ContentReader } from "../../../index/content/content_reader.ts";
import { profileNamed } from "../../../engines/table.ts";
import { Catalog } from "../../../views/catalog.ts";
import { packChecksum } from "../../../index/checksums/pack_checksum.ts";
import type { ReadEntry } from "../../../questions/shaders/shader_files.ts";
import { shaderRulesOf } from "../../../questions/shaders/shader_rules.ts";
import { ShaderIndex, shaderIndex } from "../../../questions/shaders/shader_index.ts";
import type { View } from "../../../views/view.ts";
import { pak, zip } from "../../formats/bytes.ts";
import fc from "../../support/fast_check.ts";
import { below, type Files, installation, scan } from "../../index/fixtures.ts";

/** A pack of shader files by path. */
function pk3(files: Readonly<Record<string, string>>): Uint8Array {
  return zip(Object.entries(files).map(([name, content]) => ({ name, content })));
}

/** An installation with the file rules of ioquake3 and the shader rules of `profile`. */
async function indexed(
  files: Files,
  profile = "ioquake3",
  change: (read: ReadEntry) => ReadEntry = (read) => read,
  base = "base",
) {
  const root = await installation(files);
  const { snapshot, games, problems } = scan(root.path, { profile: "ioquake3", base, name: "game" });
  const known = profileNamed(profile);
  assert(known);
  const { family, pictures, shaders, limits } = known;
  const named = games.map((game) => ({ ...game, profile: { ...game.profile, family, pictures, shaders, limits } }));
  const catalog = new Catalog({ snapshot, games: named, problems });
  const view = catalog.view(base);
  const reader = new ContentReader(catalog.snapshot);
  const index = new ShaderIndex(view, change((entry) => reader.readWhole(entry)));
  return {
    catalog,
    view,
    index,
    /** `file:line in source` of each definition, with its reasons. */
    described(name: string): string[] {
      return index.definitions(name).map((row) => {
        const verdict = row.reason ?? row.decidedBy ?? "wins";
        return `${row.qpath}:${row.line} in ${below(root.path, row.source)}: ${verdict}`;
      });
    },
    async [Symbol.asyncDispose](): Promise<void> {
      await reader[Symbol.asyncDispose]();
      await root[Symbol.asyncDispose]();
    },
  };
}

Deno.test("ioquake3: the file listed last wins, which is one of a pack searched last; inside a file the first", async () => {
  await using here = await indexed({
    "base/pak0.pk3": pk3({ "scripts/zero.shader": "a { }\nb { }\n" }),
    "base/pak1.pk3": pk3({ "scripts/one.shader": "a { }\nc { }\nC { x }\n", "scripts/two.shader": "c { }\n" }),
    "base/scripts/loose.shader": "a { }\n",
  });
  assertEquals(here.described("A"), [
    "scripts/zero.shader:1 in base/pak0.pk3: wins",
    "scripts/one.shader:1 in base/pak1.pk3: last-listed-shader-file",
    "scripts/loose.shader:1 in base: last-listed-shader-file",
  ]);
  assertEquals(here.described("c"), [
    "scripts/two.shader:1 in base/pak1.pk3: wins",
    "scripts/one.shader:2 in base/pak1.pk3: last-listed-shader-file",
    "scripts/one.shader:3 in base/pak1.pk3: last-listed-shader-file",
  ]);
  const sentences = here.index.definitions("a").map((row) => row.because);
  assertEquals(sentences, [
    null,
    "ioquake3 lists scripts/zero.shader after scripts/one.shader, and the file that it lists last wins.",
    "ioquake3 lists scripts/zero.shader after scripts/loose.shader, and the file that it lists last wins.",
  ]);
  assertEquals(here.index.definitions("b").map((row) => [row.offset, row.length]), [[6, 5]]);
});

Deno.test("ioquake3: a file that another of its name replaces keeps its index in the order, not its shaders", async () => {
  await using here = await indexed({
    "base/pak0.pk3": pk3({ "scripts/a.shader": "x { }\nonly { }\n", "scripts/b.shader": "x { }\n" }),
    "base/pak1.pk3": pk3({ "Scripts/A.SHADER": "x { }\n" }),
  });
  const hidden = "Scripts/A.SHADER of pak1.pk3 replaces this file";
  assertEquals(here.described("x"), [
    "scripts/b.shader:1 in base/pak0.pk3: wins",
    "Scripts/A.SHADER:1 in base/pak1.pk3: last-listed-shader-file",
    `scripts/a.shader:1 in base/pak0.pk3: ${hidden}`,
  ]);
  assertEquals(here.described("only"), [`scripts/a.shader:2 in base/pak0.pk3: ${hidden}`]);
  const [row] = here.index.matching("only");
  assertEquals([row?.definitions, row?.dropped], [1, hidden]);
});

Deno.test("ioquake3: a file that is not well formed is ignored whole, with the engine's reason", async () => {
  await using here = await indexed({
    "base/pak0.pk3": pk3({ "scripts/good.shader": "a { }\n", "scripts/bad.shader": "a { }\nb { }\nc{ }\n" }),
  });
  const reason = 'shader "c{" has no opening { but "}"; ioquake3 ignores this whole file';
  assertEquals(here.described("a"), [
    "scripts/good.shader:1 in base/pak0.pk3: wins",
    `scripts/bad.shader:1 in base/pak0.pk3: scripts/bad.shader line 3: ${reason}`,
  ]);
  assertEquals(here.index.rows().map(({ name, dropped }) => [name, dropped !== undefined]), [["a", false], [
    "b",
    true,
  ]]);
  assertEquals(here.index.warningsFor("b"), [`scripts/bad.shader line 3: ${reason}`]);
});

Deno.test("ioquake3: definitions that the removal of comments hides are reported as lost", async () => {
  await using here = await indexed({ "base/pak0.pk3": pk3({ "scripts/a.shader": "a { map x//y.tga }\nb { }\n" }) });
  assertEquals(here.index.definitions("a")[0]?.usable, true);
  const [lost] = here.index.definitions("b");
  assertEquals([lost?.usable, lost?.line], [false, 2]);
  assertStringIncludes(lost?.reason ?? "", "once ioquake3 has removed the comments");
});

Deno.test("ioquake3: which files are listed", async () => {
  await using here = await indexed({
    "base/pak0.pk3": pk3({
      "scripts/a.shader": "a { }",
      "scripts/sub/b.shader": "b { }",
      "scripts/sub/sub/c.shader": "c { }",
      "models/d.shader": "d { }",
      "scripts/e.shaderx": "e { }",
      "SCRIPTS/a2.Shader": "a2 { }",
    }),
    "base/scripts/f.shader": "f { }",
    "base/scripts/sub/g.shader": "g { }",
    "base/Scripts/h.shader": "h { }",
    "base/zz.pk3dir/scripts/i.shader": "i { }",
    "base/zz.pk3dir/scripts/sub/j.shader": "j { }",
    "mod/mod.pk3": pk3({ "scripts/k.shader": "k { }" }),
  });
  assertEquals(here.index.rows().map(({ name }) => name), ["a", "a2", "b", "f", "i"]);
});

Deno.test("Quake3e: the file listed first wins, which is one of the pack searched first; inside a file the last", async () => {
  await using here = await indexed({
    "base/pak0.pk3": pk3({ "scripts/zero.shader": "a { }\na { x }\nb { }\n" }),
    "base/pak1.pk3": pk3({ "scripts/one.shader": "a { }\n" }),
  }, "quake3e");
  assertEquals(here.described("a"), [
    "scripts/one.shader:1 in base/pak1.pk3: wins",
    "scripts/zero.shader:2 in base/pak0.pk3: first-listed-shader-file",
    "scripts/zero.shader:1 in base/pak0.pk3: first-listed-shader-file",
  ]);
  assertEquals(
    here.index.definitions("a")[1]?.because,
    "Quake3e lists scripts/one.shader before scripts/zero.shader, " +
      "and the file that it lists first wins.",
  );
});

Deno.test("Quake3e: faults before the first whole shader cost the lines up to there, later ones the file", async () => {
  await using here = await indexed({
    "base/pak0.pk3": pk3({
      "scripts/a.shader": "junk a\nb { }\nodd line\nc { }\n",
      "scripts/d.shader": "title of the file\nd { }\n",
      "scripts/e.shader": "e {\n",
      "scripts/f.shader": "title of { }\ng { }\n",
    }),
  }, "quake3e");
  assertEquals(here.index.rows().map(({ name, dropped }) => [name, dropped === undefined]), [
    ["b", false],
    ["c", false],
    ["d", true],
    ["g", true],
    ["of", false],
  ]);
  assertEquals(here.index.warningsFor("d"), [
    'scripts/d.shader line 1: shader "title" has no opening { but "of"; Quake3e ignores what is before it',
  ]);
  assertEquals(here.index.definitions("d").map(({ line, offset }) => [line, offset]), [[2, 18]]);
  assertEquals(here.described("of"), [
    "scripts/f.shader:1 in base/pak0.pk3: Quake3e ignores what is before a shader without an opening {",
  ]);
});

Deno.test("Quake3e: broken shaders of Quake III's own sky.shader are left out, in that file alone", async () => {
  const file = new Uint8Array(35_910).fill(0x20);
  const put = (offset: number, words: string) => file.set(new TextEncoder().encode(words), offset);
  put(0x10, "kept { }");
  put(0x27d9, "gone { }");
  put(0x3cab, "too { ");
  put(0x3d3e, "\tcloudparms } ");
  put(0x3fc8, "end { }");
  const namesOf = async (path: string, content: Uint8Array) => {
    await using here = await indexed({ "base/pak0.pk3": zip([{ name: path, content }]) }, "quake3e");
    return here.index.rows().filter(({ dropped }) => dropped === undefined).map(({ name }) => name);
  };
  assertEquals(await namesOf("scripts/sky.shader", file), ["end", "kept"]);
  assertEquals(await namesOf("scripts/skies.shader", file), ["end", "gone", "kept", "too"]);
  assertEquals(await namesOf("scripts/sky.shader", new Uint8Array([...file, 0x20])), ["end", "gone", "kept", "too"]);
});

Deno.test("OpenJK: shader files are in shaders/, and # begins a comment", async () => {
  await using here = await indexed({
    "base/pak0.pk3": pk3({
      "scripts/other.shader": "other { }\n",
      "shaders/a.shader": "# title of the file\na { } # b { }\n",
      "shaders/d.shader": "d { }\n",
    }),
  }, "openjk");
  assertEquals(here.index.rows().map(({ name, dropped }) => [name, dropped === undefined]), [
    ["a", true],
    ["b", false],
    ["d", true],
  ]);
});

Deno.test("iortcw: a file with a shader that is not closed is read, one without an opening brace is not", async () => {
  await using here = await indexed(
    {
      "main/pak0.pk3": pk3({
        "scripts/a.shader": "a { }\nb {\n",
        "scripts/c.shader": "c { }\nd x\n",
        "scripts/e.shader": "e { }\nf F\n",
      }),
    },
    "iortcw-mp",
    undefined,
    "main",
  );
  const known = here.index.rows().filter(({ dropped }) => dropped === undefined).map(({ name }) => name);
  assertEquals(known.filter((name) => "ace".includes(name)), ["a", "e"]);
});

Deno.test("DarkPlaces: files are read in the order of their names up to a fault, and the first definition is kept", async () => {
  await using here = await indexed({
    "base/pak0.pk3": pk3({
      "scripts/B.shader": "a{map x}\nc\n{\n{\nmap $lightmap}\n}\nd x\ne { }\n",
      "scripts/a.shader": '// none { }\n"a" /* { */ { } a { }\n',
      "scripts/sub/0.shader": "a { }\n",
    }),
    "base/pak1.pk3": pk3({ "scripts/z.shader": "c { }\nd { }\n" }),
  }, "darkplaces");
  assertEquals(here.described("a"), [
    "scripts/a.shader:2 in base/pak0.pk3: wins",
    "scripts/a.shader:2 in base/pak0.pk3: first-in-shader-file",
    "scripts/B.shader:1 in base/pak0.pk3: first-definition",
  ]);
  assertEquals(here.described("c")[0], "scripts/B.shader:2 in base/pak0.pk3: wins");
  assertEquals(here.index.rows().map(({ name }) => name), ["a", "c", "d"]);
  assertEquals(here.index.warningsFor("c"), ['scripts/B.shader line 7: shader "d" has no opening {']);
  assertEquals(here.index.definitions("a").map(({ offset, length }) => [offset, length]), [[12, 15], [28, 5], [0, 8]]);
});

Deno.test("ET: Legacy: the first of equal names answers, or the last if another shader has the same hash", async () => {
  // Names with the same `Q_GenerateHashValue`, computed separately.
  const [head, twin] = ["textures/aca", "textures/bab"];
  const content = (...words: readonly string[]) => words.map((name) => `${name}\n{\n}\n`).join("");
  const shown = async (...words: readonly string[]) => {
    await using here = await indexed({ "base/pak0.pk3": pk3({ "scripts/a.shader": content(...words) }) }, "etlegacy");
    return here.index.definitions(twin).map(({ line, decidedBy }) => `${(line - 1) / 3} ${decidedBy}`);
  };
  assertEquals(await shown(head, twin, twin, twin), ["3 null", "2 shader-hash", "1 shader-hash"]);
  assertEquals(await shown(twin, head, twin, twin), ["0 null", "3 first-in-shader-file", "2 first-in-shader-file"]);
  assertEquals(await shown("x", twin.replace("/", "\\"), twin), ["1 null", "2 first-in-shader-file"]);
  await using here = await indexed({
    "base/pak0.pk3": pk3({ "scripts/a.shader": content("x", twin) }),
    "base/pak1.pk3": pk3({ "scripts/b.shader": content(twin) }),
  }, "etlegacy");
  assertEquals(here.described(twin), [
    "scripts/a.shader:4 in base/pak0.pk3: wins",
    "scripts/b.shader:1 in base/pak1.pk3: last-listed-shader-file",
  ]);
});

Deno.test("Quake III Arena: the first shader of each file is looked at before all others", async () => {
  await using here = await indexed({
    "base/pak0.pk3": pk3({ "scripts/zero.shader": "b { }\na { }\nlast { }\n" }),
    "base/pak1.pk3": pk3({ "scripts/one.shader": "a { }\nb { }\nlast { }\n" }),
  }, "quake3");
  assertEquals(here.described("a"), [
    "scripts/one.shader:1 in base/pak1.pk3: wins",
    "scripts/zero.shader:2 in base/pak0.pk3: first-shader-of-file",
  ]);
  assertEquals(here.described("b"), [
    "scripts/zero.shader:1 in base/pak0.pk3: wins",
    "scripts/one.shader:2 in base/pak1.pk3: last-listed-shader-file",
  ]);
  assertEquals(here.described("last")[0], "scripts/zero.shader:3 in base/pak0.pk3: wins");
});

Deno.test("of equal names in random files the order and the rule are those that loops find", async () => {
  const anyFiles = fc.array(fc.array(fc.constantFrom("a", "b", "c"), { minLength: 1, maxLength: 4 }), {
    minLength: 1,
    maxLength: 4,
  });
  await fc.assert(
    fc.asyncProperty(fc.constantFrom("ioquake3", "quake3", "quake3e", "openjk"), anyFiles, async (engine, files) => {
      const directory = engine === "openjk" ? "shaders" : "scripts";
      const texts = files.map((names, file) =>
        [`${directory}/f${file}.shader`, names.map((name) => `${name} { }\n`).join("")] as const
      );
      await using here = await indexed({ "base/pak0.pk3": pk3(Object.fromEntries(texts)) }, engine);
      const all = files.flatMap((names, file) => names.map((name, line) => ({ name, file, line })));
      const rest = all.toSorted((one, other) => other.file - one.file || one.line - other.line);
      const first = all.filter(({ line }) => line === 0);
      const order = engine === "quake3"
        ? [...first, ...rest.filter(({ line }) => line > 0)]
        : engine === "quake3e"
        ? rest.toReversed()
        : rest;
      for (const wanted of ["a", "b", "c"]) {
        const found = order.filter(({ name }) => name === wanted);
        const expected = found.map(({ file, line }, rank) => {
          const winner = found[0]?.file ?? file;
          const rule = winner === file
            ? `${engine === "quake3e" ? "last" : "first"}-in-shader-file`
            : winner > file
            ? "last-listed-shader-file"
            : engine === "quake3e"
            ? "first-listed-shader-file"
            : "first-shader-of-file";
          return `${directory}/f${file}.shader:${line + 1} in base/pak0.pk3: ${rank === 0 ? "wins" : rule}`;
        });
        assertEquals(here.described(wanted), expected, engine);
      }
    }),
    { numRuns: 60 },
  );
});

/** Shader files of one definition each, by their last bytes. */
const anyEndings = fc.array(fc.constantFrom("", "\n", "\r\n", " ", "\t", " // end", " // end\n", "\n\n"), {
  minLength: 1,
  maxLength: 4,
});

Deno.test("a shader is found however the file after it, or its own, ends", async () => {
  await fc.assert(
    fc.asyncProperty(fc.constantFrom("ioquake3", "quake3", "chomenor"), anyEndings, async (engine, endings) => {
      const files = Object.fromEntries(
        endings.map((end, index) => [`scripts/f${index}.shader`, `s${index} { }${end}`]),
      );
      await using here = await indexed({ "base/pak0.pk3": pk3(files) }, engine);
      for (const index of endings.keys()) {
        assertEquals(here.described(`s${index}`), [`scripts/f${index}.shader:1 in base/pak0.pk3: wins`]);
      }
    }),
    { numRuns: 40 },
  );
});

Deno.test("Chomenor: packs decide, then offsets in the pack, then offsets in the file; no file hides another", async () => {
  await using here = await indexed({
    "base/pak0.pk3": pk3({ "scripts/a.shader": "x { }\nonly { }\n" }),
    "base/pak1.pk3": pk3({ "scripts/a.shader": "x { }\nx { }\n", "scripts/b.shader": "x { }\n" }),
  }, "chomenor");
  assertEquals(here.described("x"), [
    "scripts/b.shader:1 in base/pak1.pk3: wins",
    "scripts/a.shader:1 in base/pak1.pk3: intra-pk3-position",
    "scripts/a.shader:2 in base/pak1.pk3: intra-pk3-position",
    "scripts/a.shader:1 in base/pak0.pk3: pack-name",
  ]);
  assertEquals(here.described("only"), ["scripts/a.shader:2 in base/pak0.pk3: wins"]);
});

Deno.test("Chomenor: a file with more faults than a call has arguments leaves the others known", async () => {
  await using here = await indexed({
    "base/pak0.pk3": pk3({ "scripts/a.shader": "a ".repeat(130_000), "scripts/b.shader": "x { }\n" }),
  }, "chomenor");
  assertEquals(here.described("x"), ["scripts/b.shader:1 in base/pak0.pk3: wins"]);
});

Deno.test("Chomenor: of two loose files the one whose shader is nearer to the start wins", async () => {
  for (const [shorter, longer] of [["a", "b"], ["b", "a"]] as const) {
    // deno-lint-ignore no-await-in-loop -- two installations
    await using here = await indexed({
      [`base/scripts/${shorter}.shader`]: "x { }\n",
      [`base/scripts/${longer}.shader`]: "other { }\nx { }\nx { }\n",
    }, "chomenor");
    assertEquals(here.described("x"), [
      `scripts/${shorter}.shader:1 in base: wins`,
      `scripts/${longer}.shader:2 in base: intra-shaderfile-position`,
      `scripts/${longer}.shader:3 in base: intra-shaderfile-position`,
    ]);
  }
});

Deno.test("Doom 3: files are read in the order of their names, and the first definition is kept", async () => {
  await using here = await indexed({
    "base/pak0.pk3": pk3({ "materials/b.mtr": "x { }\ntable x { { 1 } }\n", "materials/sub/c.mtr": "c { }" }),
    "base/pak1.pk3": pk3({ "materials/C.mtr": "textures\\X.tga { }\nx { }\n", "scripts/q.shader": "q { }" }),
  }, "dhewm3");
  assertEquals(here.described("X.tga"), [
    "materials/b.mtr:1 in base/pak0.pk3: wins",
    "materials/C.mtr:2 in base/pak1.pk3: first-definition",
  ]);
  assertEquals(here.described("textures/x"), ["materials/C.mtr:1 in base/pak1.pk3: wins"]);
  assertEquals(here.index.rows().map(({ name, type }) => `${type} ${name}`), [
    "material textures/x",
    "material x",
    "table x",
  ]);
});

Deno.test("Doom 3: a file that another replaces does not count, though it would be read first", async () => {
  await using here = await indexed({
    "base/pak0.pk3": pk3({ "materials/a.mtr": "x { }", "materials/b.mtr": "x { }" }),
    "base/pak1.pk3": pk3({ "materials/a.mtr": "y { }" }),
  }, "dhewm3");
  assertEquals(here.described("x"), [
    "materials/b.mtr:1 in base/pak0.pk3: wins",
    "materials/a.mtr:1 in base/pak0.pk3: materials/a.mtr of pak1.pk3 replaces this file",
  ]);
});

Deno.test("names are found without regard to case, with an image's extension, and by pattern", async () => {
  await using here = await indexed({
    "base/pak0.pk3": pk3({ "scripts/a.shader": "Textures/Wall/A { }\ntextures/wall/b.x { }\ngfx/a { }\n" }),
  });
  const { index } = here;
  assertEquals(index.definitions("TEXTURES/wall/a.tga").length, 1);
  assertEquals(index.definitions("textures/wall/b.x").length, 1);
  assertEquals(index.definitions("textures/wall").length, 0);
  const names = (pattern: string) => Array.from(index.matching(pattern), (row) => row?.name);
  assertEquals(names("A"), ["gfx/a", "textures/wall/a"]);
  assertEquals(names("textures/**"), ["textures/wall/a", "textures/wall/b.x"]);
});

Deno.test("names that no surface can refer to are known as such", async () => {
  await using here = await indexed({
    "base/pak0.pk3": pk3({ "scripts/a.shader": `${"n".repeat(63)} { }\n${"n".repeat(64)} { }\n` }),
  });
  assertEquals(here.index.rows().map(({ name, dropped }) => `${name.length} ${dropped ?? ""}`), [
    "63 ",
    "64 no surface can refer to a name of more than 63 bytes",
  ]);
});

Deno.test("a shader file that cannot be read is reported, and does not hide the others", async () => {
  const files = { "base/pak0.pk3": pk3({ "scripts/a.shader": "a { }", "scripts/b.shader": "b { }" }) };
  const failing = (read: ReadEntry): ReadEntry => (entry) => {
    const content = read(entry);
    if (content[0] === 0x61) throw new Error("the disk is gone");
    return content;
  };
  await using here = await indexed(files, "ioquake3", failing);
  assertEquals(here.index.rows().map(({ name }) => name), ["b"]);
  assertEquals(here.index.warnings.map(({ file, message }) => `${file.qpath}: ${message}`), [
    "scripts/a.shader: the disk is gone",
  ]);
});

Deno.test("an index is made once for a view", async () => {
  await using here = await indexed({ "base/pak0.pk3": pk3({ "scripts/a.shader": "a { }" }) });
  let reads = 0;
  const ask = (view: View) =>
    shaderIndex(view, () => {
      reads++;
      return new Uint8Array();
    });
  assertEquals(ask(here.view), ask(here.view));
  assertEquals(reads, 1);
});

Deno.test("packs of an index have their checksums without being read again", async () => {
  await using here = await indexed({
    // The files of z_oacmpcampaign.pk3 by their checksums; the content does not matter.
    "base/pak0.pk3": zip([
      { name: "scripts/" },
      { name: "scripts/arenas.txt", content: "a", crc: 0x7a0bfc8d },
      { name: "scripts/oacmpv1.arena", content: "b", crc: 0x74d5ada7 },
    ]),
    "base/empty.pk3": zip([{ name: "scripts/" }]),
    "base/pak.pk3": pak([["a.txt", "a"]]),
  });
  const of = (name: string, feed?: number) => {
    const source = here.catalog.packs.find((pack) => pack.name === name);
    return source && packChecksum(here.catalog.snapshot, here.catalog.games[0]?.profile, source, feed);
  };
  assertEquals(of("pak0.pk3"), { checksum: 2028755687, pure: 541582738, feed: 0 });
  assertEquals(of("pak0.pk3", 12345), { checksum: 2028755687, pure: -1922805491, feed: 12345 });
  assertEquals(of("empty.pk3")?.checksum, -1737972033);
  assertEquals(of("pak.pk3") ?? null, null);
});

// --- Shaders against images of their name ---------------------------------------------------------------------------

const named: Files = {
  "baseq3/pak0.pk3": zip([
    { name: "scripts/a.shader", content: "textures/x/both\n{\n}\ntextures/x/shader\n{\n}\n" },
    { name: "textures/x/both.tga", content: "tga" },
    { name: "textures/x/image.jpg", content: "jpg" },
  ]),
  "baseq3/pak1.pk3": zip([{ name: "textures/x/both.jpg", content: "jpg" }]),
  "mod/mod.pk3": zip([{ name: "textures/x/both.jpg", content: "jpg" }]),
};

async function answers(profile: string, view: string) {
  await using root = await installation(named);
  const catalog = scan(root.path, { profile, name: "q3" });
  await using reader = new ContentReader(catalog.snapshot);
  const index = new ShaderIndex(catalog.view(view), (entry) => reader.readWhole(entry));
  return (name: string) => {
    const { answers, because, images } = index.answer(name);
    return [answers, because, ...images.map((row) => `${below(root.path, row.source)} ${row.qpath} ${row.decidedBy}`)];
  };
}

Deno.test("ioquake3: a shader precedes every image of its name, and images are searched by extension", async () => {
  const answer = await answers("ioquake3", "q3/mod");
  assertEquals(answer("textures/x/both"), [
    "shader",
    "ioquake3 looks for an image only where no shader has the name.",
    "baseq3/pak0.pk3 textures/x/both.tga null",
    "mod/mod.pk3 textures/x/both.jpg extension",
    "baseq3/pak1.pk3 textures/x/both.jpg extension",
  ]);
  assertEquals(answer("textures/x/image"), ["image", null, "baseq3/pak0.pk3 textures/x/image.jpg null"]);
  assertEquals(answer("textures/x/shader"), ["shader", null]);
  assertEquals(answer("textures/x/nothing"), [null, null]);
});

Deno.test("chomenor: an image of the current mod precedes a shader of the base, which precedes other images", async () => {
  const inMod = await answers("chomenor", "q3/mod");
  assertEquals(inMod("textures/x/both"), [
    "image",
    "mod is the current mod, which Chomenor's file system searches before baseq3.",
    "mod/mod.pk3 textures/x/both.jpg null",
    "baseq3/pak1.pk3 textures/x/both.jpg mod-directory",
    "baseq3/pak0.pk3 textures/x/both.tga mod-directory",
  ]);
  const inBase = await answers("chomenor", "q3/baseq3");
  assertEquals(inBase("textures/x/both").slice(0, 3), [
    "shader",
    "Chomenor's file system prefers a shader to an image of the same name.",
    "baseq3/pak1.pk3 textures/x/both.jpg null",
  ]);
  const pure = await answers("chomenor", "q3/baseq3:pure=pak1,pak0");
  assertEquals(pure("textures/x/both").slice(0, 2), [
    "shader",
    "it is a shader of pak0.pk3, and Chomenor's file system prefers shaders of the current mod, of packs that come with " +
    "the game and of those on the pure list.",
  ]);
});

Deno.test("without an engine, materials are read as Doom 3's if there are no scripts", async () => {
  const dialects = await Promise.all(
    [["materials/a.mtr"], ["materials/a.mtr", "scripts/a.shader"], ["scripts/a.shader"], [
      "readme.txt",
    ]].map(async (paths) => {
      await using here = await indexed(Object.fromEntries(paths.map((path) => [`base/${path}`, "x"])), "generic");
      return shaderRulesOf(here.view).dialect.name;
    }),
  );
  assertEquals(dialects, ["doom3", "ioquake3", "ioquake3", "ioquake3"]);
});

Deno.test("names are found as written in Quake 3, and without ending and with slashes in Doom 3", async () => {
  await using quake3 = await indexed({ "base/scripts/a.shader": "textures/a.b { }\ntextures/a { }\n" });
  await using doom3 = await indexed({ "base/materials/a.mtr": "textures/A { }\n" }, "dhewm3");
  const names = ["textures/a.b", "TEXTURES/a.tga", "textures\\a", "textures\\a.tga"];
  const found = [quake3, doom3].map(({ index }) =>
    names.map((name) => index.definitions(name).map((row) => `${row.qpath}:${row.line}`))
  );
  assertEquals(found, [
    [["scripts/a.shader:1"], ["scripts/a.shader:2"], [], []],
    names.map(() => ["materials/a.mtr:1"]),
  ]);
});
