/** Compares hashes from the protocol with other programs' results, and tests the cached hashes on disk. */
// deno-lint-ignore-file no-await-in-loop -- one after the other, to see which one fails
import { assert, assertEquals, assertMatch } from "@std/assert";
import { HashStore } from "../../index/hashes/hash_store.ts";
import { IndexCache } from "../../index/cache/index_cache.ts";
import { rowPages } from "../../protocol/connection.ts";
import type { Connection } from "../../protocol/connection.ts";
import type { ParamsOf } from "../../protocol/methods.ts";
import type { HashRow } from "../../protocol/rows.ts";
import { openLocalGames } from "../../service/local.ts";
import { pak, zip } from "../formats/bytes.ts";
import { anHourLater, type Files, installation } from "../index/fixtures.ts";
import { bothConnections } from "../support/both_connections.ts";
import { numbersFrom } from "../support/chance.ts";
import { run } from "../mount/mounting.ts";

const random = numbersFrom(7);
const noise = (size: number) => Uint8Array.from({ length: size }, () => random(256));
const large = noise(3 * 1024 * 1024 + 17);
const picture = noise(5000);

const files: Files = {
  "q3/baseq3/pak0.pk3": zip([
    { name: "a.tga", content: picture, method: 8 },
    { name: "b.tga", content: new Uint8Array(70_000), method: 8 },
    { name: "empty.txt", content: "" },
  ]),
  "q3/baseq3/pak1.pk3": zip([{ name: "a.tga", content: "other" }]),
  "q3/baseq3/large.dat": large,
  "q3/baseq3/cfg/x.cfg": "seta x 1\n",
  "quake/id1/pak0.pak": pak([["gfx/a.lmp", "AAAA"], ["gfx/a.lmp", "BBBB"], ["x.cfg", "one"]]),
};

const games = (root: string) => [
  { sources: [`${root}/q3`], profile: "ioquake3", name: "q3" },
  { sources: [`${root}/quake`], profile: "quake", name: "quake" },
];

/** Returns the results of `sha256sum` and `gzip` for bytes. */
async function foreign(content: Uint8Array): Promise<{ sha256: string; crc32: string }> {
  const path = await Deno.makeTempFile();
  await Deno.writeFile(path, content);
  const sum = await run("sha256sum", [path]);
  const zipped = await new Deno.Command("gzip", { args: ["-c", path] }).output();
  await Deno.remove(path);
  const trailer = zipped.stdout.slice(-8, -4).toReversed();
  return { sha256: sum.stdout.slice(0, 64), crc32: trailer.toHex() };
}

async function hashesOf(connection: Connection, params: ParamsOf<"hash">): Promise<HashRow[]> {
  return (await Array.fromAsync(rowPages(connection, "hash", params))).flat();
}

Deno.test("hashes are those that sha256sum and gzip compute, of winners, losers and all members", async () => {
  await using here = await bothConnections(files, games);
  const rows = await here.rows("hash", { view: "q3", patterns: ["*"], losers: true });
  const contents: Readonly<Record<string, Uint8Array>> = {
    "q3/baseq3/pak0.pk3 a.tga": picture,
    "q3/baseq3/pak0.pk3 b.tga": new Uint8Array(70_000),
    "q3/baseq3/pak0.pk3 empty.txt": new Uint8Array(0),
    "q3/baseq3/pak1.pk3 a.tga": new TextEncoder().encode("other"),
    "q3/baseq3 large.dat": large,
    "q3/baseq3 cfg/x.cfg": new TextEncoder().encode("seta x 1\n"),
  };
  assertEquals(rows.map(({ source, member }) => `${source} ${member}`).sort(), Object.keys(contents).sort());
  for (const { source, member, sha256, crc32, size } of rows) {
    const content = contents[`${source} ${member}`] ?? new Uint8Array();
    assertEquals({ size, sha256, crc32 }, { size: content.length, ...await foreign(content) }, member);
  }
  assertEquals(rows.filter(({ wins }) => !wins).map(({ source, qpath }) => [source, qpath]), [
    ["q3/baseq3/pak0.pk3", "a.tga"],
  ]);
  const members = await here.rows("hash", { patterns: ["pak0.pak"] });
  const crcs = await Promise.all(["AAAA", "BBBB", "one"].map((content) => foreign(new TextEncoder().encode(content))));
  assertEquals(members.map(({ member, view, crc32 }) => [member, view, crc32]), [
    ["gfx/a.lmp", "quake/id1", crcs[0]?.crc32 ?? ""],
    ["gfx/a.lmp", "quake/id1", crcs[1]?.crc32 ?? ""],
    ["x.cfg", "quake/id1", crcs[2]?.crc32 ?? ""],
  ]);
  assertEquals((await here.rows("hash", { everything: true })).length, 9);
  const filters = { extensions: ["tga"], minSize: 6 };
  for (const searched of [{ everything: true }, { view: "q3", patterns: ["pak0.pk3", "pak1.pk3"] }]) {
    const found = (await here.rows("hash", { ...searched, filters })).map(({ source, member }) =>
      `${source} ${member}`
    );
    assertEquals(found, ["q3/baseq3/pak0.pk3 a.tga", "q3/baseq3/pak0.pk3 b.tga"]);
  }
});

Deno.test("a file that cannot be read is a row with the reason, and stops nothing", async () => {
  const damaged = zip([{ name: "a.txt", content: "aaaa" }, { name: "b.txt", content: "bbbb" }]);
  const at = damaged.findIndex((_, index) => damaged.slice(index, index + 4).every((byte) => byte === 0x62));
  damaged[at] = 0x63;
  await using root = await installation({ ...files, "q3/baseq3/pak2.pk3": damaged, "q3/baseq3/gone.txt": "gone" });
  await using connection = await openLocalGames(games(root.path));
  await Deno.remove(`${root.path}/q3/baseq3/gone.txt`);
  const rows = await hashesOf(connection, { view: "q3", patterns: ["*.txt"] });
  const problems = rows.map(({ qpath, sha256, problem = "" }) => [qpath, sha256 === null, problem] as const);
  assertEquals(problems.map(([qpath, isNull]) => [qpath, isNull]), [
    ["a.txt", false],
    ["b.txt", true],
    ["empty.txt", false],
    ["gone.txt", true],
  ]);
  assertMatch(problems[1]?.[2] ?? "", /b\.txt is damaged: its checksum/);
  assertMatch(problems[3]?.[2] ?? "", /changed or deleted/);
  // A file that was missing for a moment is read again by the next question.
  await Deno.writeTextFile(`${root.path}/q3/baseq3/gone.txt`, "gone");
  await connection.call("refresh", {});
  const again = await hashesOf(connection, { view: "q3", patterns: ["gone.txt"] });
  assertEquals(again.map(({ problem }) => problem), [undefined]);
});

Deno.test("a file that could not be read for one question is read for the next", async () => {
  await using root = await installation({ "quake/id1/x.txt": "aa", "quake/mod/x.txt": "bb" });
  await using connection = await openLocalGames([{
    sources: [`${root.path}/quake`],
    profile: "quakespasm",
    name: "q",
  }]);
  // The directory is moved, as moving the file would change its ctime, which says that the file has changed.
  const path = `${root.path}/quake/mod`;
  const compared = async () => {
    const rows = await Array.fromAsync(rowPages(connection, "diff", { from: "q/id1", to: "q/mod", compare: true }));
    return rows.flat().map(({ identical }) => identical);
  };
  await Deno.rename(path, `${path}.away`);
  assertEquals(await compared(), [null]);
  await Deno.rename(`${path}.away`, path);
  assertEquals(await compared(), [false]);
});

Deno.test("archives that cannot be read, and other files, are hashed as a whole", async () => {
  const cut = (files["q3/baseq3/pak0.pk3"] as Uint8Array).slice(0, 3000);
  await using root = await installation({ "a.txt": "plain", "b.pk3": cut, "c.pak": pak([["x", "y"]]) });
  const sources = ["a.txt", "b.pk3", "c.pak"].map((name) => `${root.path}/${name}`);
  await using connection = await openLocalGames([{ sources, union: true }]);
  const rows = await hashesOf(connection, { everything: true });
  assertEquals(rows.map(({ qpath, member }) => [qpath, member]), [["a.txt", ""], ["b.pk3", ""], ["x", "x"]]);
  assertEquals(rows[0]?.sha256, (await foreign(new TextEncoder().encode("plain"))).sha256);
  assertEquals(rows[1]?.sha256, (await foreign(cut)).sha256);
  assertEquals(rows.map(({ problem }) => problem !== undefined), [false, true, false]);
});

Deno.test("hashes are kept for the next start, for this user alone, as long as files are the same", async () => {
  await using root = await installation({ ...files, "cache/": "" });
  const cache = new IndexCache(`${root.path}/cache`, { minEntries: 1_000_000 });
  const kept = `${root.path}/cache/contents.hashes`;
  const problems: string[] = [];
  const hashed = async () => {
    using _later = anHourLater();
    await using connection = await openLocalGames(games(root.path), { cache });
    return await hashesOf(connection, { everything: true });
  };
  const first = await hashed();
  assertEquals(first.filter(({ sha256 }) => sha256 === null), []);
  assertEquals(((await Deno.stat(kept)).mode ?? 0) & 0o777, 0o600);
  // A changed cache file shows that the bytes are not read again: its hashes are returned.
  const bytes = await Deno.readFile(kept);
  const written = (await Deno.stat(kept)).mtime?.getTime();
  assertEquals(await hashed(), first);
  assertEquals((await Deno.stat(kept)).mtime?.getTime(), written, "nothing new was to be written");

  // A replaced file of the same size and a changed pack are read again.
  await Deno.writeTextFile(`${root.path}/q3/baseq3/cfg/x.cfg`, "seta x 2\n");
  await Deno.writeFile(`${root.path}/q3/baseq3/pak1.pk3`, zip([{ name: "a.tga", content: "OTHER" }]));
  const second = await hashed();
  const changed = second.filter(({ sha256 }, index) => sha256 !== first[index]?.sha256).map(({ member }) => member);
  assertEquals(changed.sort(), ["a.tga", "cfg/x.cfg"]);

  // A damaged file is reported, not used, and replaced.
  const opened = async (content: Uint8Array | undefined) => {
    if (content) await Deno.writeFile(kept, content);
    problems.length = 0;
    await using store = new HashStore(cache.directory, (sentence) => problems.push(sentence));
    await using connection = await openLocalGames(games(root.path));
    void connection;
    store.fill(await emptyHashes(root.path));
    return problems.join();
  };
  assertEquals(await opened(bytes), "");
  for (const position of [0, 9, 13, 17, 21, 30, 200, bytes.length - 1]) {
    const damaged = bytes.slice();
    damaged[position] = (damaged[position] ?? 0) ^ 1;
    assertMatch(await opened(damaged), /contents\.hashes not used/, `byte ${position}`);
  }
  for (const size of [0, 23, 24, 100, bytes.length - 8]) {
    assertMatch(await opened(bytes.slice(0, size)), /contents\.hashes not used/, `${size} bytes`);
  }
  await Deno.chmod(kept, 0o622);
  assertMatch(await opened(undefined), /other users can write to it/);
  await Deno.remove(kept);
  await Deno.mkdir(kept);
  assertMatch(await opened(undefined), /it is not a regular file/);
  await Deno.remove(kept);
  assertEquals(await hashed(), second);
  assert((await Deno.stat(kept)).isFile);
});

Deno.test("what was hashed before an interruption is kept", async () => {
  const many = Array.from({ length: 40 }, (_, index) => [`q3/baseq3/f${index}.dat`, noise(1000 + index)] as const);
  await using root = await installation({ ...files, ...Object.fromEntries(many), "cache/": "" });
  const cache = new IndexCache(`${root.path}/cache`, { minEntries: 1_000_000 });
  const firstPage = async () => {
    using _later = anHourLater();
    await using connection = await openLocalGames(games(root.path), { cache });
    for await (const rows of rowPages(connection, "hash", { view: "q3", patterns: ["f*.dat"], limit: 3 })) {
      if (rows.length > 0) break;
    }
  };
  await firstPage();
  const kept = new TextDecoder().decode(await Deno.readFile(`${root.path}/cache/contents.hashes`));
  assert((kept.match(/f\d+\.dat/g) ?? []).length >= 3);
});

Deno.test("a file system that hangs delays its own files only", async () => {
  await using root = await installation(files);
  const { IndexHashes } = await import("../../index/hashes/content_hashes.ts");
  const { snapshot } = (await import("../support/catalogs.ts")).scanCatalog(games(root.path));
  const hung = snapshot.sources.find(({ name }) => name === "pak0.pk3")?.id ?? -1;
  const asked: number[][] = [];
  await using store = new HashStore();
  const hashes = new IndexHashes(
    snapshot,
    store,
    (subjects) => {
      asked.push(Array.from(subjects));
      if (snapshot.sourceOf(subjects[0] ?? 0).id === hung) return Promise.withResolvers<never>().promise;
      const sha256 = new Uint8Array(subjects.length * 32).fill(1);
      return Promise.resolve({ sha256, crc32: new Uint32Array(subjects.length), problems: new Map() });
    },
    (source) => source === hung,
  );
  const entries = Array.from({ length: snapshot.entryCount }, (_, entry) => entry);
  hashes.request(entries);
  const isHung = (entry: number) => snapshot.sourceOf(entry).id === hung;
  await Promise.all(entries.filter((entry) => !isHung(entry)).map((entry) => hashes.settled(entry)));
  assertEquals(entries.filter((entry) => !hashes.isKnown(entry)), entries.filter(isHung));
  assert(asked.every((batch) => new Set(batch.map(isHung)).size === 1), "no batch has files of both");
});

async function emptyHashes(root: string) {
  const [{ SubjectHashes }, { scanCatalog }] = await Promise.all([
    import("../../index/hashes/subject_hashes.ts"),
    import("../support/catalogs.ts"),
  ]);
  return new SubjectHashes(scanCatalog(games(root)).snapshot);
}
