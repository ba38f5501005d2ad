// deno-lint-ignore-file no-await-in-loop -- one step of a visitor after the other
/** The page as a person uses it: sounds are heard, thousands of files are walked by keyboard, and a directory is saved. */
import { assert, assertEquals } from "@std/assert";
import { walk } from "@std/fs";
import { openLocal } from "../../service/local.ts";
import { serveWeb } from "../../web/server.ts";
import { encodeWav } from "../../media/sounds/samples.ts";
import { type Files, installation } from "../index/fixtures.ts";
import { dmx, mus, patch, seeds } from "../media/convert/samples.ts";
import { testPalette } from "../media/handmade.ts";
import { debianLibraries, debianPackage } from "../support/debian_data.ts";
import { needs } from "../support/programs.ts";
import { temporaryDirectory } from "../support/temporary.ts";
import { Browser } from "./browser.ts";

/** A visit of a page, which may need more programs than a browser. */
interface Visit {
  readonly name: string;
  readonly ignore: boolean;
  readonly fn: (browser: Browser) => Promise<void>;
}

/** All visits are made with one browser, as its start takes seconds. */
const visits: Visit[] = [];

/** Opens a page of files, and calls a function with its browser. */
async function visit(
  browser: Browser,
  files: Files,
  use: (open: (path: string) => Promise<void>) => Promise<void>,
): Promise<void> {
  await using root = await installation(files);
  await using connection = await openLocal({ sources: [`${root.path}/q`], profile: "quakespasm" });
  await using server = await serveWeb({ connection, port: 0 });
  await browser.open(server.url);
  await browser.until("document.querySelector('.views li')");
  await use((path) => browser.open(new URL(`/q/id1/${path}`, server.url).href));
  // Pages ask again and again for a server that has ended.
  await browser.open("about:blank");
  assertEquals(browser.problems, []);
}

const tone = encodeWav({
  channels: 1,
  rate: 11025,
  samples: Int16Array.from({ length: 33_075 }, (_, index) => 9000 * Math.sin(index / 5)),
});

/** Encodes samples as Vorbis. */
async function ogg(wav: Uint8Array): Promise<Uint8Array> {
  await using directory = await temporaryDirectory();
  await Deno.writeFile(`${directory.path}/a.wav`, wav);
  const libraries = (await debianLibraries("vorbis-tools")).join(":");
  const { success, stderr } = await new Deno.Command(`${debianPackage("vorbis-tools")}/usr/bin/oggenc`, {
    args: ["-Q", "-o", `${directory.path}/a.ogg`, `${directory.path}/a.wav`],
    env: { LD_LIBRARY_PATH: libraries },
  }).output();
  assert(success, new TextDecoder().decode(stderr));
  return await Deno.readFile(`${directory.path}/a.ogg`);
}

/** Whether a sound has played: it may have ended before anyone looks. */
const played = (player: string) => `${player}.currentTime > 0.05`;

visits.push({
  name: "a WAV, an Ogg and a sound of Doom play, in their page and in the grid",
  ...needs("debian:vorbis-tools"),
  fn: async (browser) => {
    const doom = dmx(...Array.from({ length: 22_050 }, (_, index) => 128 + 100 * Math.sin(index / 5)));
    const files = { "q/id1/a.wav": tone, "q/id1/b.ogg": await ogg(tone), "q/id1/DSPISTOL": doom };
    await visit(browser, files, async (open) => {
      for (const name of ["a.wav", "b.ogg", "DSPISTOL"]) {
        await open(name);
        await browser.until("document.querySelector('audio')?.readyState >= 3");
        await browser.press(" ");
        await browser.until(played("document.querySelector('audio')"));
      }
      await browser.press(" ");
      await browser.until("document.querySelector('audio').paused");
      await open("?kind=sound");
      await browser.until("document.querySelectorAll('.tile').length === 3");
      // Audio of the grid is in no document: what plays is found where it is made.
      await browser.value(`{ const own = HTMLMediaElement.prototype.play;
        HTMLMediaElement.prototype.play = function () { globalThis.played = this; return own.call(this); }; }`);
      await browser.press("ArrowRight");
      await browser.press(" ");
      await browser.until(played("globalThis.played"));
      assertEquals(await browser.value("document.activeElement.title"), "a.wav");
    });
  },
});

visits.push({
  name: "the keyboard walks through five thousand files, which are ordered and chosen by kind",
  ignore: false,
  fn: async (browser) => {
    const count = 5000;
    const names = Array.from({ length: count }, (_, index) => `t${String(index).padStart(4, "0")}.txt`);
    const many = names.map((name, index) => [`q/id1/many/${name}`, "x".repeat(index % 97)]);
    await visit(browser, { ...Object.fromEntries(many), "q/id1/many/a.wav": tone }, async (open) => {
      const current = () => browser.value<string>("document.activeElement.title");
      await open("many");
      await browser.until(`document.querySelector('.count').value === '5,001 files'`);
      // Arrow keys work at once.
      await browser.press("ArrowRight");
      assertEquals(await current(), "many/a.wav");
      await browser.press("ArrowRight");
      assertEquals(await current(), "many/t0000.txt");
      await browser.press("End");
      assertEquals(await current(), "many/t4999.txt");
      const tiles = await browser.value<number>("document.querySelectorAll('.tile').length");
      assert(tiles < 200, `${tiles} tiles are in the document`);
      // A step of several lines at a time, through all of them.
      const seen = new Set<string>();
      for (let before = ""; before !== await current();) {
        before = await current();
        seen.add(before);
        await browser.press("PageUp");
      }
      assert(seen.size > 100, `${seen.size} stops`);
      await browser.press("Home");
      assertEquals(await current(), "many/a.wav");
      await browser.press("Enter");
      await browser.until("document.querySelector('.sound')");
      await browser.press("ArrowRight");
      await browser.until("location.pathname.endsWith('t0000.txt')");
      await browser.press("Escape");
      await browser.until("document.activeElement.title === 'many/t0000.txt'");
      await open("many?sort=size&kind=text");
      await browser.until(`document.querySelector('.count').value === '5,000 files'`);
      assertEquals(await browser.value("document.querySelector('.tile').title"), "many/t0096.txt");
      await open("many?kind=sound");
      await browser.until(`document.querySelector('.count').value === '1 file'`);
    });
  },
});

visits.push({
  name: "a directory is saved as a zip, as it is and for other programs, and so are files that are chosen",
  ...needs("unzip"),
  fn: async (browser) => {
    await using saved = await temporaryDirectory();
    const files = {
      "q/id1/d/TITLEPIC": patch(),
      "q/id1/d/PLAYPAL": testPalette(),
      "q/id1/PLAYPAL": testPalette(),
      "q/id1/d/e/D_E1M1": mus(Uint8Array.of(0x60)),
      "q/id1/d/e/a.wav": tone,
      "q/id1/d/ä.txt": "text",
    };
    await visit(browser, files, async (open) => {
      await browser.call("Browser.setDownloadBehavior", { behavior: "allow", downloadPath: saved.path });
      const zip = async (button: string) => {
        await browser.value(`[...document.querySelectorAll('.toolbar button')]
          .find(({ textContent }) => textContent === '${button}').click()`);
        await browser.until("document.querySelector('.count').value.startsWith('Saved')");
        // The browser writes to another name until the file is complete.
        while (!await Deno.stat(`${saved.path}/d.zip`).catch(() => undefined)) {
          await new Promise((resolve) => setTimeout(resolve, 20));
        }
        const { success, stderr } = await new Deno.Command("unzip", {
          args: ["-q", "-o", `${saved.path}/d.zip`, "-d", `${saved.path}/out`],
          env: { LC_ALL: "C.UTF-8" },
        }).output();
        assert(success, new TextDecoder().decode(stderr));
        const contents = new Map<string, Uint8Array>();
        for await (const { path, isFile } of walk(`${saved.path}/out`)) {
          if (isFile) contents.set(path.slice(`${saved.path}/out/`.length), await Deno.readFile(path));
        }
        await Deno.remove(`${saved.path}/d.zip`);
        await Deno.remove(`${saved.path}/out`, { recursive: true });
        return contents;
      };
      await open("d");
      await browser.until("document.querySelector('.count').value === '3 files, 1 folder'");
      const whole = await zip("save all");
      assertEquals([...whole.keys()].sort(), ["d/PLAYPAL", "d/TITLEPIC", "d/e/D_E1M1", "d/e/a.wav", "d/ä.txt"]);
      assertEquals(whole.get("d/e/a.wav"), tone);
      const converted = await zip("for other programs");
      const expected = ["d/PLAYPAL.png", "d/TITLEPIC.png", "d/e/D_E1M1.mid", "d/e/a.wav", "d/ä.txt"];
      assertEquals([...converted.keys()].sort(), expected);
      await open("d");
      await browser.until("document.querySelector('.count').value === '3 files, 1 folder'");
      await browser.press("End");
      await browser.press("x");
      await browser.until("document.querySelectorAll('li.chosen').length === 1");
      assertEquals([...(await zip("save 1 file")).keys()], ["d/ä.txt"]);
    });
  },
});

visits.push({
  name: "maps show the picture of their level, directories one of theirs, and lumps of Doom what they are",
  ignore: false,
  fn: async (browser) => {
    const files = {
      "q/id1/maps/gate.bsp": "map",
      "q/id1/levelshots/gate.tga": seeds["a.tga"] ?? "",
      ...Object.fromEntries(["TITLEPIC", "DSPISTOL", "D_E1M1", "TEXTURE1", "MAPINFO"].map((path) => {
        return [`q/id1/${path}`, seeds[path] ?? ""];
      })),
      "q/id1/PLAYPAL": testPalette(),
      "q/id1/F_START": "",
    };
    await visit(browser, files, async (open) => {
      await open("maps");
      await browser.until("document.querySelector('.tile[title=\"maps/gate.bsp\"] .loaded')");
      await open("");
      await browser.until("document.querySelectorAll('.tile .loaded').length === 4");
      const inFolders =
        "[...document.querySelectorAll('.folder img')].map((image) => image.closest('.tile').title).join()";
      assertEquals(await browser.value<string>(inFolders), "levelshots");
      const faces = `Object.fromEntries([...document.querySelectorAll('.tile')].map((tile) =>
        [tile.title, tile.querySelector('.face').textContent]))`;
      await browser.until(`(${faces}).MAPINFO === 'text'`);
      const { D_E1M1: music, TEXTURE1: table, F_START: marker, TITLEPIC: title } = await browser.value<
        Record<string, string>
      >(faces);
      assertEquals([music, table, marker, title], ["music", "text", "data", ""]);
      await open("TITLEPIC");
      await browser.until("document.querySelector('.frame img').naturalWidth === 3");
      await open("MAPINFO");
      await browser.until("document.querySelector('.lines').textContent.includes('MAP01')");
    });
  },
});

Deno.test("in a browser", needs("chromium"), async (context) => {
  await using browser = await Browser.start(1280, 800, false);
  for (const { fn, ...visit } of visits) await context.step({ ...visit, fn: () => fn(browser) });
});
