/** Properties of compressed sounds, compared with the encoders' input and the results of another reader. */
import { assert, assertEquals, assertThrows } from "@std/assert";
import { MediaError } from "../../media/core/reader.ts";
import { readCompressedSound } from "../../media/sounds/compressed.ts";
import { encodeWav } from "../../media/sounds/samples.ts";
import { openLocal } from "../../service/local.ts";
import { join, text } from "../formats/bytes.ts";
import { installation } from "../index/fixtures.ts";
import { jsonRows, runLine } from "../repl/harness.ts";
import { numbersFrom, seed } from "../support/chance.ts";
import { debianLibraries, debianPackage } from "../support/debian_data.ts";
import { needs } from "../support/programs.ts";
import { temporaryDirectory } from "../support/temporary.ts";
import { flac, mp3, oggFlac, oggPage, opus, vorbis } from "./handmade_sounds.ts";

Deno.test("a compressed sound is as long as its container says, with its tags", () => {
  const facts = (bytes: Uint8Array) => {
    const { encoding, channels, rate, frames, loop, tags } = readCompressedSound(bytes);
    return [encoding, channels, rate, frames, loop, tags];
  };
  const tags = { TITLE: "Gate", LOOP_START: "7" };
  assertEquals(facts(vorbis({ frames: 22_050 })), ["Vorbis", 1, 22_050, 22_050, 7, tags]);
  assertEquals(facts(opus({ frames: 96_000 })), ["Opus", 2, 48_000, 96_000, 7, tags]);
  assertEquals(facts(oggFlac({ frames: 99, channels: 3 })), ["FLAC", 3, 22_050, 99, 7, tags]);
  assertEquals(facts(flac({ frames: 2 ** 31 - 1, rate: 192_000 })), ["FLAC", 1, 192_000, 2 ** 31 - 1, 7, tags]);
  assertEquals(facts(mp3({ frames: 5 })), ["MPEG layer III", 1, 44_100, 5 * 1152 - 1576, null, { TITLE: "Gate" }]);
  assertEquals(readCompressedSound(vorbis({ frames: 11_025 })).length, 0.5);
});

Deno.test("sounds of an Ogg that follow one another are one, and pictures in it are left out", () => {
  const one = vorbis({
    frames: 100,
    tags: ["ARTIST=a", "artist=b", `METADATA_BLOCK_PICTURE=${"x".repeat(60_000)}`, "=c"],
  });
  const film = join(oggPage(9, 2, 0, [text("\x80theora")]), one, vorbis({ frames: 50 }, 2), oggPage(9, 4, 7, []));
  const { frames, tags } = readCompressedSound(film);
  assertEquals([frames, tags], [150, { ARTIST: "a; b" }]);
});

Deno.test("a compressed sound that is cut short, or is none, is an error that says so", () => {
  const whole = vorbis({ frames: 9 });
  assertThrows(() => readCompressedSound(whole.subarray(0, -1)), MediaError, "a page of the Ogg needs");
  assertThrows(
    () => readCompressedSound(join(whole, text("x".repeat(40)))),
    MediaError,
    "a page of the Ogg is missing",
  );
  assertThrows(
    () => readCompressedSound(oggPage(1, 2, 0, [text("Speex   ")])),
    MediaError,
    "without Vorbis, Opus or FLAC",
  );
  assertThrows(() => readCompressedSound(flac({ frames: 9 }).subarray(0, 30)), MediaError, "a block of the FLAC needs");
  assertThrows(() => readCompressedSound(text("no sound")), MediaError, "no frame of an MP3");
  assertThrows(() => readCompressedSound(vorbis({ frames: 9, rate: 0 })), MediaError, "1 channels of 0 Hz");
});

Deno.test("show describes compressed sounds, whatever their names", async () => {
  const files = {
    "a.ogg": vorbis({ frames: 22_050 }),
    "b.wav": mp3({ frames: 100 }),
    "c.mp3": mp3({ frames: 9 }).subarray(40),
  };
  await using root = await installation(files);
  await using connection = await openLocal({ sources: [root.path], profile: "generic", game: "g" });
  const { out } = await runLine("show a.ogg --view g", { connection });
  assert(out.startsWith("a.ogg  Ogg, Vorbis, mono, 22,050 Hz, 1.00 s\n"), out);
  assert(out.endsWith("title:      Gate\nloop_start: 7\n"), out);
  for (const name of ["b.wav", "c.mp3"]) {
    // deno-lint-ignore no-await-in-loop -- one after the other
    const shown = await runLine(`show ${name} --view g --json`, { connection });
    const [row] = jsonRows(shown.out) as { format: string; bits: null; waveform: [] }[];
    assertEquals([row?.format, row?.bits, row?.waveform], ["mp3", null, []], shown.err);
  }
});

/** Encoders, with the arguments that write a WAV's sound and a tag to a file. */
const encoders: Readonly<Record<string, readonly [name: string, args: (wav: string, title: string) => string[]]>> = {
  "ogg": ["vorbis-tools:oggenc", (wav, title) => ["-Q", "-t", title, "-o", "out.ogg", wav]],
  "opus": ["opus-tools:opusenc", (wav, title) => ["--quiet", "--title", title, wav, "out.opus"]],
  "mp3": ["lame:lame", (wav, title) => ["--quiet", "--tt", title, wav, "out.mp3"]],
  "flac": ["flac:flac", (wav, title) => ["-s", "-f", "-T", `TITLE=${title}`, "-o", "out.flac", wav]],
  "oga": ["flac:flac", (wav, title) => ["-s", "-f", "--ogg", "-T", `TITLE=${title}`, "-o", "out.oga", wav]],
};

const mutagen = "import sys, mutagen\nfor name in sys.argv[1:]:\n  info = mutagen.File(name).info\n  " +
  "print(info.length, info.channels, getattr(info, 'sample_rate', 48000))";

Deno.test(
  "sounds of five encoders are as long as Mutagen finds them, with the title that went in",
  needs(...["vorbis-tools", "opus-tools", "lame", "flac", "python3-mutagen"].map((name) => `debian:${name}`)),
  async () => {
    const chance = numbersFrom(seed);
    await using directory = await temporaryDirectory();
    const cwd = directory.path;
    for (const [ending, [program, args]] of Object.entries(encoders)) {
      const [name = "", binary = ""] = program.split(":");
      // deno-lint-ignore no-await-in-loop -- one after the other, so that a failure names its case
      const env = { LD_LIBRARY_PATH: (await debianLibraries(name)).join(":") };
      for (let round = 0; round < 3; round++) {
        // At 22,050 Hz LAME has no room to say how much it added.
        const rate = [44_100, 48_000, ending === "mp3" ? 32_000 : 22_050][chance(3)] ?? 0;
        const channels = 1 + chance(2);
        const samples = Int16Array.from({ length: (1 + chance(3 * rate)) * channels }, () => chance(20_000) - 10_000);
        const title = `Gate ${chance(1000)}, "loud"`;
        // deno-lint-ignore no-await-in-loop -- as above
        await Deno.writeFile(`${cwd}/in.wav`, encodeWav({ rate, channels, samples }));
        const command = new Deno.Command(`${debianPackage(name)}/usr/bin/${binary}`, {
          args: args("in.wav", title),
          cwd,
          env,
        });
        // deno-lint-ignore no-await-in-loop -- as above
        assert((await command.output()).success, program);
        // deno-lint-ignore no-await-in-loop -- as above
        const sound = readCompressedSound(await Deno.readFile(`${cwd}/out.${ending}`));
        // deno-lint-ignore no-await-in-loop -- as above
        const { stdout } = await new Deno.Command("python3", {
          args: ["-c", mutagen, `out.${ending}`],
          cwd,
          env: { PYTHONPATH: `${debianPackage("python3-mutagen")}/usr/lib/python3/dist-packages` },
        }).output();
        const [length, found, foundRate] = new TextDecoder().decode(stdout).trim().split(" ").map(Number);
        const shown = `${ending}: ${rate} Hz, ${channels} channels, ${samples.length} samples`;
        assert(Math.abs(sound.length - (length ?? 0)) < 1e-6, `${shown}: ${sound.length}, not ${length}`);
        assertEquals([sound.channels, sound.rate, sound.tags?.TITLE], [found, foundRate, title], shown);
        // Opus is always played at 48,000 Hz, which may round.
        assert(Math.abs(sound.length - samples.length / channels / rate) < 1e-3, shown);
      }
    }
  },
);
