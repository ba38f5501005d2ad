import type { OptionValues } from "../command_line/options.ts";
export function runDemo(_words: readonly string[], _options: OptionValues): Promise<void> {
  return Promise.resolve();
}
