// deno-lint-ignore-file no-await-in-loop -- one after the other, to see which one fails
import { assertEquals, assertMatch } from "@std/assert";
import { pak, zip } from "../formats/bytes.ts";
import { writeFiles } from "../index/fixtures.ts";
import { needs } from "../support/programs.ts";
import { output, python, until, type Workspace, workspace } from "./mounting.ts";

// Requested bytes were never read before, so they come from the mount and not from the page cache.
const size = 3_000_000;

/** Runs of ten of each letter. */
const alphabet = Array.from({ length: 26 }, (_, index) => String.fromCharCode(65 + index).repeat(10)).join("");

/** A file of runs of one letter, moved by `shift` letters. */
function letters(shift: number): string {
  return alphabet.repeat(size / alphabet.length + 2).slice(shift * 10, shift * 10 + size);
}

/**
 * A program that reads byte 0 of a file, waits for a line, and then reads at an offset, at the end, and after
 * reopening.
 */
const reader = `
import errno, os, sys
path = sys.argv[1]
def show(attempt):
    try:
        print(attempt().decode(), flush=True)
    except OSError as error:
        print(errno.errorcode[error.errno], flush=True)
file = os.open(path, os.O_RDONLY)
os.posix_fadvise(file, 0, 0, os.POSIX_FADV_RANDOM)
show(lambda: os.pread(file, 1, 0))
sys.stdin.readline()
show(lambda: os.pread(file, 1, 1500000))
show(lambda: os.pread(file, 1, os.fstat(file).st_size - 1))
show(lambda: os.pread(os.open(path, os.O_RDONLY), 1, 700000))
`;

/** Starts the reader, changes files while it waits, and returns its output. */
async function readAround(path: string, change: () => Promise<void>): Promise<string[]> {
  const child = new Deno.Command("python3", { args: ["-c", reader, path], stdin: "piped", stdout: "piped" }).spawn();
  let printed = "";
  const reading = (async () => {
    for await (const text of child.stdout.pipeThrough(new TextDecoderStream())) printed += text;
  })();
  await until("the reader has begun", () => Promise.resolve(printed.includes("\n")));
  await change();
  const writer = child.stdin.getWriter();
  await writer.write(new TextEncoder().encode("\n"));
  await writer.close();
  await Promise.all([reading, child.status]);
  return printed.trim().split("\n");
}

const [first, middle, last, third] = [0, 1_500_000, size - 1, 700_000].map((offset) => letters(0).charAt(offset));

async function mountQuake(here: Workspace, archive: Uint8Array, name = "pak0.pak"): Promise<string> {
  await writeFiles(here.path, { [`quake/id1/${name}`]: archive, "quake/id1/other.txt": "other" });
  await here.mount("--profile", name.endsWith(".pk3") ? "darkplaces" : "quake", `${here.path}/quake`);
  return `${here.path}/quake/id1/${name}`;
}

Deno.test(
  "an archive replaced by renaming another over it keeps its own bytes for its readers",
  needs("python3"),
  async () => {
    await using here = await workspace();
    const path = await mountQuake(here, pak([["big", letters(0)]]));
    const answers = await readAround(`${here.mountPoint}/quake/id1/big`, async () => {
      await Deno.writeFile(`${path}.new`, pak([["big", letters(5)]]));
      await Deno.rename(`${path}.new`, path);
    });
    assertEquals(answers, [first, middle, last, third]);
  },
);

Deno.test(
  "an archive replaced before it was read, of the same size and time, is EIO and not wrong bytes",
  needs("python3"),
  async () => {
    await using here = await workspace();
    const path = await mountQuake(here, pak([["big", letters(0)]]));
    const { mtime } = await Deno.stat(path);
    await Deno.writeFile(`${path}.new`, pak([["big", letters(5)]]));
    await Deno.utime(`${path}.new`, mtime ?? 0, mtime ?? 0);
    // Times are restored to the millisecond, as Deno reads them.
    await python(
      "import os, sys; a = os.stat(sys.argv[1]); os.utime(sys.argv[2], ns=(a.st_atime_ns, a.st_mtime_ns))",
      path,
      `${path}.new`,
    );
    await Deno.rename(`${path}.new`, path);
    const answers = await readAround(`${here.mountPoint}/quake/id1/big`, () => Promise.resolve());
    assertEquals(answers, ["EIO", "EIO", "EIO", "EIO"]);
    const { problems } = await here.status();
    assertEquals(problems.length, 1);
    assertMatch(problems[0] ?? "", /\/pak0\.pak: changed or deleted since it was indexed/);
  },
);

for (
  const [kind, name, archive] of [
    ["PAK", "pak0.pak", (shift: number) => pak([["big", letters(shift)]])],
    ["zip with a stored member", "pak0.pk3", (shift: number) => zip([{ name: "big", content: letters(shift) }])],
  ] as const
) {
  Deno.test(
    `a ${kind} that is overwritten in place is EIO from then on, and not wrong bytes`,
    needs("python3", "python3"),
    async () => {
      await using here = await workspace();
      const path = await mountQuake(here, archive(0), name);
      const answers = await readAround(`${here.mountPoint}/quake/id1/big`, () => Deno.writeFile(path, archive(5)));
      assertEquals(answers, [first, "EIO", "EIO", "EIO"]);
    },
  );
}

Deno.test("an archive cut short while it is mounted is EIO", needs("python3"), async () => {
  await using here = await workspace();
  const path = await mountQuake(here, pak([["big", letters(0)]]));
  const answers = await readAround(`${here.mountPoint}/quake/id1/big`, () => Deno.truncate(path, 1000));
  assertEquals(answers, [first, "EIO", "EIO", "EIO"]);
});

Deno.test(
  "a loose file that is overwritten, removed or replaced is EIO or its own bytes",
  needs("python3"),
  async () => {
    await using here = await workspace();
    const names = ["overwritten", "removed", "replaced", "grown"];
    await writeFiles(here.path, Object.fromEntries(names.map((name) => [`quake/id1/${name}`, letters(0)])));
    await here.mount(`${here.path}/quake`);
    const changes: Record<string, (path: string) => Promise<void>> = {
      overwritten: (path) => Deno.writeTextFile(path, letters(5)),
      removed: (path) => Deno.remove(path),
      replaced: async (path) => {
        await Deno.writeTextFile(`${path}.new`, letters(5));
        await Deno.rename(`${path}.new`, path);
      },
      grown: (path) => Deno.writeTextFile(path, "more", { append: true }),
    };
    const eio = [first, "EIO", "EIO", "EIO"];
    const own = [first, middle, last, third];
    const expected: Record<string, (string | undefined)[]> = {
      overwritten: eio,
      removed: own,
      replaced: own,
      grown: eio,
    };
    for (const name of names) {
      const answers = await readAround(`${here.mountPoint}/quake/id1/${name}`, async () => {
        await changes[name]?.(`${here.path}/quake/id1/${name}`);
      });
      assertEquals(answers, expected[name], name);
    }
  },
);

Deno.test(
  "a file removed before it was read, or replaced by a named pipe, is EIO, and other files stay readable",
  needs("python3"),
  async () => {
    await using here = await workspace();
    await writeFiles(here.path, {
      "quake/id1/gone.txt": "gone",
      "quake/id1/pipe.txt": "pipe",
      "quake/id1/stays.txt": "stays",
      "quake/id1/pak0.pak": pak([["packed.txt", "packed"]]),
    });
    await here.mount(`${here.path}/quake`);
    await Deno.remove(`${here.path}/quake/id1/gone.txt`);
    await output(
      "sh",
      "-c",
      'cd "$1" && rm pipe.txt pak0.pak && mkfifo pipe.txt pak0.pak',
      "sh",
      `${here.path}/quake/id1`,
    );
    const printed = await python(
      `
import errno, sys
for name in ("gone.txt", "pipe.txt", "packed.txt", "stays.txt"):
    try:
        print(open(sys.argv[1] + "/" + name).read())
    except OSError as error:
        print(errno.errorcode[error.errno])
`,
      `${here.mountPoint}/quake/id1`,
    );
    assertEquals(printed, "EIO\nEIO\nEIO\nstays\n");
  },
);

/** Opens a file, and prints for each line with a number the byte that lies that many bytes further on, or "EIO". */
const steppingReader = `
exec 3<"$1"
while read -r step; do
  dd bs=1 count=1 skip="$step" <&3 2>/dev/null || printf EIO
  echo
done
`;

/** A program that has a file open. */
class OpenReader implements AsyncDisposable {
  readonly #child: Deno.ChildProcess;
  readonly #input: WritableStreamDefaultWriter<Uint8Array>;
  readonly #output: ReadableStreamDefaultReader<string>;
  #position = 0;

  constructor(path: string) {
    const args = ["-c", steppingReader, "sh", path];
    this.#child = new Deno.Command("sh", { args, stdin: "piped", stdout: "piped" }).spawn();
    this.#input = this.#child.stdin.getWriter();
    this.#output = this.#child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  }

  /** Returns the byte read at an offset in the middle of a run of one letter; offsets must grow. */
  async at(offset: number): Promise<string> {
    await this.#input.write(new TextEncoder().encode(`${offset + 5 - this.#position}\n`));
    this.#position = offset + 5;
    for (let text = "";;) {
      text += (await this.#output.read()).value ?? "\n";
      if (text.includes("\n")) return text.trim();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#input.close();
    await this.#output.cancel();
    await this.#child.status;
  }
}

/** Kinds of files that hold a file, and the name of one of a number. */
const kinds:
  readonly (readonly [kind: string, ending: string, make: (name: string, shift: number) => Uint8Array | string])[] = [
    ["PAK", ".pak", (name, shift) => pak([[name, letters(shift)]])],
    ["zip with a stored member", ".pk3", (name, shift) => zip([{ name, content: letters(shift) }])],
    ["loose file", "", (_name, shift) => letters(shift)],
  ];

/** Shell commands that change the file `$1`, with the help of its twin `$2`, under its old size and time. */
const rewritings = {
  "is rewritten in place": 'cp -p "$2" "$1"',
  "is rewritten in place, and has its time put back later":
    'touch -r "$1" "$2.time"; cat "$2" >"$1"; touch -r "$2.time" "$1"',
  "is rewritten in place and then deleted": 'cp -p "$2" "$1"; rm "$1"',
  "is rewritten in place and then replaced by another": 'cp -p "$2" "$1"; mv "$2" "$1"',
};
const harmless = {
  "is replaced by another": 'mv "$2" "$1"',
  "is deleted": 'rm "$1"',
  "gets another mode and a second name": 'chmod 600 "$1"; ln "$1" "$2.second"',
};

for (const [kind, ending, make] of kinds) {
  Deno.test(`a ${kind} that is rewritten gives its readers EIO, one that is replaced or deleted its own bytes`, async () => {
    await using here = await workspace();
    const changes = [...Object.entries(rewritings), ...Object.entries(harmless)].map(([change, script], number) => {
      const name = `big${number}`;
      const expected = (offset: number) => change in harmless ? letters(0).charAt(offset) : "EIO";
      const [file, other] = [`quake/id1/${name}${ending}`, `twin${number}`];
      const files = { [file]: make(name, 0), [other]: make(name, 5) };
      const [path, twin] = [`${here.path}/${file}`, `${here.path}/${other}`];
      return { change, script, files, expected, path, twin, shown: `${here.mountPoint}/quake/id1/${name}` };
    });
    for (const { files, path, twin } of changes) {
      await writeFiles(here.path, files);
      await output("touch", "-r", path, twin);
    }
    await here.mount("--profile", "darkplaces", `${here.path}/quake`);
    await using readers = new AsyncDisposableStack();
    const open = changes.map((one) => ({ ...one, reader: readers.use(new OpenReader(one.shown)) }));
    for (const { change, script, reader, path, twin, expected } of open) {
      assertEquals([await reader.at(0), await reader.at(300_000)], [first, letters(0).charAt(300_000)], change);
      await output("sh", "-ec", script, "sh", path, twin);
      assertEquals(await reader.at(1_500_000), expected(1_500_000), `${change}, before a refresh`);
    }
    await here.pakfs("refresh");
    for (const { change, script, reader, shown, expected } of open) {
      assertEquals(await reader.at(2_200_000), expected(2_200_000), `${change}, after a refresh`);
      if (script.includes("rm ")) continue;
      const content = letters(script.includes("chmod") ? 0 : 5);
      assertEquals(await output("cat", shown) === content, true, `${change}, opened again`);
    }
  });
}
