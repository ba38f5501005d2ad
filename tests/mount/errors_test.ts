// deno-lint-ignore-file no-await-in-loop -- one after the other, to see which one fails
import { assertEquals, assertMatch } from "@std/assert";
import { pak } from "../formats/bytes.ts";
import { writeFiles } from "../index/fixtures.ts";
import { needs } from "../support/programs.ts";
import { mountsBelow, output, python, run, until, type Workspace, workspace } from "./mounting.ts";

/** Runs `pakfs mount`; asserts that it fails with one sentence on standard error and leaves no files or mounts. */
async function refused(here: Workspace, code: number, ...parameters: string[]): Promise<string> {
  const before = await output("ls", "-AlR", here.mountPoint);
  const result = await here.pakfs("mount", ...parameters);
  assertEquals([result.code, result.stdout], [code, ""], `${parameters.join(" ")}: ${result.stderr}`);
  assertMatch(result.stderr, /^pakfs: .+\n$/, "one line, which begins with the program's name");
  assertEquals(await mountsBelow(here.path), []);
  assertEquals(await output("ls", "-AlR", here.mountPoint), before);
  // The launcher returns on the report; the process that sent it may still be ending.
  await until("no socket is left", async () => {
    const search = 'find "$1/run" -type s -o -type f 2>/dev/null';
    return (await run("sh", ["-c", search, "sh", here.path])).stdout === "";
  });
  await until("no process is left", () => here.processes().length === 0);
  return result.stderr.replaceAll(here.path, "ROOT").trimEnd();
}

Deno.test("what cannot be mounted is said in one sentence, and nothing is left behind", async () => {
  await using here = await workspace();
  const { mountPoint, path } = here;
  await writeFiles(path, {
    "quake/id1/pak0.pak": pak([["a", "a"]]),
    "quake/mnt/": "",
    "quake3/other/x.txt": "",
    "full/x": "",
    "file": "no archive",
    "empty/": "",
  });
  const quake = `${path}/quake`;
  const cases: [code: number, sentence: RegExp, ...parameters: string[]][] = [
    [2, /mount needs a source and a mount point: pakfs mount SOURCE\.\.\. MOUNTPOINT$/],
    [2, /mount needs a mount point after \S+quake: pakfs mount SOURCE\.\.\. MOUNTPOINT$/, quake],
    [2, /unknown option --nonsense/, "--nonsense", quake, mountPoint],
    [2, /--profile needs a value/, quake, mountPoint, "--profile"],
    [2, /option rw: a pakfs mount is read-only$/, "-o", "rw", quake, mountPoint],
    [
      2,
      /unknown profile quak; did you mean quake\?$/,
      "--profile",
      "quak",
      quake,
      mountPoint,
    ],
    [1, /ROOT\/nowhere does not exist; name a game's directory or an archive$/, `${path}/nowhere`, mountPoint],
    [1, /ROOT\/nowhere does not exist; name a game's/, quake, `${path}/nowhere`, mountPoint],
    [1, /ROOT\/none does not exist; create it first: mkdir -p ROOT\/none$/, quake, `${path}/none`],
    [1, /ROOT\/file is not a directory; choose an empty directory$/, quake, `${path}/file`],
    [
      1,
      /ROOT\/full is not empty, and the mount would hide its files; choose an empty directory$/,
      quake,
      `${path}/full`,
    ],
    [1, /ROOT\/quake\/mnt is inside ROOT\/quake, which would then contain itself/, quake, `${path}/quake/mnt`],
    [1, /ROOT\/quake is inside ROOT, and the mount would hide it; choose another mount point$/, quake, path],
    [
      1,
      /ROOT\/file: not an archive of a known format \(.*\); "pakfs formats" lists them$/,
      `${path}/file`,
      mountPoint,
    ],
    [1, /has none of the base game directories of Quake \(id1\)/, "--profile", "quake", `${path}/quake3`, mountPoint],
    [1, /no base game directory "id2" in ROOT\/quake$/, "--base", "id2", quake, mountPoint],
    [
      1,
      /unknown view nonsense; views: quake\/id1, quake\/mnt$/,
      "--view",
      "nonsense",
      quake,
      mountPoint,
    ],
    [1, /nonsense/, "-o", "nonsense", quake, mountPoint],
  ];
  for (const [code, sentence, ...parameters] of cases) {
    assertMatch(await refused(here, code, ...parameters), sentence);
  }
});

Deno.test("a mount point or socket that is in use is refused", async () => {
  await using here = await workspace();
  await writeFiles(here.path, { "quake/id1/a.txt": "a" });
  await here.mount(`${here.path}/quake`);
  const again = await here.pakfs("mount", `${here.path}/quake`, here.mountPoint);
  assertEquals([again.code, again.stdout], [1, ""]);
  assertMatch(
    again.stderr,
    /^pakfs: .*\/mnt is already mounted; unmount it first: pakfs unmount .*\/mnt\n$/,
  );
  await Deno.mkdir(`${here.path}/other`);
  await Deno.writeTextFile(`${here.path}/in the way`, "a file");
  const blocked = await here.pakfs(
    "mount",
    "--socket",
    `${here.path}/in the way`,
    `${here.path}/quake`,
    `${here.path}/other`,
  );
  assertEquals([blocked.code, blocked.stdout], [1, ""]);
  assertMatch(
    blocked.stderr,
    /^pakfs: .*in the way: exists and is not a socket; remove it or choose another --socket\n$/,
  );
  assertEquals(await Deno.readTextFile(`${here.path}/in the way`), "a file");
  // The first mount still answers.
  assertEquals(await output("cat", `${here.mountPoint}/quake/id1/a.txt`), "a");
  assertEquals((await mountsBelow(here.path)).length, 1);
});

Deno.test("of two mounts at one directory at the same time, one is made and the other says why not", async () => {
  await using here = await workspace();
  await writeFiles(here.path, { "one/id1/a.txt": "a", "two/id1/a.txt": "a" });
  const outcomes = await Promise.all(
    ["one", "two"].map((name) =>
      here.pakfs("mount", "--socket", `${here.path}/${name}.sock`, `${here.path}/${name}`, here.mountPoint)
    ),
  );
  const won = outcomes[0]?.code === 0 ? "one" : "two";
  try {
    assertEquals(outcomes.map(({ code }) => code).sort(), [0, 1]);
    const loser = outcomes.find(({ code }) => code === 1);
    assertMatch(loser?.stderr ?? "", /\/mnt is already mounted/);
    assertEquals((await mountsBelow(here.path)).length, 1);
    assertEquals(await output("ls", here.mountPoint), `${won}\n`);
  } finally {
    for (const name of ["one", "two"]) {
      await here.pakfs("--socket", `${here.path}/${name}.sock`, "stop");
    }
    await until("nothing is mounted", async () => (await mountsBelow(here.path)).length === 0);
  }
});

Deno.test("an empty directory can be mounted as plain files, and an empty archive as it is", async () => {
  await using here = await workspace();
  await writeFiles(here.path, { "empty/": "", "empty.pak": pak([]) });
  for (const parameters of [["--profile", "generic", `${here.path}/empty`], [`${here.path}/empty.pak`]]) {
    await here.mount(...parameters);
    assertEquals(await output("find", here.mountPoint, "-type", "f"), "");
    await here.stop();
  }
});

Deno.test("a log that cannot be written does not prevent mounting", async () => {
  await using here = await workspace();
  await writeFiles(here.path, { "quake/id1/a.txt": "a", "state": "a file where a directory is wanted" });
  await here.mount(`${here.path}/quake`);
  assertEquals(await output("cat", `${here.mountPoint}/quake/id1/a.txt`), "a");
});

Deno.test("a name of more than 255 bytes is too long, and df shows what is indexed", needs("python3"), async () => {
  await using here = await workspace();
  await writeFiles(here.path, { "quake/id1/pak0.pak": pak([["maps/a", "x".repeat(9000)]]), "quake/id1/b": "y" });
  await here.mount(`${here.path}/quake`);
  const script = "import os, sys\nfor name in sys.argv[2:]:\n" +
    "  try: os.stat(sys.argv[1] + '/' + name); print('there')\n  except OSError as error: print(error.errno)";
  const name = (length: number) => "n".repeat(length);
  const asked = ["", "quake/", "quake/id1/", "quake/id1/maps/"].flatMap((directory) =>
    [255, 256, 1000].map((length) => directory + name(length))
  );
  const found = (await python(script, here.mountPoint, ...asked)).trim().split("\n").map(Number);
  const [missing, tooLong] = [2, 36];
  assertEquals(found, asked.map((_, index) => index % 3 === 0 ? missing : tooLong));
  const sizes = await output("stat", "-f", "-c", "%b %S %f %l", here.mountPoint);
  assertEquals(sizes.trim(), `${Math.ceil(9001 / 4096)} 4096 0 255`);
});
