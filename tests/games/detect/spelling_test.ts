/**
 * Names in upper case: engines on Linux do not find them, engines on other systems do.
 * @module
 */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { parseConfig } from "../../../daemon/config/config_file.ts";
import { resolveConfig } from "../../../daemon/config/resolved_config.ts";
import { checkConfig } from "../../../repl/doctor/own_checks.ts";
import { findFiles } from "../../../questions/find.ts";
import { orderPacks, packNameMeant } from "../../../engines/core/pack_order.ts";
import { profileNamed } from "../../../engines/table.ts";
import { scanCatalog } from "../../support/catalogs.ts";
import type { View } from "../../../views/view.ts";
import { installation, pakOf } from "../../index/fixtures.ts";

/** The profile that docs/profiles.md recommends, and a game of it. */
const onWindows = `
[[profile]]
name = "quake-on-windows"
extends = "quake"
ignoreCase = true
looseCase = "any"
packs = [{ kind = "numbered", anyCase = true }]

[[game]]
name = "quake"
profile = "quake-on-windows"
sources = ["SOURCE"]
`;

function filesOf(view: View): string[] {
  return Array.from(findFiles(view, ["*"]), (node) => view.tree.pathOf(node)).sort();
}

Deno.test("a game in capitals is reported by the index, the configuration and doctor, with what to do", async () => {
  await using made = await installation({
    "Id1/PAK0.PAK": pakOf("in0.txt"),
    "Id1/PAK1.PAK": pakOf("in1.txt"),
    "hipnotic/pak0.pak": pakOf("mission.txt"),
  });
  const catalog = scanCatalog([{ sources: [made.path], profile: "quake" }]);
  const reported = [
    `${made.path}/Id1 is not spelled id1, which is what Quake looks for on Linux; rename it`,
    `${made.path}/Id1: PAK0.PAK, PAK1.PAK are no packs to Quake on Linux, which looks for pak0.pak; rename them to lower ` +
    'case, or: see "Names in capitals" in docs/profiles.md for file systems that ignore case',
  ];
  assertEquals(catalog.problems, reported);
  assertEquals(filesOf(catalog.views[0] ?? catalog.view()), ["PAK0.PAK", "PAK1.PAK"]);
  const config = `${made.path}/config.toml`;
  await Deno.writeTextFile(config, `[[game]]\nname = "q"\nprofile = "quake"\nsources = ["${made.path}"]\n`);
  assertEquals((await resolveConfig(config)).resolved.games[0]?.warnings, reported);
  assertStringIncludes((await resolveConfig(config)).toml, `# warning: ${reported[0]}\n`);
  assertEquals((await checkConfig(config)).map(({ health, found }) => [health, found]).slice(0, 2), [
    ["note", `q: ${reported[0]}`],
    ["note", `q: ${reported[1]}`],
  ]);
});

Deno.test("an engine on a file system that ignores case finds names in capitals", async () => {
  await using made = await installation({
    "Id1/PAK0.PAK": pakOf("both.txt", "in0.txt"),
    "Id1/Pak1.pak": pakOf("both.txt", "in1.txt"),
    "Id1/MAPS/Start.bsp": "loose",
  });
  const catalog = scanCatalog(parseConfig(onWindows.replace("SOURCE", made.path), "/config.toml").games);
  assertEquals(catalog.problems, []);
  const view = catalog.view();
  assertEquals(view.searchPath.map(({ name, kind }) => kind === "pack" ? name : kind), [
    "Pak1.pak",
    "PAK0.PAK",
    "loose",
  ]);
  assertEquals(filesOf(view), ["MAPS/Start.bsp", "both.txt", "in0.txt", "in1.txt"]);
});

Deno.test("where two packs differ only in case the one in small letters is taken, else the first", () => {
  const packs = ["pak0.pak", "PAK0.PAK", "PAK1.pak", "PAK1.PAK", "Pak3.pak"].map((name) => ({
    name,
    isDirectory: false,
    files: 1,
    failure: null,
    format: "quake-pak",
  }));
  const rules = profileNamed("quake")?.packs.map((rule) => ({ ...rule, anyCase: true })) ?? [];
  assertEquals(orderPacks(rules, packs, "Quake").map(({ ignored }) => ignored), [
    null,
    "pak0.pak has the same name but for its case",
    "PAK1.PAK has the same name but for its case",
    null,
    "pak2.pak is missing, and Quake stops at the first missing number",
  ]);
});

Deno.test("only names that small letters would make packs are meant to be some", () => {
  const meant = (profile: string, name: string) => packNameMeant(profileNamed(profile)?.packs ?? [], name);
  assertEquals(
    ["PAK0.PAK", "pak0.pak", "PAK00.PAK", "README.TXT", "Pak2.pak"].map((name) => meant("quake", name)),
    ["pak0.pak", undefined, undefined, undefined, "pak2.pak"],
  );
  // ioquake3 accepts extensions in any case.
  assertEquals(meant("ioquake3", "MAP.PK3"), undefined);
});
