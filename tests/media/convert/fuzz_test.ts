/**
 * Conversions of arbitrary files: each gives a result of the predicted size, or a typed error.
 * @module
 */
import { assert, assertEquals } from "@std/assert";
import type { Converter } from "../../../media/convert/converter.ts";
import { startBytes } from "../../../media/convert/converter.ts";
import { convertersOf } from "../../../media/convert/table.ts";
import { pictureConverters } from "../../../media/convert/pictures.ts";
import { soundConverters } from "../../../media/convert/sounds.ts";
import { textConverters } from "../../../media/convert/text.ts";
import { MediaError } from "../../../media/core/reader.ts";
import { mutants } from "../mutants.ts";
import fc from "../../support/fast_check.ts";
import { compareOutcomes } from "../../support/outcomes.ts";
import { iqm, md2, md3, mdl } from "../handmade.ts";
import { archMap, faceKinds, floorMap } from "../handmade_maps.ts";
import { ase, halfLifeModel, lwo, md5, mdc, seamMdl, waveIqm } from "../handmade_models.ts";
import { richMap, richMd2, richMd3, richMdl } from "../rich_files.ts";
import { everything, seeds } from "./samples.ts";

const own = new Set<Converter>([...pictureConverters, ...soundConverters, ...textConverters]);

/** Converts a file that the row accepts; returns a typed error if it fails. */
async function outcome(row: Converter, qpath: string, bytes: Uint8Array): Promise<Uint8Array | MediaError | undefined> {
  const start = bytes.slice(0, startBytes);
  if (row.accepts?.(start, bytes.length) === false) return undefined;
  const size = row.size?.(start, bytes.length);
  try {
    const converted = await row.convert({ qpath, bytes }, everything);
    if (size !== undefined) assertEquals(converted.length, size, `${row.name} of ${qpath}`);
    return converted;
  } catch (error) {
    assert(error instanceof MediaError, `${row.name} of ${qpath}: ${error instanceof Error ? error.stack : error}`);
    return error;
  }
}

Deno.test("every row of pictures, sounds and texts has a file that it converts", async () => {
  const seen = new Set<Converter>();
  for (const [qpath, bytes] of Object.entries(seeds)) {
    for (const row of convertersOf(qpath).filter((one) => own.has(one))) {
      // deno-lint-ignore no-await-in-loop -- one after the other, to see which fails
      if (await outcome(row, qpath, bytes) instanceof Uint8Array) seen.add(row);
    }
  }
  assertEquals([...own].filter((row) => !seen.has(row)).map(({ name }) => name), []);
});

for (const [qpath, seed] of Object.entries(seeds)) {
  Deno.test(`damaged files like ${qpath} give a result of the size that was said, or a typed error`, async () => {
    const rows = convertersOf(qpath).filter((row) => own.has(row));
    await fc.assert(
      fc.asyncProperty(mutants(seed), async (bytes) => {
        for (const row of rows) {
          // deno-lint-ignore no-await-in-loop -- one after the other, to see which fails
          await outcome(row, qpath, bytes);
        }
      }),
      { numRuns: 150 },
    );
  });
}

/** Models and maps, whose pictures are missing or in {@linkcode everything}. */
const shapes: Readonly<Record<string, Uint8Array>> = {
  "progs/a.mdl": mdl(),
  "b.mdl": seamMdl(),
  "c.mdl": halfLifeModel(),
  "a.md2": md2(["a.pcx"]),
  "a.md3": md3("a.tga"),
  "a.iqm": iqm(["a", "b"]),
  "b.iqm": waveIqm(),
  "a.mdc": mdc(),
  "a.md5mesh": md5.mesh,
  "a.ase": ase,
  "a.lwo": lwo(),
  ...Object.fromEntries(faceKinds.map((kind) => [`maps/${kind}.bsp`, floorMap(kind, "a")])),
  "maps/arch.bsp": archMap(),
  "progs/d.mdl": richMdl(),
  "b.md2": richMd2(),
  "b.md3": richMd3(),
  ...Object.fromEntries(faceKinds.map((kind) => [`maps/rich_${kind}.bsp`, richMap(kind)])),
};

for (const [qpath, seed] of [...Object.entries(seeds), ...Object.entries(shapes)]) {
  for (const row of convertersOf(qpath)) {
    Deno.test(`${row.name} of ${qpath} and of damaged files like it gives what it gave`, async () => {
      await compareOutcomes(new URL("./outcomes.txt", import.meta.url), `${row.name} ${qpath}`, seed, async (bytes) => {
        const start = bytes.slice(0, startBytes);
        const [isAccepted, size] = [row.accepts?.(start, bytes.length), row.size?.(start, bytes.length)];
        return [isAccepted, size, await row.convert({ qpath, bytes }, everything)];
      });
    });
  }
}
