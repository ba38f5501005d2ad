/**
 * Thousands of refreshes that each make a new index: the memory of the earlier ones must be given back.
 * @module
 */
import { connectSocket } from "../../protocol/client.ts";
import { pak, zip } from "../../tests/formats/bytes.ts";
import { output, workspace } from "../../tests/mount/mounting.ts";
import { type Bounds, type Findings, ProcessGauge, Rounds, type Scenario } from "./scenario.ts";

/** Refreshes after which everything has been used that ever will be. */
const warming = 200;
/** Memory that the daemon may have more than then; megabytes. */
const maxGrowth = 30;

async function runRefresh(bounds: Bounds): Promise<Findings> {
  await using here = await workspace();
  const directory = `${here.path}/quake/id1`;
  await Deno.mkdir(directory, { recursive: true });
  const others = Array.from({ length: 300 }, (_, number) => [`d${number % 20}/file ${number}.txt`, "x"] as const);
  await Deno.writeFile(`${directory}/pak0.pak`, pak(others));
  const put = async (version: number) => {
    const compressed = { name: "v.txt", content: `version ${version}\n`.repeat(100), method: 8 };
    await Deno.writeFile(`${here.path}/new`, zip([compressed, { name: `s${version % 7}.txt`, content: "s" }]));
    await Deno.rename(`${here.path}/new`, `${directory}/pak1.pk3`);
  };
  await put(0);
  await here.mount("--profile", "generic", directory);
  const { pid } = await here.status();
  const connection = await connectSocket(here.socket, { client: "soak" });
  const file = `${here.mountPoint}/id1/id1/v.txt`;
  const failures: string[] = [];
  const rounds = new Rounds(bounds);
  using gauge = new ProcessGauge(pid);
  while (rounds.next()) {
    // deno-lint-ignore no-await-in-loop -- one after the other
    await put(rounds.done);
    // deno-lint-ignore no-await-in-loop -- as above
    await connection.call("refresh", {});
    if (rounds.done === warming) gauge.restart();
    if (rounds.done % 100 !== 0) continue;
    // deno-lint-ignore no-await-in-loop -- as above
    const shown = await output("head", "-n", "1", file);
    if (shown !== `version ${rounds.done}\n`) failures.push(`after refresh ${rounds.done} it shows ${shown}`);
    gauge.measure();
  }
  await connection.close();
  gauge.measure();
  const measured = gauge.figures();
  if (gauge.growth > maxGrowth) failures.push(`the daemon has ${Math.round(gauge.growth)} MB more than before`);
  await here.stop();
  return { figures: { refreshes: rounds.done, ...measured }, failures };
}

/** See above. */
export const refresh: Scenario = {
  name: "refresh",
  summary: "thousands of refreshes: the memory of replaced indexes is given back",
  rounds: 3000,
  run: runRefresh,
};
