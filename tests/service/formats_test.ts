// deno-lint-ignore-file no-await-in-loop -- one after the other, to see which one fails
import { assert, assertEquals } from "@std/assert";
import { openLocal } from "../../service/local.ts";
import { seeds } from "../formats/seeds.ts";
import { temporaryDirectory } from "../support/temporary.ts";

Deno.test("files of an archive of any format are listed and read over the protocol", async () => {
  await using directory = await temporaryDirectory();
  for (const [index, { title, format, bytes, files }] of seeds.entries()) {
    const path = `${directory.path}/${index}.pak`;
    await Deno.writeFile(path, bytes);
    const connection = await openLocal({ sources: [path] });
    try {
      for (const [qpath, content] of Object.entries(files)) {
        const row = await connection.call("stat", { qpath });
        assert(row.type === "file");
        assertEquals([row.format, row.size], [format, content.length], `${title}: ${qpath}`);
        const { data, end } = await connection.call("read", { qpath, offset: 0 });
        assertEquals([Uint8Array.fromBase64(data), end], [content, true], `${title}: ${qpath}`);
      }
    } finally {
      await connection.close();
    }
  }
});
