/**
 * Answers of ioquake3 and Chomenor's file system, both run on the same installations: a base directory and a home
 * directory, whose game directories are the base game `tbase`, the mod `tmod`, and others that are not played.
 */
import { assertEquals } from "@std/assert";
import { whichCandidates } from "../../views/which.ts";
import { zip } from "../formats/bytes.ts";
import { type Files, installation, scan, winner, zipOf } from "../index/fixtures.ts";
import { vector } from "../index/vectors.ts";

interface Run {
  readonly files: Files;
  readonly view?: string;
  /** Default: `all.txt`. */
  readonly asked?: string;
  readonly ioquake3?: string | null;
  readonly chomenor: string | null;
}

function pack(...names: readonly string[]): Files {
  return Object.fromEntries(names.map((name) => [name, zipOf("all.txt")]));
}

const loose: Files = { "base/tbase/other.txt": "" };

const runs: Readonly<Record<string, Run>> = {
  "in pak0, 1, 2, 10 and home aaa.pk3": {
    files: pack(...[0, 1, 2, 10].map((number) => `base/tbase/pak${number}.pk3`), "home/tbase/aaa.pk3"),
    ioquake3: "home/tbase/aaa.pk3",
    chomenor: "base/tbase/pak2.pk3",
  },
  "in pak0, 1, 2, 10, home aaa.pk3 and basemod/bm.pk3": {
    files: pack(
      ...[0, 1, 2, 10].map((number) => `base/tbase/pak${number}.pk3`),
      "home/tbase/aaa.pk3",
      "base/basemod/bm.pk3",
    ),
    ioquake3: "home/tbase/aaa.pk3",
    chomenor: "base/basemod/bm.pk3",
  },
  "in pak1.pk3 and pak1_x.pk3": {
    files: pack("base/tbase/pak1.pk3", "base/tbase/pak1_x.pk3"),
    ioquake3: "base/tbase/pak1_x.pk3",
    chomenor: "base/tbase/pak1_x.pk3",
  },
  "in pak1.pk3 and pak1-x.pk3": {
    files: pack("base/tbase/pak1.pk3", "base/tbase/pak1-x.pk3"),
    ioquake3: "base/tbase/pak1.pk3",
    chomenor: "base/tbase/pak1-x.pk3",
  },
  "in pak1.pk3 and 'pak1 x.pk3'": {
    files: pack("base/tbase/pak1.pk3", "base/tbase/pak1 x.pk3"),
    ioquake3: "base/tbase/pak1.pk3",
    chomenor: "base/tbase/pak1 x.pk3",
  },
  "in zzz.pk3 and zz_u.pk3": {
    files: pack("base/tbase/zzz.pk3", "base/tbase/zz_u.pk3"),
    ioquake3: "base/tbase/zz_u.pk3",
    chomenor: "base/tbase/zzz.pk3",
  },
  "in base pak0.pk3 and home aaa.pk3": {
    files: pack("base/tbase/pak0.pk3", "home/tbase/aaa.pk3"),
    ioquake3: "home/tbase/aaa.pk3",
    chomenor: "base/tbase/pak0.pk3",
  },
  "in pak0.pk3 and loose": {
    files: { ...pack("base/tbase/pak0.pk3"), "base/tbase/all.txt": "" },
    ioquake3: "loose base/tbase",
    chomenor: "loose base/tbase",
  },
  "in zhl.pk3, base loose and home loose": {
    files: { ...pack("base/tbase/zhl.pk3"), "base/tbase/all.txt": "", "home/tbase/all.txt": "" },
    ioquake3: "loose home/tbase",
    chomenor: "loose home/tbase",
  },
  "in pak2.pk3 and pak2.pk3dir": {
    files: { ...pack("base/tbase/pak2.pk3"), "base/tbase/pak2.pk3dir/all.txt": "" },
    ioquake3: "base/tbase/pak2.pk3dir",
    chomenor: "base/tbase/pak2.pk3dir",
  },
  "with a mod: in aaa and bbb of its base directory, and a.pk3 of its home": {
    files: { ...loose, ...pack("base/tmod/aaa.pk3", "base/tmod/bbb.pk3", "home/tmod/a.pk3") },
    view: "tmod",
    ioquake3: "home/tmod/a.pk3",
    chomenor: "base/tmod/bbb.pk3",
  },
  "with a mod: base loose, base zzz.pk3, home a.pk3": {
    files: { ...loose, ...pack("base/tmod/zzz.pk3", "home/tmod/a.pk3"), "base/tmod/all.txt": "" },
    view: "tmod",
    ioquake3: "home/tmod/a.pk3",
    chomenor: "loose base/tmod",
  },
  "requested mixedcase.txt, where MixedCase.txt is loose": {
    files: { "base/tbase/MixedCase.txt": "" },
    asked: "mixedcase.txt",
    chomenor: "loose base/tbase",
  },
  "only in downloads/zzdl.pk3": {
    files: { ...loose, ...pack("base/tbase/downloads/zzdl.pk3") },
    ioquake3: null,
    chomenor: "base/tbase/downloads/zzdl.pk3",
  },
  "in pak0.pk3 and downloads/zzdl.pk3": {
    files: pack("base/tbase/pak0.pk3", "base/tbase/downloads/zzdl.pk3"),
    ioquake3: "base/tbase/pak0.pk3",
    chomenor: "base/tbase/pak0.pk3",
  },
  "only in another mod": {
    files: { ...loose, ...pack("base/other/o.pk3") },
    ioquake3: null,
    chomenor: null,
  },
  "only in nolist/": { files: pack("base/tbase/nolist/n.pk3"), ioquake3: null, chomenor: "base/tbase/nolist/n.pk3" },
  "only in refonly/": { files: pack("base/tbase/refonly/r.pk3"), ioquake3: null, chomenor: null },
  "only in sub/": { files: pack("base/tbase/sub/s.pk3"), ioquake3: null, chomenor: null },
};

for (const [name, { files, view, asked = "all.txt", ...answers }] of Object.entries(runs)) {
  for (const [profile, answer] of Object.entries(answers)) {
    const sources = ["home", "base"].filter((root) => Object.keys(files).some((path) => path.startsWith(`${root}/`)));
    vector(profile, `run: ${name}`, {
      files,
      sources,
      base: "tbase",
      ...view === undefined ? {} : { view },
      expected: { [asked]: answer },
    });
  }
}

vector("chomenor", "run: only in another mod, with fs_read_inactive_mods 2", {
  files: { ...loose, ...pack("base/other/o.pk3") },
  sources: ["base"],
  base: "tbase",
  view: "base/tbase:inactive=2",
  expected: { "all.txt": "base/other/o.pk3" },
});

Deno.test("ioquake3: run: requested mixedcase.txt, a loose MixedCase.txt is not found", async () => {
  await using root = await installation({ "base/tbase/MixedCase.txt": "" });
  const view = scan(root.path, { profile: "ioquake3", sources: ["base"], base: "tbase" }).view();
  assertEquals(whichCandidates(view, "mixedcase.txt").map((row) => row.usable), [false]);
  assertEquals(whichCandidates(view, "MixedCase.txt").map((row) => row.usable), [true]);
});

for (const profile of ["ioquake3", "chomenor"]) {
  Deno.test(`${profile}: run: of two entries of one name in a pk3 the second answers`, async () => {
    const twice = zip([{ name: "a.txt", content: "first" }, { name: "a.txt", content: "second!" }]);
    await using root = await installation({ "base/tbase/pak0.pk3": twice });
    const view = scan(root.path, { profile, sources: ["base"], base: "tbase" }).view();
    assertEquals(winner(root.path, view, "a.txt"), "base/tbase/pak0.pk3");
    const { entrySizes } = view.snapshot.columns;
    assertEquals(entrySizes[view.tree.entries[view.tree.find("a.txt")] ?? 0], 7);
  });
}
