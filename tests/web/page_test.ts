/** The page of `pakfs web` in a real browser. With PAKFS_SCREENSHOTS=DIR it keeps pictures of what it saw there. */
import { assert, assertEquals, assertNotEquals } from "@std/assert";
import { demoHighlights } from "../../daemon/demo/highlights.ts";
import { encodeTga } from "../../daemon/demo/image.ts";
import { demoPalette } from "../../daemon/demo/palette.ts";
import { writeDemoInstallation } from "../../daemon/demo/installation.ts";
import { decodePng } from "../../media/pictures/png.ts";
import { mdl } from "../media/handmade.ts";
import { workspace } from "../mount/mounting.ts";
import { needs } from "../support/programs.ts";
import { Browser } from "./browser.ts";
import { startPage } from "./start_page.ts";

/** Distance of the channels of a colour: a scene without a model is grey. */
const vividness = ([red = 0, green = 0, blue = 0]: Iterable<number>) =>
  Math.max(red, green, blue) - Math.min(red, green, blue);

/** A model of one triangle in the most vivid colour of the demo's palette. */
function vividModel(): Uint8Array {
  const palette = demoPalette();
  const colours = Array.from({ length: 256 }, (_, index) => vividness(palette.subarray(index * 3, index * 3 + 3)));
  const model = mdl().slice();
  const skin = 88;
  model.fill(colours.indexOf(Math.max(...colours)), skin, skin + 8);
  const corners = 136;
  new Uint8Array(model.buffer, corners).set([0, 0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0]);
  return model;
}

/** Returns the number of pixels that no grey scene has. */
function vividPixels(png: Uint8Array): number {
  const { rgba } = decodePng(png);
  let count = 0;
  for (let pixel = 0; pixel < rgba.length; pixel += 4) if (vividness(rgba.subarray(pixel, pixel + 3)) > 80) count++;
  return count;
}

/** Returns the colour in the middle of a picture. */
function middle(png: Uint8Array): number[] {
  const { rgba, width, height } = decodePng(png);
  const start = (Math.floor(height / 2) * width + Math.floor(width / 2)) * 4;
  return Array.from(rgba.subarray(start, start + 3));
}

Deno.test({
  name: "in a browser: a texture is found, a model is drawn, a loser is opened, and a change appears by itself",
  ...needs("chromium"),
  fn: async () => {
    await using here = await workspace("events");
    const games = `${here.path}/games`;
    await writeDemoInstallation(games);
    const { game, mod, qpath } = demoHighlights.contested;
    await Deno.mkdir(`${games}/${game}/${mod}/progs`, { recursive: true });
    await Deno.writeFile(`${games}/${game}/${mod}/progs/thing.mdl`, vividModel());
    const config = `${here.path}/config.toml`;
    await Deno.writeTextFile(config, `[[game]]\nname = "${game}"\nsources = ["${games}/${game}"]\n`);
    await here.foreground("daemon", "--no-mount", "--config", config);
    const { url, process } = await startPage(here.environment);
    try {
      await using browser = await Browser.start(1000, 640);
      const keep = async (name: string, selector?: string) => {
        const picture = await browser.picture(selector);
        const directory = Deno.env.get("PAKFS_SCREENSHOTS");
        if (directory !== undefined) await Deno.writeFile(`${directory}/${name}.png`, picture);
        return picture;
      };
      await browser.open(url);
      await browser.click(`a[href="/${game}/${mod}/"]`);
      assertEquals(await browser.value("location.search"), "", "the token is gone from the address");

      await browser.until("document.querySelectorAll('.tile').length > 5");
      await browser.press("/");
      await browser.type("red.tga");
      await browser.until(`document.querySelector('.tile[title="${qpath}"] .loaded')`);
      await keep("search");
      await browser.press("Enter");
      await browser.until("document.activeElement.matches('.tile')");
      await browser.click(`.tile[title="${qpath}"]`);
      await browser.until("document.querySelectorAll('.candidate').length === 7");
      assertEquals(await browser.value("location.pathname"), `/${game}/${mod}/${qpath}`);
      await browser.until("document.querySelector('.frame img').complete");
      const winner = await keep("why", ".frame");

      const losers = "document.querySelectorAll('.candidate')[1]";
      assertEquals(await browser.value(`${losers}.querySelector('.rule').textContent`), "pack-over-loose");
      await browser.click(".candidate:nth-child(2) .actions a");
      await browser.until(
        "document.querySelector('figcaption') && document.querySelector('.frame img').naturalWidth > 0",
      );
      assertEquals(await browser.value("location.search"), "?find=red.tga&candidate=2");
      assertNotEquals(await keep("loser", ".frame"), winner);
      await browser.open(new URL(`/${game}/${mod}/${qpath}?compare=2`, url).href);
      await browser.until(
        "[...document.querySelectorAll('.frame img')].filter((image) => image.naturalWidth).length === 2",
      );
      await keep("compare");

      // The losing file gets another picture: the page shows it without a reload.
      const blue = encodeTga({ width: 1, height: 1, rgba: new Uint8Array([0, 0, 255, 255]) });
      await Deno.writeFile(`${games}/${game}/${mod}/${qpath}`, blue);
      await Deno.writeFile(`${games}/${game}/${mod}/news.tga`, blue);
      await browser.until("document.querySelector('.message')?.textContent.includes('changed')");
      await browser.until("document.querySelectorAll('.frame img')[1].naturalWidth === 1");
      assertEquals(middle(await keep("changed", "figure:nth-child(2) .frame")), [0, 0, 255]);

      await browser.open(new URL(`/${game}/${mod}/`, url).href);
      // The picture is loaded first: removing a file while it is fetched is an error of the page.
      await browser.until("document.querySelector('.tile[title=\"news.tga\"] .loaded')");
      await Deno.remove(`${games}/${game}/${mod}/news.tga`);
      await browser.until("!document.querySelector('.tile[title=\"news.tga\"]')");

      await browser.open(new URL(`/${game}/${mod}/progs/thing.mdl`, url).href);
      await browser.until("document.querySelector('.stage3d canvas')?.dataset.frames > 0");
      const drawn = vividPixels(await keep("model", ".stage3d"));
      assert(drawn > 1000, `${drawn} pixels of the model`);
      await browser.value("document.querySelector('.model input').click()");
      await browser.until("document.querySelector('.stage3d canvas').dataset.frames > 1");
      assert(vividPixels(await browser.picture(".stage3d")) < drawn / 4, "only its edges are drawn");

      await browser.open(new URL(`/${game}/${mod}/${demoHighlights.map.qpath}`, url).href);
      await browser.until("document.querySelector('.stage3d canvas')?.dataset.frames > 0");
      const bricks = vividPixels(await keep("hall", ".stage3d"));
      assert(bricks > 1000, `${bricks} pixels of the map's bricks and planks`);
      await browser.open(new URL(`/${game}/${mod}/sound/ambience/drone.wav`, url).href);
      await browser.until("document.querySelector('.sound .readout')?.value === '1.50 s · mono'");

      await browser.open(new URL(`/${game}/${mod}/?page=map`, url).href);
      await browser.until("document.querySelectorAll('.part').length > 3");
      await keep("map");
      await browser.open(new URL(`/${game}/id1/?page=diff&to=${game}/${mod}`, url).href);
      await browser.until("document.querySelectorAll('tr.added').length > 0");
      await keep("diff");
      assertEquals(browser.problems, []);
    } finally {
      process.kill("SIGINT");
      assertEquals((await process.status).code, 0);
    }
  },
});
