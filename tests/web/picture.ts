/** Draws the picture of the README: the demo's page in a browser. Run by `deno task docs:picture`. */
import { demoHighlights } from "../../daemon/demo/highlights.ts";
import { writeDemoInstallation } from "../../daemon/demo/installation.ts";
import { openLocal } from "../../service/local.ts";
import { temporaryDirectory } from "../support/temporary.ts";
import { serveWeb } from "../../web/server.ts";
import { Browser } from "./browser.ts";

await using directory = await temporaryDirectory();
const games = `${directory.path}/demo/games`;
await Deno.mkdir(games, { recursive: true });
await writeDemoInstallation(games);
const { game, mod, qpath } = demoHighlights.contested;
await using connection = await openLocal({ sources: [`${games}/${game}`] });
await using server = await serveWeb({ connection, port: 0, path: `/${game}/${mod}/${qpath}?compare=2` });
await using browser = await Browser.start(1200, 680);
const features = [{ name: "prefers-color-scheme", value: "dark" }];
await browser.call("Emulation.setEmulatedMedia", { features });
await browser.open(server.url);
await browser.until("document.querySelectorAll('.candidate').length > 1");
await browser.until("[...document.querySelectorAll('.frame img')].filter((image) => image.naturalWidth).length === 2");
await browser.until("document.querySelectorAll('.readout')[1].value !== ''");
await Deno.writeFile(new URL("../../docs/screen.png", import.meta.url), await browser.picture());
