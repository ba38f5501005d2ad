import { assert, assertEquals } from "@std/assert";
import { parseConfig } from "../../config/config_file.ts";
import { formattedProfilesDocument } from "../../index/settings/profiles_document.ts";

const root = new URL("../..", import.meta.url).pathname;

Deno.test("docs/profiles.md is what the tables say", async () => {
  const written = await Deno.readTextFile(`${root}docs/profiles.md`);
  const hint = "write it anew: deno run --allow-run index/settings/profiles_document.ts > docs/profiles.md";
  assertEquals(written, await formattedProfilesDocument(), hint);
});

Deno.test("configurations that documents show are understood", async () => {
  const documents = await Promise.all(
    ["README.md", "docs/profiles.md", "docs/configuration.md"].map((path) => Deno.readTextFile(root + path)),
  );
  const shown = documents.flatMap((text) => Array.from(text.matchAll(/```toml\n(.*?)```/gs), ([, toml]) => toml ?? ""));
  assert(shown.length >= 3);
  for (const toml of shown) parseConfig(toml, "/config.toml");
});
