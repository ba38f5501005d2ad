/**
 * Strings that look like paths in scripts, maps, models and programs, as candidate names for files of packs without
 * names.
 * @module
 */

/** Extensions of files that contain names of other files. */
const namingEndings: ReadonlySet<string> = new Set([
  ...["txt", "cfg", "rc", "ini", "lst", "csv", "xml", "json", "html", "gui", "menu", "lua", "py", "js"],
  ...["shader", "mtr", "material", "skin", "script", "def", "decl", "sndshd", "fx", "vfx", "c", "h", "qc", "src"],
  ...["map", "ent", "bsp", "arena", "bot", "md2", "md3", "mdl", "md5mesh", "md5anim", "iqm", "mdr", "ase"],
  ...["exe", "dll", "so", "qvm", "luac", "bin"],
]);

const minLength = 3;
const maxLength = 250;

/** Returns whether a file with that name may contain names of other files. */
export function mayNameFiles(path: string): boolean {
  const dot = path.lastIndexOf(".");
  return dot > path.lastIndexOf("/") && namingEndings.has(path.slice(dot + 1).toLowerCase());
}

const decoder = new TextDecoder();
/** Words in scripts and binary files, and quoted strings, which may contain spaces. */
const words = /[\p{L}\p{N}_\-.\/\\+~!@#$%&'^]{3,250}/gu;
const quoted = /"([^"\p{Cc}]{3,250})"/gu;

/** Returns a string as a path: `/` between directories, no leading `/`; `undefined` if it cannot be a path. */
export function asPath(text: string): string | undefined {
  const path = text.trim().replaceAll("\\", "/").replace(/\/{2,}/g, "/").replace(/^(?:\.?\/)+/, "")
    .replace(/[.'!]+$/, ""); // the end of a sentence
  if (path.length < minLength || path.length > maxLength || path.endsWith("/")) return undefined;
  if (!/[./]/.test(path) || /(^|\/)\.\.?(\/|$)/.test(path)) return undefined;
  return path;
}

/** Returns the paths among the strings of a file's content, without duplicates. */
export function pathStrings(content: Uint8Array): Set<string> {
  const text = decoder.decode(content);
  const found = new Set<string>();
  const add = (string: string) => {
    const path = asPath(string);
    if (path !== undefined) found.add(path);
  };
  for (const [word] of text.matchAll(words)) add(word);
  for (const [, inside = ""] of text.matchAll(quoted)) if (inside.includes(" ")) add(inside);
  return found;
}

const images = ["tga", "jpg", "png", "dds"] as const;
const sounds = ["wav", "ogg", "mp3"] as const;
const others = ["md3", "mdl", "bsp", "txt", "cfg", "lua", "xml", "shader", "skin"] as const;
const kin: readonly (readonly string[])[] = [images, sounds];

/**
 * Returns related paths: scripts omit the extensions of images, sounds and models, or name an image of another format.
 */
export function relatedPaths(path: string): string[] {
  const dot = path.lastIndexOf(".");
  if (dot <= path.lastIndexOf("/")) return [...images, ...sounds, ...others].map((ending) => `${path}.${ending}`);
  const ending = path.slice(dot + 1).toLowerCase();
  const family = kin.find((endings) => endings.includes(ending)) ?? [];
  return family.filter((other) => other !== ending).map((other) => path.slice(0, dot + 1) + other);
}

/** Extensions of files whose first bytes only show that they are text. */
const textEndings: ReadonlySet<string> = new Set(["txt", "cfg", "lua", "xml", "shader", "skin", "ent"]);

/** Returns whether a file with that name may have content of that type, as in `contentType`. */
export function fitsKind(path: string, kind: string): boolean {
  const ending = path.slice(path.lastIndexOf(".") + 1).toLowerCase();
  return ending === kind || (textEndings.has(ending) && textEndings.has(kind));
}
