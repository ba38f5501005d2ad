import { assert, assertEquals } from "@std/assert";
import { writeFiles } from "../index/fixtures.ts";
import { needs } from "../support/programs.ts";
import { python, workspace } from "./mounting.ts";

Deno.test(
  "readers that want more than memory holds, again and again, get the right bytes",
  needs("python3"),
  async () => {
    await using here = await workspace();
    const loose = Array.from(
      { length: 700 },
      (_, index) => [`game/baseq3/loose/${index}.txt`, `loose ${index}`] as const,
    );
    await writeFiles(here.path, Object.fromEntries(loose));
    // Line n of member m is "m n", so the expected bytes at an offset need no copy. 86 MB, ten times the memory.
    await python(
      `
import sys, zipfile
with zipfile.ZipFile(sys.argv[1], "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
    for member in range(24):
        method = zipfile.ZIP_STORED if member % 6 == 5 else zipfile.ZIP_DEFLATED
        lines = "".join("%08d %08d\\n" % (member, line) for line in range(200000))
        archive.writestr("m%d" % member, lines, compress_type=method)
    for member in range(24, 44):
        archive.writestr("m%d" % member, "".join("%08d %08d\\n" % (member, line) for line in range(500 + member)))
`,
      `${here.path}/game/baseq3/pak0.pk3`,
    );
    await here.mount(`${here.path}/game`);
    const printed = await python(
      `
import os, random, sys
from concurrent.futures import ProcessPoolExecutor
root = sys.argv[1]
def expected(member, offset, length):
    first = offset // 18
    text = "".join("%08d %08d\\n" % (member, line) for line in range(first, first + length // 18 + 2))
    return text[offset - first * 18 :][:length].encode()
def work(seed):
    chance = random.Random(seed)
    for _ in range(80):
        member = chance.randrange(44)
        file = os.open(root + "/m%d" % member, os.O_RDONLY)
        # What others have read is forgotten, so that the mount is asked again.
        os.posix_fadvise(file, 0, 0, os.POSIX_FADV_DONTNEED)
        size = os.fstat(file).st_size
        offset = chance.randrange(size)
        length = min(chance.randrange(1, 200000), size - offset)
        got = os.pread(file, length, offset)
        assert got == expected(member, offset, length), (member, offset, length, len(got))
        os.close(file)
        for _ in range(10):
            number = chance.randrange(700)
            file = os.open(root + "/loose/%d.txt" % number, os.O_RDONLY)
            os.posix_fadvise(file, 0, 0, os.POSIX_FADV_DONTNEED)
            assert os.read(file, 100) == b"loose %d" % number
            os.close(file)
    return 1
with ProcessPoolExecutor(8) as pool:
    print(sum(pool.map(work, range(8))))
`,
      `${here.mountPoint}/game/baseq3`,
    );
    assertEquals(printed, "8\n");
    const { counters, problems } = await here.status();
    assertEquals(problems, []);
    assertEquals(counters.failedReads, 0);
    assert((counters.decoded ?? 0) > 60, "members were decompressed more than once, since not all fit");
  },
);
