/**
 * Measures how long the page of `pakfs web` waits for thumbnails: of a first visit, which converts them, and of the next.
 * Usage: `deno run -A tools/bench/web_bench.ts DIRECTORY`.
 * @module
 */
import { print } from "../../tests/support/harness.ts";

/** Connections that a browser opens to one server. */
const connections = 6;
const extensions = ["tga", "jpg", "jpeg", "png", "pcx", "wal", "lmp", "mip", "dds"];

/** Returns user and system time of a process in seconds. */
async function processorTime(pid: number): Promise<number> {
  const fields = (await Deno.readTextFile(`/proc/${pid}/stat`)).replace(/^.*\) /, "").split(" ");
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

const directory = Deno.args[0] ?? "/usr/share/games/openarena";
const root = new URL("../..", import.meta.url).pathname;
const cache = await Deno.makeTempDir({ prefix: "pakfs-bench-" });
const server = new Deno.Command(Deno.execPath(), {
  args: [
    ...["run", "-A", "--quiet", "--config", `${root}deno.json`, `${root}repl/main.ts`, "--source", directory],
    ...["--no-index-cache", "web", "--json", "--quiet", "--port", "0"],
  ],
  env: { PAKFS_INDEX_CACHE: cache },
  stdin: "null",
  stdout: "piped",
  stderr: "inherit",
}).spawn();

try {
  const reader = server.stdout.pipeThrough(new TextDecoderStream()).getReader();
  let line = "";
  while (!line.includes("\n")) {
    // deno-lint-ignore no-await-in-loop -- until the address is whole
    const { value, done } = await reader.read();
    if (done) throw new Error("the server ended");
    line += value;
  }
  const url: string = JSON.parse(line).url;
  const visit = await fetch(url, { redirect: "manual" });
  await visit.body?.cancel();
  const headers = { cookie: visit.headers.get("set-cookie")?.split(";")[0] ?? "" };
  const ask = async (path: string) => await fetch(new URL(path, url), { headers });
  const call = async (method: string, params: object) => {
    const answer = await ask(`/.pakfs/call/${method}?${new URLSearchParams({ params: JSON.stringify(params) })}`);
    return await answer.json();
  };
  const [{ view }] = (await call("views", {})).rows;
  const found = { view, patterns: ["textures/**"], filters: { extensions }, fields: ["qpath"], limit: 20_000 };
  const qpaths: string[] = (await call("find", found)).rows.map(({ qpath }: { qpath: string }) => qpath).slice(0, 2000);
  for (const name of ["first visit", "second visit", "third visit"]) {
    const waiting = qpaths.values();
    let bytes = 0;
    let refused = 0;
    // deno-lint-ignore no-await-in-loop -- one visit after the other
    const before = await processorTime(server.pid);
    const start = performance.now();
    const browse = async () => {
      for (const qpath of waiting) {
        // deno-lint-ignore no-await-in-loop -- a connection has one request at a time
        const answer = await ask(`/.pakfs/as/thumbnail?${new URLSearchParams({ view, qpath })}`);
        // deno-lint-ignore no-await-in-loop -- as above
        const { byteLength } = await answer.arrayBuffer();
        bytes += byteLength;
        if (!answer.ok) refused++;
      }
    };
    // deno-lint-ignore no-await-in-loop -- as above
    await Promise.all(Array.from({ length: connections }, browse));
    const wall = (performance.now() - start) / 1000;
    // deno-lint-ignore no-await-in-loop -- as above
    const processor = await processorTime(server.pid) - before;
    print(
      `${name}: ${qpaths.length} thumbnails of ${view} in ${wall.toFixed(2)} s, ${
        processor.toFixed(2)
      } s of processors, ` +
        `${Math.round(bytes / 1024)} KiB, ${refused} refused`,
    );
  }
} finally {
  server.kill("SIGINT");
  await server.status;
  await Deno.remove(cache, { recursive: true });
}
