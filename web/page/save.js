/**
 * Saves files of a view: as they are, or as other programs open them.
 * @module
 */
import { counted, make } from "./elements.js";
import { fileUrl, get, pages, showingOf } from "./server.js";
import { Zip } from "./zip.js";

/** @typedef {{ qpath: string, mtime: number }} Saved */

/** Saves bytes through the browser. @param {Blob} blob @param {string} name */
function download(blob, name) {
  const url = URL.createObjectURL(blob);
  make("a", { href: url, download: name }).click();
  // The browser may begin to read it later.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/**
 * Returns all files that some need, and themselves.
 * @param {string} view
 * @param {readonly Saved[]} files
 * @param {AbortSignal} signal
 */
async function withNeeds(view, files, signal) {
  const found = new Map(files.map((file) => [file.qpath, file]));
  for await (const rows of pages("needs", { view, files: files.map(({ qpath }) => qpath) }, signal)) {
    for (const { qpath } of rows) if (qpath !== null && !found.has(qpath)) found.set(qpath, { qpath, mtime: 0 });
  }
  return [...found.values()];
}

/**
 * Saves files as a zip.
 * @param {object} options
 * @param {string} options.view
 * @param {readonly Saved[]} options.files
 * @param {string} options.name Name of the zip without its ending.
 * @param {boolean} options.isConverted Whether pictures, sounds and models are converted for other programs.
 * @param {boolean} options.isWithNeeds Whether what the files need is saved too.
 * @param {(text: string) => void} options.report
 * @param {AbortSignal} signal
 */
export async function saveZip({ view, files, name, isConverted, isWithNeeds, report }, signal) {
  const all = isWithNeeds ? await withNeeds(view, files, signal) : files;
  const zip = new Zip();
  /** @type {string[]} */
  const failed = [];
  for (const [index, { qpath, mtime }] of all.entries()) {
    report(`${(index + 1).toLocaleString("en")} of ${counted(all.length, "file")}…`);
    const address = { view, qpath };
    try {
      // deno-lint-ignore no-await-in-loop -- one file at a time is in memory twice
      const to = isConverted ? (await showingOf(address, signal)).to : null;
      const ending = to === null || to === "txt" || to === "json" ? "" : `.${to}`;
      // deno-lint-ignore no-await-in-loop -- as above
      const bytes = await (await get(fileUrl(address, ending === "" ? "raw" : `as/${to}`), signal)).arrayBuffer();
      zip.add(qpath + ending, bytes, mtime);
    } catch (error) {
      if (signal.aborted || error instanceof RangeError) throw error;
      failed.push(`${qpath}: ${error instanceof Error ? error.message : error}`);
    }
  }
  download(zip.finish(), `${name}.zip`);
  report(
    failed.length === 0
      ? `Saved ${counted(all.length, "file")}.`
      : `${counted(failed.length, "file")} failed: ${failed[0]}`,
  );
}
