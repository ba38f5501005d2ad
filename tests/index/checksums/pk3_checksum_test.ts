import { assertEquals } from "@std/assert";
import { entryHasCrc, entryIsDirectory, EntryTable, methodCode } from "../../../formats/core/entry_table.ts";
import { openArchive } from "../../../formats/mod.ts";
import { md4 } from "../../../index/checksums/md4.ts";
import { pk3Checksum } from "../../../index/checksums/pk3_checksum.ts";
import { debianPackage } from "../../support/debian_data.ts";
import { hex, source, text, zip } from "../../formats/bytes.ts";
import { needs } from "../../support/programs.ts";

/** A table of members by CRC-32 and size, in this order. */
function tableOf(...members: readonly (readonly [crc32: number, size: number])[]): EntryTable {
  const table = new EntryTable();
  members.forEach(([crc32, size], index) => {
    const flags = size === 0 ? entryHasCrc | entryIsDirectory : entryHasCrc;
    const fields = { offset: 0, packedSize: size, size, mtime: 0, crc32, method: methodCode.store, flags, damage: 0 };
    table.add(text(`member ${index}`), fields);
  });
  return table;
}

Deno.test("MD4 passes the tests of RFC 1320, appendix A.5", () => {
  const vectors: readonly (readonly [message: string, digest: string])[] = [
    ["", "31d6cfe0d16ae931b73c59d7e0c089c0"],
    ["a", "bde52cb31de33e46245e05fbdbd6fb24"],
    ["abc", "a448017aaf21d8525fc10ae87aa6729d"],
    ["message digest", "d9130a8164549fe818874806e1c7014b"],
    ["abcdefghijklmnopqrstuvwxyz", "d79e1c308aa5bbcdeea8ed63df412da9"],
    ["ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789", "043f8582f241db351ce627e153e7f0e4"],
    [
      "12345678901234567890123456789012345678901234567890123456789012345678901234567890",
      "e33b4ddc9c38f2199c3e7b164fcc0536",
    ],
  ];
  for (const [message, digest] of vectors) assertEquals(md4(text(message)).toHex(), digest, message);
});

Deno.test("MD4 closes messages of every length around a block as OpenSSL does", () => {
  const digests: Readonly<Record<number, string>> = {
    55: "c889c81dd86c4d2e025778944ea02881",
    56: "d5f9a9e9257077a5f08b0b92f348b0ad",
    63: "7ea3da77432d44c323671097d1348fc8",
    64: "52f5076fabd22680234a3fa9f9dc5732",
    65: "330e377bf231f3cacfecc2c182fe7e5b",
    119: "e65dd227ccef97fa1d34d70189120f76",
    120: "b03ddbd470b47c013e0c7ab2ddd763db",
    128: "cb4a20a561558e29460190c91dced59f",
  };
  for (const [length, digest] of Object.entries(digests)) {
    assertEquals(md4(text("a".repeat(Number(length)))).toHex(), digest, length);
  }
  const middle = text(`xx${"a".repeat(64)}xx`).subarray(2, 66);
  assertEquals(md4(middle).toHex(), digests[64], "a part of a larger buffer");
});

Deno.test("the checksum of z_oacmpcampaign.pk3, step by step", () => {
  const table = tableOf([0, 0], [0x7a0bfc8d, 5000], [0x74d5ada7, 4256]);
  assertEquals(md4(hex("8dfc0b7a a7add574")).toHex(), "bcfa514e8c655fbf71534872a696aafb");
  assertEquals((0x4e51fabc ^ 0xbf5f658c ^ 0x72485371 ^ 0xfbaa96a6) >>> 0, 0x78ec5ae7);
  assertEquals(pk3Checksum(table), { checksum: 2028755687, pure: 541582738, feed: 0 });
  assertEquals(pk3Checksum(table, { feed: 12345 }), { checksum: 2028755687, pure: -1922805491, feed: 12345 });
  assertEquals(md4(hex("39300000 8dfc0b7a a7add574")).toHex().slice(0, 8), "942b91f6");
});

Deno.test("the order of members counts, directories and empty files do not", () => {
  const [a, b] = [[0x7a0bfc8d, 1], [0x74d5ada7, 1]] as const;
  const { checksum } = pk3Checksum(tableOf(a, b));
  assertEquals(pk3Checksum(tableOf([0x11111111, 0], a, [0, 0], b, [0x22222222, 0])).checksum, checksum);
  assertEquals(pk3Checksum(tableOf(b, a)).checksum === checksum, false);
  const archive = openArchive(source(
    zip([{ name: "b.txt", content: "b" }, { name: "dir/" }, { name: "empty.txt", content: "" }, {
      name: "a.txt",
      content: "a",
    }]),
    "test.pk3",
  ));
  // crc32 of "b" and of "a", computed by zlib.
  assertEquals(pk3Checksum(archive.table), pk3Checksum(tableOf([0x71beeff9, 1], [0xe8b7be43, 1])));
});

Deno.test("a feed is 32 bits, whether it is written with a sign or without", () => {
  const table = tableOf([0x7a0bfc8d, 1]);
  assertEquals(pk3Checksum(table, { feed: 0xffffffff }), pk3Checksum(table, { feed: -1 }));
  assertEquals(pk3Checksum(table, { feed: 0xffffffff }).feed, -1);
});

Deno.test("a pack without content has ioquake3's own checksum, and another in the original engine", () => {
  const table = tableOf([0, 0], [0x12345678, 0]);
  assertEquals(pk3Checksum(table).checksum, -1737972033);
  assertEquals(pk3Checksum(table, { ofEmpty: null }).checksum, -956940105);
  assertEquals(pk3Checksum(table).pure, pk3Checksum(table, { ofEmpty: null }).pure);
});

Deno.test(
  "the checksums of OpenArena's packs are those that its server prints",
  needs("debian:openarena-081-misc", "debian:openarena-oacmp1"),
  () => {
    const expected: Readonly<Record<string, number>> = {
      "baseoa/pak5-TA.pk3": 553326033,
      "baseoa/pak6-misc.pk3": 1197836179,
      "baseoa/z_oacmp-volume1-v3.pk3": -1958795143,
      "oacmp-mod/z_oacmpcampaign.pk3": 2028755687,
    };
    const roots = ["openarena-081-misc", "openarena-oacmp1"].map(debianPackage);
    let found = 0;
    for (const [path, checksum] of Object.entries(expected)) {
      for (const root of roots) {
        const file = `${root}/usr/share/games/openarena/${path}`;
        if (!isThere(file)) continue;
        using archive = openArchive(file);
        assertEquals(pk3Checksum(archive.table).checksum, checksum, path);
        found++;
      }
    }
    assertEquals(found, 4);
  },
);

function isThere(path: string): boolean {
  try {
    return Deno.statSync(path).isFile;
  } catch {
    return false;
  }
}
