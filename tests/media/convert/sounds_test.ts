/**
 * Sounds as WAV of plain samples, compared with SoX's output, and texts.
 * @module
 */
// deno-lint-ignore-file no-await-in-loop -- the sounds are compared one after another
import { assert, assertEquals, assertRejects } from "@std/assert";
import { convertersOf } from "../../../media/convert/table.ts";
import { MediaError } from "../../../media/core/reader.ts";
import { decodeRareWav, encodeWav, isRareWav } from "../../../media/sounds/samples.ts";
import { hex, output, text, withDirectory } from "../../formats/bytes.ts";
import fc from "../../support/fast_check.ts";
import { needs } from "../../support/programs.ts";
import { quakeMap } from "../handmade.ts";
import { goldenSounds } from "./golden_sounds.ts";
import { among, dmx, encodedWav, everything, texture1 } from "./samples.ts";

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

Deno.test("any samples become a WAV that Python reads", needs("python3"), async () => {
  const numbers = (bits: number) =>
    fc.array(fc.integer({ min: -(2 ** (bits - 1)), max: 2 ** (bits - 1) - 1 }), { maxLength: 25 });
  const sound = fc.record({
    channels: fc.integer({ min: 1, max: 4 }),
    rate: fc.integer({ min: 1, max: 96_000 }),
    samples: fc.oneof(
      numbers(8).map((list) => Uint8Array.from(list, (value) => value + 128)),
      numbers(16).map((list) => Int16Array.from(list)),
    ),
  }).map(({ channels, rate, samples }) => ({
    channels,
    rate,
    samples: samples.subarray(0, samples.length - samples.length % channels),
  }));
  const lines = fc.sample(sound, 200).map(({ channels, rate, samples }) => {
    const bytes = encodeWav({ channels, rate, samples });
    assertEquals(bytes.length % 2, 0, "a chunk ends at an even byte");
    const size = samples.BYTES_PER_ELEMENT;
    const data = new Uint8Array(samples.buffer, 0, samples.byteLength).toHex();
    return JSON.stringify({ wav: bytes.toHex(), known: [channels, size, rate, samples.length / channels, data] });
  });
  const script = `
import io, json, sys, wave
for line in open(sys.argv[1]):
    one = json.loads(line)
    file = bytes.fromhex(one["wav"])
    assert int.from_bytes(file[4:8], "little") == len(file) - 8
    w = wave.open(io.BytesIO(file))
    channels, width, rate, frames = w.getparams()[:4]
    assert [channels, width, rate, frames, w.readframes(frames).hex()] == one["known"], one
    assert file[28:34] == (rate * channels * width).to_bytes(4, "little") + (channels * width).to_bytes(2, "little")`;
  await withDirectory(async (directory) => {
    await Deno.writeTextFile(`${directory}/wavs`, lines.join("\n"));
    await output("python3", "-c", script, `${directory}/wavs`);
  });
});

/** Steps of IMA ADPCM. */
const imaTable = (
  "7 8 9 10 11 12 13 14 16 17 19 21 23 25 28 31 34 37 41 45 50 55 60 66 73 80 88 97 107 118 " +
  "130 143 157 173 190 209 230 253 279 307 337 371 408 449 494 544 598 658 724 796 876 963 " +
  "1060 1166 1282 1411 1552 1707 1878 2066 2272 2499 2749 3024 3327 3660 4026 4428 4871 5358 " +
  "5894 6484 7132 7845 8630 9493 10442 11487 12635 13899 15289 16818 18500 20350 22385 24623 " +
  "27086 29794 32767 "
).trim().split(" ").map(Number);

/** Returns the samples of IMA ADPCM of one channel, in one block, as its definition says. */
function imaSamples(data: Uint8Array): number[] {
  const view = new DataView(data.buffer, data.byteOffset, data.length);
  let [value, index] = [view.getInt16(0, true), Math.min(88, view.getUint8(2))];
  const codes = Array.from(data.subarray(4), (byte) => [byte % 16, Math.floor(byte / 16)]).flat();
  return [
    value,
    ...codes.map((code) => {
      const step = imaTable[index] ?? NaN;
      const parts = [step >> 3, code & 1 && step >> 2, code & 2 && step >> 1, code & 4 && step];
      const change = parts.reduce((sum, part) => sum + part, 0);
      value = Math.min(32767, Math.max(-32768, code & 8 ? value - change : value + change));
      index = Math.min(88, Math.max(0, index + ([-1, -1, -1, -1, 2, 4, 6, 8][code & 7] ?? 0)));
      return value;
    }),
  ];
}

/** Returns the samples of Microsoft ADPCM of one channel, in one block. */
function microsoftSamples(data: Uint8Array): number[] {
  const view = new DataView(data.buffer, data.byteOffset, data.length);
  const [first, second] =
    [[256, 0], [512, -256], [0, 0], [192, 64], [240, 0], [460, -208], [392, -232]][data[0] ?? 0] ?? [];
  let delta = view.getInt16(1, true);
  const samples = [view.getInt16(5, true), view.getInt16(3, true)];
  for (const code of Array.from(data.subarray(7), (byte) => [Math.floor(byte / 16), byte % 16]).flat()) {
    const guess = Math.floor(((samples.at(-1) ?? 0) * (first ?? 0) + (samples.at(-2) ?? 0) * (second ?? 0)) / 256);
    samples.push(Math.min(32767, Math.max(-32768, guess + (code >= 8 ? code - 16 : code) * delta)));
    const rates = [230, 230, 230, 230, 307, 409, 512, 614, 768, 614, 512, 409, 307, 230, 230, 230];
    delta = Math.max(16, Math.floor(delta * (rates[code] ?? 0) / 256));
    // No encoder takes steps so large, and decoders differ about them.
    if (delta * 768 >= 2 ** 31) return samples;
  }
  return samples;
}

Deno.test("ADPCM of any bytes has the samples of its definition, and those beyond 16 bits are kept at the ends", () => {
  const byte = fc.oneof(fc.nat(255), fc.constantFrom(0x77, 0xff, 0x88, 0x08));
  const data = fc.array(byte, { minLength: 8, maxLength: 60 }).map((list) => Uint8Array.from(list));
  fc.assert(
    fc.property(data, fc.integer({ min: 0, max: 6 }), fc.integer({ min: 0, max: 90 }), (bytes, predictor, index) => {
      // Whole groups of eight samples.
      const ima = Uint8Array.from(bytes.subarray(0, bytes.length - bytes.length % 4));
      ima[2] = index;
      assertEquals([...decodeRareWav(encodedWav(0x11, 1, ima.length, ima)).samples], imaSamples(ima));
      const microsoft = Uint8Array.from(bytes);
      microsoft[0] = predictor;
      const expected = microsoftSamples(microsoft);
      const { samples } = decodeRareWav(encodedWav(2, 1, microsoft.length, microsoft));
      assertEquals(samples.length, 2 + (microsoft.length - 7) * 2);
      assertEquals([...samples.subarray(0, expected.length)], expected);
    }),
    { numRuns: 300 },
  );
});

Deno.test("sounds in rare encodings have the samples that SoX decodes", async () => {
  for (const { encoding, channels, frames, wav, sha256 } of goldenSounds) {
    assert(isRareWav(wav), encoding);
    const converted = await convertersOf("a.wav")[0]?.convert({ qpath: "a.wav", bytes: wav }, among());
    const samples = converted?.slice(44) ?? new Uint8Array(0);
    assertEquals(samples.length, frames * channels * 2, encoding);
    const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", samples)).toHex();
    assertEquals(hash, sha256, `${encoding} of ${channels} channels`);
    assertEquals(isRareWav(converted ?? wav), false, "plain samples are not converted again");
  }
});

Deno.test("entities, tables and text screens become JSON and text", async () => {
  const read = async (qpath: string, bytes: Uint8Array, to: "json" | "txt") =>
    new TextDecoder().decode(await convertersOf(qpath, to)[0]?.convert({ qpath, bytes }, everything));
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
