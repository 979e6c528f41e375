# SPDX-License-Identifier: Apache-2.0
"""Attacks kinf with hostile servers, files, arguments, limits and clients, and prints a table: finding,
input, peak memory, requests, time, processor time, exit code, message. An attack fails if kinf takes too
long, too much memory or too many requests, ends with another exit code, or does not say what is wrong.

  attack.py PROGRAM [--any-memory] [--shim FILE] [WORD...]   only the attacks whose line contains a WORD

With --any-memory, for sanitizers, it leaves out the attacks that are about memory, which take minutes, and
those with limits of the system, which sanitizers exceed. The others may take ten times as long.
The shim is the library of fail_calls.c. Without it, no attack makes calls of the system fail.
"""
import argparse
import concurrent.futures
import pathlib
import sys

import local_attacks
import sandbox_attacks
import server_attacks
from attack_case import late, problems, run

FINDINGS = 38


def message(text):
    """Returns the line of the error, shortened; otherwise the last line."""
    lines = [line for line in text.split("\n") if line.strip()] or [""]
    chosen = next((line for line in lines if "rror" in line), lines[-1])
    return "".join(c if c.isprintable() else "?" for c in chosen)[:90]


def chosen(options):
    """Returns the attacks that the options ask for, in the order of their findings."""
    attacks = [one for one in (*server_attacks.plan(), *local_attacks.plan(options.shim),
                               *sandbox_attacks.plan())
               if not options.words or any(word in f"{one.finding} {one.what}"
                                           for word in options.words)]
    if options.any_memory:
        attacks = [one for one in attacks if one.fits_sanitizers()]
    return sorted(attacks, key=lambda one: int(one.finding[1:]))


def missing(attacks):
    """Returns the findings without an attack."""
    return sorted(set(range(1, FINDINGS + 1)) - {int(one.finding[1:]) for one in attacks})


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("words", nargs="*")
    parser.add_argument("--any-memory", action="store_true", help="with sanitizers")
    parser.add_argument("--shim", type=lambda name: str(pathlib.Path(name).resolve()))
    options = parser.parse_intermixed_args()
    program = str(pathlib.Path(options.program).resolve())
    attacks = chosen(options)
    wrong = []
    with concurrent.futures.ThreadPoolExecutor(max_workers=8) as pool:
        outcomes = list(pool.map(lambda one: run(program, one), attacks))
    for attack, outcome in zip(attacks, outcomes):
        if too_long := late(attack, outcome, options.any_memory):
            print(f"again, alone: {attack.finding} {attack.what}: {too_long}")
            outcome = run(program, attack)
        wrong += [f"{attack.finding} {attack.what}: {problem}"
                  for problem in problems(attack, outcome, options.any_memory)]
        print(f"{attack.finding:4} {attack.what[:56]:56} {outcome.memory:4} MiB "
              f"{outcome.requests:3} requests {outcome.seconds:5.1f} s {outcome.cpu:5.2f} s CPU "
              f"{outcome.code!s:>4}  {message(outcome.text)}")
    if options.shim and not options.words and (without := missing(attacks)):
        wrong.append(f"no attack for the findings {without}")
    for problem in wrong:
        print(f"WRONG: {problem}")
    print(f"{len(attacks)} attacks, {len(wrong)} problems")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
