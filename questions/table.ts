/**
 * Every question by the name of its method. A new question is a file of this folder, its line here, and the lines of
 * its rows in `answer_types.ts`.
 * @module
 */
export { checksum } from "./checksum.ts";
export { conflicts, overrides, unique } from "./conflicts.ts";
export { diff, diffstat } from "./diff.ts";
export { duplicates } from "./duplicates.ts";
export { ls, stat } from "./files.ts";
export { find, qpaths } from "./find.ts";
export { games, views } from "./games.ts";
export { grep } from "./grep.ts";
export { hash } from "./hash.ts";
export { limits } from "./limits.ts";
export { names } from "./names.ts";
export { missing, needs, providers, unfollowed, users } from "./needs.ts";
export { packs } from "./packs.ts";
export { pure } from "./pure.ts";
export { registered } from "./registered.ts";
export { path } from "./search_path.ts";
export { shader, shaders } from "./shaders.ts";
export { shadowed } from "./shadowed.ts";
export { undecided, unused } from "./unused.ts";
export { usage } from "./usage.ts";
export { which } from "./which.ts";
