// deno-lint-ignore-file no-await-in-loop -- one page after the other
/**
 * Each page in a real browser, small, wide and very wide, in light and dark colours: axe-core finds nothing wrong, and the
 * console is empty. With PAKFS_SCREENSHOTS=DIR pictures of the pages are kept there.
 */
import axe from "axe-core";
import { assertEquals } from "@std/assert";
import { openLocal } from "../../service/local.ts";
import { serveWeb } from "../../web/server.ts";
import { installation, pakOf } from "../index/fixtures.ts";
import { wav } from "../media/handmade.ts";
import { seamMdl } from "../media/handmade_models.ts";
import { seeds } from "../media/convert/samples.ts";
import { needs } from "../support/programs.ts";
import { Browser } from "./browser.ts";

/** What each page is looked at in, and whether it is open then: one of a phone is laid out as it is opened. */
const looks = [
  { width: 390, scheme: "dark", isOpened: false },
  { width: 1280, scheme: "dark", isOpened: false },
  { width: 2560, scheme: "dark", isOpened: true },
  { width: 1280, scheme: "light", isOpened: true },
];

/** Addresses below the view, each with a condition for its appearance. */
const addresses: readonly (readonly [address: string, isShown: string])[] = [
  ["/", "document.querySelector('.views li')"],
  ["/q/id1/", "document.querySelectorAll('.tile .loaded').length > 3"],
  ["/q/id1/?find=a", "document.querySelectorAll('.tile').length > 5"],
  ["/q/id1/?flat", "document.querySelectorAll('.tile .loaded').length > 3"],
  ["/q/id1/?find=nothing-has-this-name", "document.querySelector('.note')?.textContent === 'No file matches.'"],
  ["/q/id1/?page=map", "document.querySelectorAll('.part').length > 3"],
  ["/q/id1/?page=shadowed", "document.querySelector('tbody tr')"],
  ["/q/id1/?page=diff&to=q/mod", "document.querySelector('tr.added')"],
  [
    "/q/id1/?page=diff&pack=ROOT/q/id1/pak0.pak&to=ROOT/q/id1",
    "document.querySelector('tr.replaced')?.cells[1].textContent === 'both.txt' && " +
    "document.querySelectorAll('tr.removed').length === 1",
  ],
  ["/q/id1/?page=diff", "document.querySelector('select[aria-label=\"what is compared\"]')?.options.length === 3"],
  ["/q/id1/TITLEPIC", "document.querySelector('.frame img')?.naturalWidth > 0"],
  ["/q/id1/both.txt?compare=2", "document.querySelectorAll('.text').length === 2"],
  ["/q/id1/plain.wav", "document.querySelector('.sound .readout')?.value"],
  ["/q/id1/D_E1M1", "document.querySelector('.sound .button')"],
  ["/q/id1/TEXTURE1", "document.querySelector('.lines')?.textContent.includes('WALL1')"],
  ["/q/id1/box.mdl", "document.querySelector('.stage3d canvas')?.dataset.frames > 0"],
  ["/q/id1/noise.bin", "document.querySelector('.lines')"],
];

/** Returns the violations that axe-core finds: rule and element. */
async function violations(browser: Browser): Promise<string[]> {
  await browser.value(`(() => { ${axe.source} })(), true`);
  return await browser.value<string[]>(
    `axe.run().then(({ violations }) => violations.flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => id + ": " + target.join(" ") + " " + failureSummary)))`,
  );
}

Deno.test({
  name: "in a browser: every page is accessible at every width, and logs nothing",
  ...needs("chromium"),
  fn: async () => {
    const plain = wav(Array.from({ length: 8000 }, (_, index) => 20000 * Math.sin(index / 9)), 1, 8000);
    await using root = await installation({
      ...Object.fromEntries(Object.entries(seeds).map(([path, bytes]) => [`q/id1/${path}`, bytes])),
      "q/id1/gfx/palette.lmp": Uint8Array.from({ length: 768 }, (_, index) => index * 7),
      "q/id1/pak0.pak": pakOf("both.txt", "maps/start.txt"),
      "q/id1/both.txt": "loose",
      "q/id1/plain.wav": plain,
      "q/id1/box.mdl": seamMdl(),
      "q/id1/noise.bin": Uint8Array.from({ length: 999 }, (_, index) => index * 7),
      "q/id1/F_START": "",
      "q/mod/other.txt": "other",
    });
    await using connection = await openLocal({ sources: [`${root.path}/q`], profile: "quakespasm" });
    await using server = await serveWeb({ connection, port: 0 });
    const directory = Deno.env.get("PAKFS_SCREENSHOTS");
    const found: string[] = [];
    for (const [drawsModels, all] of Map.groupBy(addresses, ([address]) => address.endsWith(".mdl"))) {
      await using browser = await Browser.start(1280, 800, drawsModels);
      await browser.open(server.url);
      await browser.until("document.querySelector('.views li')");
      for (const [address, isShown] of all) {
        for (const { width, scheme, isOpened } of looks) {
          const features = [{ name: "prefers-color-scheme", value: scheme }];
          await browser.call("Emulation.setEmulatedMedia", { features });
          await browser.resize(width, width === 390 ? 844 : 900, width === 390);
          const path = address.replaceAll("ROOT", root.path);
          if (!isOpened) await browser.open(new URL(path, server.url).href);
          await browser.until(isShown);
          // Pictures fade in.
          await browser.until("document.getAnimations().length === 0");
          if (directory) {
            const name = `${
              String(addresses.findIndex(([one]) => one === address)).padStart(2, "0")
            }-${scheme}-${width}`;
            await Deno.writeFile(`${directory}/${name}.png`, await browser.picture());
          }
          const where = `${address} at ${width} in ${scheme}`;
          found.push(...(await violations(browser)).map((violation) => `${where}: ${violation}`));
          const isWide = "document.documentElement.scrollWidth > document.documentElement.clientWidth";
          if (await browser.value<boolean>(isWide)) found.push(`${where}: wider than the window`);
        }
      }
      found.push(...browser.problems);
    }
    assertEquals(found, []);
  },
});
