/**
 * Vectors: small installations on disk, and who must answer each path.
 * @module
 */
import { assertEquals } from "@std/assert";
import { type Files, installation, scan, winner } from "./fixtures.ts";

/** An installation, and who answers what. */
export interface Vector {
  readonly files: Files;
  /** Base directories below the installation, highest first; default: the installation itself. */
  readonly sources?: readonly string[];
  readonly base?: string;
  /** Default: the base view. */
  readonly view?: string;
  /** Path asked for, and the file that must answer, or null. */
  readonly expected: Readonly<Record<string, string | null>>;
}

/** A test that `which` and the resolved tree both name the expected files under a profile. */
export function vector(profile: string, name: string, { files, sources = [""], base, view, expected }: Vector): void {
  Deno.test(`${profile}: ${name}`, async () => {
    await using root = await installation(files);
    const catalog = scan(root.path, { sources, profile, ...(base === undefined ? {} : { base }) });
    const resolved = catalog.view(view);
    const found = Object.keys(expected).map((qpath) => [qpath, winner(root.path, resolved, qpath)]);
    assertEquals(Object.fromEntries(found), expected);
  });
}
