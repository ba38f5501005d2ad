/**
 * Messages between the server and its threads.
 * @module
 */
import type { NamedFile, Surroundings, Target } from "../media/convert/converter.ts";

/** Result of a conversion: a small picture for lists, or one of the formats that converters write. */
export type Wanted = Target | "thumbnail";

/** Message to a thread: a file to convert, one at a time, or the answer to what it asked for. */
export type ToThread =
  | { readonly type: "convert"; readonly qpath: string; readonly bytes: Uint8Array<ArrayBuffer>; readonly to: Wanted }
  | { readonly type: "found"; readonly request: number; readonly found: NamedFile | string | undefined }
  | { readonly type: "lost"; readonly request: number; readonly message: string };

/** Message of a thread: its result, or what it needs for it. */
export type FromThread =
  | { readonly type: "converted"; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly type: "refused"; readonly message: string }
  | { readonly type: "need"; readonly request: number; readonly what: keyof Surroundings; readonly name: string };
