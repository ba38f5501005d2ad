/**
 * The command table: every command there is, once. The REPL, one-shot commands, help and completion all read it.
 * @module
 */
import type { Command } from "../command/command.ts";
import { archiveCommands } from "./archive.ts";
import { browseCommands } from "./browse.ts";
import { checksumCommands } from "./checksum.ts";
import { completionCommands } from "./completions.ts";
import { configCommands } from "./config.ts";
import { contentCommands } from "./content.ts";
import { controlCommands } from "./control.ts";
import { detectCommands } from "./detect.ts";
import { doctorCommands } from "./doctor.ts";
import { engineCommands } from "./engine.ts";
import { extractCommands } from "./extract.ts";
import { findCommands } from "./find.ts";
import { helpCommands } from "./help.ts";
import { initCommands } from "./init.ts";
import { launcherCommands } from "../../config/launcher_commands.ts";
import { manCommands } from "./man.ts";
import { movingCommands } from "./moving.ts";
import { nameCommands } from "./names.ts";
import { openCommands } from "./open.ts";
import { placeCommands } from "./places.ts";
import { provenanceCommands } from "./provenance.ts";
import { pureCommands } from "./pure.ts";
import { serviceCommands } from "./service.ts";
import { shaderCommands } from "./shader.ts";
import { shellCommands } from "./shell.ts";
import { showCommands } from "./show.ts";
import { tourCommands } from "./tour.ts";
import { usageCommands } from "./usage.ts";
import { watchCommands } from "./watch.ts";
import { whichCommands } from "./which.ts";

/** All commands. Their order within a group is the order of the help. */
export const commandTable: readonly Command[] = [
  ...browseCommands,
  ...findCommands,
  ...usageCommands,
  ...contentCommands,
  ...openCommands,
  ...showCommands,
  ...extractCommands,
  ...whichCommands,
  ...provenanceCommands,
  ...shaderCommands,
  ...placeCommands,
  ...checksumCommands,
  ...engineCommands,
  ...pureCommands,
  ...nameCommands,
  ...movingCommands,
  ...shellCommands,
  ...helpCommands,
  ...archiveCommands,
  ...controlCommands,
  ...watchCommands,
  ...serviceCommands,
  ...tourCommands,
  ...detectCommands,
  ...initCommands,
  ...configCommands,
  ...doctorCommands,
  ...completionCommands,
  ...manCommands,
  ...launcherCommands,
];
