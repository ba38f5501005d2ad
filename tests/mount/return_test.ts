/**
 * Directories, packs, games and views that disappear from a mount and return with other files of the same sizes and
 * times.
 */
import { assertEquals } from "@std/assert";
import { zip } from "../formats/bytes.ts";
import { writeFiles } from "../index/fixtures.ts";
import { needs } from "../support/programs.ts";
import { output, run, type Workspace, workspace } from "./mounting.ts";

const size = 400_000;
const content = (letter: string) => letter.repeat(size);

/**
 * Opens a file, maps it and enters its directory; for each line of input prints what an old and a new reader see: of
 * the open file, the mapped one, the file by its path, and by its name from the directory. A string of one letter means
 * that all its bytes are that letter.
 */
const reader = `
import errno, mmap, os, signal, sys
path = sys.argv[1]
file = os.open(path, os.O_RDONLY)
os.chdir(os.path.dirname(path))
view = mmap.mmap(file, 0, prot=mmap.PROT_READ)
view[:16384]
def letters(read):
    try:
        return "".join(sorted(set(read().decode())))
    except OSError as error:
        return errno.errorcode[error.errno]
def pread():
    return b"".join(os.pread(file, 65536, at) for at in range(0, ${size}, 65536))
def mapped():
    ours, theirs = os.pipe()
    if os.fork() == 0:
        os.write(theirs, bytes(set(view[:])))
        os._exit(0)
    _, status = os.wait()
    if os.WIFSIGNALED(status): raise OSError(errno.EIO, "SIGBUS")
    return os.read(ours, 100)
def whole(name):
    with open(name, "rb") as file:
        return file.read()
os.pread(file, 10, 0)
print("ready", flush=True)
for line in sys.stdin:
    seen = [letters(read) for read in [pread, mapped, lambda: whole(path), lambda: whole(os.path.basename(path))]]
    print(" ".join(seen), flush=True)
`;

/** A process that keeps a file of the mount open. */
async function hold(path: string) {
  const child = new Deno.Command("python3", { args: ["-c", reader, path], stdin: "piped", stdout: "piped" }).spawn();
  const lines = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  const writer = child.stdin.getWriter();
  const line = async () => {
    let text = "";
    while (!text.endsWith("\n")) {
      // deno-lint-ignore no-await-in-loop -- a line may come in pieces
      const { value, done } = await lines.read();
      if (done) throw new Error(`the reader of ${path} has ended`);
      text += value;
    }
    return text.trim();
  };
  assertEquals(await line(), "ready");
  return {
    /** Content of the open file, the mapped one, the file at the path, and the file of that name in its directory. */
    async look(): Promise<string[]> {
      await writer.write(new TextEncoder().encode("\n"));
      return (await line()).split(" ");
    },
    async [Symbol.asyncDispose](): Promise<void> {
      await writer.close().catch(() => {});
      await lines.cancel();
      await child.status;
    },
  };
}

async function refresh(here: Workspace): Promise<void> {
  assertEquals((await here.pakfs("refresh")).code, 0);
}

/** Asserts that each reader sees one file's old bytes, an error, or the current file of that name: never a mixture. */
function assertPure([open = "", mapped = "", path = "", beside = ""]: readonly string[], now: string): void {
  const isOld = (seen: string) => seen === "a" || seen === "EIO";
  assertEquals([isOld(open), isOld(mapped)], [true, true], `open ${open}, mapped ${mapped}`);
  assertEquals(path, now);
  assertEquals([now, "a", "EIO", "ESTALE", "ENOENT"].includes(beside), true, `in the directory: ${beside}`);
}

const compressed = (letter: string) => ({
  "f.dat": content(letter),
  "p.pk3": zip([{ name: "p.dat", content: content(letter) }]),
  "q.pk3": zip([{ name: "q.dat", content: content(letter), method: 8 }, { name: "s.dat", content: content(letter) }]),
});

for (
  const [what, file] of [
    ["a loose file", "game/mod/f.dat"],
    ["a loose file of a directory below", "game/mod/sub/f.dat"],
    ["a member of a pack in .packs", ".packs/game/mod/p.pk3/p.dat"],
    ["a deflated member", "game/mod/q.dat"],
    ["a stored member with a checksum", "game/mod/s.dat"],
    ["a view made by name", "game/mod+other/f.dat"],
  ] as const
) {
  Deno.test(
    `${what} that disappears and returns with other bytes is never served from old pages`,
    needs("python3", "python3", "python3", "python3", "python3", "python3"),
    async () => {
      await using here = await workspace();
      await writeFiles(`${here.path}/game/baseq3`, { "id.txt": "" });
      await writeFiles(`${here.path}/game/other`, { "other.txt": "" });
      // The directory that disappears.
      const below = file.includes("/sub/") ? "/sub" : "";
      const variants = { a: `${here.path}/game/mod${below}`, b: `${here.path}/away/b`, c: `${here.path}/away/c` };
      for (const [letter, directory] of Object.entries(variants)) {
        // deno-lint-ignore no-await-in-loop -- few and small
        await writeFiles(directory, compressed(letter));
      }
      if (below !== "") await Deno.writeTextFile(`${here.path}/game/mod/mod.txt`, "");
      const files = Object.values(variants).flatMap((directory) =>
        ["f.dat", "p.pk3", "q.pk3"].map((name) => `${directory}/${name}`)
      );
      await Promise.all([...files, ...Object.values(variants)].map((path) => Deno.utime(path, 1_000_000, 1_000_000)));
      await here.mount("--profile", "ioquake3", `${here.path}/game`);
      const root = `${here.mountPoint}/${file}`;
      await output("cat", root);
      await using old = await hold(root);
      assertEquals(await old.look(), ["a", "a", "a", "a"]);

      await Deno.rename(variants.a, `${here.path}/away/a`);
      await refresh(here);
      assertEquals((await run("cat", [root])).code, 1);
      await Deno.rename(variants.b, variants.a);
      await refresh(here);
      assertPure(await old.look(), "b");
      assertEquals(new Set(await output("cat", root)), new Set("b"));

      // A refresh sees only that the directory is a different one.
      await Deno.rename(variants.a, variants.b);
      await Deno.rename(variants.c, variants.a);
      await refresh(here);
      assertPure(await old.look(), "c");

      // The first bytes are back, under a new id.
      await Deno.rename(variants.a, variants.c);
      await refresh(here);
      await Deno.rename(`${here.path}/away/a`, variants.a);
      await refresh(here);
      assertPure(await old.look(), "a");
      await old[Symbol.asyncDispose]();
      assertEquals(new Set(await output("cat", root)), new Set("a"));
    },
  );
}

Deno.test(
  "a game that a reload takes away and gives back is never served from old pages",
  needs("python3"),
  async () => {
    await using here = await workspace();
    const [first, second] = [`${here.path}/first/one`, `${here.path}/second/one`];
    await writeFiles(first, { "baseq3/f.dat": content("a") });
    await writeFiles(second, { "baseq3/f.dat": content("b") });
    await Promise.all([first, second].map((source) => Deno.utime(`${source}/baseq3/f.dat`, 1_000_000, 1_000_000)));
    await writeFiles(here.path, { "two/baseq3/x.txt": "x" });
    const game = (name: string, source: string) =>
      `[[game]]\nname = "${name}"\nprofile = "ioquake3"\nsources = ["${source}"]\n`;
    const configure = async (...games: readonly string[]) => {
      await writeFiles(here.path, { "config/pakfs/config.toml": `mount = "${here.mountPoint}"\n${games.join("")}` });
    };
    const two = game("two", `${here.path}/two`);
    await configure(game("one", first), two);
    const { finished } = await here.foreground("daemon");
    const path = `${here.mountPoint}/one/baseq3/f.dat`;
    await using old = await hold(path);
    assertEquals(await old.look(), ["a", "a", "a", "a"]);
    await configure(two);
    assertEquals((await here.pakfs("reload", "-q")).code, 0);
    assertEquals((await run("cat", [path])).code, 1);
    await configure(game("one", second), two);
    assertEquals((await here.pakfs("reload", "-q")).code, 0);
    assertPure(await old.look(), "b");
    await configure(game("one", first), two);
    assertEquals((await here.pakfs("reload", "-q")).code, 0);
    assertPure(await old.look(), "a");
    await old[Symbol.asyncDispose]();
    await here.stop();
    await finished;
  },
);
