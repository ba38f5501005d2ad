// deno-lint-ignore-file no-await-in-loop -- packages are looked at one after another
/**
 * The packages as a registry would get them. JSR is not asked: a server in this process takes its place, and what
 * `deno publish` sends to it is extracted and checked. The stand-ins for JSR are outside of the packages, so that none of
 * their files is sent.
 * @module
 */
import { assert, assertEquals } from "@std/assert";
import { copy, exists, walk } from "@std/fs";
import { dirname, join, relative } from "node:path";
import { temporaryDirectory } from "../../support/temporary.ts";

const root = new URL("../../..", import.meta.url).pathname;
const packages = [{ name: "pakfs", directory: "." }, { name: "deno-fuse-ffi", directory: "deno-fuse-ffi" }];
/** Names in a working copy that are no part of it. */
const notPublished = [".git", ".tools", "coverage", "node_modules"];

/** A registry that knows no package and takes all; the archives by name of the package. */
function startRegistry(): AsyncDisposable & { readonly url: string; readonly archives: Map<string, Uint8Array> } {
  const archives = new Map<string, Uint8Array>();
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, async (request) => {
    const { pathname } = new URL(request.url);
    const [, packageName = "", isVersion] = /^\/api\/scopes\/pakfs\/packages\/([^/]+)(\/versions\/)?/.exec(pathname) ??
      [];
    if (request.method === "GET" && isVersion === undefined) {
      return Response.json({ scope: "pakfs", name: packageName });
    }
    if (request.method === "GET") {
      return Response.json({ code: "packageVersionNotFound", message: "there is none" }, { status: 404 });
    }
    archives.set(packageName, new Uint8Array(await request.arrayBuffer()));
    return Response.json({ id: "1", status: "success", error: null, packageScope: "pakfs", packageName });
  });
  return {
    url: `http://127.0.0.1:${server.addr.port}/`,
    archives,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}

/** Copies the tree to `directory`, with the stand-ins next to it. */
async function copyTree(directory: string): Promise<void> {
  await Deno.mkdir(`${directory}/tree`);
  for await (const { name } of Deno.readDir(root)) {
    if (!notPublished.includes(name)) await copy(join(root, name), `${directory}/tree/${name}`);
  }
  await Deno.rename(`${directory}/tree/system/std`, `${directory}/std`);
  const config = `${directory}/tree/deno.json`;
  const text = await Deno.readTextFile(config);
  await Deno.writeTextFile(config, text.replaceAll('"./system/std/', '"../std/'));
}

/** Module specifiers: after `from` and in `import()` at the beginning of a statement, without comments. */
function specifiersIn(code: string): string[] {
  const statements = code.replaceAll(/\/\*.*?\*\//gs, "");
  return Array.from(
    statements.matchAll(/(?:\bfrom |\bimport\(|^import )"([^"]+)"/gm),
    ([, specifier = ""]) => specifier,
  );
}

Deno.test("both packages can be published, with all that their modules ask for", async () => {
  await using directory = await temporaryDirectory();
  const { path } = directory;
  await copyTree(path);
  await using registry = startRegistry();
  for (const { name, directory: packageDirectory } of packages) {
    const { success, stderr } = await new Deno.Command(Deno.execPath(), {
      // The test run itself checks types.
      args: ["publish", "--token", "none", "--no-provenance", "--allow-dirty", "--no-lock", "--no-check"],
      cwd: join(path, "tree", packageDirectory),
      env: { JSR_URL: registry.url, NO_COLOR: "1" },
      stdin: "null",
    }).output();
    const said = new TextDecoder().decode(stderr);
    assert(success, said);
    // Modules that are loaded on demand (protocol/library/view.ts) are files of the package, which need no rewriting.
    const problems = said.split("\n").filter((line) =>
      /^(warning|error)(?!\[unanalyzable-dynamic-import\])/i.test(line)
    );
    assertEquals(problems, [], said);
    const computed = Array.from(
      said.matchAll(/\bimport\(\s*(?:\d*\s*\|\s*)?("[^"]*)/g),
      ([, specifier]) => specifier ?? "",
    );
    assertEquals(computed.filter((specifier) => !specifier.startsWith('".')), []);
    const archive = registry.archives.get(name);
    assert(archive, `${name} was not sent`);
    await Deno.writeFile(`${path}/${name}.tar.gz`, archive);
    const decompressed = `${path}/decompressed/${name}`;
    await Deno.mkdir(decompressed, { recursive: true });
    // Deno records no modes, so that only root could read the files.
    const unpack = 'tar -xzf "$1" -C "$2" && chmod -R u+rwX "$2"';
    const args = ["-c", unpack, "sh", `${path}/${name}.tar.gz`, decompressed];
    const tar = await new Deno.Command("sh", { args }).output();
    assert(tar.success, new TextDecoder().decode(tar.stderr));
    await checkPackage(decompressed, name);
  }
});

async function checkPackage(decompressed: string, name: string): Promise<void> {
  const { exports } = JSON.parse(await Deno.readTextFile(`${decompressed}/deno.json`)) as {
    exports: Record<string, string>;
  };
  for (const file of [...Object.values(exports), "README.md"]) assert(await exists(join(decompressed, file)), file);
  const foreign = new Set<string>();
  for await (const { path } of walk(decompressed, { includeDirs: false })) {
    const file = relative(decompressed, path);
    assert(!/^(tests|tools|system\/std|\.git|deno-fuse-ffi)\//.test(file), `${name} has ${file}`);
    if (!file.endsWith(".ts")) continue;
    const code = await Deno.readTextFile(path);
    for (const specifier of specifiersIn(code)) {
      if (!specifier.startsWith(".")) foreign.add(specifier.replace(/^node:.*/, "node:"));
      else assert(await exists(join(dirname(path), specifier)), `${file} asks for ${specifier}, which is not there`);
    }
    // Workers are started by the address of their module.
    for (const [, worker = ""] of code.matchAll(/new URL\("([^"]+\.ts)", import\.meta\.url\)/g)) {
      assert(await exists(join(dirname(path), worker)), `${file} starts ${worker}, which is not there`);
    }
  }
  // Names that only this tree's configuration knows mean nothing to users of the package.
  assertEquals(
    [...foreign].filter((specifier) => !/^(node:|npm:[\w-]+@|jsr:@(std|pakfs)\/[\w-]+@)/.test(specifier)),
    [],
  );
}
