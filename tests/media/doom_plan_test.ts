/** Plans of Doom's maps: a map laid out by hand in three formats, and damaged ones. */
import { assert, assertEquals, assertThrows } from "@std/assert";
import { accepting, convertersOf } from "../../media/convert/table.ts";
import { MediaError } from "../../media/core/reader.ts";
import { doomMapPlan, textMapPlan } from "../../media/maps/doom_plan.ts";
import { join, string, text, u16 } from "../formats/bytes.ts";
import fc from "../support/fast_check.ts";
import { among } from "./convert/samples.ts";
import { mutants } from "./mutants.ts";

const none = 0xffff;
/** A room of 64 x 128 with a step in its middle, whose eastern half is divided once more. */
const corners = [[0, 0], [64, 0], [64, 128], [0, 128], [0, 64], [64, 64], [32, 64]] as const;
const lines = [[0, 1, 0, none], [1, 2, 0, none], [2, 3, 1, none], [3, 0, 1, none], [4, 6, 0, 1], [6, 5, 1, 2]] as const;
const floors = [0, 16, 16];

const points = join(...corners.map(([x, y]) => u16(x, y)));
const sides = join(...floors.map((_, sector) => join(u16(0, 0), new Uint8Array(24), u16(sector))));
const sectors = join(...floors.map((floor) => join(u16(floor, 128), new Uint8Array(22))));
const doom = join(...lines.map(([start, end, right, left]) => u16(start, end, 0, 0, 0, right, left)));
const hexen = join(
  ...lines.map(([start, end, right, left]) => join(u16(start, end, 0), new Uint8Array(6), u16(right, left))),
);
const udmf = text([
  `namespace = "doom"; // vertex { x = 1; }`,
  ...corners.map(([x, y]) => `vertex { x = ${x}.0; y = ${y}; }`),
  ...lines.map(([start, end, right, left]) =>
    `linedef\n{\nv1=${start}; v2=${end}; sidefront=${right}; ${
      left === none ? "" : `sideback = ${left};`
    } comment = "}"; }`
  ),
  ...floors.map((_, sector) => `sidedef { sector = ${sector}; texturemiddle = "A"; } /* sector { } */`),
  ...floors.map((floor) => `sector { heightfloor = ${floor}; heightceiling = 128; }`),
].join("\n"));

const stroke = (colour: string, width: number) =>
  `fill="none" stroke="${colour}" stroke-width="${width}" vector-effect="non-scaling-stroke"`;
const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="32" height="48" viewBox="-32 -160 128 192">
<path class="other" ${stroke("#8a8a8a", 1)} d="M32 -64L64 -64"/>
<path class="step" ${stroke("#a0764a", 2)} d="M0 -64L32 -64"/>
<path class="wall" ${stroke("#c9302c", 3)} d="M0 0L64 0M64 0L64 -128M64 -128L0 -128M0 -128L0 0"/>
</svg>
`;

Deno.test("a map is drawn from above in the formats of Doom, Hexen and UDMF", async () => {
  assertEquals(doomMapPlan({ lines: doom, points, sides, sectors, isHexen: false }), svg);
  assertEquals(doomMapPlan({ lines: hexen, points, sides, sectors, isHexen: true }), svg);
  assertEquals(textMapPlan(udmf), svg);
  const qpath = "maps/MAP01/LINEDEFS";
  const lumps = Object.entries({ VERTEXES: points, SIDEDEFS: sides, SECTORS: sectors })
    .map(([name, bytes]) => ({ qpath: `maps/MAP01/${name}`, bytes }));
  const row = accepting(convertersOf(qpath), doom, doom.length);
  const drawn = await row?.convert({ qpath, bytes: doom }, among(...lumps));
  assert(drawn);
  assertEquals([row?.name, string(drawn)], ["linedefs-svg", svg]);
  assertThrows(() => textMapPlan(text("namespace = doom;")), MediaError, "it has no line");
});

Deno.test("damaged maps are drawn as far as they go, or are a typed error", () => {
  fc.assert(
    fc.property(mutants(doom), mutants(points), mutants(udmf), fc.boolean(), (lines, points, text, isHexen) => {
      for (const draw of [() => doomMapPlan({ lines, points, sides, sectors, isHexen }), () => textMapPlan(text)]) {
        try {
          assert(!/NaN|Infinity/.test(draw()));
        } catch (error) {
          assert(error instanceof MediaError, String(error));
        }
      }
    }),
    { numRuns: 3000 },
  );
  const long = text("sector {".repeat(200_000) + "/*".repeat(200_000));
  assertThrows(() => textMapPlan(long), MediaError);
});
