import { assert, assertEquals, assertMatch, assertNotEquals, assertThrows } from "@std/assert";
import { indexFrom } from "../../index/columns/indexed_games.ts";
import { Catalog } from "../../views/catalog.ts";
import { none } from "../../index/columns/columns.ts";
import { entryRow } from "../../index/columns/entry_tables.ts";
import { TreeRows } from "../../questions/rows.ts";
import { scanCatalog } from "../support/catalogs.ts";
import type { View } from "../../views/view.ts";
import { grimrock, join, pak, text, zip } from "../formats/bytes.ts";
import { candidates, installation, pakOf, scan, winner, zipOf } from "./fixtures.ts";

/** All files of a view, in tree order. */
function files(view: View): string[] {
  const { tree } = view;
  const found: string[] = [];
  for (let node = tree.following(0); node !== none; node = tree.following(node)) {
    if (!tree.isDirectory(node)) found.push(tree.pathOf(node));
  }
  return found;
}

Deno.test("a pack with a wrong magic or cut short is a problem, and its neighbours are indexed", async () => {
  const whole = pakOf("a.txt", "b.txt");
  await using root = await installation({
    "id1/pak0.pak": pakOf("pak0.txt"),
    "id1/pak1.pak": text("KCAP, this is no pack"),
    "id1/pak2.pak": pakOf("pak2.txt"),
    "id1/pak3.pak": whole.subarray(0, whole.length - 70),
    "id1/pak4.pak": pakOf("pak4.txt"),
    "id1/pak5.pak": "",
    "id1/loose.txt": "",
  });
  const catalog = scan(root.path, { profile: "quake" });
  assertEquals(catalog.problems.map((problem) => problem.replaceAll(root.path, "ROOT")), [
    "ROOT/id1/pak1.pak: is not an archive in any known format",
    "ROOT/id1/pak3.pak: the file table (at byte 22, 128 bytes) lies outside the file (80 bytes); the file is cut short",
    "ROOT/id1/pak5.pak: is not an archive in any known format",
  ]);
  const view = catalog.view();
  // A file that cannot be read as a pack is still listed.
  assertEquals(files(view), [
    "loose.txt",
    "pak0.txt",
    "pak1.pak",
    "pak2.txt",
    "pak3.pak",
    "pak4.txt",
    "pak5.pak",
  ]);
  assertEquals(catalog.packs.map((pack) => [pack.name, pack.ignored === null]), [
    ["pak0.pak", true],
    ["pak1.pak", false],
    ["pak2.pak", true],
    ["pak3.pak", false],
    ["pak4.pak", true],
    ["pak5.pak", false],
  ]);
});

Deno.test("a damaged pk3 is a problem, and one is loaded with a warning if the engine sees only the last zip in it", async () => {
  const good = zipOf("good.txt");
  const half = join(text("PK\x03\x04"), new Uint8Array(26), zipOf("inner.txt"));
  await using root = await installation({
    "baseq3/pak0.pk3": zipOf("pak0.txt"),
    "baseq3/cut.pk3": good.subarray(0, good.length - 30),
    "baseq3/half.pk3": half,
    "baseq3/junk.pk3": join(text("MZ a program in front"), good),
    "baseq3/tape.pk3": join(text("070701"), new Uint8Array(104), zipOf("tape.txt")),
    "baseq3/text.pk3": "no archive",
  });
  const catalog = scan(root.path, { profile: "ioquake3" });
  assertEquals(catalog.problems.map((problem) => problem.replaceAll(`${root.path}/baseq3/`, "")), [
    "cut.pk3: no zip directory found; the download is incomplete or the file was cut short",
    "half.pk3: only a part of the file is listed: the file is cut short, or several zips joined; this is the last, with " +
    "30 bytes before it",
    "junk.pk3: not all of the file is listed: the file has 21 bytes before the zip",
    "tape.pk3: only a part of the file is listed: the file is a cpio archive; this is the last zip in it, with 110 " +
    "bytes before it",
    "text.pk3: is not an archive in any known format",
  ]);
  assertEquals(winner(root.path, catalog.view(), "good.txt"), "baseq3/junk.pk3");
  assertEquals(winner(root.path, catalog.view(), "inner.txt"), "baseq3/half.pk3");
  assertEquals(winner(root.path, catalog.view(), "tape.txt"), "baseq3/tape.pk3");
});

Deno.test("a format is known by content, but engines read packs as their names promise", async () => {
  await using root = await installation({
    "id1/pak0.pak": zipOf("in zip.txt"),
    "baseq3/pak0.pk3": pakOf("in pak.txt"),
  });
  const generic = scan(root.path, { profile: "generic" });
  assertEquals(generic.packs.map(({ name, format }) => [name, format]), []);
  const reasonOf = (profile: string, name: string) => {
    const view = scan(root.path, { profile }).view();
    assertEquals(winner(root.path, view, name), null);
    return candidates(root.path, view, name).map(({ reason }) => reason);
  };
  assertEquals(reasonOf("quake", "in zip.txt"), [
    "pak0.pak is not loaded: its format is zip, and Quake reads packs of such a name as quake-pak",
  ]);
  assertEquals(reasonOf("ioquake3", "in pak.txt"), [
    "pak0.pk3 is not loaded: its format is quake-pak, and ioquake3 reads packs of such a name as zip",
  ]);
});

Deno.test("a file that is no archive is no broken pack where many programs' files end so", async () => {
  await using root = await installation({
    "settings.dat": "volume = 7",
    "game.dat": grimrock([[0x23066760, "in an archive", false]]),
  });
  const catalog = scan(root.path, { profile: "generic" });
  assertEquals(catalog.problems, []);
  assertEquals(catalog.packs.map(({ name, format }) => [name, format]), [["game.dat", "grimrock"]]);
  assertEquals(files(catalog.view()), ["settings.dat", "unknown/23066760.txt"]);
});

Deno.test("packs on the search path are not repeated as loose files, ignored archives are", async () => {
  await using root = await installation({
    "id1/pak0.pak": pakOf("a.txt"),
    "id1/pak1.pak": pakOf("b.txt"),
    "id1/pak7.pak": pakOf("c.txt"),
    "id1/other.zip": zipOf("d.txt"),
    "id1/sub/pak0.pak": pakOf("e.txt"),
    "mod/pak0.pak": pakOf("f.txt"),
  });
  const catalog = scan(root.path, { profile: "quake" });
  assertEquals(files(catalog.view("id1")), ["a.txt", "b.txt", "other.zip", "pak7.pak", "sub/pak0.pak"]);
  assertEquals(files(catalog.view("mod")), ["a.txt", "b.txt", "f.txt", "other.zip", "pak7.pak", "sub/pak0.pak"]);
});

Deno.test("a pk3dir is a pack, its files are read from disk, and it is not repeated", async () => {
  await using root = await installation({
    "baseq3/pak0.pk3": zipOf("a.txt", "b.txt"),
    "baseq3/zz.pk3dir/a.txt": "from the directory",
    "baseq3/zz.pk3dir/sub/empty/": "",
    "baseq3/zz.pk3dir/sub/c.txt": "c",
  });
  const view = scan(root.path, { profile: "ioquake3" }).view();
  assertEquals(files(view), ["a.txt", "b.txt", "sub/c.txt"]);
  assertEquals(view.tree.isDirectory(view.tree.find("sub/empty")), true);
  const row = new TreeRows(view).ofFile(view.tree.find("a.txt"));
  assertEquals([row.source, row.member, row.format, row.size], [
    `${root.path}/baseq3/zz.pk3dir`,
    "a.txt",
    "loose",
    18,
  ]);
});

Deno.test("links are followed as the engine would, inside and to packs elsewhere", async () => {
  await using root = await installation({
    "store/real.pk3": zipOf("linked.txt"),
    "store/dir.pk3dir/from dir.txt": "",
    "quake3/baseq3/pak0.pk3": zipOf("a.txt"),
    "quake3/baseq3/maps/m.bsp": "map",
    "mods/mymod/m.txt": "",
  });
  const base = `${root.path}/quake3/baseq3`;
  await Deno.symlink("../../store/real.pk3", `${base}/pak1.pk3`);
  await Deno.symlink("../../store/dir.pk3dir", `${base}/pak2.pk3dir`);
  await Deno.symlink("maps", `${base}/levels`);
  await Deno.symlink("../mods/mymod", `${root.path}/quake3/mymod`);
  await Deno.symlink("../../store/real.pk3", `${base}/a copy.bin`);
  await Deno.symlink("../../mods/mymod", `${base}/linked`);
  await Deno.symlink("..", `${base}/loop`);
  await Deno.symlink(".", `${base}/maps/self`);
  await Deno.symlink("/", `${base}/maps/everything`);
  const catalog = scan(`${root.path}/quake3`, { profile: "ioquake3", followSymlinks: true });
  const view = catalog.view();
  assertEquals(files(view), [
    "a copy.bin",
    "a.txt",
    "from dir.txt",
    "levels/m.bsp",
    "linked/m.txt",
    "linked.txt",
    "maps/m.bsp",
  ]);
  assertEquals(winner(`${root.path}/quake3`, view, "linked.txt"), "baseq3/pak1.pk3");
  assertEquals(files(catalog.view("mymod")).includes("m.txt"), true);
  // A cyclic link is left out and reported.
  const left = ["levels/everything", "levels/self", "loop", "maps/everything", "maps/self"];
  assertEquals(
    catalog.problems.toSorted(),
    left.map((path) =>
      `${root.path}/quake3/baseq3: ${path} is a symbolic link to a directory that contains it; left out`
    ),
  );
});

Deno.test("links that lead out of the game's directories are left out, but for packs and what is requested by name", async () => {
  await using root = await installation({
    "store/real.pk3": zipOf("linked.txt"),
    "store/dir.pk3dir/from dir.txt": "",
    "store/secret.txt": "secret",
    "q3/baseq3/pak0.pk3": zipOf("a.txt"),
    "q3/baseq3/maps/m.bsp": "map",
    "q3/other/o.txt": "",
    "mods/mymod/m.txt": "",
    "mods/named/n.txt": "",
  });
  const base = `${root.path}/q3/baseq3`;
  const links: [target: string, path: string][] = [
    ["../../store/real.pk3", `${base}/pak1.pk3`],
    ["../../store/dir.pk3dir", `${base}/pak2.pk3dir`],
    ["../../store/secret.txt", `${base}/secret.cfg`],
    ["/", `${base}/everything`],
    ["/dev/zero", `${base}/zero`],
    ["../other/o.txt", `${base}/o.cfg`],
    ["maps", `${base}/levels`],
    ["../mods/mymod", `${root.path}/q3/mymod`],
    ["../mods/named", `${root.path}/q3/named`],
  ];
  await Promise.all(links.map(([target, path]) => Deno.symlink(target, path)));
  const options = { profile: "ioquake3" } as const;
  const first = scan(`${root.path}/q3`, options);
  assertEquals(files(first.view()), ["a.txt", "levels/m.bsp", "linked.txt", "maps/m.bsp", "o.cfg"]);
  assertEquals(first.games[0]?.gameDirectories.map(({ name }) => name), ["baseq3", "other"]);
  const advice = "--follow-symlinks (followSymlinks = true in the configuration) shows what such links lead to";
  const beyond = (name: string) =>
    `${root.path}/q3/${name} is a symbolic link that leads out of the game's directories; left out; ${advice}`;
  const problems = first.problems.toSorted();
  assertEquals(problems.filter((problem) => !problem.includes("and 2 more")), [
    beyond("baseq3/pak2.pk3dir"),
    beyond("mymod"),
    beyond("named"),
  ]);
  assertMatch(
    problems.find((problem) => problem.includes("and 2 more")) ?? "",
    /baseq3: (everything|secret\.cfg|zero) and 2 more are symbolic links that lead out of .*\/baseq3; left out; --follow/,
  );
  // Permissions of an earlier index do not apply now, nor the other way round; packs stay.
  const game = { sources: [`${root.path}/q3`], ...options };
  const following = scanCatalog([{ ...game, followSymlinks: true }], { previous: first });
  assertEquals(files(following.view()).includes("secret.cfg"), true);
  const after = scanCatalog([{ ...game, mods: ["named"] }], { previous: following });
  assertEquals(files(after.view()), files(first.view()));
  assertEquals(files(after.view("named")).includes("n.txt"), true);
});

Deno.test("a pack that is a link to elsewhere stays when the others are looked at again", async () => {
  await using root = await installation({
    "store/real.pak": pakOf("linked.txt"),
    "quake/id1/pak0.pak": pakOf("a.txt"),
    "quake/id1/autoexec.cfg": "",
  });
  await Deno.symlink("../../store/real.pak", `${root.path}/quake/id1/pak1.pak`);
  const old = new Date(2020, 1, 1);
  await Deno.utime(`${root.path}/quake/id1`, old, old);
  const games = [{ sources: [`${root.path}/quake`], profile: "quake" }];
  const first = scanCatalog(games);
  await Deno.writeTextFile(`${root.path}/quake/id1/autoexec.cfg`, "fov 100");
  const second = scanCatalog(games, { previous: first });
  assertEquals(files(second.view()), ["a.txt", "autoexec.cfg", "linked.txt"]);
  await Deno.writeFile(`${root.path}/store/real.pak`, pakOf("another.txt"));
  assertEquals(files(scanCatalog(games, { previous: second }).view()), ["a.txt", "another.txt", "autoexec.cfg"]);
});

Deno.test("a link to nothing, a pipe and a directory named like a pack are no packs and stop nothing", async () => {
  await using root = await installation({ "id1/pak0.pak": pakOf("a.txt"), "id1/pak3.pak/inside.txt": "" });
  const base = `${root.path}/id1`;
  await Deno.symlink("/nowhere/pak1.pak", `${base}/pak1.pak`);
  const { success } = await new Deno.Command("mkfifo", { args: [`${base}/pak2.pak`] }).output();
  assert(success);
  for (const profile of ["quake", "generic"]) {
    const catalog = scan(profile === "quake" ? root.path : base, { profile });
    assertEquals(winner(profile === "quake" ? root.path : base, catalog.view(), "a.txt")?.endsWith("pak0.pak"), true);
    assertEquals(files(catalog.view()), ["a.txt", "pak3.pak/inside.txt"]);
    assertEquals(catalog.packs.map((pack) => pack.name), ["pak0.pak"]);
    assertEquals(catalog.problems.length, 2);
  }
});

Deno.test("hostile names stay inside, names of other encodings are shown", async () => {
  await using root = await installation({
    "id1/pak0.pak": pak([["../../etc/passwd", "x"], ["/abs.txt", "y"], [Uint8Array.of(0x81, 0x2e, 0x74), "z"]]),
  });
  const view = scan(root.path, { profile: "quake" }).view();
  assertEquals(files(view), ["_unsafe/__/__/etc/passwd", "ü.t"]);
  assertEquals(candidates(root.path, view, "abs.txt").map(({ member, reason }) => [member, reason]), [
    ["/abs.txt", 'it is stored as "/abs.txt", and Quake compares names as they are stored'],
  ]);
  assertEquals(candidates(root.path, view, "_unsafe/__/__/etc/passwd")[0]?.member, "../../etc/passwd");
  assertEquals(view.game.gameDirectories.length, 1);
  assertEquals(view.searchPath[0]?.warnings.length, 2);
});

Deno.test("rows of files and directories say what there is to know", async () => {
  const deflated = "deflate ".repeat(100);
  await using root = await installation({
    "baseq3/pak0.pk3": zip([
      { name: "a.txt", content: "a" },
      { name: "sub/d.txt", content: deflated, method: 8, dos: 0x21 << 16 },
    ]),
    "baseq3/A.TXT": "loose",
  });
  await Deno.utime(`${root.path}/baseq3/A.TXT`, 1_000_000, 1_000_000);
  const catalog = scan(root.path, { profile: "ioquake3", name: "q3" });
  const view = catalog.view();
  const { tree } = view;
  const { packedSize, ...row } = new TreeRows(view).ofFile(tree.find("sub/d.txt"));
  assert(packedSize > 0 && packedSize < 50);
  assertEquals(row, {
    type: "file",
    qpath: "sub/d.txt",
    view: "q3/baseq3",
    size: 800,
    mtime: Date.UTC(1980, 0, 1),
    source: `${root.path}/baseq3/pak0.pk3`,
    member: "sub/d.txt",
    format: "zip",
    offset: 36,
    method: "deflate",
    crc32: row.crc32,
    shadows: 0,
  });
  assertEquals(new TreeRows(view).of(tree.find("A.TXT")), {
    type: "file",
    qpath: "A.TXT",
    view: "q3/baseq3",
    size: 5,
    mtime: 1_000_000_000,
    source: `${root.path}/baseq3`,
    member: "A.TXT",
    format: "loose",
    offset: 0,
    packedSize: 5,
    method: "store",
    crc32: null,
    shadows: 1,
  });
  // This engine distinguishes the loose file and the pack's file.
  const own = { type: "directory", qpath: "", view: "q3/baseq3", entries: 3 } as const;
  assertEquals(new TreeRows(scan(root.path, { profile: "ioquake3", name: "q3" }).view()).of(0), own);
  assertEquals(new TreeRows(view).of(0), own);
});

Deno.test("an entry is handed back to its reader as it was listed", async () => {
  await using root = await installation({ "id1/pak0.pak": pakOf("first.txt", "second.txt") });
  const { snapshot, tree } = scan(root.path, { profile: "quake" }).view();
  const row = entryRow(snapshot, tree.entries[tree.find("second.txt")] ?? none);
  assertEquals([row.length, row.path(0), row.offsets[0], row.sizes[0]], [1, "second.txt", 12 + 9, 10]);
});

Deno.test("snapshots of two threads or processes are never taken for numbered alike", async () => {
  const module = new URL("../../index/columns/snapshot_builder.ts", import.meta.url);
  const code = `import { SnapshotBuilder } from "${module}"; postMessage(new SnapshotBuilder().finish().numbering);`;
  const [first, second] = await Promise.all([1, 2].map(async () => {
    const worker = new Worker(`data:text/javascript,${encodeURIComponent(code)}`, { type: "module" });
    const numbering = Promise.withResolvers<number>();
    worker.onmessage = ({ data }) => numbering.resolve(data);
    return await numbering.promise.finally(() => worker.terminate());
  }));
  assertNotEquals(first, second);
});

Deno.test("a catalog rebuilt from its parts in another thread says the same", async () => {
  await using root = await installation({
    "id1/pak0.pak": pakOf("a.txt", "b/c.txt"),
    "id1/pak1.pak": pakOf("a.txt"),
    "id1/b": "a file next to a directory",
    "mod/pak0.pak": pakOf("d.txt"),
  });
  const catalog = scan(root.path, { profile: "quake" });
  const copy = new Catalog(indexFrom(structuredClone(catalog.index)));
  assertEquals(copy.views.map((view) => view.name), catalog.views.map((view) => view.name));
  for (const view of catalog.views) {
    const other = copy.view(view.name);
    assertEquals(files(other), files(view));
    assertEquals(other.tree.entries, view.tree.entries);
    assertEquals(candidates(root.path, other, "a.txt"), candidates(root.path, view, "a.txt"));
  }
  assertEquals(copy.packs, catalog.packs);
});

Deno.test("one pack alone is seen unmerged", async () => {
  await using root = await installation({ "id1/pak0.pak": pakOf("a.txt", "b.txt"), "id1/pak1.pak": pakOf("a.txt") });
  const catalog = scan(root.path, { profile: "quake" });
  const [first] = catalog.packs;
  assert(first);
  const tree = catalog.packTree(first);
  assertEquals([tree.fileCount, tree.pathOf(tree.find("b.txt"))], [2, "b.txt"]);
  assertEquals(catalog.packTree(first), tree);
});

Deno.test("a scan reports its progress and can be stopped", async () => {
  await using root = await installation({
    "id1/pak0.pak": pakOf("a"),
    "id1/pak1.pak": pakOf("b"),
    "mod/pak0.pak": pakOf("c"),
  });
  const reported: string[] = [];
  const game = { sources: [root.path], profile: "quake" };
  scanCatalog([game], { onProgress: (done, known, name) => reported.push(`${done}/${known} ${name}`) });
  assertEquals(reported, ["0/3 pak0.pak", "1/3 pak1.pak", "2/3 pak0.pak"]);
  const controller = new AbortController();
  const reason = new Error("enough");
  assertThrows(
    () => scanCatalog([game], { signal: controller.signal, onProgress: () => controller.abort(reason) }),
    Error,
    "enough",
  );
});
