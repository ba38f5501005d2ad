// deno-lint-ignore-file no-await-in-loop -- one after the other, to see which one fails
import { assert, assertEquals } from "@std/assert";
import type { PackRow, ViewRow } from "../../protocol/rows.ts";
import { pak, zip } from "../formats/bytes.ts";
import { seeds } from "../formats/seeds.ts";
import { type Files, pakOf, writeFiles } from "../index/fixtures.ts";
import { numbersFrom, seed } from "../support/chance.ts";
import { needs } from "../support/programs.ts";
import { expectedManifest, isRunning, manifest, output, run, until, type Workspace, workspace } from "./mounting.ts";

const quake: Files = {
  "id1/pak0.pak": pak([["maps/start.bsp", "start"], ["progs/a.mdl", "a"], ["sound/b.wav", "b"]]),
  "id1/autoexec.cfg": "loose",
  "mod/pak0.pak": pakOf("progs/mod.mdl"),
};

/**
 * Waits until the mount shows what the independent script says, and then asks `find` and `which` about it. The sources
 * must not change meanwhile.
 */
async function settles(here: Workspace, mods: readonly string[]): Promise<void> {
  for (const mod of mods) {
    const model = await expectedManifest("quake", `${here.path}/quake/id1`, `${here.path}/quake/${mod}`);
    let shown: string[] = [];
    await until(`quake/${mod} is as expected`, async () => {
      shown = await manifest(`${here.mountPoint}/quake/${mod}`).catch(() => []);
      return model.join("\n") === shown.join("\n");
    });
    const names = shown.map((line) => line.slice(66)).sort();
    const { code, stdout, stderr } = await here.pakfs("find", "*", "--json", "--view", `quake/${mod}`);
    assertEquals([code, stderr], [0, ""]);
    const rows = jsonLines<{ qpath: string; source: string }>(stdout);
    assertEquals(rows.map((row) => row.qpath).sort(), names);
    const [some] = rows;
    if (!some) continue;
    const which = await here.pakfs("which", some.qpath, "--json", "--view", `quake/${mod}`);
    assertEquals([which.code, which.stderr], [0, ""]);
    assertEquals(JSON.parse(which.stdout).candidates[0].source, some.source);
  }
}

function jsonLines<Row>(text: string): Row[] {
  return text.split("\n").filter((line) => line !== "").map((line) => JSON.parse(line));
}

async function shell(here: Workspace, script: string): Promise<void> {
  assertEquals((await run("sh", ["-ec", script], { directory: here.path })).stderr, "");
}

async function mounted(here: Workspace): Promise<void> {
  await writeFiles(`${here.path}/quake`, quake);
  await here.mount("--profile", "quake", `${here.path}/quake`);
  await settles(here, ["id1", "mod"]);
}

Deno.test("what other programs change is on the mount, in find and in which by itself", needs("python3"), async () => {
  await using here = await workspace("events");
  await mounted(here);
  const [watched] = (await here.status()).watch;
  assertEquals(watched, { path: `${here.path}/quake`, mode: "events", because: null });
  await writeFiles(here.path, {
    "one.pak": pak([["maps/new.bsp", "new"], ["progs/a.mdl", "another a"]]),
    "two.pak": pak([["maps/new.bsp", "newer"]]),
    "many.zip": zip(Array.from({ length: 2000 }, (_, index) => ({
      name: `many/${index % 40}/deep/${index}.txt`,
      content: `file ${index}`,
    }))),
  });
  const steps: [script: string, mods: string[]][] = [
    ["cp one.pak quake/id1/pak1.pak", ["id1", "mod"]],
    ["mv two.pak quake/id1/pak1.pak", ["id1", "mod"]],
    ["mkdir quake/extra; cp one.pak quake/extra/pak0.pak; echo hello >quake/extra/hello.txt", ["extra"]],
    ["python3 -m zipfile -e many.zip quake/mod/", ["mod"]],
    ["echo more >>quake/mod/many/7/deep/7.txt; rm -r quake/mod/many/8; mv quake/mod/many/9 quake/mod/nine", ["mod"]],
    ["rm -r quake/mod/many quake/id1/pak1.pak", ["id1", "mod"]],
    ["rm -r quake/extra; mkdir quake/extra; cp one.pak quake/extra/pak0.pak", ["extra"]],
    ["mv quake/extra quake/other; echo x >quake/other/x.txt", ["other"]],
  ];
  for (const [script, mods] of steps) {
    await shell(here, script);
    await settles(here, mods);
  }
  const views = jsonLines<ViewRow>((await here.pakfs("views", "--json")).stdout).map((row) => row.view);
  assertEquals(views, ["quake/id1", "quake/mod", "quake/other"]);
  assert(((await here.status()).counters.refreshes ?? 0) > 0);
});

Deno.test(
  "a pack that is copied slowly is incomplete until it is whole, and the log says so once at most",
  needs("python3"),
  async () => {
    await using here = await workspace("events");
    await mounted(here);
    await writeFiles(here.path, { "big.pak": pak([["big.bin", "x".repeat(500_000)]]) });
    const copy = run("sh", [
      "-ec",
      // The first piece lies there until it has been seen to be incomplete.
      "head -c 100000 big.pak >quake/id1/pak1.pak; while ! [ -e go ]; do sleep 0.05; echo -n y >>quake/id1/pak1.pak; done; " +
      "head -c 300000 big.pak >quake/id1/pak1.pak; sleep 0.3; tail -c +300001 big.pak >>quake/id1/pak1.pak",
    ], { directory: here.path });
    const row = async () =>
      jsonLines<PackRow>((await here.pakfs("packs", "--json")).stdout).find(({ pack }) => pack === "pak1.pak");
    await until("the pack is incomplete", async () => /cut short/.test((await row())?.reason ?? ""));
    await until("status says so", async () => (await here.status()).problems.some((line) => /cut short/.test(line)));
    await until("it was looked at again and again", async () => ((await here.status()).counters.refreshes ?? 0) > 5);
    await writeFiles(here.path, { go: "" });
    assertEquals((await copy).stderr, "");
    await settles(here, ["id1"]);
    assertEquals((await row())?.reason, null);
    assertEquals((await here.status()).problems.filter((line) => line.includes("cut short")), []);
    const log = await Deno.readTextFile(`${here.path}/state/pakfs/pakfs.log`);
    assert(log.split("\n").filter((line) => line.includes("pak1.pak")).length <= 2, log);
  },
);

Deno.test(
  "where the kernel does not report changes, they are found by polling, and status says so",
  needs("python3"),
  async () => {
    await using here = await workspace("poll");
    await mounted(here);
    const [watched] = (await here.status()).watch;
    assertEquals([watched?.mode, watched?.because], ["polling", "PAKFS_WATCH=poll is set"]);
    await shell(here, "mkdir quake/new; echo hello >quake/new/hello.txt; rm quake/id1/autoexec.cfg");
    await settles(here, ["id1", "new"]);
  },
);

Deno.test("a source directory that vanishes gives EIO and harms no other; back again, all is well and watched", async () => {
  await using here = await workspace("events");
  await writeFiles(here.path, {
    "base/id1/pak0.pak": pak([["a.txt", "a"], ["b.txt", "b"]]),
    "disk/home/id1/pak0.pak": pak([["b.txt", "better"]]),
  });
  await here.mount("--profile", "quake", "--game", "quake", `${here.path}/disk/home`, `${here.path}/base`);
  const view = `${here.mountPoint}/quake/id1`;
  assertEquals(await output("cat", `${view}/a.txt`), "a");
  await shell(here, "mv disk pulled");
  await until("it is a problem", async () => (await here.status()).problems.some((line) => /is missing/.test(line)));
  const read = await run("cat", [`${view}/b.txt`]);
  assertEquals([read.code, read.stderr.includes("Input/output error")], [1, true]);
  // The other source is watched as before.
  await shell(here, "echo live >base/id1/live.txt");
  await until("the change is seen", async () => (await run("cat", [`${view}/live.txt`])).stdout === "live\n");
  assertEquals(await output("ls", view), "a.txt\nb.txt\nlive.txt\n");
  const log = () => Deno.readTextFile(`${here.path}/state/pakfs/pakfs.log`);
  await until("the log has the reason", async () => (await log()).includes(`${here.path}/disk/home is missing`));
  await shell(here, "mv pulled disk");
  await until("it is back", async () => (await run("cat", [`${view}/b.txt`])).stdout === "better");
  await until("it is watched", async () => (await here.status()).watch.every(({ mode }) => mode === "events"));
  await shell(here, "echo new >disk/home/id1/new.txt");
  await until("the change is seen", async () => (await run("cat", [`${view}/new.txt`])).stdout === "new\n");
  assertEquals((await log()).split("is missing").length, 2, "reported once");
});

Deno.test(
  "named pipes, sockets and devices in a source end neither watching nor the daemon's end",
  needs("python3"),
  async () => {
    await using here = await workspace("events");
    await mounted(here);
    const { pid } = await here.status();
    // Files named like those that the index opens or inspects.
    for (const name of ["id1/pipe.txt", "id1/pak5.pak", "mod/gfx.wad", "id1/progs/x.mdl", "mod/pak1.pak", "pipe"]) {
      await shell(
        here,
        `mkdir -p quake/id1/progs; mkfifo quake/${name}; ln -s "$PWD/quake/${name}" quake/${name}.link.pak`,
      );
    }
    await shell(
      here,
      `python3 -c 'import socket; socket.socket(socket.AF_UNIX).bind("quake/id1/socket")'; ` +
        "mknod quake/id1/null c 1 3 || true; echo new >quake/id1/new.txt",
    );
    await until(
      "the file is there",
      async () => (await run("cat", [`${here.mountPoint}/quake/id1/new.txt`])).code === 0,
    );
    assertEquals((await here.status()).watch.map(({ mode }) => mode), ["events"]);
    await shell(here, "echo newer >quake/mod/new.txt");
    await until("that too", async () => (await run("cat", [`${here.mountPoint}/quake/mod/new.txt`])).code === 0);
    assertEquals((await here.pakfs("unmount", here.mountPoint)).code, 0);
    await until("the daemon has ended", () => !isRunning(pid));
  },
);

Deno.test(
  "random changes by other programs: settled, the mount and find are what an independent script says",
  needs("python3"),
  async () => {
    const random = numbersFrom(seed);
    const names = ["a.txt", "d/b.txt", "d/c.txt", "d/e/f.txt", "g.txt"];
    const some = () => names.filter(() => random(2) === 0);
    const content = () => String(random(1e9)).repeat(1 + random(500));
    await using here = await workspace("events");
    await mounted(here);
    try {
      for (let round = 0; round < 5; round++) {
        const pieces = { "new.pak": pak(some().map((name) => [name, content()] as const)), "new.txt": content() };
        await writeFiles(here.path, pieces);
        const directory = `quake/${["id1", "mod", "extra"][random(3)]}`;
        const changes = [
          `cp new.pak ${directory}/pak${random(4)}.pak`,
          `mv new.pak ${directory}/pak${random(4)}.pak`,
          `rm -f ${directory}/pak${1 + random(3)}.pak`,
          `mkdir -p ${directory}/d/e; cp new.txt ${directory}/${names[random(names.length)]}`,
          `rm -rf ${directory}/d; mkdir -p ${directory}/d/e; cp new.txt ${directory}/d/e/f.txt`,
          `rm -rf quake/extra`,
          `rm -rf quake/other; cp -r quake/mod quake/other; cp new.txt quake/other/a.txt`,
        ];
        const chosen = Array.from({ length: 1 + random(4) }, () => changes[random(changes.length)]);
        await run("sh", ["-c", `mkdir -p ${directory}; ${chosen.join("; ")}`], { directory: here.path });
        const mods = await Array.fromAsync(Deno.readDir(`${here.path}/quake`), (item) => item.name);
        await settles(here, mods);
      }
    } catch (error) {
      throw new Error(`PAKFS_SEED=${seed}`, { cause: error });
    }
  },
);

Deno.test(
  "mutated archives dropped into a live directory do not bring the daemon down, nor stay when they are gone",
  needs("python3"),
  async () => {
    const count = Number(Deno.env.get("PAKFS_DROPPED_MUTANTS") ?? 200);
    await using here = await workspace("events");
    await mounted(here);
    const { pid } = await here.status();
    const random = numbersFrom(seed);
    for (let number = 0; number < count; number++) {
      const { bytes } = seeds[number % seeds.length] ?? { bytes: new Uint8Array() };
      const mutant = number % 4 === 3 ? bytes.slice(0, random(bytes.length)) : bytes.slice();
      for (let flip = 0; flip < 3; flip++) mutant[random(mutant.length)] = random(256);
      // Some replace packs that the engine loads.
      const name = number % 2 === 0 ? `pak${1 + (number / 2) % 9}.pak` : `mutant${number}.pk3`;
      await Deno.writeFile(`${here.path}/quake/mod/${name}`, mutant);
      if (number % 20 === 19) await run("sh", ["-c", 'cat "$1"/* >/dev/null', "sh", `${here.mountPoint}/quake/mod`]);
    }
    const last = `mutant${count - count % 2 - 1}.pk3`;
    await until(
      "the last of them is seen",
      async () => (await here.pakfs("stat", last, "--view", "quake/mod")).code === 0,
    );
    await shell(here, "rm quake/mod/pak[1-9].pak quake/mod/mutant*");
    await settles(here, ["id1", "mod"]);
    assertEquals((await here.status()).pid, pid);
  },
);

Deno.test("with --no-watch nothing is noticed before refresh is called", async () => {
  await using here = await workspace("events");
  await writeFiles(`${here.path}/quake`, quake);
  await here.mount("--no-watch", "--profile", "quake", `${here.path}/quake`);
  const status = await here.status();
  assertEquals([status.watch, status.refreshed, status.counters.refreshes], [[], null, 0]);
  await writeFiles(`${here.path}/quake`, { "id1/new.txt": "new" });
  assertEquals((await run("cat", [`${here.mountPoint}/quake/id1/new.txt`])).code, 1);
  assertEquals((await here.pakfs("refresh", "-q")).code, 0);
  assertEquals(await output("cat", `${here.mountPoint}/quake/id1/new.txt`), "new");
  assertEquals((await here.status()).counters.refreshes, 1);
});

for (const watching of ["events", "poll"] as const) {
  Deno.test(`a file that is written for seconds shows its last bytes soon after: ${watching}`, async () => {
    await using here = await workspace(watching);
    const source = `${here.path}/quake/id1/loose.txt`;
    await writeFiles(`${here.path}/quake`, { "id1/loose.txt": "before".padEnd(5000) });
    await here.mount("--profile", "quake", `${here.path}/quake`);
    const shown = () => run("cat", [`${here.mountPoint}/quake/id1/loose.txt`]);
    const refreshes = new Set<number | null>();
    using file = await Deno.open(source, { write: true });
    const start = Date.now();
    // On a busy machine a refresh may take seconds; without one the test writes for a minute.
    const isWritten = () => Date.now() < start + (refreshes.size > 2 ? 5000 : 60_000);
    for (let count = 0; isWritten(); count++) {
      await file.seek(0, Deno.SeekMode.Start);
      await file.write(new TextEncoder().encode(String(count).padStart(10)));
      // A reader gets old bytes, new bytes or an error; the kernel caches them.
      if (count % 10 === 0) await shown();
      refreshes.add((await here.status()).refreshed);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    assert(refreshes.size > 2, "the index is refreshed meanwhile");
    const last = await Deno.readTextFile(source);
    await until("the last bytes are shown", async () => (await shown()).stdout === last);
  });
}
