/**
 * Ironwail: andrei-drexler/ironwail, a fork of QuakeSpasm.
 * @module
 */
import type { Engine } from "./core/engine.ts";
import { pictures } from "./core/names.ts";
import { quakespasm } from "./quakespasm.ts";

export const ironwail: Engine = {
  ...quakespasm,
  name: "ironwail",
  engine: "Ironwail",
  title: "Ironwail",
  // Quake/common.c: COM_AddGameDirectory, COM_AddEnginePak, which asks the directory of the program first. Of several
  // -basedir the later ones are searched first. No pack is inside the program.
  enginePack: {
    name: "ironwail.pak",
    order: 0.5,
    belowLoose: false,
    foundIn: "one-root",
    followsPack: true,
    followsListed: "",
  },
  // Quake/image.c: Image_LoadImage
  pictures: pictures(["png", "tga", "jpg", "pcx", "lmp"]),
  homes: [{ game: "quake", paths: ["~/.ironwail"] }],
  evidence: [
    { base: "id1", rank: 0, next: /^ironwail\.pak$/, says: "is Ironwail's own pack" },
    { base: "id1", rank: 3, next: /^ironwail/i, says: "belongs to Ironwail" },
  ],
};
