/**
 * Animated and switched textures of Doom's engines: one frame requires all others, and one state of a switch the other.
 *
 * `ANIMATED` of Boom: records of 23 bytes: u8 kind (0 floors, 1 walls, 255 the end), name of the last frame in nine
 * bytes, name of the first in nine, u32 speed. `SWITCHES` of Boom: records of 20 bytes: names of both states in nine
 * bytes each, u16 game, 0 at the end. (`P_InitPicAnims` and `P_InitSwitchList` of dsda-doom's p_spec.c and p_switch.c.)
 * `ANIMDEFS` of Hexen and GZDoom: `texture FIRST range LAST`, `texture NAME pic NAME ...`, `switch NAME on pic NAME off
 * pic NAME`, `warp`, `cameratexture`, `animatedDoor`. Chocolate Doom has tables in src/doom, src/heretic and
 * src/strife: p_spec.c and p_switch.c.
 * @module
 */
import { DoomText, Reader } from "../../media/mod.ts";

/** Frames of an animation or states of a switch. */
export interface Animation {
  readonly isFlat: boolean;
  /** Frames by their names. */
  readonly frames: readonly string[];
  /** Name of the last of the consecutive frames, or their number. */
  readonly upTo?: string | number;
  readonly why: "animation" | "switch";
}

const animationBytes = 23;
const switchBytes = 20;

/** Reads `ANIMATED`. */
export function readAnimated(bytes: Uint8Array): Animation[] {
  const reader = new Reader(bytes);
  const found: Animation[] = [];
  for (let offset = 0; offset < bytes.length && reader.u8(offset) !== 255; offset += animationBytes) {
    const [upTo, first] = [reader.text(offset + 1, 9), reader.text(offset + 10, 9)];
    found.push({ isFlat: (reader.u8(offset) & 1) === 0, frames: [first], upTo, why: "animation" });
  }
  return found;
}

/** Reads `SWITCHES`. */
export function readSwitches(bytes: Uint8Array): Animation[] {
  const reader = new Reader(bytes);
  const found: Animation[] = [];
  for (let offset = 0; offset < bytes.length && reader.u16(offset + 18) !== 0; offset += switchBytes) {
    const frames = [reader.text(offset, 9), reader.text(offset + 9, 9)];
    found.push({ isFlat: false, frames, why: "switch" });
  }
  return found;
}

const starts = new Set([
  "texture",
  "flat",
  "switch",
  "animateddoor",
  "warp",
  "warp2",
  "cameratexture",
  "canvastexture",
]);

/**
 * Reads `ANIMDEFS`.
 * @throws {MediaError} if it has too many words.
 */
export function readAnimDefs(bytes: Uint8Array): Animation[] {
  // `;` begins a comment.
  const text = new DoomText(bytes, ";");
  const found: Animation[] = [];
  while (!text.isAtEnd) {
    const kind = text.next()?.text.toLowerCase() ?? "";
    if (kind.startsWith("warp")) {
      // `warp texture NAME` has no frames.
      text.next();
      text.next();
      continue;
    }
    if (kind !== "texture" && kind !== "flat" && kind !== "switch" && kind !== "animateddoor") continue;
    text.take("optional");
    // Games by number or name come before the name of a switch.
    if (kind === "switch" && /^(?:doom|heretic|hexen|strife|any)$/i.test(text.peek()?.text ?? "")) {
      text.next();
      if (/^\d+$/.test(text.peek()?.text ?? "")) text.next();
    }
    const first = text.next()?.text ?? "";
    const frames = [first];
    let upTo: string | number | undefined;
    for (let word = text.peek(); word && !starts.has(word.text.toLowerCase()); word = text.peek()) {
      text.next();
      const key = word.text.toLowerCase();
      if (!["range", "pic", "opensound", "closesound", "sound"].includes(key)) continue;
      const name = text.next()?.text ?? "";
      // A number counts the frames from the first one, which is 1.
      if (key === "pic" && /^\d{1,4}$/.test(name)) upTo = Math.max(Number(upTo ?? 0), Number(name));
      else if (key === "range") upTo = name;
      else if (key === "pic") frames.push(name);
    }
    const why = kind === "switch" ? "switch" : "animation";
    found.push({ isFlat: kind === "flat", frames, why, ...(upTo === undefined ? {} : { upTo }) });
  }
  return found;
}

function pairs(names: string, isFlat: boolean, why: Animation["why"]): Animation[] {
  return names.split(" ").map((pair) => {
    const [first = "", second = ""] = pair.split("-");
    return why === "switch" ? { isFlat, frames: [first, second], why } : { isFlat, frames: [first], upTo: second, why };
  });
}

/**
 * Animations and switches that the engines of Doom, Heretic and Strife define without a lump: first and last frame,
 * both states.
 */
export const engineAnimations: readonly Animation[] = [
  ...pairs(
    "NUKAGE1-NUKAGE3 FWATER1-FWATER4 SWATER1-SWATER4 LAVA1-LAVA4 BLOOD1-BLOOD3 RROCK05-RROCK08 SLIME01-SLIME04 " +
      "SLIME05-SLIME08 SLIME09-SLIME12 FLTWAWA1-FLTWAWA3 FLTSLUD1-FLTSLUD3 FLTTELE1-FLTTELE4 FLTFLWW1-FLTFLWW3 " +
      "FLTLAVA1-FLTLAVA4 FLATHUH1-FLATHUH4 F_SCANR5-F_SCANR8 F_WATR01-F_WATR03 F_PWATR1-F_PWATR3 F_SCANR1-F_SCANR4 " +
      "P_VWATR1-F_VWATR3 F_HWATR1-F_HWATR3 F_TELE1-F_TELE2 F_FAN1-F_FAN2 F_CONVY1-F_CONVY2 F_RDALN1-F_RDALN4",
    true,
    "animation",
  ),
  ...pairs(
    "BLODGR1-BLODGR4 SLADRIP1-SLADRIP3 BLODRIP1-BLODRIP4 FIREWALA-FIREWALL GSTFONT1-GSTFONT3 FIRELAV3-FIRELAVA " +
      "FIREMAG1-FIREMAG3 FIREBLU1-FIREBLU2 ROCKRED1-ROCKRED3 BFALL1-BFALL4 SFALL1-SFALL4 WFALL1-WFALL4 " +
      "DBRAIN1-DBRAIN4 LAVAFL1-LAVAFL3 WATRWAL1-WATRWAL3 SCAN05-SCAN08 SWTRMG01-SWTRMG03 SCAN01-SCAN04 COMP01-COMP04 " +
      "COMP05-COMP08 COMP09-COMP12 COMP13-COMP16 COMP17-COMP20 COMP21-COMP24 COMP25-COMP28 COMP29-COMP32 " +
      "COMP33-COMP37 COMP38-COMP41 COMP42-COMP49 BRKGRY13-BRKGRY16 BRNSCN01-BRNSCN04 CONCRT09-CONCRT12 " +
      "CONCRT22-CONCRT25 WALPMP01-WALPMP02 WALTEK16-WALTEK17 FORCE01-FORCE04 FORCE05-FORCE08 FAN01-FAN02",
    false,
    "animation",
  ),
  ...pairs(
    "SW1BRCOM-SW2BRCOM SW1BRN1-SW2BRN1 SW1BRN2-SW2BRN2 SW1BRNGN-SW2BRNGN SW1BROWN-SW2BROWN SW1COMM-SW2COMM " +
      "SW1COMP-SW2COMP SW1DIRT-SW2DIRT SW1EXIT-SW2EXIT SW1GRAY-SW2GRAY SW1GRAY1-SW2GRAY1 SW1METAL-SW2METAL " +
      "SW1PIPE-SW2PIPE SW1SLAD-SW2SLAD SW1STARG-SW2STARG SW1STON1-SW2STON1 SW1STON2-SW2STON2 SW1STONE-SW2STONE " +
      "SW1STRTN-SW2STRTN SW1BLUE-SW2BLUE SW1CMT-SW2CMT SW1GARG-SW2GARG SW1GSTON-SW2GSTON SW1HOT-SW2HOT " +
      "SW1LION-SW2LION SW1SATYR-SW2SATYR SW1SKIN-SW2SKIN SW1VINE-SW2VINE SW1WOOD-SW2WOOD SW1PANEL-SW2PANEL " +
      "SW1ROCK-SW2ROCK SW1MET2-SW2MET2 SW1WDMET-SW2WDMET SW1BRIK-SW2BRIK SW1MOD1-SW2MOD1 SW1ZIM-SW2ZIM " +
      "SW1STON6-SW2STON6 SW1TEK-SW2TEK SW1MARB-SW2MARB SW1SKULL-SW2SKULL SW1OFF-SW1ON SW2OFF-SW2ON SW1CTY-SW2CTY " +
      "SW1ORGRY-SW2ORGRY SW1GRSTN-SW2GRSTN SW1SNDP-SW2SNDP SW1SPINE-SW2SPINE SW1SQPEB-SW2SQPEB SW1TRST1-SW2TRST1 " +
      "SW1CSTL-SW2CSTL SW1MOSS-SW2MOSS SW1SNDSQ-SW2SNDSQ SW1RED-SW2RED SW1TRST2-SW2TRST2 SW1MSC-SW2MSC " +
      "SW1MSC2-SW2MSC2 SW1GRDMD-SW2GRDMD GLASS01-GLASS02 GLASS03-GLASS04 GLASS05-GLASS06 GLASS07-GLASS08 " +
      "GLASS17-GLASS18 GLASS19-GLASS20 SWKNOB01-SWKNOB02 SWLITE01-SWLITE02 SWCHN01-SWCHN02 COMP01-COMP04B " +
      "COMP05-COMP12B COMP09-COMP12B COMP12-COMP04B COMP13-COMP12B COMP17-COMP20B COMP21-COMP28B WALTEK09-WALTEKB1 " +
      "WALTEK10-WALTEKB1 WALTEK15-WALTEKB1 SWFORC01-SWFORC02 SWEXIT01-SWEXIT02 DORSBK01-DORSBK02 SWSLD01-SWSLD02 " +
      "DORWS04-DORWS05 SWIRON01-SWIRON02 GLASS09-GLASS10 GLASS11-GLASS12 GLASS13-GLASS14 GLASS15-GLASS16 " +
      "SWFORC03-SWFORC04 SWCIT01-SWCIT02 SWTRMG01-SWTRMG04 SWMETL01-SWMETL02 SWWOOD01-SWWOOD02 SWTKBL01-SWTKBL02 " +
      "AZWAL21-AZWAL22 SWINDT01-SWINDT02 SWRUST01-SWRUST02 SWCHAP01-SWCHAP02 SWALIN01-SWALIN02 SWWALG01-SWWALG02 " +
      "SWWALG03-SWWALG04 SWTRAM01-SWTRAM02 SWTRAM03-SWTRAM04 SWORC01-SWORC02 SWBRIK01-SWBRIK02 SWIRON03-SWIRON04 " +
      "SWIRON05-SWIRON06 SWIRON07-SWIRON08 SWCARD01-SWCARD02 SWSIGN01-SWSIGN02 SWLEV01-SWLEV02 SWLEV03-SWLEV04 " +
      "SWLEV05-SWLEV06 SWBRN01-SWBRN02 SWPIP01-SWPIP02 SWPALM01-SWPALM02 SWKNOB03-SWKNOB04 ALTSW01-ALTSW02 " +
      "COMP25-COMP28B COMP29-COMP20B COMP33-COMP50 COMP42-COMP51 GODSCRN1-GODSCRN2 ALIEN04-ALIEN05 CITADL04-CITADL05 " +
      "SWITE03-SWITE04 SWTELP01-SWTELP02 BRNSCN01-BRNSCN05",
    false,
    "switch",
  ),
];
