/**
 * D1X-Rebirth: dxx-rebirth/dxx-rebirth, as D2X-Rebirth.
 * @module
 */
import type { Engine } from "./core/engine.ts";
import { chosenHogs, d2xrebirth } from "./d2x_rebirth.ts";

export const d1xrebirth: Engine = {
  ...d2xrebirth,
  name: "d1x-rebirth",
  engine: "D1X-Rebirth",
  title: "D1X-Rebirth: Descent",
  leftOut: chosenHogs("D1X-Rebirth", ["descent.hog"]),
  // similar/misc/physfsx.cpp 190, PHYSFSX_init
  homes: [{ game: "descent1", paths: ["~/.d1x-rebirth"] }],
};
