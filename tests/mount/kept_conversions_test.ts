/** Files converted by a mount are cached for other programs: the page, commands, scripts, and the next mount. */
// deno-lint-ignore-file no-await-in-loop -- one program after the other, to see which one fails
import { createHash } from "node:crypto";
import { assert, assertEquals } from "@std/assert";
import { decodePng } from "../../media/pictures/png.ts";
import { convertersOf } from "../../media/convert/table.ts";
import { testPalette } from "../media/handmade.ts";
import { pak, u32 } from "../formats/bytes.ts";
import { writeFiles } from "../index/fixtures.ts";
import { settle } from "../support/settle.ts";
import { startPage } from "../web/start_page.ts";
import { output, type Workspace, workspace } from "./mounting.ts";

/** A picture of one colour of the palette. */
const lmp = (colour: number) => Uint8Array.of(...u32(4, 2), ...new Uint8Array(8).fill(colour));
const qpath = "gfx/a.lmp";
/** Length of the hexadecimal SHA-256 before a file's content. */
const digestLength = 64;

/** Returns the first pixel of the picture in each program, and its whole bytes in programs that do not compress it. */
async function shown(here: Workspace): Promise<{ pixels: Record<string, string>; whole: string[] }> {
  const { path, environment, mountPoint } = here;
  const pixels: Record<string, string> = {};
  const note = (program: string, png: Uint8Array) => pixels[program] = decodePng(png).rgba.toHex().slice(0, 6);
  await output("cp", "-f", `${mountPoint}/.as/quake/id1/${qpath}.png`, `${path}/copy.png`);
  const mounted = await Deno.readFile(`${path}/copy.png`);
  note("mount", mounted);
  const { url, process } = await startPage(environment);
  try {
    const visit = await fetch(url, { redirect: "manual" });
    await visit.body?.cancel();
    const headers = { cookie: visit.headers.get("set-cookie")?.split(";")[0] ?? "" };
    const address = new URL(`/.pakfs/as/png?view=quake/id1&qpath=${qpath}`, url);
    const paged = new Uint8Array(await (await fetch(address, { headers })).arrayBuffer());
    note("page", paged);
    await Deno.writeTextFile(
      `${path}/convert.ts`,
      'import { connect } from "@pakfs/pakfs";\nawait using index = await connect();\n' +
        `console.log((await index.view("quake/id1").convert("${qpath}")).bytes.toHex());\n`,
    );
    for (const [program, words] of Object.entries({ convert: ["convert"], extract: ["extract", "--as", "png"] })) {
      const { code, stderr } = await here.pakfs(...words, qpath, "-o", `${path}/${program}`, "--view", "quake/id1");
      assertEquals(code, 0, stderr);
      note(program, await Deno.readFile(`${path}/${program}/${qpath}.png`));
    }
    const script = await here.pakfs("run", `${path}/convert.ts`);
    assertEquals([script.code, script.stderr], [0, ""]);
    note("library", Uint8Array.fromHex(script.stdout.trim()));
    return { pixels, whole: [mounted.toHex(), paged.toHex()] };
  } finally {
    process.kill("SIGTERM");
    await process.status;
  }
}

Deno.test("a picture that a mount converted is converted by no other program, until its palette or what is kept changes", async () => {
  await using here = await workspace();
  const kept = `${here.path}/cache/pakfs/index/converted`;
  const files = async () => (await Array.fromAsync(Deno.readDir(kept), ({ name }) => `${kept}/${name}`)).sort();
  const game = `${here.path}/quake`;
  const palette = testPalette();
  await writeFiles(game, { "id1/pak0.pak": pak([["gfx/palette.lmp", palette], [qpath, lmp(7)]]) });
  await settle();
  const all = (colour: string) => ({ mount: colour, page: colour, convert: colour, extract: colour, library: colour });
  const colourOf = (colours: Uint8Array) => colours.subarray(21, 24).toHex();

  await here.mount(game);
  assertEquals((await output("cat", `${here.mountPoint}/.as/quake/id1/${qpath}.png`)).length > 0, true);
  assertEquals((await here.status()).counters["converted"], 1);
  const [file = "", ...others] = await files();
  assertEquals([others, ((await Deno.stat(file)).mode ?? 0) & 0o777], [[], 0o600]);
  await here.stop();

  // Replacing the cached picture reveals which program converts.
  const content = await Deno.readFile(file);
  const end = content.indexOf(10, digestLength) + 1;
  const bytes = { qpath, bytes: lmp(7) };
  const nothing = () => Promise.resolve(undefined);
  const white = { colours: new Uint8Array(768).fill(255), origin: "" };
  const marker = await convertersOf(qpath)[0]?.convert(bytes, { file: nothing, image: nothing, palette: white });
  assert(marker);
  assertEquals(marker.length, content.length - end);
  const rest = Uint8Array.of(...content.subarray(digestLength, end), ...marker);
  const digest = createHash("sha256").update(rest).digest("hex");
  await Deno.writeFile(file, Uint8Array.of(...new TextEncoder().encode(digest), ...rest));
  await here.mount(game);
  const marked = await shown(here);
  assertEquals(marked.pixels, all("ffffff"));
  assertEquals(marked.whole, [marker.toHex(), marker.toHex()]);
  assertEquals((await here.status()).counters["converted"], 0);
  // A compressed result is cached separately.
  assertEquals((await files()).length, 2);

  const inverted = palette.map((byte) => 255 - byte);
  await writeFiles(game, { "id1/pak1.pak": pak([["gfx/palette.lmp", inverted]]) });
  await settle();
  assertEquals((await here.pakfs("refresh", "-q")).code, 0);
  const changed = await shown(here);
  assertEquals(changed.pixels, all(colourOf(inverted)));
  assertEquals([changed.whole[0], (await here.status()).counters["converted"]], [changed.whole[1], 1]);
  await here.stop();

  for (const path of await files()) {
    const damaged = await Deno.readFile(path);
    damaged[damaged.length - 20] = (damaged.at(-20) ?? 0) ^ 1;
    await Deno.writeFile(path, damaged);
  }
  await here.mount(game);
  assertEquals(await shown(here), changed);
  assertEquals((await here.status()).counters["converted"], 1);
  const after = await Promise.all((await files()).map(async (path) => (await Deno.stat(path)).ino));
  assertEquals(await shown(here), changed);
  assertEquals(await Promise.all((await files()).map(async (path) => (await Deno.stat(path)).ino)), after);
  assert(after.length === 2);
});
