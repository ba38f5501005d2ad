/** Results of conversions on disk: used only for the same bytes of everything that they were made of. */
// deno-lint-ignore-file no-await-in-loop -- one after the other, to see which one fails
import { assert, assertEquals } from "@std/assert";
import type { Surroundings, WholeSurroundings } from "../../media/convert/converter.ts";
import { KeptConversions, pruneConversions } from "../../web/kept_conversions.ts";
import { numbersFrom, seed } from "../support/chance.ts";
import { temporaryDirectory } from "../support/temporary.ts";

const bytesOf = (text: string) => new TextEncoder().encode(text);

/** A view of a few files, and a conversion that asks for some of them and puts all together. */
class Model {
  readonly files = new Map<string, string>();
  isFailing = false;
  conversions = 0;

  readonly surroundings: WholeSurroundings = {
    file: (qpath) => this.#found(qpath),
    image: (name) => this.#found(`${name}.tga`),
    shader: (name) => this.isFailing ? Promise.reject(new Error("EIO")) : Promise.resolve(this.files.get(name)),
  };

  #found(qpath: string) {
    if (this.isFailing) return Promise.reject(new Error("EIO"));
    const text = this.files.get(qpath);
    return Promise.resolve(text === undefined ? undefined : { qpath, bytes: bytesOf(text) });
  }

  /** What the file asks for depends on its bytes, and on what it found before. */
  async convert(file: { qpath: string; bytes: Uint8Array }, to: string, around: Surroundings): Promise<Uint8Array> {
    this.conversions++;
    const said = [to, file.qpath];
    for (const letter of new TextDecoder().decode(file.bytes)) {
      const found = letter < "c"
        ? await around.file(letter)
        : letter < "e"
        ? await around.image(letter)
        : await around.shader?.(letter);
      const text = typeof found === "object" ? new TextDecoder().decode(found.bytes) : found;
      said.push(text ?? "none");
      if (text === "x") said.push(new TextDecoder().decode((await around.file("more"))?.bytes));
    }
    return bytesOf(said.join(" "));
  }
}

Deno.test("a kept result is what converting gives, whatever changed, and saves converting where nothing did", async () => {
  await using directory = await temporaryDirectory();
  const random = numbersFrom(seed);
  const one = (values: readonly string[]) => values[random(values.length)] ?? "";
  const model = new Model();
  let asked = 0;
  let saved = 0;
  for (let round = 0; round < 400; round++) {
    // As another process, or another version, would.
    const kept = new KeptConversions(directory.path, `version ${random(3) === 0 ? 1 : 2}`, 1e6);
    if (random(3) === 0) model.files.set(one(["a", "b", "c.tga", "d.tga", "e", "more"]), one(["x", "y", "z"]));
    if (random(6) === 0) model.files.delete(one(["a", "b", "c.tga", "d.tga", "e", "more"]));
    model.isFailing = random(10) === 0;
    const file = { qpath: one(["p.tga", "q.tga"]), bytes: bytesOf(one(["a", "ab", "cae", "dd", "e", ""])) };
    const to = random(2) ? "png" as const : "thumbnail" as const;
    const expected = await model.convert(file, to, model.surroundings).catch((error: Error) => error.message);
    const before = model.conversions;
    const actual = await kept.get(file, to, model.surroundings, (around) => model.convert(file, to, around))
      .catch((error: Error) => error.message);
    assertEquals(actual, expected);
    asked++;
    if (model.conversions === before) saved++;
    if (random(20) === 0) {
      const names = await Array.fromAsync(Deno.readDir(directory.path), ({ name }) => name);
      const path = `${directory.path}/${one(names)}`;
      const content = await Deno.readFile(path);
      // Damaged by a disk, or cut off.
      const at = random(content.length);
      if (random(2)) content[at] = (content[at] ?? 0) ^ (1 << random(8));
      await Deno.writeFile(path, random(2) ? content : content.subarray(0, at));
    }
  }
  assert(saved > asked / 3, `${saved} of ${asked}`);
});

Deno.test("no more is kept than there is room for, and the oldest results go first", async () => {
  await using directory = await temporaryDirectory();
  const sizes = async () => {
    const found = await Array.fromAsync(
      Deno.readDir(directory.path),
      ({ name }) => Deno.stat(`${directory.path}/${name}`),
    );
    return found.map(({ size }) => size);
  };
  const model = new Model();
  const write = (room: number, from: number) => {
    const kept = new KeptConversions(directory.path, "", room);
    const files = Array.from({ length: 20 }, (_, index) => ({ qpath: `${from + index}`, bytes: new Uint8Array(0) }));
    return Promise.all(
      files.map((file) => kept.get(file, "png", model.surroundings, () => Promise.resolve(new Uint8Array(1000)))),
    );
  };
  await write(5000, 0);
  const [size = 0] = await sizes();
  assertEquals((await sizes()).length, Math.floor(5000 / size));
  for await (const { name } of Deno.readDir(directory.path)) await Deno.utime(`${directory.path}/${name}`, 1, 1);
  await write(1e6, 100);
  await pruneConversions(directory.path, 20 * size);
  assertEquals((await sizes()).length, 20);
  const before = model.conversions;
  await pruneConversions(directory.path, 1e9);
  await pruneConversions(`${directory.path}/missing`, 1);
  assertEquals([(await sizes()).length, model.conversions], [20, before]);
});
