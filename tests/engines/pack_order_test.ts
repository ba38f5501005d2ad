import { assert, assertEquals } from "@std/assert";
import fc from "../support/fast_check.ts";
import { comparePackNames } from "../../engines/core/pack_names.ts";
import { missingBefore, orderPacks } from "../../engines/core/pack_order.ts";
import { listedPacks } from "../../engines/core/shared_parts.ts";
import { profiles } from "../../engines/table.ts";
import type { LoadOrder, NumberedPacks, PackFile, PackRule } from "../../engines/core/pack_steps.ts";

// Each list is sorted as ioquake3's qsort with FS_PathCmp sorts it; the last pack is searched first.
const sortedLists: readonly (readonly string[])[] = [
  ["pak1 x.pk3", "pak1-x.pk3", "pak1.pk3", "pak10.pk3", "pak1_x.pk3", "pak2.pk3"],
  ["aaa.pk3", "pak0.pk3", "zzz.pk3", "zz_u.pk3"],
  ["pak2.pk3", "pak2.pk3dir"],
  ["a.pk3", "B.pk3", "c.pk3"],
  [
    "!.pk3",
    "#.pk3",
    "0.pk3",
    "9.pk3",
    "@.pk3",
    "a.pk3",
    "[.pk3",
    "^.pk3",
    "_.pk3",
    "`.pk3",
    "{.pk3",
    "~.pk3",
  ],
  // char is signed: bytes beyond ASCII come before all others
  ["é.pk3", " .pk3", "z.pk3"],
  ["é.pk3", "ü.pk3", "日.pk3", "a.pk3"],
];

Deno.test("pack names are ordered as ioquake3's FS_PathCmp orders them", () => {
  for (const list of sortedLists) {
    const compared = list.map((left) => list.map((right) => Math.sign(comparePackNames(left, right, "quake3"))));
    const expected = list.map((_, row) => list.map((_, column) => Math.sign(row - column)));
    assertEquals(compared, expected, list.join(", "));
  }
});

Deno.test("to FS_PathCmp a backslash and a colon are slashes, and letters have no case", () => {
  for (const [a, b] of [["a:b", "a/b"], ["a\\b", "a/b"], ["a\\b", "a:b"], ["PAK0.pk3", "pak0.PK3"]] as const) {
    assertEquals(comparePackNames(a, b, "quake3"), 0, `${a} ${b}`);
  }
  const names = ["!.pk3", "-.pk3", ":.pk3", "0.pk3", "A.pk3", "[.pk3", "_.pk3", "{.pk3"];
  for (const [index, name] of names.slice(1).entries()) {
    assertEquals(Math.sign(comparePackNames(names[index] ?? "", name, "quake3")), -1, name);
  }
});

Deno.test("FS_PathCmp agrees with a comparison of weights written down one by one", () => {
  // The order of all characters likely in a name, lowest first; "/" also stands for ":" and "\".
  const ascending = " !\"#$%&'()*+,-./0123456789;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[]^_`{|}~";
  const weight = (character: string) => ascending.indexOf(character.toUpperCase().replace(/[:\\]/, "/"));
  const name = fc.string({ unit: fc.constantFrom(...Array.from(ascending + "abcz:\\")), maxLength: 5 });
  fc.assert(fc.property(name, name, (a, b) => {
    let expected = 0;
    for (let index = 0; expected === 0 && index < Math.max(a.length, b.length); index++) {
      expected = weight(a.charAt(index) || "\0") - weight(b.charAt(index) || "\0");
      if (index >= a.length || index >= b.length) expected = a.length - b.length;
    }
    assertEquals(Math.sign(comparePackNames(a, b, "quake3")), Math.sign(expected));
  }));
});

Deno.test("each two characters are ordered as the engine's own classes order them", () => {
  const small = "abcdefghijklmnopqrstuvwxyz";
  const printable = Array.from({ length: 0x7f - 0x20 }, (_, index) => String.fromCharCode(0x20 + index));
  const others = printable.filter((letter) => !/[0-9a-z]/i.test(letter)).join("");
  const orders = {
    chomenor: `${others}0123456789${small}`,
    // `\` and `:` count as slashes, and letters as upper case.
    quake3: printable.filter((letter) => !/[a-z\\:]/.test(letter)).join("").toLowerCase(),
    strcasecmp: printable.filter((letter) => !/[A-Z]/.test(letter)).join(""),
    doom3: printable.filter((letter) => !/[A-Z]/.test(letter)).join(""),
    bytes: printable.join(""),
  };
  for (const collation of ["chomenor", "quake3", "strcasecmp", "doom3", "bytes"] as const) {
    const rank = (letter: string) => {
      const meant = collation === "quake3" && /[\\:]/.test(letter) ? "/" : letter;
      return orders[collation].indexOf(collation === "bytes" ? meant : meant.toLowerCase());
    };
    for (const a of printable) {
      for (const b of printable) {
        const order = Math.sign(comparePackNames(`pak${a}.pk3`, `pak${b}.pk3`, collation));
        assertEquals(order, Math.sign(rank(a) - rank(b)), `${collation}: ${a} ${b}`);
      }
    }
  }
});

Deno.test("bytes that are not ASCII are signed to engines that compare characters, and follow all others elsewhere", () => {
  // The last bytes of these letters are all possible continuation bytes.
  const letters = Array.from({ length: 64 }, (_, index) => String.fromCodePoint(0x100 + index));
  const bytesOf = (text: string) => new TextEncoder().encode(text);
  for (const collation of ["quake3", "doom3", "strcasecmp", "bytes"] as const) {
    const isSigned = collation === "quake3" || collation === "doom3";
    const weights = (text: string) => Array.from(isSigned ? new Int8Array(bytesOf(text)) : bytesOf(text));
    const ascending = [...letters, "a"].sort((a, b) => {
      const [one, other] = [weights(a), weights(b)];
      return (one[0] ?? 0) - (other[0] ?? 0) || (one[1] ?? 0) - (other[1] ?? 0);
    });
    const names = ascending.map((letter) => `pak${letter}.pk3`);
    assertEquals(names.toReversed().sort((a, b) => comparePackNames(a, b, collation)), names, collation);
  }
});

Deno.test("the generic profile compares names byte by byte", () => {
  const list = ["A.zip", "Z.zip", "_.zip", "a.zip", "z.zip", "é.zip"];
  assertEquals(list.toReversed().sort((a, b) => comparePackNames(a, b, "bytes")), list);
});

const numbered: NumberedPacks = {
  kind: "numbered",
  title: "packs",
  prefix: "pak",
  suffix: ".pak",
  otherSuffixes: [],
  last: null,
  anyCase: false,
  capitals: false,
  stopsAtGap: true,
  emptyIsMissing: false,
  unreadableIsMissing: false,
  exceptTwins: false,
  formats: [],
  formatByEnding: false,
};

function pack(name: string, files = 1, failure: string | null = null): PackFile {
  return { name, isDirectory: false, files, failure, format: name.endsWith(".pak") ? "quake-pak" : "zip" };
}

function ordersOf(rule: PackRule, packs: readonly PackFile[]): (readonly [string, number, string | null])[] {
  return orderPacks([rule], packs, "Engine").map((
    { order, ignored },
    index,
  ) => [packs[index]?.name ?? "", order, ignored]);
}

Deno.test("numbered packs: the highest number first, and none after a gap", () => {
  assertEquals(ordersOf(numbered, [pack("pak10.pak"), pack("pak1.pak"), pack("pak0.pak"), pack("pak3.pak")]), [
    ["pak10.pak", 10, "pak2.pak is missing, and Engine stops at the first missing number"],
    ["pak1.pak", 1, null],
    ["pak0.pak", 0, null],
    ["pak3.pak", 3, "pak2.pak is missing, and Engine stops at the first missing number"],
  ]);
  const others = ["pak00.pak", "pak.pak", "pak-1.pak", "pak1.pak.bak", "pak1.5.pak", "pak99999999999.pak"];
  assertEquals(
    ordersOf(numbered, others.map((name) => pack(name))),
    others.map((name) => [name, -1, "Engine loads only packs named pak0.pak, pak1.pak, and so on"]),
  );
  const hint =
    "Engine loads only packs named pak0.pak, pak1.pak, and so on; renamed to pak0.pak it would be one of them";
  assertEquals(ordersOf(numbered, [pack("Pak0.pak")]), [["Pak0.pak", -1, hint]]);
});

Deno.test("numbered packs: one that cannot be read is no gap, an empty one is if the engine says so", () => {
  const packs = [pack("pak0.pak"), pack("pak1.pak", 0, "it is broken"), pack("pak2.pak", 0), pack("pak3.pak")];
  assertEquals(ordersOf(numbered, packs), [
    ["pak0.pak", 0, null],
    ["pak1.pak", 1, "it is broken"],
    ["pak2.pak", 2, null],
    ["pak3.pak", 3, null],
  ]);
  assertEquals(ordersOf({ ...numbered, emptyIsMissing: true }, packs), [
    ["pak0.pak", 0, null],
    ["pak1.pak", 1, "it is broken"],
    ["pak2.pak", 2, "it has no files"],
    ["pak3.pak", 3, "pak2.pak is empty, and Engine stops at the first missing number"],
  ]);
  const zips = [pack("pak0.pk3", 0), pack("pak1.pk3")];
  assertEquals(ordersOf({ ...numbered, suffix: ".pk3", emptyIsMissing: true }, zips), [
    ["pak0.pk3", 0, null],
    ["pak1.pk3", 1, null],
  ]);
});

Deno.test("sorted packs: every position once, other endings ignored, endings without case", () => {
  const rule: PackRule = {
    kind: "sorted",
    title: "packs",
    suffixes: [".pk3", ".zip"],
    directories: [".pk3dir"],
    anyCase: true,
    exceptNumbered: false,
    emptyIsMissing: false,
    exceptTwins: false,
    collation: "quake3",
    sortsAs: [],
    except: [],
    opensAs: [],
    formats: [],
    formatByEnding: false,
    bareEnding: false,
    belowLoose: false,
    folders: "any",
  };
  const packs = [pack("b.PK3"), pack("c.pak"), pack("a.zip"), pack("B.pk3"), {
    ...pack("d.pk3dir"),
    isDirectory: true,
  }];
  assertEquals(ordersOf(rule, packs), [
    ["b.PK3", 2, null],
    ["c.pak", -1, "Engine loads only packs ending in .pk3, .zip or .pk3dir"],
    ["a.zip", 0, null],
    ["B.pk3", 1, null],
    ["d.pk3dir", 3, null],
  ]);
  const named = [pack("GAME.zip"), pack("mygame.zip")];
  assertEquals(ordersOf({ ...rule, suffixes: ["game.zip"] }, named).map(([, order]) => order), [0, -1]);
});

Deno.test("packs in a pack that two lists name are searched where the first line loaded it", () => {
  const list = (file: string): PackRule => ({ ...listedPacks, file, suffixes: [".pak"], loadsAgain: true });
  const lists = new Map([["a.lst", new Map([["x.pak", [0, 2]]])], ["b.lst", new Map([["x.pak", [1]]])]]);
  assertEquals(orderPacks([list("a.lst"), list("b.lst")], [pack("x.pak")], "Engine", lists), [
    { group: 1, order: 1, ignored: null, inner: { group: 0, order: 0 } },
  ]);
});

Deno.test("numbered packs up to a highest number, gaps allowed", () => {
  const rule: PackRule = { ...numbered, last: 9, stopsAtGap: false };
  assertEquals(ordersOf(rule, [pack("pak9.pak"), pack("pak10.pak"), pack("pak2.pak")]), [
    ["pak9.pak", 9, null],
    ["pak10.pak", -1, "Engine loads only packs named pak0.pak to pak9.pak"],
    ["pak2.pak", 2, null],
  ]);
});

Deno.test("the first rule that fits takes a pack, and endings in capitals only where the rule says so", () => {
  const sorted: PackRule = {
    kind: "sorted",
    title: "packs",
    suffixes: [".pak"],
    directories: [],
    anyCase: false,
    exceptNumbered: false,
    emptyIsMissing: false,
    exceptTwins: false,
    collation: "bytes",
    sortsAs: [],
    except: [],
    opensAs: [],
    formats: [],
    formatByEnding: false,
    bareEnding: false,
    belowLoose: false,
    folders: "any",
  };
  const orders = orderPacks(
    [numbered, sorted],
    ["pak0.pak", "a.pak", "b.PAK", "pak00.pak"].map((name) => pack(name)),
    "E",
  );
  assertEquals(orders.map(({ group, order, ignored }) => [group, order, ignored]), [
    [0, 0, null],
    [1, 0, null],
    [-1, -1, "E loads only packs ending in .pak, in small letters; renamed to b.pak it would be one of them"],
    [1, 1, null],
  ]);
});

Deno.test("names that are numbered ones but for their case, and empty packs, are left out where the rule says so", () => {
  const sorted: PackRule = {
    kind: "sorted",
    title: "packs",
    suffixes: [".pak"],
    directories: [".pakdir"],
    anyCase: true,
    exceptNumbered: true,
    emptyIsMissing: true,
    exceptTwins: false,
    collation: "bytes",
    sortsAs: [],
    except: [],
    opensAs: [],
    formats: [],
    formatByEnding: false,
    bareEnding: false,
    belowLoose: false,
    folders: "any",
  };
  const empty = { ...pack("b.pak"), files: 0 };
  const emptyDirectory = { ...pack("c.pakdir"), files: 0, isDirectory: true };
  const orders = orderPacks([{ ...numbered, last: 99 }, sorted], [
    ...["pak99.pak", "PAK99.pak", "pak100.pak", "PAK99x.pak"].map((name) => pack(name)),
    empty,
    emptyDirectory,
  ], "E");
  assertEquals(orders.map(({ group, ignored }) => [group, ignored]), [
    [0, "pak0.pak is missing, and E stops at the first missing number"],
    [
      -1,
      "E loads only packs ending in .pak or .pakdir, and numbered ones only in small letters; renamed to pak99.pak it " +
      "would be one of them",
    ],
    [1, null],
    [1, null],
    [1, "it has no files"],
    [1, null],
  ]);
});

Deno.test("strcasecmp compares as small letters, Doom 3 does so with signed characters", () => {
  for (const collation of ["strcasecmp", "doom3"] as const) {
    const ascending = [" .pak", "-.pak", "0.pak", "[.pak", "_.pak", "A.pak", "b.pak", "C.pak", "~.pak"];
    assertEquals(ascending.toReversed().sort((a, b) => comparePackNames(a, b, collation)), ascending, collation);
  }
  assertEquals(comparePackNames("PAK0.PAK", "pak0.pak", "strcasecmp"), 0);
  assertEquals(Math.sign(comparePackNames("é.pak", "z.pak", "strcasecmp")), 1);
  assertEquals(Math.sign(comparePackNames("é.pk4", "z.pk4", "doom3")), -1);
});

Deno.test("a file whose name is nothing but an ending is a pack only where the engine takes it for one", () => {
  for (const bareEnding of [false, true]) {
    const rule: PackRule = {
      kind: "sorted",
      title: "paks",
      suffixes: [".pak", ".tar.pak"],
      directories: [],
      anyCase: false,
      exceptNumbered: false,
      emptyIsMissing: false,
      exceptTwins: false,
      collation: "bytes",
      sortsAs: [],
      except: [],
      opensAs: [],
      formats: [],
      formatByEnding: false,
      bareEnding,
      belowLoose: false,
      folders: "any",
    };
    const packs = [".pak", "a.pak", ".tar.pak", "pak"].map((name): PackFile => ({
      name,
      isDirectory: false,
      files: 1,
      failure: null,
      format: "zip",
    }));
    const used = orderPacks([rule], packs, "Engine").map(({ ignored }) => ignored === null);
    assertEquals(used, [bareEnding, true, true, false]);
  }
});

Deno.test("a pack of the engine's own that follows another is loaded only after that one, loaded by its number", () => {
  const [profile] = profiles.filter(({ enginePack }) => enginePack?.followsPack);
  assert(profile?.enginePack);
  const { enginePack, engine, packs } = profile;
  const group = packs.findIndex(({ kind }) => kind === "numbered");
  const number = Math.floor(enginePack.order);
  const followed = { group, order: number, ignored: null };
  const rows: [loaded: LoadOrder[], isMissing: boolean][] = [
    [[], true],
    [[followed], false],
    [[{ ...followed, order: number + 0.5 }], false],
    [[{ ...followed, order: number + 1 }], true],
    [[{ ...followed, group: group + 1 }], true],
    [[{ ...followed, ignored: "broken" }], true],
    [[{ ...followed, ignored: "broken" }, { ...followed, order: number + 1 }], true],
    [[{ ...followed, group: -1 }, followed], false],
  ];
  for (const [loaded, isMissing] of rows) {
    const why = missingBefore({ enginePack, engine, packs }, loaded);
    assertEquals(why !== null, isMissing, JSON.stringify(loaded));
    const other = { ...enginePack, followsPack: false };
    assertEquals(missingBefore({ enginePack: other, engine, packs }, loaded), null);
  }
  assertEquals(missingBefore({ enginePack: null, engine, packs }, []), null);
});
