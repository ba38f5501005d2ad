/** Music of Doom as MIDI, compared with handwritten events and with midicsv's output. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { accepting, convertersOf } from "../../../media/convert/table.ts";
import { lumpEnding, showingOf } from "../../../media/convert/showing.ts";
import { MediaError } from "../../../media/core/reader.ts";
import { hex, join, output, string, text, withDirectory } from "../../formats/bytes.ts";
import { debianPackage } from "../../support/debian_data.ts";
import fc from "../../support/fast_check.ts";
import { needs } from "../../support/programs.ts";
import { among, instruments, mus, seeds } from "./samples.ts";

async function converted(qpath: string, bytes: Uint8Array): Promise<Uint8Array> {
  const row = accepting(convertersOf(qpath), bytes, bytes.length);
  assertEquals(row?.to, "mid", qpath);
  const midi = await row?.convert({ qpath, bytes }, among());
  assert(midi);
  return midi;
}

Deno.test("every event of MUS becomes that of MIDI, with percussion at its channel", async () => {
  const score = hex(
    "40 0005" + // channel 0: instrument 5
      "90 bc64 8148" + // note 60, volume 100; 200 ticks
      "10 3c" + // the same note with that volume
      "19 24 1f 23" + // notes of channel 9 and of percussion
      "af a0 01" + // its pitch; a tick
      "41 03ff" + // the volume of channel 1, above the greatest
      "b2 0b 05" + // all notes of channel 2 off; five ticks
      "d0 03" + // end of a measure; three ticks
      "00 3c" +
      "6f",
  );
  const events = hex(
    "00c005 00903c64 8148903c64 009a247f 0099237f 00e90050 01b1077f 00b27b00 08803c00 00ff2f00",
  );
  const header = join(text("MThd"), hex("00000006 0000 0001 0046"), text("MTrk"), hex("00000028"));
  const midi = await converted("D_E1M1", mus(score));
  assertEquals(midi.toHex(), join(header, events).toHex());
  assertEquals(await converted("music/d_e1m1.mus", mus(score)), midi);
  assertEquals(await converted("D_RUNNIN", midi), midi, "MIDI stays as it is");
});

Deno.test("damaged music is an error, whichever byte is missing, and other lumps are no music", async () => {
  const whole = mus(hex("90bc64 03 9fa37f 8100 003c 2f40 470005 440364 3a0b 60"));
  const [row] = convertersOf("a.mus");
  const refused = async (bytes: Uint8Array, message: string) =>
    await assertRejects(async () => await row?.convert({ qpath: "a.mus", bytes }, among()), MediaError, message);
  for (let length = 0; length < whole.length; length++) {
    // deno-lint-ignore no-await-in-loop -- one after the other, to see which is not refused
    await refused(whole.subarray(0, length), "");
  }
  await refused(mus(hex("70 00 6f")), "an event has the unknown type 7");
  await refused(mus(hex("40 0a00 6f")), "unknown controller 10");
  await refused(mus(hex("30 09 6f")), "unknown controller 9");
  await refused(mus(hex("b0 0a ffffffff7f 6f")), "a pause is too long for MIDI");
  assertEquals(convertersOf("D_E1M1", "mid")[0]?.accepts?.(text("MUSIC of the spheres"), 20), false);
});

/** An event: its bytes in MUS, and midicsv's line for it. */
interface Known {
  readonly type: number;
  readonly channel: number;
  readonly bytes: readonly number[];
  readonly line: string;
}

const byte7 = fc.nat(127);
const channels = fc.nat(15);
const event: fc.Arbitrary<Known> = fc.oneof(
  fc.tuple(channels, byte7).map(([channel, note]) => ({
    ...{ type: 0, channel, bytes: [note], line: `Note_off_c, C, ${note}, 0` },
  })),
  fc.tuple(channels, byte7, byte7).map(([channel, note, volume]) => ({
    ...{ type: 1, channel, bytes: [note + 128, volume], line: `Note_on_c, C, ${note}, ${volume}` },
  })),
  fc.tuple(channels, fc.nat(255)).map(([channel, bend]) => ({
    ...{ type: 2, channel, bytes: [bend], line: `Pitch_bend_c, C, ${bend * 64}` },
  })),
  fc.tuple(channels, fc.constantFrom([10, 120], [11, 123], [12, 126], [13, 127], [14, 121])).map((
    [channel, [number = 0, control = 0]],
  ) => ({ type: 3, channel, bytes: [number], line: `Control_c, C, ${control}, 0` })),
  fc.tuple(channels, byte7).map(([channel, value]) => ({
    ...{ type: 4, channel, bytes: [0, value], line: `Program_c, C, ${value}` },
  })),
  fc.tuple(
    channels,
    fc.constantFrom([1, 32], [2, 1], [3, 7], [4, 10], [5, 11], [6, 91], [7, 93], [8, 64], [9, 67]),
    byte7,
  ).map(([channel, [number = 0, control = 0], value]) => ({
    ...{ type: 4, channel, bytes: [number, value], line: `Control_c, C, ${control}, ${value}` },
  })),
);

/** A time in MUS: seven bits a byte. */
function sevenBits(ticks: number): number[] {
  const last = ticks % 128;
  const before = Math.floor(ticks / 128);
  return [...(before > 0 ? sevenBits(before).map((byte) => byte | 128) : []), last];
}

Deno.test("any music has the events and times in MIDI that it has in MUS", needs("debian:midicsv"), async () => {
  const pause = fc.option(fc.oneof(fc.nat(300), fc.nat(0x1fffff)), { freq: 2 });
  const songs = fc.sample(fc.array(fc.tuple(event, pause), { maxLength: 200 }), 12);
  await withDirectory(async (directory) => {
    for (const song of songs) {
      let ticks = 0;
      const lines: string[] = [];
      const score = song.flatMap(([{ type, channel, bytes, line }, wait]) => {
        const midi = channel === 15 ? 9 : channel > 8 ? channel + 1 : channel;
        lines.push(`1, ${ticks}, ${line.replace(" C,", ` ${midi},`)}`);
        ticks += wait ?? 0;
        return [(wait === null ? 0 : 128) | type << 4 | channel, ...bytes, ...(wait === null ? [] : sevenBits(wait))];
      });
      // deno-lint-ignore no-await-in-loop -- one after the other, to see which fails
      await Deno.writeFile(`${directory}/a.mid`, await converted("D_A", mus(Uint8Array.from([...score, 0x60]))));
      // deno-lint-ignore no-await-in-loop -- as above
      const csv = string(await output(`${debianPackage("midicsv")}/usr/bin/midicsv`, `${directory}/a.mid`));
      assertEquals(csv.trim().split("\n"), [
        ...["0, 0, Header, 0, 1, 70", "1, 0, Start_track"],
        ...lines,
        ...[`1, ${ticks}, End_track`, "0, 0, End_of_file"],
      ]);
    }
  });
});

Deno.test("GENMIDI becomes a list of its instruments, and every lump is shown as what it is", async () => {
  const rows = convertersOf("GENMIDI", "txt");
  const bytes = instruments();
  const listed = string(
    await accepting(rows, bytes, bytes.length)?.convert({ qpath: "GENMIDI", bytes }, among()) ?? hex(""),
  );
  const lines = listed.trimEnd().split("\n");
  assertEquals([lines.length, lines[0], lines[128]], [
    175,
    "1\tPiano\tfixed note 60",
    "drum 35\tBass drum\ttwo voices, tuned 2",
  ]);
  const shown = (qpath: string) => {
    const { kind, to } = showingOf(qpath, seeds[qpath] ?? hex(""), seeds[qpath]?.length ?? 0);
    return [qpath, kind, to];
  };
  const lumps = [
    "TITLEPIC",
    "DSPISTOL",
    "D_E1M1",
    "PNAMES",
    "TEXTURE1",
    "ENDOOM",
    "GENMIDI",
    "MAPINFO",
    "flats/F_START",
  ];
  assertEquals(lumps.map(shown), [
    ["TITLEPIC", "picture", "png"],
    ["DSPISTOL", "sound", "wav"],
    ["D_E1M1", "music", "mid"],
    ["PNAMES", "text", "json"],
    ["TEXTURE1", "text", "json"],
    ["ENDOOM", "text", "txt"],
    ["GENMIDI", "text", "txt"],
    ["MAPINFO", "text", null],
    ["flats/F_START", "data", null],
  ]);
  const endings = ["TITLEPIC", "MAPINFO", "ENDOOM"].map((qpath) => lumpEnding(qpath, seeds[qpath] ?? hex(""), 4000));
  assertEquals(endings, ["png", undefined, "txt"]);
});
