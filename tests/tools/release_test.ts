// deno-lint-ignore-file no-await-in-loop -- cases run one after the other, so that a failure names its case
/** Release archives run without a network, program sources, or files of the developer. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { needs } from "../support/programs.ts";
import { temporaryDirectory } from "../support/temporary.ts";

const root = new URL("../../", import.meta.url).pathname;

async function run(command: string, ...args: readonly string[]) {
  const { code, stdout, stderr } = await new Deno.Command(command, { args: [...args], stdin: "null" }).output();
  const decoder = new TextDecoder();
  return { code, stdout: decoder.decode(stdout), stderr: decoder.decode(stderr) };
}

const scriptOfViews = `
import { connect, openIndex } from "@pakfs/pakfs";
import { openArchive } from "@pakfs/pakfs/formats";

const directory = Deno.args[0] ?? "";
for (const opened of [openIndex(directory), connect()]) {
  await using index = await opened;
  const [first] = await Array.fromAsync(index.views());
  console.log(first?.view);
}
using archive = openArchive(\`\${directory}/id1/pak0.pak\`);
console.log(archive.format.name);
Deno.exitCode = 3;
`;

async function files(directory: string): Promise<string[]> {
  const { stdout } = await run("find", directory, "-type", "f", "-printf", "%P\n");
  return stdout.trim().split("\n").filter((name) => name !== "").sort();
}

Deno.test("a release runs where it is unpacked, and a package where it is installed", needs("dpkg-deb"), async () => {
  await using directory = await temporaryDirectory();
  const here = directory.path;
  const made = await run(
    Deno.execPath(),
    "run",
    "-A",
    "--quiet",
    `${root}tools/release/release.ts`,
    "--quick",
    `${here}/made`,
  );
  assertEquals([made.code, made.stderr], [0, ""]);
  const [archive = "", debian = ""] = made.stdout.trim().split("\n");
  assertMatch(archive, /\/pakfs-[\d.]+-linux-\w+\.tar\.gz$/);
  assertMatch(debian, /\/pakfs_[\d.]+_\w+\.deb$/);
  await Deno.mkdir(`${here}/a place`);
  assertEquals((await run("tar", "-C", `${here}/a place`, "-xzf", archive)).code, 0);
  assertEquals((await run("dpkg-deb", "-x", debian, `${here}/installed`)).code, 0);
  const unpacked = `${here}/a place/${archive.replace(/.*\//, "").replace(".tar.gz", "")}`;

  const clean = ["env", "-i", "PATH=/usr/sbin:/usr/bin:/sbin:/bin", `HOME=${here}/home`, `XDG_RUNTIME_DIR=${here}/run`];
  const offline = Deno.uid() === 0 ? ["-n"] : ["-rn"];
  await Deno.mkdir(`${here}/home`);
  await Deno.mkdir(`${here}/run`, { mode: 0o700 });
  for (const program of [unpacked, `${here}/installed/usr/lib/pakfs`]) {
    const pakfs = (...words: string[]) => run("unshare", ...offline, ...clean, `${program}/pakfs`, ...words);
    const before = await files(program);
    // The library's modules are for scripts, those of the programs are built.
    assertEquals(
      before.filter((name) => /^(?:daemon|mount|repl|web|tests|tools|system\/build)\/.*\.ts$/.test(name)),
      [],
    );
    assertEquals(await pakfs("--version"), { code: 0, stdout: "pakfs 0.1.0\n", stderr: "" });
    const demo = await pakfs("demo");
    assertEquals(demo.code, 0, demo.stderr);
    const mount = `${here}/home/.cache/pakfs/demo/mount`;
    assertMatch(demo.stdout, new RegExp(`^At ${mount}: 2 games, 8 packs, \\d+ files\\.`));
    const shown = await pakfs("detect", `${here}/home/.cache/pakfs/demo/games/quake`);
    assertEquals([shown.code, shown.stderr], [0, ""]);
    assertMatch(
      (await pakfs("find", "*.wav", "--source", `${here}/home/.cache/pakfs/demo/games/quake`)).stdout,
      /\.wav/,
    );
    await Deno.writeTextFile(`${here}/home/views.ts`, scriptOfViews);
    const quake = `${here}/home/.cache/pakfs/demo/games/quake`;
    const script = await pakfs("run", `${here}/home/views.ts`, quake);
    assertEquals(script, { code: 3, stdout: "quake/id1\nquake/id1\nquake-pak\n", stderr: "" });
    assertEquals((await pakfs("stop")).code, 0);
    // Compiled code alone is new.
    const added = (await files(program)).filter((name) => !before.includes(name));
    assertEquals(added.filter((name) => !name.startsWith(".tools/cache/")), []);
  }
  const { stdout } = await run("dpkg-deb", "--info", debian);
  assertMatch(stdout, /^ Depends: .*\bfuse3, libdeflate0$/m);
  assertEquals((await files(`${here}/installed/usr/share`)).sort(), [
    "bash-completion/completions/pakfs",
    "doc/pakfs/copyright",
    "fish/vendor_completions.d/pakfs.fish",
    "man/man1/pakfs.1.gz",
    "zsh/vendor-completions/_pakfs",
  ]);
  assertEquals(await Deno.readLink(`${here}/installed/usr/bin/pakfs`), "../lib/pakfs/pakfs");
  assert((await Deno.stat(debian)).size < 100_000_000);
});
