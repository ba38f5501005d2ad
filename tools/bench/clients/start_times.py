"""Starts programs in turns and prints how long each took, as lines of JSON.

Usage: start_times.py ROUNDS < SUBJECTS

SUBJECTS is a JSON list of objects:

  command  words of the program
  env      variables in addition to those of this process
  until    text to wait for in a terminal of its own, then Ctrl-D is pressed; absent: run it to its end, without terminal
  stat     path whose stat must answer after the program has ended, which counts
  after    words of a program that removes what the first one left, which does not count

The first round warms up and is not printed.
"""

import json
import os
import pty
import subprocess
import sys
import time


def run_to_end(command, env):
    null = [(os.POSIX_SPAWN_OPEN, fd, os.devnull, os.O_RDWR, 0) for fd in (0, 1)]
    child = os.posix_spawnp(command[0], command, env, file_actions=null)
    return os.wait4(child, 0)[1:]


def run_until(wanted, command, env):
    child, terminal = pty.fork()
    if child == 0:
        os.execvpe(command[0], command, env)
    seen = b""
    shown = None
    try:
        while wanted not in seen:
            seen += os.read(terminal, 65536)
        shown = time.perf_counter()
        os.write(terminal, b"\x04")
        while os.read(terminal, 65536):
            pass
    except OSError:  # the program has ended
        if shown is None:
            sys.exit(f"{command[0]} ended without it: {seen.decode(errors='replace')}")
    status, usage = os.wait4(child, 0)[1:]
    return status, usage, shown


def measure(subject):
    command = subject["command"]
    env = {**os.environ, **subject.get("env", {})}
    begin = time.perf_counter()
    if "until" in subject:
        status, usage, end = run_until(subject["until"].encode(), command, env)
    else:
        status, usage = run_to_end(command, env)
        if "stat" in subject:
            os.stat(subject["stat"])
        end = time.perf_counter()
    if "after" in subject:
        subprocess.run(subject["after"], env=env, check=True, stdout=subprocess.DEVNULL)
    if status != 0:
        sys.exit(f"{' '.join(command)} failed: {os.waitstatus_to_exitcode(status)}")
    return (end - begin) * 1000, (usage.ru_utime + usage.ru_stime) * 1000


subjects = json.load(sys.stdin)
for round_number in range(int(sys.argv[1]) + 1):
    for index, subject in enumerate(subjects):
        wall, processor = measure(subject)
        if round_number > 0:
            print(json.dumps({"subject": index, "wall": wall, "processor": processor}))
