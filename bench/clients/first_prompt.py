"""Starts a program in a terminal of its own and prints the milliseconds until it has written what is waited for.

Usage: first_prompt.py ROUNDS WANTED COMMAND...
"""

import os
import pty
import sys
import time


def milliseconds_until(wanted, command):
    begin = time.perf_counter()
    child, terminal = pty.fork()
    if child == 0:
        os.execvp(command[0], command)
    seen = b""
    try:
        while wanted not in seen:
            seen += os.read(terminal, 65536)
        taken = (time.perf_counter() - begin) * 1000
        os.write(terminal, b"\x04")  # Ctrl-D
        while os.read(terminal, 65536):
            pass
    except OSError:  # the program has ended
        if wanted not in seen:
            sys.exit(f"{command[0]} ended without it: {seen.decode(errors='replace')}")
    os.waitpid(child, 0)
    return taken


for _ in range(int(sys.argv[1])):
    print(f"{milliseconds_until(sys.argv[2].encode(), sys.argv[3:]):.1f}")
