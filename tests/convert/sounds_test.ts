/**
 * Sounds as WAV of plain samples, compared with those of SoX, and texts.
 * @module
 */
// deno-lint-ignore-file no-await-in-loop -- the sounds are compared one after another
import { assert, assertEquals, assertRejects } from "@std/assert";
import { converterOf, convertersOf } from "../../convert/table.ts";
import { MediaError } from "../../media/core/reader.ts";
import { isRareWav } from "../../media/sounds/samples.ts";
import { hex, text } from "../formats/bytes.ts";
import { quakeMap } from "../media/handmade.ts";
import { goldenSounds } from "./golden_sounds.ts";
import { among, dmx, everything, texture1 } from "./samples.ts";

Deno.test("a sound of Doom becomes a WAV of its samples without the padding", async () => {
  const samples = Array.from({ length: 17 }, (_, index) => index * 15);
  const row = convertersOf("DSPISTOL", "wav")[0];
  const file = dmx(...samples);
  const wav = await row?.convert({ qpath: "DSPISTOL", bytes: file }, among());
  assertEquals(
    wav?.slice(0, 44).toHex(),
    hex(
      "52494646 36000000 57415645 666d7420 10000000 0100 0100 112b0000 112b0000 0100 0800 64617461 11000000",
    ).toHex(),
  );
  assertEquals([...wav?.slice(44) ?? []], [...samples, 0]);
  assertEquals(row?.size?.(file, file.length), wav?.length);
  assertEquals(row?.accepts?.(dmx(1, 2), 42), false, "the engine plays nothing so short");
  await assertRejects(async () => await row?.convert({ qpath: "A", bytes: dmx(1) }, among()), MediaError);
});

Deno.test("sounds in rare encodings have the samples that SoX decodes", async () => {
  for (const { encoding, channels, frames, wav, sha256 } of goldenSounds) {
    assert(isRareWav(wav), encoding);
    const converted = await converterOf("a.wav")?.convert({ qpath: "a.wav", bytes: wav }, among());
    const samples = converted?.slice(44) ?? new Uint8Array(0);
    assertEquals(samples.length, frames * channels * 2, encoding);
    const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", samples)).toHex();
    assertEquals(hash, sha256, `${encoding} of ${channels} channels`);
    assertEquals(isRareWav(converted ?? wav), false, "plain samples are not converted again");
  }
});

Deno.test("entities, tables and text screens become JSON and text", async () => {
  const read = async (qpath: string, bytes: Uint8Array, to: "json" | "txt") =>
    new TextDecoder().decode(await converterOf(qpath, to)?.convert({ qpath, bytes }, everything));
  const entities = [{ classname: "worldspawn", message: "a" }];
  const written = '{"classname" "worldspawn" "message" "a"}';
  assertEquals(JSON.parse(await read("maps/a.bsp", quakeMap(written), "json")), entities);
  assertEquals(JSON.parse(await read("maps/a.ent", text(written), "json")), entities);
  assertEquals(JSON.parse(await read("TEXTURE1", texture1(), "json")), [{
    name: "WALL1",
    width: 64,
    height: 128,
    patches: [{ patch: "WALL", left: 0, top: 0 }, { patch: "DOOR", left: -1, top: 8 }],
  }]);
  const screen = new Uint8Array(4000).fill(0x20);
  screen.set(hex("4107 b007 0107"), 160);
  assertEquals((await read("ENDOOM", screen, "txt")).split("\n").slice(0, 3), ["", "A░☺", ""]);
});
