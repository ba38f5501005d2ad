/**
 * Downloads of a map rotation: `needs --list`.
 * @module
 */
import { exitCodes, hostPath, UsageError } from "../../system/mod.ts";
import { errorCodes, RpcError } from "../../protocol/mod.ts";
import type { NeedRow } from "../../protocol/rows.ts";
import { type Context, type Input, inView, type Results, rowsOf, slowRowsOf } from "../command/command.ts";
import { CommandError } from "../output/failure.ts";
import { counted, humanSize } from "../output/human.ts";
import { tableOf } from "../output/results.ts";
import type { DownloadRow } from "../rows/client_rows.ts";

/** A map of a rotation, and the number of its line. */
export interface RotationMap {
  readonly line: number;
  readonly name: string;
}

/** Console command that starts a map: at the beginning of a line, after a semicolon, or in quotes. */
const startsMap = /(?:^|[;"])\s*(?:(?:sp|dev|spdev)?map|changelevel|gamemap)\s+"?([^\s";|]+)/gi;
/** Quake 2's list of maps. */
const listsMaps = /^\s*seta?\s+sv_maplist\s+"?([^";]*)/i;
/** A map alone; Quake Live's game type and Half-Life's settings may follow. */
const mapAlone = /^"?([^\s"|;]+)"?\s*(?:\|.*|"?\\.*)?$/;

/**
 * Returns the maps of a rotation: one per line, with comments after `#` and `//`, or console commands that start maps.
 * Other commands are ignored.
 */
export function rotationMaps(text: string): RotationMap[] {
  return text.split(/\r?\n/).flatMap((written, index) => {
    const line = written.replace(/(?:^|\s)(?:#|\/\/).*$/, "").replaceAll('\\"', '"').trim();
    const names = listsMaps.exec(line)?.[1]?.split(/[\s,]+/) ??
      Array.from(line.matchAll(startsMap), ([, name]) => name);
    const found = names.length > 0 ? names : [mapAlone.exec(line)?.[1]];
    return found.flatMap((name) => name ? [{ line: index + 1, name: plainName(name) }] : []);
  });
}

function plainName(name: string): string {
  return name.replaceAll("\\", "/").replace(/^maps\//i, "").replace(/\.(?:bsp|map)$/i, "");
}

/** Returns the files that a map needs beyond the base game; undefined if the view has no such map. */
async function neededBy(context: Context, map: string): Promise<NeedRow[] | undefined> {
  const rows: NeedRow[] = [];
  try {
    for await (const row of slowRowsOf(context, "needs", { ...inView(context), files: [map] })) {
      if (rows.length === 0 && row.kind !== "map") return undefined;
      rows.push(row);
    }
  } catch (error) {
    if (error instanceof RpcError && error.code === errorCodes.notFound) return undefined;
    throw error;
  }
  return rows.filter(({ base }) => !base);
}

/** Totals of downloads. */
interface Sum {
  readonly gameDirectory: string;
  readonly files: Map<string, number>;
  readonly maps: Set<string>;
}

/** Lists the packs that clients of a map rotation must have in addition to the base game's. */
export async function* showDownloads(context: Context, { options, words }: Input): Results<DownloadRow> {
  const other = ["tree", "dot", "missing", "without"].find((name) => options.flag(name));
  if (other !== undefined || words.length > 0) {
    throw new UsageError(`--list cannot be combined with ${other === undefined ? "FILE|MOD" : `--${other}`}`);
  }
  const file = options.value("list") ?? "";
  const maps = rotationMaps(await Deno.readTextFile(hostPath(file)));
  if (maps.length === 0) throw new CommandError(`${file}: names no map`);
  const sums = new Map<string, Sum>();
  const lacking = new Set<string>();
  const known = new Set<string>();
  let found = 0;
  let isFailed = false;
  for (const { line, name } of maps) {
    if (known.has(name.toLowerCase())) continue;
    known.add(name.toLowerCase());
    // deno-lint-ignore no-await-in-loop -- one map after the other
    const rows = await neededBy(context, name);
    if (!rows) {
      isFailed = true;
      context.output.warning(`${file}:${line}: map not found: ${name}`);
      continue;
    }
    found++;
    for (const { qpath, source, gameDirectory, size, name: needed, problem } of rows) {
      if (problem !== null) context.output.warning(`${qpath}: cannot read its references: ${problem}`);
      isFailed ||= problem !== null || qpath === null;
      if (qpath === null || source === null) lacking.add(needed);
      else {
        const sum = sums.get(source) ?? { gameDirectory: gameDirectory ?? "", files: new Map(), maps: new Set() };
        sums.set(source, sum);
        sum.files.set(qpath, size ?? 0);
        sum.maps.add(name);
      }
    }
  }
  const rows = await downloadRows(context, sums);
  yield tableOf(rows, [
    { title: "SIZE", align: "right", cell: ({ size }) => humanSize(size) },
    { title: "NEEDED", align: "right", cell: ({ needed }) => humanSize(needed) },
    { title: "FILES", align: "right", cell: ({ files }) => String(files) },
    { title: "MAPS", align: "right", cell: (row) => String(row.maps.length) },
    { title: "PACK", cell: ({ source, kind }) => kind === "pack" ? source : `${source}/` },
  ]);
  const bytes = rows.reduce((sum, { size }) => sum + size, 0);
  const packs = rows.filter(({ kind }) => kind === "pack").length;
  const loose = rows.filter(({ kind }) => kind === "loose").reduce((sum, { files }) => sum + files, 0);
  const parts = [
    ...packs === 0 ? [] : [counted(packs, "pack")],
    ...loose === 0 ? [] : [counted(loose, "loose file")],
  ];
  const all = parts.length === 0 ? "nothing" : `${parts.join(", ")}, ${humanSize(bytes)}`;
  const missing = lacking.size === 0 ? "" : `; ${lacking.size} missing: needs MAP --missing lists them`;
  context.output.remark(`${all} to download for ${counted(found, "map")}${missing}`);
  return isFailed ? exitCodes.failed : exitCodes.ok;
}

async function downloadRows(context: Context, sums: ReadonlyMap<string, Sum>): Promise<DownloadRow[]> {
  const sizes = new Map<string, number>();
  for await (const { source, size, format } of rowsOf(context, "packs", inView(context))) {
    if (format !== "loose" && format !== "pk3dir") sizes.set(source, size);
  }
  return Array.from(sums, ([source, { gameDirectory, files, maps }]): DownloadRow => {
    const needed = files.values().reduce((sum, size) => sum + size, 0);
    const size = sizes.get(source);
    return {
      source,
      kind: size === undefined ? "loose" : "pack",
      gameDirectory,
      size: size ?? needed,
      files: files.size,
      needed,
      maps: [...maps],
    };
  }).sort((a, b) => a.source < b.source ? -1 : 1);
}
