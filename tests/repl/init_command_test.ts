import { assert, assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { parseConfig } from "../../daemon/config/config_file.ts";
import { configSchema, schemaAddress } from "../../daemon/config/config_settings.ts";
import { profiles } from "../../engines/table.ts";
import { profileToml } from "../../engines/settings/profile_settings.ts";
import { parse } from "smol-toml";
import { installation, pakOf } from "../index/fixtures.ts";
import { jsonRows } from "./harness.ts";

const root = new URL("../..", import.meta.url).pathname;

type Schema = Readonly<Record<string, unknown>>;

/**
 * Whether a value matches a schema; supports the keywords of the configuration's JSON Schema, and throws for others.
 */
function fits(schema: Schema, value: unknown): boolean {
  const table = typeof value === "object" && value !== null ? value as Record<string, unknown> : {};
  return Object.entries(schema).every(([word, wanted]) => {
    if (["$schema", "title", "description", "default"].includes(word)) return true;
    if (word === "type" && wanted === "array") return Array.isArray(value);
    if (word === "type" && wanted === "object") return typeof value === "object" && !Array.isArray(value);
    if (word === "type" && wanted === "integer") return Number.isInteger(value);
    if (word === "type") return wanted === (typeof value as string);
    if (word === "enum") return (wanted as unknown[]).includes(value);
    if (word === "const") return wanted === value;
    if (word === "pattern") return new RegExp(String(wanted)).test(String(value));
    if (word === "minimum") return Number(value) >= Number(wanted);
    if (word === "maximum") return Number(value) <= Number(wanted);
    if (word === "anyOf") return (wanted as Schema[]).some((one) => fits(one, value));
    if (word === "items") return (value as unknown[]).every((one) => fits(wanted as Schema, one));
    if (word === "required") return (wanted as string[]).every((key) => table[key] !== undefined);
    const properties = (schema["properties"] ?? {}) as Record<string, Schema>;
    if (word === "additionalProperties") return Object.keys(table).every((key) => properties[key] !== undefined);
    if (word !== "properties") throw new Error(`the test does not know ${word}`);
    return Object.entries(properties).every(([key, one]) => table[key] === undefined || fits(one, table[key]));
  });
}

Deno.test("the JSON Schema takes what the daemon takes, and refuses what it refuses", () => {
  const schema = configSchema();
  const good = [
    "",
    'mount = "~/m"\ncache = "1.5 GiB"\n[[game]]\nsources = ["/a", "/b"]\nstrict = true\nnames = ["x"]\n',
    ...profiles.map((profile) => profileToml({ ...profile, name: `my-${profile.name}` })),
    '[[profile]]\nname = "mine"\nextends = "ioquake3"\nbases = ["core"]\n',
  ];
  for (const toml of good) {
    parseConfig(toml, "/config.toml");
    assert(fits(schema, parse(toml)), toml);
  }
  const bad = [
    'mout = "/m"\n',
    'cache = "much"\n',
    "cache = 5\n",
    "[[game]]\n",
    '[[game]]\nsource = ["/a"]\n',
    '[[game]]\nsources = "/a"\n',
    '[[game]]\nsources = ["/a"]\nstrict = "yes"\n',
    '[[profile]]\nextends = "quake"\n',
    '[[profile]]\nname = "x"\nlooseCase = "some"\n',
    '[[profile]]\nname = "x"\ninactive = 3\n',
  ];
  for (const toml of bad) {
    assertThrows(() => parseConfig(toml, "/config.toml"));
    assert(!fits(schema, parse(toml)), toml);
  }
});

Deno.test("init writes a configuration that is understood, once", async () => {
  await using made = await installation({ "games/quake/id1/pak0.pak": pakOf("a"), "games/quake/mymod/progs.dat": "" });
  const run = async (...args: string[]) => {
    const env = { HOME: made.path, XDG_CONFIG_HOME: `${made.path}/config`, PAKFS_CONFIG: "", NO_COLOR: "1" };
    const { code, stdout, stderr } = await new Deno.Command(`${root}pakfs`, {
      args: ["init", ...args],
      env,
      stdin: "null",
    })
      .output();
    return { code, out: new TextDecoder().decode(stdout), err: new TextDecoder().decode(stderr) };
  };
  const path = `${made.path}/config/pakfs/config.toml`;
  const game = `${made.path}/games/quake`;
  const shown = await run("--dry-run", game);
  assertEquals([shown.code, shown.err], [0, ""]);
  await Deno.lstat(path).then(() => assert(false, "it was written"), () => {});

  const written = await run(game);
  assertEquals([written.code, written.out], [0, ""], written.err);
  const text = await Deno.readTextFile(path);
  assertEquals(text, shown.out);
  assertEquals((await Deno.stat(path)).mode ?? 0, 0o100600);
  const { games, mount } = parseConfig(text, path);
  assertEquals([games.map(({ name, sources }) => [name, sources]), mount?.endsWith("/pakfs")], [
    [["quake", [game]]],
    true,
  ]);
  assert(text.startsWith(`#:schema ${schemaAddress()}\n`));
  assertEquals(JSON.parse(await Deno.readTextFile(new URL(schemaAddress()))).title, configSchema()["title"]);

  await Deno.writeTextFile(path, "# mine\n");
  const refused = await run(game);
  assertEquals([refused.code, await Deno.readTextFile(path)], [1, "# mine\n"]);
  assertStringIncludes(refused.err, "exists; --force overwrites it");
  const forced = await run("--force", "--json", game);
  assertEquals([forced.code, await Deno.readTextFile(path)], [0, text]);
  const [row] = jsonRows(forced.out) as { path: string; written: boolean; games: string[] }[];
  assertEquals([row?.path, row?.written, row?.games], [path, true, ["quake"]]);
  assertEquals((await Array.fromAsync(Deno.readDir(`${made.path}/config/pakfs`))).length, 1);
});
