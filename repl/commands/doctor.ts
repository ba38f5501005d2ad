/**
 * `doctor`: what keeps pakfs from working, and what to do about it.
 * @module
 */
import type { Health } from "../doctor/finding.ts";
import type { RunnableCommand } from "../command/command.ts";
import { counted } from "../output/render.ts";
import type { Part, Style } from "../output/text.ts";

const marks: Readonly<Record<Health, { text: string; style: Style }>> = {
  ok: { text: "ok   ", style: "winner" },
  note: { text: "note ", style: "dim" },
  wrong: { text: "WRONG", style: "error" },
};

const doctor: RunnableCommand = {
  name: "doctor",
  group: "Start",
  scope: "anywhere",
  rows: ["Finding"],
  summary: "check what pakfs needs on this machine, and say what to do where something is missing",
  arguments: [],
  options: [{
    name: "config",
    value: "FILE",
    kind: "file",
    summary: "default: $PAKFS_CONFIG, else ~/.config/pakfs/config.toml",
  }],
  details: [
    "Looks at Deno, libfuse, fusermount3, /dev/fuse, the limits of watching, mounts and sockets that killed daemons " +
    "left behind, the running daemon, the configuration and the index caches. It changes nothing. A line that says " +
    "WRONG keeps something from working, and the command then ends with 1; a note only may matter to you.",
  ],
  examples: [
    { line: "doctor", does: "is everything there?" },
    { line: "doctor --json", does: "one object per check: check, health, found, advice" },
  ],
  run: async ({ output }, { options }) => {
    const { examine } = await import("../doctor/doctor.ts");
    const findings = await examine({ config: options.value("config"), socket: options.value("socket") });
    const width = Math.max(...findings.map(({ check }) => check.length));
    for (const finding of findings) {
      if (output.json) {
        output.row(finding);
        continue;
      }
      const { check, health, found, advice } = finding;
      const line: Part[] = [marks[health], "  ", check.padEnd(width), "  ", found];
      output.line(...line);
      if (advice !== null) output.line(" ".repeat(width + 9), { text: `-> ${advice}`, style: "heading" });
    }
    const wrong = findings.filter(({ health }) => health === "wrong").length;
    output.remark(wrong === 0 ? "nothing is wrong" : `${counted(wrong, "thing")} to put right`);
    return wrong === 0 ? 0 : 1;
  },
};

/** Commands of this file. */
export const doctorCommands: readonly RunnableCommand[] = [doctor];
