/**
 * Archives that provide missing files: `missing --library`.
 * @module
 */
import { resolve } from "@std/path";
import { exitCodes, hostPath } from "../../system/mod.ts";
import type { ProviderRow } from "../../protocol/rows.ts";
import { type Context, type Input, inView, type Results, rowsOf } from "../command/command.ts";
import { counted, humanSize } from "../output/human.ts";
import { eachRow } from "../output/results.ts";

/** Maximum printed names per archive. */
const maxNames = 8;

function namesText({ provides }: ProviderRow): string {
  const more = provides.length - maxNames;
  return provides.slice(0, maxNames).join(" ") + (more > 0 ? ` and ${more} more` : "");
}

/**
 * Lists the archives of a library that provide missing files.
 * @param files Names as for `needs`; none for the view's game directory.
 */
export async function* showProviders(
  context: Context,
  { options }: Input,
  files: string[],
): Results<ProviderRow> {
  const library = options.list("library").map((path) => resolve(hostPath(path)));
  const chosen: ProviderRow[] = [];
  let missing = 0;
  const rows = rowsOf(context, "providers", {
    ...inView(context),
    files,
    library,
  }).filter((row) => {
    if (row.chosen) chosen.push(row);
    if (row.source === null) missing = row.provides.length;
    return true;
  });
  yield eachRow(rows, (page, row) => {
    const { source, size, problem } = row;
    if (source === null) {
      page.line({ text: "nothing provides", style: "unusable" }, `  ${row.provides.join(" ")}`);
      return;
    }
    if (problem !== null) page.line({ text: source, style: "unusable" }, `  cannot be read: ${problem}`);
    if (row.provides.length === 0) return;
    page.line(row.chosen ? "* " : "  ", { text: source, style: "heading" }, {
      text: `  ${humanSize(size)}`,
      style: "dim",
    });
    page.line({ text: `    ${namesText(row)}`, style: "dim" });
  });
  const bytes = chosen.reduce((sum, { size }) => sum + size, 0);
  const left = missing === 0 ? "nothing missing then" : `${missing} missing then`;
  if (chosen.length === 0) {
    context.output.remark(missing === 0 ? "nothing missing" : `no archive has a missing file`);
  } else {
    const least = chosen.every(({ exact }) => exact) ? "" : ", perhaps more than needed";
    context.output.remark(`*: ${counted(chosen.length, "archive")}, ${humanSize(bytes)}${least}; ${left}`);
  }
  return missing > 0 ? exitCodes.failed : exitCodes.ok;
}
