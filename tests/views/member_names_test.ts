/**
 * Names in packs that pakfs cleans and engines compare as they are stored: shown, marked, and never the winner.
 */
import { assert, assertEquals } from "@std/assert";
import { misnamedEntries } from "../../views/member_names.ts";
import type { MemberNames } from "../../engines/core/profile.ts";
import { pak, zip } from "../formats/bytes.ts";
import { candidates, type Files, installation, pakOf, scan, winner, zipOf } from "../index/fixtures.ts";
import { vector } from "../index/vectors.ts";

const full = `${"n".repeat(52)}.cfg`;

/** An ordinary pack below one that holds these names. */
function odd(...names: readonly string[]): Files {
  return { "id1/pak0.pak": pakOf("c/x.cfg"), "id1/pak1.pak": pakOf(...names) };
}

for (const name of ["./c/x.cfg", "/c/x.cfg", "c//x.cfg", "c/./x.cfg", "C:c/x.cfg"]) {
  for (const profile of ["quake", "quakespasm", "darkplaces"]) {
    vector(profile, `${name} in a PAK is not c/x.cfg`, { files: odd(name), expected: { "c/x.cfg": "id1/pak0.pak" } });
  }
  for (const [profile, suffix] of [["ioquake3", "pk3"], ["chomenor", "pk3"], ["dhewm3", "pk4"]] as const) {
    const directory = profile === "dhewm3" ? "base" : "baseq3";
    vector(profile, `${name} in a zip is not c/x.cfg`, {
      files: { [`${directory}/a.${suffix}`]: zipOf("c/x.cfg"), [`${directory}/b.${suffix}`]: zipOf(name) },
      expected: { "c/x.cfg": `${directory}/a.${suffix}` },
    });
  }
  vector("generic", `${name} is shown cleaned`, {
    files: { "a.zip": zipOf("c/x.cfg"), "b.zip": zipOf(name) },
    expected: { "c/x.cfg": "b.zip" },
  });
}

for (const profile of ["quake", "darkplaces"]) {
  vector(profile, "a backslash in a PAK is a letter", {
    files: odd("c\\x.cfg"),
    expected: { "c/x.cfg": "id1/pak0.pak" },
  });
}
vector("ioquake3", "a backslash in a pk3 is a slash", {
  files: { "baseq3/a.pk3": zipOf("c/x.cfg"), "baseq3/b.pk3": zipOf("c\\x.cfg") },
  expected: { "c/x.cfg": "baseq3/b.pk3" },
});
// To Quake3e a colon in a zip is a slash, also after one letter: files.c, FS_ConvertFilename.
for (
  const [name, path] of [["c:x.cfg", "c/x.cfg"], ["C:d:x.cfg", "c/d/x.cfg"], ["c:/x.cfg", null], ["c:\u0001", "c/%01"]]
) {
  assert(name);
  vector("quake3e", `${name} in a zip is ${path ?? "not c/x.cfg, nor x.cfg"}`, {
    files: { "baseq3/b.pk3": zipOf(name, "long/second name.cfg") },
    expected: {
      [path ?? "c/x.cfg"]: path === null ? null : "baseq3/b.pk3",
      "x.cfg": null,
      "long/second name.cfg": "baseq3/b.pk3",
    },
  });
}
for (const [profile, isFound] of [["ioquake3", false], ["chomenor", true], ["quake3", false]] as const) {
  vector(profile, "two dots or two colons anywhere in a name", {
    files: { "baseq3/a.pk3": zipOf("a..b.cfg", "cc::d.cfg", "e.f.cfg"), "baseq3/loose..cfg": "" },
    expected: {
      "a..b.cfg": isFound ? "baseq3/a.pk3" : null,
      "cc::d.cfg": isFound ? "baseq3/a.pk3" : null,
      "loose..cfg": isFound ? "loose baseq3" : null,
      "e.f.cfg": "baseq3/a.pk3",
    },
  });
}
vector("darkplaces", "names that it calls nasty", {
  files: {
    "id1/a.pak": pakOf("c/.x.cfg", "c./x.cfg", "a:b.cfg", ".top.cfg", "c/a.b.cfg"),
    "id1/.dir/x.cfg": "",
  },
  expected: {
    "c/.x.cfg": null,
    "c./x.cfg": null,
    "a:b.cfg": null,
    ".top.cfg": "id1/a.pak",
    "c/a.b.cfg": "id1/a.pak",
    ".dir/x.cfg": "loose id1",
  },
});

// The first file of a PAK begins at byte 12: an offset of 256 has a NUL where the name would continue.
for (const profile of ["quake", "quakespasm"]) {
  vector(profile, "a name of 56 bytes continues in the offset after it", {
    files: { "id1/pak0.pak": pakOf(full) },
    expected: { [full]: null },
  });
  vector(profile, "a name of 56 bytes ends where the offset after it begins with a NUL", {
    files: { "id1/pak0.pak": pak([["first.cfg", "x".repeat(256 - 12)], [full, "it"]]) },
    expected: { [full]: "id1/pak0.pak" },
  });
}
vector("darkplaces", "a name of 56 bytes is cut", { files: { "id1/a.pak": pakOf(full) }, expected: { [full]: null } });

Deno.test("what is stored otherwise is a candidate with a reason, and reached in its pack", async () => {
  await using root = await installation({ "baseq3/a.pk3": zipOf("./c/x.cfg", "c/y.cfg"), "baseq3/c/z.cfg": "" });
  const catalog = scan(root.path, { profile: "ioquake3" });
  const view = catalog.view();
  assertEquals(candidates(root.path, view, "c/x.cfg").map(({ member, usable, reason }) => [member, usable, reason]), [
    ["./c/x.cfg", false, 'it is stored as "./c/x.cfg", and ioquake3 compares names as they are stored'],
  ]);
  assertEquals(winner(root.path, view, "c/x.cfg"), null);
  const pack = view.searchPath.find(({ kind }) => kind === "pack");
  const tree = pack && catalog.packTree(pack);
  assertEquals(tree && tree.pathOf(tree.find("c/x.cfg")), "c/x.cfg");
});

Deno.test("names in archives in packs, which no engine reads, are shown cleaned", async () => {
  const inner = zipOf("./x.txt", "/y.txt", "a..b.txt");
  await using root = await installation({ "baseq3/a.pk3": zip([{ name: "in.zip", content: inner }]) });
  const view = scan(root.path, { profile: "ioquake3", nested: true }).view();
  const found = ["x.txt", "y.txt", "a..b.txt"].map((path) => view.tree.pathOf(view.tree.find(`in.zip.d/${path}`)));
  assertEquals(found, ["in.zip.d/x.txt", "in.zip.d/y.txt", "in.zip.d/a..b.txt"]);
});

for (const profile of ["ioquake3", "quake3", "chomenor"]) {
  vector(profile, "a pack called .pk3 is one", {
    files: { "baseq3/.pk3": zipOf("c/x.cfg") },
    expected: { "c/x.cfg": "baseq3/.pk3" },
  });
}
vector("generic", "a file called .pk3 is no pack", {
  files: { ".pk3": zipOf("c/x.cfg"), "d/y.cfg": "" },
  expected: { "c/x.cfg": null },
});

Deno.test("names are searched again for other rules, also where only no characters differ from any", async () => {
  await using root = await installation({ "id1/pak0.pak": pakOf("odd%name.txt", "plain.txt") });
  const { snapshot, games: [game] } = scan(root.path, { profile: "quake" });
  assert(game);
  const rules = { ...game.profile.memberNames, refused: [], hidden: false } as MemberNames;
  const rows: [characters: string | null, refused: string[], count: number][] = [
    [null, [], 0],
    ["", [], 3],
    [".", [], 1],
    [".%", [], 0],
    [null, ["%"], 1],
    ["", ["%"], 3],
    [null, ["%n", "q"], 1],
  ];
  for (const [characters, refused, count] of [...rows, ...rows.toReversed()]) {
    const profile = { ...game.profile, memberNames: { ...rules, characters, refused } };
    assertEquals(misnamedEntries(snapshot, { ...game, profile }).size, count, `${characters} ${refused}`);
  }
});
