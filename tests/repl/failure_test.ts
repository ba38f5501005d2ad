import { assertEquals } from "@std/assert";
import { failureOf } from "../../repl/output/failure.ts";

Deno.test("a missing permission is a mistake of pakfs, and not for the user to give", () => {
  const error = new Deno.errors.NotCapable('Requires write access to "/a", run again with the --allow-write flag');
  assertEquals(failureOf(error), {
    kind: "failed",
    message: 'Requires write access to "/a", which the launcher did not grant: please report this as a bug of pakfs',
    exitCode: 1,
  });
});
