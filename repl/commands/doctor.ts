/**
 * `doctor`: finds problems that keep pakfs from working, and suggests remedies.
 * @module
 */
import type { Health } from "../doctor/finding.ts";
import { command } from "../command/command.ts";
import { counted } from "../output/human.ts";
import { eachRow } from "../output/results.ts";
import type { Style } from "../output/text.ts";

const marks: Readonly<Record<Health, { text: string; style: Style }>> = {
  ok: { text: "ok   ", style: "winner" },
  note: { text: "note ", style: "dim" },
  wrong: { text: "WRONG", style: "error" },
};

export const doctor = command({
  name: "doctor",
  group: "Start",
  scope: "anywhere",
  rows: ["Finding"],
  summary: "check this machine's requirements for pakfs, and suggest fixes",
  arguments: [],
  options: [{
    name: "config",
    value: "FILE",
    kind: "file",
    summary: "default: $PAKFS_CONFIG, else ~/.config/pakfs/config.toml",
  }],
  details: [
    "Checks Deno, libfuse, fusermount3, /dev/fuse, the limits of watching, mounts and sockets that killed daemons " +
    "left behind, the running daemon, the configuration and the index caches. It changes nothing. WRONG marks a " +
    "problem, and the exit code is then 1; a note may or may not matter to you.",
  ],
  examples: [
    { line: "doctor", does: "check this machine" },
    { line: "doctor --json", does: "one object per check: check, health, found, advice" },
  ],
  async *run({ output }, { options }) {
    const { examine } = await import("../doctor/doctor.ts");
    const findings = await examine({ config: options.value("config"), socket: options.value("socket") });
    const width = Math.max(...findings.map(({ check }) => check.length));
    yield eachRow(findings, (page, { check, health, found, advice }) => {
      page.line(marks[health], "  ", check.padEnd(width), "  ", found);
      if (advice !== null) page.line(" ".repeat(width + 9), { text: `-> ${advice}`, style: "heading" });
    });
    const wrong = findings.filter(({ health }) => health === "wrong").length;
    output.remark(wrong === 0 ? "no problems found" : `${counted(wrong, "problem")} found`);
    return wrong === 0 ? 0 : 1;
  },
});
