// deno-lint-ignore-file no-await-in-loop -- one after the other, to see which one fails
import { assert, assertEquals, assertNotEquals } from "@std/assert";
import { pak, zip } from "../formats/bytes.ts";
import { type Files, pakOf, writeFiles } from "../index/fixtures.ts";
import { numbersFrom, seed } from "../support/chance.ts";
import { needs } from "../support/programs.ts";
import { settle } from "../support/settle.ts";
import { expectedManifest, manifest, output, pythonJson, run, until, type Workspace, workspace } from "./mounting.ts";

async function refresh(here: Workspace): Promise<void> {
  const { code, stderr } = await here.pakfs("refresh", "-q");
  assertEquals([code, stderr], [0, ""]);
}

/** Compares every view of a Quake with the independent script. */
async function assertShows(here: Workspace, mods: readonly string[]): Promise<void> {
  const directories = (await output("ls", `${here.mountPoint}/quake`)).trim().split("\n");
  assertEquals(directories, ["id1", ...mods].sort());
  for (const mod of mods) {
    const [shown, expected] = await Promise.all([
      manifest(`${here.mountPoint}/quake/${mod}`),
      expectedManifest("quake", `${here.path}/quake/id1`, `${here.path}/quake/${mod}`),
    ]);
    assertEquals(shown, expected, mod);
  }
}

const quake: Files = {
  "id1/pak0.pak": pak([["maps/start.bsp", "start"], ["progs/a.mdl", "a"], ["sound/b.wav", "b"]]),
  "id1/autoexec.cfg": "loose",
  "mod/pak0.pak": pakOf("progs/mod.mdl"),
};

Deno.test(
  "what is added, changed and removed is on the mount when refresh has answered, in every view",
  needs("python3"),
  async () => {
    await using here = await workspace();
    await writeFiles(`${here.path}/quake`, quake);
    await here.mount(`${here.path}/quake`);
    await assertShows(here, ["mod"]);
    // Names looked up in vain must be found once they exist.
    for (const name of ["mod/new.txt", "new", "id1/maps/new.bsp"]) {
      assertEquals((await run("cat", [`${here.mountPoint}/quake/${name}`])).code, 1);
    }

    await writeFiles(`${here.path}/quake`, {
      "id1/pak1.pak": pak([["maps/new.bsp", "new"], ["progs/a.mdl", "another a"]]),
      "mod/new.txt": "new",
      "mod/pak0.pak": pakOf("progs/mod.mdl", "progs/second.mdl"),
      "new/pak0.pak": pakOf("only.txt"),
    });
    await Deno.remove(`${here.path}/quake/id1/autoexec.cfg`);
    await refresh(here);
    await assertShows(here, ["mod", "new"]);
    assertEquals(await output("cat", `${here.mountPoint}/quake/mod/progs/a.mdl`), "another a");
    assertEquals((await run("cat", [`${here.mountPoint}/quake/mod/autoexec.cfg`])).code, 1);

    await Deno.remove(`${here.path}/quake/id1/pak1.pak`);
    await Deno.remove(`${here.path}/quake/new`, { recursive: true });
    await refresh(here);
    await assertShows(here, ["mod"]);
    assertEquals(await output("cat", `${here.mountPoint}/quake/mod/progs/a.mdl`), "a");
  },
);

Deno.test("what a refresh does not change stays in the kernel's caches, under its inode number", async () => {
  await using here = await workspace();
  await writeFiles(`${here.path}/quake`, quake);
  // A refresh gives new ids to the files of a young pack, which may have changed.
  await settle();
  await here.mount(`${here.path}/quake`);
  const view = `${here.mountPoint}/quake/mod`;
  const numbers = () => output("find", view, "-name", "*.mdl", "-printf", "%f %i\\n");
  const readsOfAll = async () => {
    const { reads = 0 } = (await here.status()).counters;
    await manifest(view);
    return ((await here.status()).counters.reads ?? 0) - reads;
  };
  await until("the kernel holds every page", async () => await readsOfAll() === 0);
  const before = { numbers: await numbers(), reads: (await here.status()).counters.reads };

  await writeFiles(`${here.path}/quake`, { "id1/pak1.pak": pak([["maps/new.bsp", "new"]]) });
  await refresh(here);
  await manifest(view);
  const after = { numbers: await numbers(), reads: (await here.status()).counters.reads };
  assertEquals(after.numbers, before.numbers);
  assertEquals((after.reads ?? 0) - (before.reads ?? 0), 1, "nothing but the new file is read again");

  await writeFiles(`${here.path}/quake`, { "mod/pak0.pak": pak([["progs/mod.mdl", "another one"]]) });
  await refresh(here);
  assertNotEquals(await numbers(), before.numbers);
  assertEquals(await output("cat", `${view}/progs/mod.mdl`), "another one");
});

/** Reads the first byte, waits for the file `go`, reads the rest, and reads the file again. */
const patientReader = `
import json, os, sys, time
path, go = sys.argv[1:]
file = os.open(path, os.O_RDONLY)
os.posix_fadvise(file, 0, 0, os.POSIX_FADV_RANDOM)
seen = [os.pread(file, 1, 0).decode()]
open(go + ".begun", "w").close()
while not os.path.exists(go): time.sleep(0.01)
for offset in (1000000, 2000000):
    try: seen.append(os.pread(file, 1, offset).decode())
    except OSError as error: seen.append(os.strerror(error.errno))
seen.append(os.pread(os.open(path, os.O_RDONLY), 1, 1000000).decode())
print(json.dumps(seen))
`;

Deno.test(
  "a file that was open before a refresh keeps its own bytes, and opened again it is the new one",
  needs("python3"),
  async () => {
    await using here = await workspace();
    const content = (letter: string) => letter.repeat(3_000_000);
    const packs: readonly (readonly [string, (letter: string) => Uint8Array])[] = [
      ["stored.pk3", (letter) => zip([{ name: "s.txt", content: content(letter) }])],
      ["deflated.pk3", (letter) => zip([{ name: "d.txt", content: content(letter), method: 8 }])],
    ];
    await writeFiles(`${here.path}/q3/baseq3`, Object.fromEntries(packs.map(([name, make]) => [name, make("a")])));
    await here.mount("--profile", "ioquake3", `${here.path}/q3`);
    const view = `${here.mountPoint}/q3/baseq3`;
    const readers = ["s.txt", "d.txt"].map((name) =>
      pythonJson(patientReader, `${view}/${name}`, `${here.path}/go-${name}`)
    );
    await output(
      "sh",
      "-c",
      'while ! [ -e "$1" -a -e "$2" ]; do sleep 0.02; done',
      "sh",
      ...["s", "d"].map((name) => `${here.path}/go-${name}.txt.begun`),
    );
    for (const [name, make] of packs) {
      await writeFiles(here.path, { [name]: make("b") });
      await Deno.rename(`${here.path}/${name}`, `${here.path}/q3/baseq3/${name}`);
    }
    await refresh(here);
    await writeFiles(here.path, { "go-s.txt": "", "go-d.txt": "" });
    for (const seen of await Promise.all(readers) as string[][]) {
      assertEquals([seen[0], seen[3]], ["a", "b"]);
      for (const later of seen.slice(1, 3)) assert(later === "a" || later === "Input/output error", later);
    }
  },
);

Deno.test("views that were made by asking, single views at the root and lone archives are refreshed too", async () => {
  await using here = await workspace();
  await writeFiles(`${here.path}/quake`, { ...quake, "other/other.txt": "other" });
  await here.mount(`${here.path}/quake`);
  const made = `${here.mountPoint}/quake/mod+other`;
  assertEquals((await output("ls", made)).split("\n"), ["autoexec.cfg", "maps", "other.txt", "progs", "sound", ""]);
  await writeFiles(`${here.path}/quake`, { "mod/more.txt": "more" });
  await refresh(here);
  assertEquals(await output("cat", `${made}/more.txt`), "more");
  assertEquals(await output("cat", `${here.mountPoint}/.packs/quake/mod/pak0.pak/progs/mod.mdl`), "progs/mod.mdl");
  await Deno.remove(`${here.path}/quake/other`, { recursive: true });
  await refresh(here);
  assertEquals((await run("ls", [made])).code, 2);
  await here.stop();

  await here.mount("--view", "quake/mod", `${here.path}/quake`);
  assertEquals(await output("ls", here.mountPoint), "autoexec.cfg\nmaps\nmore.txt\nprogs\nsound\n");
  await writeFiles(`${here.path}/quake`, { "mod/pak1.pak": pakOf("a.txt"), "mod/more.txt": "less, but longer" });
  await refresh(here);
  assertEquals(await output("ls", here.mountPoint), "a.txt\nautoexec.cfg\nmaps\nmore.txt\nprogs\nsound\n");
  assertEquals(await output("cat", `${here.mountPoint}/more.txt`), "less, but longer");
  await here.stop();

  await here.mount(`${here.path}/quake/mod/pak0.pak`);
  assertEquals(await output("ls", `${here.mountPoint}/progs`), "mod.mdl\n");
  await writeFiles(`${here.path}/quake`, { "mod/pak0.pak": pakOf("progs/x.mdl", "y.txt") });
  await refresh(here);
  assertEquals(await output("find", here.mountPoint, "-type", "f", "-printf", "%P\\n"), "progs/x.mdl\ny.txt\n");
});

Deno.test(
  "random changes, one refresh after another, while others read: the mount is what an independent script says",
  needs("python3"),
  async () => {
    const random = numbersFrom(seed);
    const names = ["a.txt", "d/b.txt", "d/c.txt", "d/e/f.txt", "g.txt"];
    const some = () => names.filter(() => random(2) === 0);
    const content = () => String(random(1e9)).repeat(1 + random(2000));
    await using here = await workspace();
    await writeFiles(`${here.path}/quake`, quake);
    await here.mount(`${here.path}/quake`);
    const stop = `${here.path}/stop`;
    const reader = run("sh", [
      "-c",
      'while ! [ -e "$2" ]; do cat $(find "$1" -type f) >/dev/null 2>&1; done',
      "sh",
      here.mountPoint,
      stop,
    ]);
    try {
      for (let round = 0; round < 12; round++) {
        const directory = `${here.path}/quake/${["id1", "mod", "extra"][random(3)]}`;
        const pack = pak(some().map((name) => [name, content()] as const));
        await writeFiles(
          directory,
          random(3) > 0
            ? { [`pak${random(4)}.pak`]: pack }
            : Object.fromEntries(some().map((name) => [name, content()])),
        );
        if (random(3) === 0) await Deno.remove(`${directory}/pak${random(4)}.pak`).catch(() => {});
        await refresh(here);
        const names = await Array.fromAsync(Deno.readDir(`${here.path}/quake`), (item) => item.name);
        const mods = names.filter((name) => name !== "id1");
        await assertShows(here, mods);
      }
    } catch (error) {
      throw new Error(`PAKFS_SEED=${seed}`, { cause: error });
    } finally {
      await writeFiles(here.path, { stop: "" });
      await reader;
    }
  },
);

Deno.test("a mount from a cached index shows what is there now, whether that is the same or not", async () => {
  await using here = await workspace();
  const root = `${here.path}/quake`;
  const many = Array.from({ length: 10_000 }, (_, index) => `many/${index}.txt`);
  await writeFiles(root, { ...quake, "id1/pak1.pak": pakOf(...many) });
  const shown = async () => {
    const names = (await output("find", here.mountPoint, "-type", "f", "-printf", "%P %s\n")).trim().split("\n").sort();
    return { names, start: await output("cat", `${here.mountPoint}/quake/mod/maps/start.bsp`) };
  };
  await settle();
  await here.mount(root);
  const first = await shown();
  await here.stop();
  assertEquals((await Array.fromAsync(Deno.readDir(`${here.path}/cache/pakfs/index`))).length, 1);
  await here.mount(root);
  assertEquals(await shown(), first);
  // The next index is sent as changes to the cached one.
  await writeFiles(root, { "id1/pak2.pak": pak([["maps/start.bsp", "another"]]) });
  await refresh(here);
  const second = await shown();
  assertEquals([second.start, second.names.length], ["another", first.names.length]);
  await here.stop();
  await writeFiles(root, { "mod/pak1.pak": pak([["maps/start.bsp", "the mod's"]]) });
  await here.mount(root);
  const third = await shown();
  assertEquals([third.start, third.names.length], ["the mod's", first.names.length]);
});
