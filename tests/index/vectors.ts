/**
 * Vectors: small installations on disk, and the winner of each path.
 * @module
 */
import { assertEquals } from "@std/assert";
import { type Files, installation, pakOf, scan, winner, zipOf } from "./fixtures.ts";

/** An installation, and the winners of its paths. */
export interface Vector {
  readonly files: Files;
  /** Base directories below the installation, highest first; default: the installation itself. */
  readonly sources?: readonly string[];
  readonly base?: string;
  /** Default: the base view. */
  readonly view?: string;
  /** Requested path, and the expected winner, or null. */
  readonly expected: Readonly<Record<string, string | null>>;
}

/** Tests that `which` and the resolved tree both name the expected files under a profile. */
export function vector(profile: string, name: string, { files, sources = [""], base, view, expected }: Vector): void {
  Deno.test(`${profile}: ${name}`, async () => {
    await using root = await installation(files);
    const catalog = scan(root.path, { sources, profile, ...(base === undefined ? {} : { base }) });
    const resolved = catalog.view(view);
    const found = Object.keys(expected).map((qpath) => [qpath, winner(root.path, resolved, qpath)]);
    assertEquals(Object.fromEntries(found), expected);
  });
}

function filesOf(list: string): Files {
  const files = [...list.matchAll(/\s*([^,{]+)(?:\{(.*?)\})?(?:,|$)/g)].map(([, path = "", members]) => {
    const names = members?.split(" ").filter((name) => name !== "");
    return [path, names === undefined ? "loose" : (/\.pak$/i.test(path) ? pakOf : zipOf)(...names)] as const;
  });
  return Object.fromEntries(files);
}

/** Makes a test of each vector of a text, in the form that the first lines of `precedence.txt` describe. */
export function vectorsOf(text: string): void {
  let files: Files = {};
  for (
    const [, profiles = "", options = "", name = "", list = "", answers = ""] of text.matchAll(
      /^([\w+]+)((?: \w+=\S+)*): (.*)((?:\n {2}(?!.* -> ).*)*)((?:\n {2}.* -> .*)+)/gm,
    )
  ) {
    if (list !== "") files = filesOf(list.trim());
    const given = Object.fromEntries(options.trim().split(" ").map((option) => option.split("=")));
    const { view, base, sources } = given as Partial<Record<"view" | "base" | "sources", string>>;
    const expected = Object.fromEntries(
      answers.trim().split(/,\s+/).map((answer) => answer.split(" -> ")).map((
        [path, by],
      ) => [path, by === "-" ? null : by]),
    ) as Vector["expected"];
    for (const profile of profiles.split("+")) {
      vector(profile, name, {
        files,
        expected,
        ...(view === undefined ? {} : { view }),
        ...(base === undefined ? {} : { base }),
        ...(sources === undefined ? {} : { sources: sources.split(",") }),
      });
    }
  }
}
