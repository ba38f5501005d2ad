/**
 * Nexuiz.
 * @module
 */
import { darkplaces } from "../engines/darkplaces.ts";
import type { KnownGame } from "./core/game.ts";

/** Names of Nexuiz's packs: data20091001.pk3 (data.pk3 in Debian's package nexuiz-data), common-spog.pk3. */
const ownPack = /^(common(-spog)?|data(\d{8}.*)?|nexuiz.*)\.pk3$/i;

export const nexuiz: KnownGame = {
  name: "nexuiz",
  title: "Nexuiz",
  engines: [darkplaces],
  bases: ["data"],
  // DarkPlacesEngine/darkplaces com_game.c
  signature: {
    kind: "base",
    inside: ownPack,
    says: "has packs of Nexuiz, which runs on DarkPlaces",
  },
};
