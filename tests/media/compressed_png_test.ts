/** PNGs compressed for files: another program reads them, and writes them no smaller. */
import { assert, assertEquals } from "@std/assert";
import { decodePng } from "../../media/pictures/png.ts";
import { compressedPng, storedPng } from "../../media/pictures/png_writer.ts";
import { numbersFrom, seed } from "../support/chance.ts";
import { needs } from "../support/programs.ts";
import { temporaryDirectory } from "../support/temporary.ts";

/** A picture with gradients, edges and noise. */
function drawnPicture(chance: (most: number) => number, isOpaque: boolean) {
  const [width, height] = [1 + chance(200), 1 + chance(200)];
  const [across, down, noise] = [chance(4), chance(4), 1 + chance(30)];
  const rgba = new Uint8Array(width * height * 4);
  for (let pixel = 0; pixel < width * height; pixel++) {
    const [x, y] = [pixel % width, Math.floor(pixel / width)];
    for (let channel = 0; channel < 3; channel++) {
      rgba[pixel * 4 + channel] = x * across + y * down + (x >> 5 & 1) * 60 * channel + chance(noise);
    }
    rgba[pixel * 4 + 3] = isOpaque ? 255 : chance(256);
  }
  return { width, height, rgba };
}

Deno.test("a compressed PNG has the pixels of the stored one, whatever its kind and size", () => {
  const chance = numbersFrom(seed);
  for (let round = 0; round < 40; round++) {
    const picture = drawnPicture(chance, round % 2 === 0);
    for (const pixels of ["grey", "rgb", "rgba"] as const) {
      const stored = storedPng(picture, pixels);
      const compressed = compressedPng(stored);
      assertEquals(decodePng(compressed), decodePng(stored));
    }
  }
});

Deno.test("PNGs together are as small as ImageMagick's, which reads the same pixels", needs("convert"), async () => {
  await using directory = await temporaryDirectory();
  const chance = numbersFrom(seed);
  const run = async (...args: string[]) => {
    const { success, stdout } = await new Deno.Command("convert", { args, cwd: directory.path }).output();
    assert(success, args.join(" "));
    return stdout;
  };
  let [ours, theirs] = [0, 0];
  for (let round = 0; round < 8; round++) {
    const stored = storedPng(drawnPicture(chance, true));
    const compressed = compressedPng(stored);
    // deno-lint-ignore no-await-in-loop -- one picture after the other
    await Promise.all([
      Deno.writeFile(`${directory.path}/stored.png`, stored),
      Deno.writeFile(`${directory.path}/ours.png`, compressed),
    ]);
    // deno-lint-ignore no-await-in-loop -- as above
    await run("stored.png", "-strip", "theirs.png");
    // deno-lint-ignore no-await-in-loop -- as above
    assertEquals(await run("ours.png", "rgba:-"), await run("stored.png", "rgba:-"));
    ours += compressed.length;
    // deno-lint-ignore no-await-in-loop -- as above
    theirs += (await Deno.stat(`${directory.path}/theirs.png`)).size;
  }
  assert(ours < theirs * 1.05, `${ours} bytes, ImageMagick ${theirs}`);
});
