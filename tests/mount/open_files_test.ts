// deno-lint-ignore-file no-await-in-loop -- one after the other, to see which one fails
/** Files that reads open: only indexed ones, a limited number at a time, and closed in the end. */
import { assertEquals, assertRejects } from "@std/assert";
import { Errno } from "deno-fuse-ffi";
import { ContentReader } from "../../index/content/content_reader.ts";
import { fs } from "../../formats/core/builtins.ts";
import { ArchiveError } from "../../formats/core/errors.ts";
import { pak, zip } from "../formats/bytes.ts";
import { scan, writeFiles } from "../index/fixtures.ts";
import { temporaryDirectory } from "../support/temporary.ts";
import { content, ContentModel } from "./content_model.ts";

for (const replaced of ["mod", "mod/deep", "mod/deep/deeper"]) {
  Deno.test(`files of another directory in the place of ${replaced} are refused, before any refresh`, async () => {
    await using directory = await temporaryDirectory();
    const { path } = directory;
    for (const [name, letter] of [[`game/${replaced}`, "a"], ["other", "b"]] as const) {
      await writeFiles(`${path}/${name}`, { "first.dat": letter.repeat(100), "second.dat": letter.repeat(100) });
      const files = ["first.dat", "second.dat"].map((file) => `${path}/${name}/${file}`);
      await Promise.all(files.map((file) => Deno.utime(file, 1_000_000, 1_000_000)));
    }
    await writeFiles(path, { "game/baseq3/base.txt": "base" });
    const catalog = scan(`${path}/game`, { profile: "ioquake3" });
    const { snapshot } = catalog;
    const entries = Array.from({ length: snapshot.entryCount }, (_, entry) => entry);
    const entryOf = (name: string) => entries.find((entry) => snapshot.memberOf(entry).endsWith(name)) ?? -1;
    const [first, second] = [entryOf("first.dat"), entryOf("second.dat")];
    const own = new TextEncoder().encode("a".repeat(100));
    await using model = new ContentModel(catalog, path);
    await using later = new ContentModel(catalog, path);
    await using reader = new ContentReader(snapshot);
    assertEquals(await model.readNow(first, 0, 100), own);
    assertEquals(await reader.read(first, 0, 100), own);
    await Deno.rename(`${path}/game/${replaced}`, `${path}/away`);
    await Deno.rename(`${path}/other`, `${path}/game/${replaced}`);
    // The file is open, and the source's directory too, even if it has moved.
    assertEquals(await model.readNow(first, 0, 100), own);
    assertEquals(await model.readNow(second, 0, 100), replaced === "mod" ? own : Errno.EIO);
    assertEquals(await later.readNow(second, 0, 100), Errno.EIO);
    assertEquals(await later.readNow(second, 0, 100), Errno.EIO);
    assertEquals(later.reports.length, 1, "reported once");
    await assertRejects(() => reader.read(second, 0, 100), ArchiveError, "changed or deleted");
    await Deno.rename(`${path}/game/${replaced}`, `${path}/other`);
    await Deno.rename(`${path}/away`, `${path}/game/${replaced}`);
    assertEquals(await later.readNow(second, 0, 100), own);
    assertEquals(await reader.read(second, 0, 100), own);
  });
}

Deno.test("a file or directory that is replaced just while it is opened is refused", async () => {
  const cases = [
    ["game/deep/a.txt", "deep/a.txt"],
    ["game/deep", "deep/a.txt"],
    ["game", "deep/a.txt"],
    ["game", "top.txt"],
    ["game/p.pak", "b.txt"],
  ] as const;
  for (const [replaced, name] of cases) {
    await using directory = await temporaryDirectory();
    const { path } = directory;
    for (const root of ["game", "other"]) {
      const files = { "deep/a.txt": root === "other" && replaced.endsWith(".txt") ? "aa" : "a" };
      await writeFiles(`${path}/${root}`, { ...files, "top.txt": "top", "p.pak": pak([["b.txt", "b"]]) });
      for (const file of ["deep/a.txt", "top.txt"]) {
        await Deno.utime(`${path}/${root}/${file}`, 1_000_000, 1_000_000);
      }
    }
    const { snapshot } = scan(`${path}/game`, { profile: "generic" });
    const entries = Array.from({ length: snapshot.entryCount }, (_, entry) => entry);
    await using reader = new ContentReader(snapshot);
    const { statSync } = fs();
    let isReplaced = false;
    const replacing = (...parameters: Parameters<typeof statSync>) => {
      const information = statSync(...parameters);
      if (!isReplaced) {
        isReplaced = true;
        Deno.renameSync(`${path}/${replaced}`, `${path}/away`);
        Deno.renameSync(`${path}/${replaced.replace("game", "other")}`, `${path}/${replaced}`);
      }
      return information;
    };
    Object.assign(fs(), { statSync: replacing });
    try {
      const entry = entries.find((entry) => snapshot.memberOf(entry) === name) ?? -1;
      await assertRejects(() => reader.read(entry, 0, 1), ArchiveError, "changed or deleted", replaced);
    } finally {
      Object.assign(fs(), { statSync });
    }
  }
});

Deno.test("however many files are read, few are open, and none is closed that a decoder still needs", async () => {
  await using directory = await temporaryDirectory();
  const loose = Array.from({ length: 450 }, (_, number) => [`${number}.txt`, `${number}`] as const);
  const packed = Array.from({ length: 30 }, (_, number) => {
    const member = { name: `member${number}`, content: content(`${number}`, 70_000), method: 8 };
    return [`${number}.pk3`, zip([member])] as const;
  });
  await writeFiles(`${directory.path}/game`, Object.fromEntries([...loose, ...packed]));
  const catalog = scan(`${directory.path}/game`, { profile: "generic" });
  const { snapshot } = catalog;
  const entries = Array.from({ length: snapshot.entryCount }, (_, entry) => entry);
  const isPacked = (entry: number) => snapshot.memberOf(entry).startsWith("member");
  await using model = new ContentModel(catalog, directory.path);
  const waiting = entries.filter(isPacked).map((entry) => model.read(entry, 0, 70_000));
  assertEquals(waiting.length, packed.length);
  let most = 0;
  for (const entry of entries.filter((entry) => snapshot.memberOf(entry).endsWith(".txt"))) {
    const bytes = new TextEncoder().encode(snapshot.memberOf(entry).replace(".txt", ""));
    assertEquals(await model.readNow(entry, 0, bytes.length, false), bytes);
    most = Math.max(most, model.library.open.size);
  }
  // The directory of the last file is open as well.
  assertEquals(most, 257);
  await model.finish();
  for (const { entry, answer } of waiting) {
    assertEquals(answer, content(snapshot.memberOf(entry).slice("member".length), 70_000));
  }
});

Deno.test("a reader that is closed in the middle of a large member has closed its pack", async () => {
  await using directory = await temporaryDirectory();
  const size = 65 * 2 ** 20;
  await writeFiles(directory.path, { "a.pk3": zip([{ name: "a", content: new Uint8Array(size), method: 8 }]) });
  const { snapshot } = scan(`${directory.path}/a.pk3`, {});
  const reader = new ContentReader(snapshot);
  assertEquals(await reader.read(0, 1000, 3), new Uint8Array(3));
  const openFiles = () =>
    Array.from(Deno.readDirSync("/proc/self/fd"), ({ name }) => {
      try {
        return Deno.readLinkSync(`/proc/self/fd/${name}`);
      } catch {
        return ""; // the descriptor of the listing
      }
    }).filter((path) => path === `${directory.path}/a.pk3`).length;
  assertEquals(openFiles(), 1);
  await reader[Symbol.asyncDispose]();
  assertEquals(openFiles(), 0);
  // A call that began earlier may continue to read.
  assertEquals(await reader.read(0, 2000, 3), new Uint8Array(3));
  await new Promise((resolve) => setTimeout(resolve));
  assertEquals(openFiles(), 0);
});
