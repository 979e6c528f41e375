#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs kinf against a real kube-apiserver.   run.py [WORD...]   only cases whose name has a WORD

KINF_BIN is the program, E2E_BIN the directory that server/build/build.sh printed. Prints one line
per case; the last line is `N passed, N failed`. Exits with 1 if a case failed.
"""
import concurrent.futures
import importlib
import os
import pathlib
import signal
import sys
import textwrap
import threading

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

from apiserver import ApiServer  # noqa: E402
from trial import CASES, run_case  # noqa: E402

WORKERS = 2
_printing = threading.Lock()


def report(one, seconds, problem):
    with _printing:
        print(f"{'ok  ' if problem is None else 'FAIL'} {one.name} ({seconds:.1f} s)", flush=True)
        if problem is not None:
            print(textwrap.indent(problem, "     "), flush=True)


def chosen(words):
    for file in sorted((HERE / "cases").glob("*.py")):
        importlib.import_module(f"cases.{file.stem}")
    return [one for one in CASES if not words or any(word in one.name for word in words)]


def attempt(one, shared):
    try:
        seconds, problem = run_case(one, shared)
    except Exception as error:  # its own server did not start, or did not stop
        seconds, problem = 0.0, f"{type(error).__name__}: {error}"
    report(one, seconds, problem)
    return problem is None


def main(words):
    os.environ["KINF_BIN"] = str(pathlib.Path(os.environ["KINF_BIN"]).resolve())
    os.environ["E2E_BIN"] = str(pathlib.Path(os.environ["E2E_BIN"]).resolve())
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    cases = chosen(words)
    shared = ApiServer()
    try:
        parallel = [one for one in cases if one.in_parallel]
        others = [one for one in cases if not one.in_parallel]
        with concurrent.futures.ThreadPoolExecutor(WORKERS + len(parallel)) as pool:
            passed = list(pool.map(lambda one: attempt(one, shared), parallel + others))
    finally:
        shared.stop()
    failed = passed.count(False)
    print(f"{len(passed) - failed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
