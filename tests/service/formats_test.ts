import { assert, assertEquals } from "@std/assert";
import { openLocal } from "../../service/local.ts";
import { seeds } from "../formats/seeds.ts";
import { temporaryDirectory } from "../support/temporary.ts";

Deno.test("files of an archive of any format are listed and read over the protocol", async () => {
  await using directory = await temporaryDirectory();
  for (const [index, { title, format, bytes, files }] of seeds.entries()) {
    const path = `${directory.path}/${index}.pak`;
    // deno-lint-ignore no-await-in-loop -- one archive after another, to see which one fails
    await Deno.writeFile(path, bytes);
    // deno-lint-ignore no-await-in-loop -- as above
    const connection = await openLocal({ sources: [path] });
    try {
      for (const [qpath, content] of Object.entries(files)) {
        // deno-lint-ignore no-await-in-loop -- as above
        const row = await connection.call("stat", { qpath });
        assert(row.type === "file");
        assertEquals([row.format, row.size], [format, content.length], `${title}: ${qpath}`);
        // deno-lint-ignore no-await-in-loop -- as above
        const { data, end } = await connection.call("read", { qpath, offset: 0 });
        assertEquals([Uint8Array.fromBase64(data), end], [content, true], `${title}: ${qpath}`);
      }
    } finally {
      // deno-lint-ignore no-await-in-loop -- as above
      await connection.close();
    }
  }
});
