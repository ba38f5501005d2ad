/** Output for a file with twelve candidates, each with its sentence: it must fit on one screen. */
import { assert, assertEquals } from "@std/assert";
import { openLocal } from "../../service/local.ts";
import type { Connection } from "../../protocol/connection.ts";
import type { MethodName, ParamsOf, ResultOf } from "../../protocol/methods.ts";
import type { WhichResult } from "../../protocol/rows.ts";
import { pak, zip } from "../formats/bytes.ts";
import { type Files, installation } from "../index/fixtures.ts";
import { runLine } from "./harness.ts";

/** Answers of a connection, with the installation's temporary path replaced by `/games`. */
class PlacedConnection implements Connection {
  readonly #connection: Connection;
  readonly #root: string;

  constructor(connection: Connection, root: string) {
    this.#connection = connection;
    this.#root = root;
  }

  async call<M extends MethodName>(method: M, params: ParamsOf<M>): Promise<ResultOf<M>> {
    const result = await this.#connection.call(method, params);
    return JSON.parse(JSON.stringify(result).replaceAll(this.#root, "/games"));
  }

  subscribe(): Promise<never> {
    return Promise.reject(new Error("nothing changes here"));
  }

  close(): Promise<void> {
    return this.#connection.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

interface Screen {
  readonly profile: string;
  readonly files: Files;
  readonly sources: readonly string[];
  readonly line: string;
  /** Screen of a terminal of 100 columns. */
  readonly screen: readonly string[];
  /** Candidates of `--json`. */
  readonly rows: readonly Row[];
}

type Row = readonly [
  rank: number,
  source: string,
  member: string,
  kind: "pack" | "loose",
  gameDirectory: string,
  size: number,
  decidedBy: string | null,
];

// deno-lint-ignore no-control-regex -- colours of a terminal
const colour = /\x1b\[[\d;]*m/g;

async function shown({ profile, files, sources, line }: Screen): Promise<{ text: string; json: string }> {
  await using root = await installation(files);
  const paths = sources.map((source) => `${root.path}/${source}`);
  await using connection = new PlacedConnection(await openLocal({ sources: paths, profile, game: "game" }), root.path);
  const text = await runLine(line, { connection, terminal: true, columns: 100 });
  const json = await runLine(`${line} --json`, { connection });
  assertEquals([text.code, json.code, text.err, json.err], [0, 0, "", ""]);
  return { text: text.out.replaceAll(colour, ""), json: json.out };
}

/** A zip whose last member reaches past the end of the file. */
function cutZip(name: string): Uint8Array {
  const whole = zip([{ name, content: "x" }]);
  const view = new DataView(whole.buffer, whole.byteOffset, whole.byteLength);
  const record = whole.length - 22 - 46 - name.length;
  view.setUint32(record + 20, 1_000_000, true);
  view.setUint32(record + 24, 1_000_000, true);
  return whole;
}

const palette = "gfx/palette.lmp";
const paletteIn = (content: string) => pak([[palette, content]]);

const quakespasm: Screen = {
  profile: "quakespasm",
  sources: ["home/.quakespasm", "quake"],
  line: `which ${palette} --view game/mymod`,
  files: {
    [`home/.quakespasm/mymod/${palette}`]: "home mod",
    "quake/mymod/pak0.pak": pak([[palette, "twice: 1"], ["x", ""], [palette, "twice: 22"]]),
    "quake/mymod/pak2.pak": paletteIn("after a gap"),
    "quake/mymod/gfx/PALETTE.LMP": "capitals",
    "home/.quakespasm/id1/pak0.pak": paletteIn("home id1"),
    "quake/id1/pak0.pak": paletteIn("pak0"),
    "quake/id1/pak1.pak": paletteIn("pak1"),
    "quake/id1/PAK2.PAK": paletteIn("PAK2"),
    [`quake/id1/${palette}`]: "loose in id1",
    "quake/quakespasm.pak": paletteIn("engine"),
    "quake/othermod/pak0.pak": paletteIn("another mod"),
  },
  screen: [
    "gfx/palette.lmp  game/mymod, rules of quakespasm, 12 candidates",
    "  1  /games/home/.quakespasm/mymod/gfx/palette.lmp  mymod, 8",
    "     the engine loads this one",
    "  2  /games/quake/mymod/pak0.pak  mymod, 8",
    "     /games/home/.quakespasm is searched before /games/quake [source-directory]",
    "  3  /games/quake/mymod/pak0.pak  mymod, 9",
    "     /games/home/.quakespasm is searched before /games/quake [source-directory]",
    "  4  /games/home/.quakespasm/id1/pak0.pak  id1, 8",
    "     mymod is searched before id1 [game-directory]",
    "  5  /games/quake/id1/pak1.pak  id1, 4",
    "     mymod is searched before id1 [game-directory]",
    "  6  /games/quake/quakespasm.pak  id1, 6",
    "     mymod is searched before id1 [game-directory]",
    "  7  /games/quake/id1/pak0.pak  id1, 4",
    "     mymod is searched before id1 [game-directory]",
    "  8  /games/quake/id1/gfx/palette.lmp  id1, 12",
    "     mymod is searched before id1 [game-directory]",
    "  9  /games/quake/mymod/pak2.pak  mymod, 11",
    "     not usable: pak2.pak is not loaded: pak1.pak is missing, and QuakeSpasm stops at the first",
    "     missing number",
    " 10  /games/quake/mymod/gfx/PALETTE.LMP  mymod, 8",
    '     not usable: it is spelled "gfx/PALETTE.LMP", and QuakeSpasm is case-sensitive',
    " 11  /games/quake/id1/PAK2.PAK  id1, 4",
    "     not usable: PAK2.PAK is not loaded: QuakeSpasm loads only packs named pak0.pak, pak1.pak, and",
    "     so on; renamed to pak2.pak it would be one of them",
    " 12  /games/quake/othermod/pak0.pak  othermod, 11",
    "     not usable: othermod is not on the search path of game/mymod",
  ],
  rows: [
    [1, "/games/home/.quakespasm/mymod", "gfx/palette.lmp", "loose", "mymod", 8, null],
    [2, "/games/quake/mymod/pak0.pak", "gfx/palette.lmp", "pack", "mymod", 8, "source-directory"],
    [3, "/games/quake/mymod/pak0.pak", "gfx/palette.lmp", "pack", "mymod", 9, "source-directory"],
    [4, "/games/home/.quakespasm/id1/pak0.pak", "gfx/palette.lmp", "pack", "id1", 8, "game-directory"],
    [5, "/games/quake/id1/pak1.pak", "gfx/palette.lmp", "pack", "id1", 4, "game-directory"],
    [6, "/games/quake/quakespasm.pak", "gfx/palette.lmp", "pack", "id1", 6, "game-directory"],
    [7, "/games/quake/id1/pak0.pak", "gfx/palette.lmp", "pack", "id1", 4, "game-directory"],
    [8, "/games/quake/id1", "gfx/palette.lmp", "loose", "id1", 12, "game-directory"],
    [9, "/games/quake/mymod/pak2.pak", "gfx/palette.lmp", "pack", "mymod", 11, null],
    [10, "/games/quake/mymod", "gfx/PALETTE.LMP", "loose", "mymod", 8, null],
    [11, "/games/quake/id1/PAK2.PAK", "gfx/palette.lmp", "pack", "id1", 4, null],
    [12, "/games/quake/othermod/pak0.pak", "gfx/palette.lmp", "pack", "othermod", 11, null],
  ],
};

const shader = "scripts/base.shader";
const shaderIn = (content: string) => zip([{ name: shader, content }]);

const ioquake3: Screen = {
  profile: "ioquake3",
  sources: ["home/.q3a", "quake3"],
  line: `which ${shader} --view game/mymod`,
  files: {
    "home/.q3a/mymod/zz_fix.pk3": shaderIn("home mod"),
    [`quake3/mymod/${shader}`]: "loose mod",
    "quake3/mymod/pak1.pk3dir/scripts/base.shader": "pk3dir",
    "quake3/mymod/pak1.pk3": zip([{ name: shader, content: "1" }, { name: shader.toUpperCase(), content: "22" }]),
    "quake3/mymod/Pak0.pk3": cutZip(shader),
    "home/.q3a/baseq3/scripts/BASE.shader": "home, capitals",
    "quake3/baseq3/pak0.pk3": shaderIn("pak0"),
    "quake3/baseq3/pak10.pk3": shaderIn("pak10"),
    "quake3/baseq3/pak8.pk3": shaderIn("pak8"),
    "quake3/baseq3/old.zip": shaderIn("zip"),
    "quake3/missionpack/pak0.pk3": shaderIn("mission pack"),
  },
  screen: [
    "scripts/base.shader  game/mymod, rules of ioquake3, 12 candidates",
    "  1  /games/home/.q3a/mymod/zz_fix.pk3  mymod, 8",
    "     the engine loads this one",
    "  2  /games/quake3/mymod/scripts/base.shader  mymod, 9",
    "     /games/home/.q3a is searched before /games/quake3 [source-directory]",
    "  3  /games/quake3/mymod/pak1.pk3dir  mymod, 6",
    "     /games/home/.q3a is searched before /games/quake3 [source-directory]",
    "  4  /games/quake3/mymod/pak1.pk3 : SCRIPTS/BASE.SHADER  mymod, 2",
    "     /games/home/.q3a is searched before /games/quake3 [source-directory]",
    "  5  /games/quake3/mymod/pak1.pk3  mymod, 1",
    "     /games/home/.q3a is searched before /games/quake3 [source-directory]",
    "  6  /games/quake3/baseq3/pak8.pk3  baseq3, 4",
    "     mymod is searched before baseq3 [game-directory]",
    "  7  /games/quake3/baseq3/pak10.pk3  baseq3, 5",
    "     mymod is searched before baseq3 [game-directory]",
    "  8  /games/quake3/baseq3/pak0.pk3  baseq3, 4",
    "     mymod is searched before baseq3 [game-directory]",
    "  9  /games/quake3/mymod/Pak0.pk3  mymod, 977K",
    "     not usable: scripts/base.shader: its data (1,000,000 bytes at byte 0) reaches past the end;",
    "     this file cannot be read, the others can",
    " 10  /games/home/.q3a/baseq3/scripts/BASE.shader  baseq3, 14",
    '     not usable: it is spelled "scripts/BASE.shader", and ioquake3 finds loose files only by their',
    "     own spelling",
    " 11  /games/quake3/baseq3/old.zip  baseq3, 3",
    "     not usable: old.zip is not loaded: ioquake3 loads only packs ending in .pk3 or .pk3dir",
    " 12  /games/quake3/missionpack/pak0.pk3  missionpack, 12",
    "     not usable: missionpack is not on the search path of game/mymod",
  ],
  rows: [
    [1, "/games/home/.q3a/mymod/zz_fix.pk3", "scripts/base.shader", "pack", "mymod", 8, null],
    [2, "/games/quake3/mymod", "scripts/base.shader", "loose", "mymod", 9, "source-directory"],
    [3, "/games/quake3/mymod/pak1.pk3dir", "scripts/base.shader", "pack", "mymod", 6, "source-directory"],
    [4, "/games/quake3/mymod/pak1.pk3", "SCRIPTS/BASE.SHADER", "pack", "mymod", 2, "source-directory"],
    [5, "/games/quake3/mymod/pak1.pk3", "scripts/base.shader", "pack", "mymod", 1, "source-directory"],
    [6, "/games/quake3/baseq3/pak8.pk3", "scripts/base.shader", "pack", "baseq3", 4, "game-directory"],
    [7, "/games/quake3/baseq3/pak10.pk3", "scripts/base.shader", "pack", "baseq3", 5, "game-directory"],
    [8, "/games/quake3/baseq3/pak0.pk3", "scripts/base.shader", "pack", "baseq3", 4, "game-directory"],
    [9, "/games/quake3/mymod/Pak0.pk3", "scripts/base.shader", "pack", "mymod", 1000000, null],
    [10, "/games/home/.q3a/baseq3", "scripts/BASE.shader", "loose", "baseq3", 14, null],
    [11, "/games/quake3/baseq3/old.zip", "scripts/base.shader", "pack", "baseq3", 3, null],
    [12, "/games/quake3/missionpack/pak0.pk3", "scripts/base.shader", "pack", "missionpack", 12, null],
  ],
};

for (const screen of [quakespasm, ioquake3]) {
  Deno.test(`${screen.profile}: which explains twelve candidates on one screen, and in JSON`, async () => {
    const { text, json } = await shown(screen);
    assertEquals(text.split("\n"), [...screen.screen, ""]);
    assert(screen.screen.length <= 40);
    assert(screen.screen.every((line) => line.length <= 100));

    const result: WhichResult = JSON.parse(json);
    assertEquals(Object.keys(result), ["qpath", "view", "profile", "candidates"]);
    assertEquals(
      result.candidates.map(({ rank, source, member, kind, gameDirectory, size, decidedBy }): Row => [
        ...[rank, source, member, kind, gameDirectory, size, decidedBy] as const,
      ]),
      [...screen.rows],
    );
    // The sentences equal the screen's unwrapped ones.
    const said = screen.screen.join(" ").replaceAll(/ +/g, " ");
    for (const { usable, reason, because } of result.candidates.slice(1)) {
      assertEquals([reason === null, because === null], [usable, !usable]);
      assert(said.includes((reason ?? because ?? "").replace(/\.$/, "")), reason ?? because ?? "");
    }
  });
}
