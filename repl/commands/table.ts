/**
 * The command table: every command, once. The REPL, one-shot commands, help and completion use it.
 * @module
 */
import { launcherCommands } from "../../daemon/mod.ts";
import type { Command } from "../command/command.ts";
import { archiveDiff } from "./archive_diff.ts";
import { archiveCreate, archiveExtract, archiveFind, archiveList, archiveVerify, formats } from "./archive.ts";
import { du, ls, tree } from "./browse.ts";
import { complete, completions } from "./completions.ts";
import { config, profiles } from "./config.ts";
import { conflictCommands } from "./conflicts.ts";
import { cat, head, hexdump, stat } from "./content.ts";
import { refresh, reload, status, stop } from "./daemon.ts";
import { duplicates } from "./duplicates.ts";
import { detect } from "./detect.ts";
import { doctor } from "./doctor.ts";
import { exportTables } from "./export.ts";
import {
  clear,
  dotMode,
  dotOnce,
  dotOutput,
  dotPager,
  dotRead,
  dotShell,
  dotShow,
  dotTimer,
  dotWidth,
} from "./dot_commands.ts";
import { engineCommands } from "./engine.ts";
import { convert, extract } from "./extract.ts";
import { find } from "./find.ts";
import { grep } from "./grep.ts";
import { games, path, views } from "./games.ts";
import { archiveHash, hash } from "./hash.ts";
import { help, man, showVersion } from "./help.ts";
import { init } from "./init.ts";
import { cd, exit, pwd, use } from "./navigation.ts";
import { needCommands } from "./needs.ts";
import { open } from "./open.ts";
import { checksum, names, packs, pure } from "./packs.ts";
import { serviceInstall, serviceStatus, serviceUninstall } from "./service.ts";
import { sqlCommands } from "./sql.ts";
import { shaderCommands } from "./shader.ts";
import { show } from "./show.ts";
import { tour } from "./tour.ts";
import { uninstall } from "./uninstall.ts";
import { mounts, unmount } from "./unmount.ts";
import { unused } from "./unused.ts";
import { watch } from "./watch.ts";
import { web } from "./web.ts";
import { which } from "./which.ts";

/** All commands. Their order within a group is the help order. */
export const commandTable: readonly Command[] = [
  ...[ls, tree, find, grep, du, stat, cat, head, hexdump, open, show, web, extract, convert],
  ...[which, ...conflictCommands, ...shaderCommands, ...needCommands, unused],
  ...[
    games,
    views,
    path,
    packs,
    formats,
    checksum,
    hash,
    duplicates,
    ...engineCommands,
    pure,
    names,
    ...sqlCommands,
    exportTables,
  ],
  ...[use, cd, pwd, exit, help, showVersion, clear, dotMode, dotWidth, dotPager, dotTimer, dotOutput, dotOnce],
  ...[dotShow, dotRead, dotShell],
  ...[archiveList, archiveFind, archiveVerify, archiveHash, archiveDiff, archiveExtract, archiveCreate],
  ...[status, mounts, unmount, refresh, reload, stop, watch, serviceInstall, serviceUninstall, serviceStatus],
  ...[tour, detect, init, profiles, config, doctor, uninstall, completions, complete, man],
  ...launcherCommands,
];
