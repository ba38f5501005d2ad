/** Conversion threads: none waits long for an unreadable file. */
import { assertEquals, assertRejects } from "@std/assert";
import type { NamedFile } from "../../../media/convert/converter.ts";
import { draw, encodeLmp, encodePcx, encodeTga } from "../../../daemon/demo/image.ts";
import { demoPalette } from "../../../daemon/demo/palette.ts";
import { decodePng } from "../../../media/pictures/png.ts";
import { type Conversion, ConversionThreads, DroppedError } from "../../../media/conversions/conversion_threads.ts";
import { spriteList } from "../handmade.ts";

const red = draw(2, 2, () => [255, 255, 255, 255]);
const never = new AbortController().signal;

function conversion(qpath: string, bytes: Uint8Array, changes: Partial<Conversion> = {}): Conversion {
  const nothing = () => Promise.resolve(undefined);
  return {
    qpath,
    to: "png",
    read: () => Promise.resolve(bytes.slice()),
    surroundings: { file: nothing, files: () => Promise.resolve([]), image: nothing, shader: nothing },
    ...changes,
  };
}

Deno.test("conversions that wait for their files leave the threads to others, and end when these are read", async () => {
  using threads = new ConversionThreads(undefined, 1);
  const file = Promise.withResolvers<Uint8Array<ArrayBuffer>>();
  const palette = Promise.withResolvers<NamedFile | undefined>();
  const { surroundings } = conversion("", new Uint8Array());
  const hung = [
    threads.convert(conversion("unread.tga", encodeTga(red), { read: () => file.promise }), never),
    threads.convert(
      conversion("colourless.lmp", encodeLmp(red, demoPalette()), {
        surroundings: { ...surroundings, file: () => palette.promise },
      }),
      never,
    ),
  ];
  await threads.convert(conversion("local.tga", encodeTga(red)), never);
  file.resolve(encodeTga(red).slice());
  palette.resolve({ qpath: "gfx/palette.lmp", bytes: demoPalette() });
  for (const picture of await Promise.all(hung)) assertEquals(decodePng(picture).rgba, red.rgba);
});

Deno.test("a conversion whose files each take long begins again with the files that it has", async () => {
  using threads = new ConversionThreads(undefined, 1);
  const reads: string[] = [];
  const slowly = async (qpath: string) => {
    reads.push(qpath);
    // Longer than a thread's timeout.
    if (qpath.endsWith(".pcx")) await new Promise((resolve) => setTimeout(resolve, 400));
    return qpath.endsWith(".pcx") ? { qpath, bytes: encodePcx(red, demoPalette()) } : undefined;
  };
  const { surroundings } = conversion("", new Uint8Array());
  const sheet = await threads.convert(
    conversion("a.sp2", spriteList(["1.pcx", "2.pcx"]), { surroundings: { ...surroundings, file: slowly } }),
    never,
  );
  assertEquals(decodePng(sheet).width >= 4, true);
  assertEquals(reads.filter((qpath) => qpath.endsWith(".pcx")), ["1.pcx", "2.pcx"]);
});

Deno.test("conversions that wait for their files are dropped when nobody wants them and when the threads end", async () => {
  const threads = new ConversionThreads(undefined, 1);
  const wanted = new AbortController();
  const hung = [wanted.signal, never].map((signal) =>
    assertRejects(
      () => threads.convert(conversion("a.tga", red.rgba, { read: () => new Promise(() => {}) }), signal),
      DroppedError,
    )
  );
  await threads.convert(conversion("local.tga", encodeTga(red)), never);
  wanted.abort();
  await hung[0];
  threads[Symbol.dispose]();
  await hung[1];
});
