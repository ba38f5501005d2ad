/**
 * The thread that ends the process when all others hang: it does nothing else.
 * @module
 */
import { Deadline, type GuardMessage } from "./end_guard.ts";
import { Inbox, workerScope } from "./mount/worker_scope.ts";

const inbox = new Inbox(workerScope<GuardMessage, never>());
let deadline: Deadline | undefined;
for (;;) {
  // deno-lint-ignore no-await-in-loop -- one message after the other
  const message = await inbox.next();
  if (message.type === "end") deadline?.begin();
  else {
    deadline = new Deadline(message.remains);
    deadline.listen();
  }
}
