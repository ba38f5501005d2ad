// deno-lint-ignore-file no-await-in-loop -- one after the other, to see which one fails
import { assert, assertEquals, assertMatch } from "@std/assert";
import { crc16 } from "../../index/checksums/quake_pak_directory_crc.ts";
import { openLocal } from "../../service/local.ts";
import type { RegisteredResult } from "../../protocol/rows.ts";
import { join, padded, pak, text, u32 } from "../formats/bytes.ts";
import { needs } from "../support/programs.ts";
import { temporaryDirectory } from "../support/temporary.ts";
import { type Files, installation, writeFiles } from "../index/fixtures.ts";
import {
  proofOfRegistration,
  quakespasmHome,
  quakespasmLibraries,
  quakespasmProgram,
} from "../../tools/oracle/quakespasm.ts";

/** QuakeSpasm, which holds the only free copy of the file that proves a registered game. */
const quakespasm = needs("debian:quakespasm", "debian:libnss-wrapper");
const proof = quakespasm.ignore ? new Uint8Array(256) : await proofOfRegistration();
const changed = proof.map((byte, index) => index === 100 ? byte ^ 1 : byte);

/** A pack with id's file count and the required CRC-16: any bytes may follow a name's NUL. */
function packWithCrc(wanted: number, files = 339): Uint8Array {
  const entries = join(
    ...Array.from({ length: files }, (_, index) => join(padded(text(`file${index}`), 56), u32(12, 0))),
  );
  const start = entries.length - 64 + 40;
  const before = crc16(entries.subarray(0, start));
  for (let number = 0; number < 65536; number++) {
    entries[start] = number >> 8;
    entries[start + 1] = number & 255;
    if (crc16(entries.subarray(start), before) === wanted) return join(text("PACK"), u32(12, entries.length), entries);
  }
  throw new Error("every CRC-16 can be had with two bytes");
}

async function ask(files: Files, profile: string, view = "quake/id1"): Promise<RegisteredResult> {
  await using root = await installation(files);
  await using connection = await openLocal({ sources: [root.path], profile, game: "quake" });
  const answer = await connection.call("registered", { view });
  return JSON.parse(JSON.stringify(answer).replaceAll(`${root.path}/`, ""));
}

Deno.test("the CRC-16 is Quake's", quakespasm, () => {
  assertEquals(crc16(text("123456789")), 0x29b1);
  assertEquals(crc16(text("456789"), crc16(text("123"))), 0x29b1);
  assertEquals(crc16(proof), 25990);
});

const modifiedMessage = /must have the registered version to use modified games/;
const looseMessage = /loose files only at the top/;

Deno.test("quake: without gfx/pop.lmp it is the shareware version, which takes no modified data", async () => {
  const answer = await ask({ "id1/pak0.pak": pak([["a", "a"]]) }, "quake");
  assertEquals([answer.state, answer.file, answer.modified], ["shareware", null, true]);
  assertEquals(answer.modifications, ["id1/pak0.pak has 1 files, and id's own pak0.pak 339."]);
  assertEquals(answer.packs, [{ pack: "pak0.pak", source: "id1/pak0.pak", files: 1, crc16: null, known: null }]);
  assertMatch(answer.consequences[0] ?? "", modifiedMessage);
  assertMatch(answer.consequences[1] ?? "", looseMessage);
});

Deno.test("quake: id's own pack is no modification, and known by its version", async () => {
  const answer = await ask({ "id1/pak0.pak": packWithCrc(32981) }, "quake");
  assertEquals([answer.state, answer.modified, answer.modifications], ["shareware", false, []]);
  assertEquals(answer.packs[0], {
    pack: "pak0.pak",
    source: "id1/pak0.pak",
    files: 339,
    crc16: 32981,
    known: "Quake 1.06",
  });
  assertEquals(answer.consequences.length, 1);
  assertMatch(answer.consequences[0] ?? "", looseMessage);
});

Deno.test("earlier versions of id's pack are no modification to QuakeSpasm, but to Quake", async () => {
  const files = { "id1/pak0.pak": packWithCrc(62751), "quakespasm.pak": pak([["a", "a"]]) };
  assertEquals((await ask(files, "quakespasm")).modifications, []);
  const answer = await ask(files, "quake");
  assertEquals(answer.packs[0]?.known, "Quake 1.01");
  assertEquals(answer.modifications, ["id1/pak0.pak is not id's: the CRC-16 of its file table is 62751."]);
  assertEquals(
    (await ask({ "id1/pak0.pak": packWithCrc(28804, 308) }, "quakespasm")).packs[0]?.known,
    "Quake 0.91 or 0.92",
  );
});

Deno.test("a game directory of one's own is a modification, a mission pack only by its packs", async () => {
  const files: Files = { "id1/pak0.pak": packWithCrc(32981), "mod/x": "", "hipnotic/x": "" };
  const mod = await ask(files, "quakespasm", "quake/hipnotic+mod");
  assertEquals(mod.modifications, ["mod is a game directory of its own (-game mod)."]);
  assertEquals((await ask(files, "quakespasm", "quake/hipnotic")).modified, false);
});

Deno.test("gfx/pop.lmp makes the registered version if its first 256 bytes are id's", quakespasm, async () => {
  const states = async (content: Uint8Array, profile: string) =>
    (await ask({ "id1/pak0.pak": pak([["gfx/pop.lmp", content]]) }, profile)).state;
  for (const profile of ["quake", "quakespasm"]) {
    assertEquals(await states(proof, profile), "registered", profile);
    assertEquals(await states(join(proof, proof), profile), "registered", profile);
    assertEquals(await states(changed, profile), "corrupt", profile);
    assertEquals(await states(proof.subarray(0, 255), profile), "corrupt", profile);
  }
  const answer = await ask({ "id1/gfx/pop.lmp": proof }, "quake");
  assertEquals([answer.state, answer.file?.source, answer.consequences], ["registered", "id1", []]);
  assertEquals(answer.because, "gfx/pop.lmp is in id1 and is id's.");
});

Deno.test("darkplaces only looks whether gfx/pop.lmp is there; other engines do not look", async () => {
  const there = await ask({ "id1/gfx/pop.lmp": "anything" }, "darkplaces");
  assertEquals([there.state, there.modified, there.consequences], ["registered", null, []]);
  assertEquals((await ask({ "id1/pak0.pak": pak([["a", "a"]]) }, "darkplaces")).state, "shareware");
  await using root = await installation({ "baseq3/x": "" });
  await using connection = await openLocal({ sources: [root.path], profile: "ioquake3" });
  const none = await connection.call("registered", {});
  assertEquals([none.state, none.file, none.packs], ["unchecked", null, []]);
});

Deno.test({
  name: "the real QuakeSpasm takes the same installations for the same",
  ...quakespasm,
  fn: async () => {
    const environment = { LD_LIBRARY_PATH: (await quakespasmLibraries()).join(":"), LC_ALL: "C" };
    const cases: Record<string, Files> = {
      nothing: { "id1/": "" },
      ordinary: { "id1/pak0.pak": pak([["a", "a"]]) },
      own: { "id1/pak0.pak": packWithCrc(32981) },
      older: { "id1/pak0.pak": packWithCrc(13900) },
      almost: { "id1/pak0.pak": packWithCrc(13901) },
      registered: { "id1/pak0.pak": pak([["gfx/pop.lmp", proof]]) },
      longer: { "id1/pak0.pak": pak([["gfx/pop.lmp", join(proof, proof)]]) },
      loose: { "id1/pak0.pak": pak([["a", "a"]]), "id1/gfx/pop.lmp": proof },
      changed: { "id1/pak0.pak": pak([["gfx/pop.lmp", changed]]) },
      short: { "id1/pak0.pak": pak([["gfx/pop.lmp", proof.subarray(0, 255)]]) },
    };
    for (const [name, files] of Object.entries(cases)) {
      await using root = await temporaryDirectory();
      await writeFiles(root.path, files);
      const args = ["-dedicated", "1", "-basedir", root.path, "+quit"];
      const env = { ...environment, ...await quakespasmHome(root.path, root.path) };
      const command = new Deno.Command(quakespasmProgram(), { args, env, stdin: "null" });
      const { stdout, stderr } = await command.output();
      const said = new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr);
      const state = said.includes("Corrupted data file") ? "corrupt" : /Playing (\w+) version/.exec(said)?.[1];
      await using connection = await openLocal({ sources: [root.path], profile: "quakespasm" });
      const answer = await connection.call("registered", {});
      assertEquals(answer.state, state, `${name}\n${said}`);
      const refuses = answer.consequences.some((sentence) => modifiedMessage.test(sentence));
      assertEquals(refuses, modifiedMessage.test(said), `${name}\n${said}`);
    }
    assert(Object.keys(cases).length === 10);
  },
});
