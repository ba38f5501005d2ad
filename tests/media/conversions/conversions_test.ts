/** Conversions cached on disk: reused only if the bytes of all their inputs are unchanged. */
// deno-lint-ignore-file no-await-in-loop -- one after the other, to see which one fails
import { assert, assertEquals } from "@std/assert";
import { draw, encodeLmp, encodeTga } from "../../../daemon/demo/image.ts";
import { demoPalette } from "../../../daemon/demo/palette.ts";
import { Conversions, pruneConversions, type Wanted } from "../../../media/conversions/conversions.ts";
import { thumbnail } from "../../../media/conversions/thumbnail.ts";
import type { NamedFile, Surroundings, WholeSurroundings } from "../../../media/convert/converter.ts";
import { convertersOf } from "../../../media/convert/table.ts";
import { MediaError } from "../../../media/core/reader.ts";
import { decodePng } from "../../../media/pictures/png.ts";
import { numbersFrom, seed } from "../../support/chance.ts";
import { temporaryDirectory } from "../../support/temporary.ts";
import { md2, md3, testPalette } from "../handmade.ts";

const picture = (shade: number) => encodeTga(draw(3, 2, () => [shade, shade, shade, 255]));
const nothing = () => Promise.resolve(undefined);
const nowhere: WholeSurroundings = { file: nothing, files: () => Promise.resolve([]), image: nothing, shader: nothing };

/** A view of a few files. */
class Model {
  readonly files = new Map<string, Uint8Array>();
  /** Whether files cannot be read for now; images still can. */
  isFailing = false;

  readonly surroundings: WholeSurroundings = {
    files: () => Promise.resolve([]),
    file: (qpath) => this.isFailing ? Promise.reject(new MediaError("EIO")) : this.#found(qpath),
    image: (name) => this.#found(name),
    shader: async (name) => {
      const found = await this.#found(`${name}.shader`);
      return found && new TextDecoder().decode(found.bytes);
    },
  };

  #found(qpath: string): Promise<NamedFile | undefined> {
    const bytes = this.files.get(qpath);
    return Promise.resolve(bytes && { qpath, bytes });
  }
}

/** Returns a file's conversion by the table, without compression. */
async function convertedAlone(file: NamedFile, to: Wanted, surroundings: Surroundings): Promise<Uint8Array> {
  if (to === "thumbnail") return await thumbnail(file, surroundings);
  const [row] = convertersOf(file.qpath, to === "compressed" ? "png" : to);
  assert(row);
  return await row.convert(file, surroundings);
}

Deno.test("a kept result is what converting gives, whatever changed or was damaged, and saves converting", async () => {
  await using directory = await temporaryDirectory();
  const random = numbersFrom(seed);
  const one = <Value>(values: readonly [Value, ...Value[]]) => values[random(values.length)] ?? values[0];
  const model = new Model();
  const lumps = [0, 90].map((shade) => encodeLmp(draw(4, 4, () => [shade, shade, shade, 255]), demoPalette()));
  // A missing palette makes a skin grey, but is no error of the model.
  const skin = "models/skin.lmp";
  const changes: Readonly<Record<string, readonly [Uint8Array, ...Uint8Array[]]>> = {
    "gfx/palette.lmp": [testPalette(), demoPalette(), new Uint8Array(5)],
    [skin]: [new Uint8Array(9), ...lumps],
    [`${skin}.shader`]: [new TextEncoder().encode("{\ncull none\n}"), new TextEncoder().encode("{\n}")],
  };
  const palettes = [undefined, { colours: demoPalette().map((byte) => 255 - byte), origin: "given" }] as const;
  const files: readonly [NamedFile, ...NamedFile[]] = [
    { qpath: "p.lmp", bytes: lumps[0] ?? new Uint8Array(0) },
    { qpath: "p.lmp", bytes: lumps[1] ?? new Uint8Array(0) },
    { qpath: "q.lmp", bytes: lumps[1] ?? new Uint8Array(0) },
    { qpath: "p.tga", bytes: picture(7) },
    { qpath: "models/p.md2", bytes: md2([skin]) },
    { qpath: "models/p.md3", bytes: md3(skin) },
  ];
  const counts = { asked: 0, saved: 0, errors: 0, damaged: 0 };
  for (let round = 0; round < 1000; round++) {
    // A new instance stands for another process or version.
    const conversions = new Conversions(directory.path, { program: `version ${random(4) === 0 ? 1 : 2}` });
    for (const [qpath, contents] of Object.entries(changes)) {
      if (random(8) === 0) model.files.set(qpath, one(contents));
      if (random(20) === 0) model.files.delete(qpath);
    }
    model.isFailing = random(4) === 0;
    const file = one(files);
    const isModel = file.qpath.startsWith("models/");
    const to = isModel ? one<Wanted>(["glb", "thumbnail"]) : one<Wanted>(["png", "compressed", "thumbnail"]);
    const surroundings = { ...model.surroundings, palette: one(palettes) };
    const expected = await convertedAlone(file, to, surroundings).catch((error: Error) => error.message);
    const actual = await conversions.get(file, to, surroundings).catch((error: Error) => error.message);
    const shown = (result: Uint8Array | string) =>
      to === "compressed" && typeof result !== "string" ? decodePng(result).rgba : result;
    assertEquals(shown(actual), shown(expected), `${file.qpath} to ${to} in round ${round}, PAKFS_SEED=${seed}`);
    counts.asked++;
    if (typeof actual === "string") counts.errors++;
    else if (conversions.converted === 0) counts.saved++;
    if (random(15) > 0) continue;
    const names = await Array.fromAsync(Deno.readDir(directory.path), ({ name }) => name);
    if (names.length === 0) continue;
    const path = `${directory.path}/${names[random(names.length)]}`;
    const content = await Deno.readFile(path);
    // A bit is flipped, or the file truncated, or both.
    const at = random(content.length);
    if (random(2)) content[at] = (content[at] ?? 0) ^ (1 << random(8));
    await Deno.writeFile(path, random(2) ? content : content.subarray(0, at));
    counts.damaged++;
  }
  assert(counts.saved > counts.asked / 4 && counts.errors > 20 && counts.damaged > 10, JSON.stringify(counts));
});

Deno.test("a picture is compressed from a result that is kept, and that is kept too", async () => {
  await using directory = await temporaryDirectory();
  const file = { qpath: "p.tga", bytes: picture(7) };
  const made = async (to: Wanted) => {
    const conversions = new Conversions(directory.path, { program: "p" });
    const { length } = await conversions.get(file, to, nowhere);
    return [conversions.converted, length > 0];
  };
  assertEquals([await made("png"), await made("compressed")], [[1, true], [0, true]]);
  const other = new Conversions(directory.path, { program: "another version" });
  await other.get(file, "png", nowhere);
  assertEquals(other.converted, 1);
  let waits = 0;
  const onDisk = <Value>(work: () => Promise<Value>) => {
    waits++;
    return work();
  };
  const watched = new Conversions(directory.path, { program: "p", onDisk });
  await watched.get(file, "png", nowhere);
  await watched.get(file, "thumbnail", nowhere);
  assertEquals(waits, 3, "two reads, and a write");
  const names = await Array.fromAsync(Deno.readDir(directory.path), ({ name }) => name);
  assertEquals(names.length, 4);
  for (const name of names) assertEquals(((await Deno.stat(`${directory.path}/${name}`)).mode ?? 0) & 0o777, 0o600);
});

Deno.test("a result is not kept if a file was another one when it was requested again", async () => {
  await using directory = await temporaryDirectory();
  const lump = encodeLmp(draw(4, 4, () => [90, 90, 90, 255]), demoPalette());
  let requests = 0;
  const changing: WholeSurroundings = {
    ...nowhere,
    image: (name) => Promise.resolve({ qpath: name, bytes: lump }),
    file: (qpath) => Promise.resolve({ qpath, bytes: new Uint8Array(768).fill(requests++) }),
  };
  const file = { qpath: "a.md2", bytes: md2(["1.lmp", "2.lmp"]) };
  await new Conversions(directory.path, { program: "p" }).get(file, "glb", changing);
  assertEquals([requests, await Array.fromAsync(Deno.readDir(directory.path))], [2, []]);
});

Deno.test("without a directory that can be read or written everything is converted, and nothing fails", async () => {
  await using directory = await temporaryDirectory();
  await Deno.writeTextFile(`${directory.path}/file`, "");
  const file = { qpath: "p.tga", bytes: picture(7) };
  for (const place of [undefined, `${directory.path}/file`, "/proc/none"]) {
    const conversions = new Conversions(place, { program: "p" });
    for (const number of [1, 2]) {
      assertEquals(await conversions.get(file, "png", nowhere), await convertedAlone(file, "png", nowhere), place);
      assertEquals(conversions.converted, number);
    }
  }
});

Deno.test("the oldest results go, so that all have no more bytes than their bound and what was written since", async () => {
  await using directory = await temporaryDirectory();
  const results = async () => {
    const names = await Array.fromAsync(Deno.readDir(directory.path), ({ name }) => name);
    return new Map(names.map((name) => [name, Deno.statSync(`${directory.path}/${name}`).size]));
  };
  const sum = async () => (await results()).values().reduce((total, size) => total + size, 0);
  const bounds = { all: 20_000, written: 5000 };
  const conversions = new Conversions(directory.path, { program: "p", bounds });
  for (let shade = 0; shade < 200; shade++) {
    await conversions.get({ qpath: "p.tga", bytes: picture(shade) }, "png", nowhere);
    assert(await sum() <= bounds.all + bounds.written, `${await sum()} after ${shade}`);
  }
  assert(await sum() > bounds.all / 2);
  const [[oldest = ""] = []] = await results();
  await Deno.utime(`${directory.path}/${oldest}`, 1, 1);
  const before = await results();
  await pruneConversions(directory.path, await sum() - 1);
  assertEquals([...before.keys()].filter((name) => name !== oldest), [...(await results()).keys()]);
});
