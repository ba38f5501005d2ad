/**
 * Controls which threads run signal handlers, and which signals are ignored. Imports nothing, as the program begins
 * with it.
 *
 * Signals are handled on V8's threads: the kernel prefers the main thread, which may hang.
 * @module
 */

const libraries = ["libc.so.6", `libc.musl-${Deno.build.arch}.so.1`];
/** SIG_BLOCK */
const block = 0;
/** SIG_IGN */
const ignored = 1n;
const signals = { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 };

/**
 * Blocks the signals that end a daemon in this thread and in the threads that it starts. The kernel prefers the main
 * thread, whose handler never runs while it hangs in a system call; V8's threads, which never hang, remain.
 *
 * @returns Whether SIGHUP is ignored, as under nohup(1). Deno may soon install a handler, which hides this.
 */
export function leaveSignalsToOtherThreads(): boolean {
  // sigset_t: one bit per signal, from 1 on.
  const set = new Uint8Array(128);
  new DataView(set.buffer).setUint32(
    0,
    Object.values(signals).reduce((bits, signal) => bits | 1 << signal - 1, 0),
    true,
  );
  for (const name of libraries) {
    try {
      // int sigprocmask(int how, const sigset_t *set, sigset_t *oldset)
      const library = Deno.dlopen(name, {
        sigprocmask: { parameters: ["i32", "buffer", "pointer"], result: "i32" },
        // int sigaction(int signal, const struct sigaction *action, struct sigaction *oldaction)
        sigaction: { parameters: ["i32", "pointer", "buffer"], result: "i32" },
      });
      // struct sigaction begins with the handler; this is its maximum length in any C library.
      const action = new BigUint64Array(32);
      const ignoresHangUp = library.symbols.sigaction(signals.SIGHUP, null, action) === 0 && action[0] === ignored;
      library.symbols.sigprocmask(block, set, null);
      library.close();
      return ignoresHangUp;
    } catch {
      // Another C library, or none: signals are handled as usual.
    }
  }
  return false;
}
