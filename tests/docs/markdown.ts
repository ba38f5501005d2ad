/**
 * Markdown as the documents have it.
 * @module
 */

const root = new URL("../..", import.meta.url).pathname;

/** Formats a text as `deno fmt` does. */
export async function formatted(text: string, extension: "md" | "json" = "md"): Promise<string> {
  const formatter = new Deno.Command(Deno.execPath(), {
    args: ["fmt", "--quiet", "--config", `${root}deno.json`, "--ext", extension, "-"],
    stdin: "piped",
    stdout: "piped",
  }).spawn();
  const writer = formatter.stdin.getWriter();
  await writer.write(new TextEncoder().encode(text));
  await writer.close();
  return new TextDecoder().decode((await formatter.output()).stdout);
}

/** Returns a table; `|` in cells is escaped. */
export function markdownTable(titles: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  return [line(titles), line(titles.map(() => "---")), ...rows.map(line)].join("\n");
}
