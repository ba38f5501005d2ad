/**
 * Runs the tests with the real packages of JSR instead of the stand-ins, and asks JSR whether it accepts the package:
 * `deno task test:upstream`. Its configuration is `deno.json` without `links` and `lock`, written for the time it runs.
 * @module
 */
const root = new URL("../..", import.meta.url).pathname;
const config = `${root}deno.upstream.json`;

const { links: _links, lock: _lock, ...own } = JSON.parse(await Deno.readTextFile(`${root}deno.json`));
await Deno.writeTextFile(config, JSON.stringify({ ...own, lock: false }, null, 2));
const run = async (...args: string[]) =>
  (await new Deno.Command(Deno.execPath(), { args, cwd: root }).spawn().status).success;
try {
  const isTested = await run("test", "-A", "--doc", "--no-lock", "--config", config, ...Deno.args);
  const isAccepted = await run("publish", "--dry-run", "--allow-dirty", "--config", config);
  Deno.exitCode = isTested && isAccepted ? 0 : 1;
} finally {
  await Deno.remove(config);
}
