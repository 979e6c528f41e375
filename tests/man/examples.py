#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the examples of the man pages.

usage: examples.py FOLDER KINF [WORDS]

FOLDER has the pages; with WORDS, only the examples that contain them run. They see two sandboxes,
the contexts prod and stage, with the objects of cluster.yaml; a recording of a rollout,
incident.kinf; and the files that cluster.py makes. An example must end with 0 and print something,
unless a comment before it says something else:

  .\\" until interrupted   prints a line, and ends with 130 after Ctrl-C
  .\\" on standard error   prints that line there
  .\\" prints nothing
  .\\" exit N
  .\\" zsh, .\\" fish      a line of this shell; skipped without it
  .\\" needs PROGRAM       skipped without it

Several are separated by semicolons. A block after `.\\" file NAME` is a file for the examples of
its page. No result depends on how fast a program is.
"""
import concurrent.futures
import pathlib
import shutil
import sys

from cluster import Cluster
from example import examples


def main(folder, kinf, words):
    pages = sorted(pathlib.Path(folder).glob("kinf*.[17]"))
    every = [one for page in pages for one in examples(page) if words in one.command]
    if not every:
        sys.exit(f"{folder}: no example found")
    runnable = [one for one in every if all(shutil.which(name) for name in one.needs())]
    with Cluster(kinf) as cluster, concurrent.futures.ThreadPoolExecutor(max_workers=6) as pool:
        wrong = list(pool.map(lambda one: one.run(cluster), runnable))
    for one, reason in zip(runnable, wrong):
        if reason:
            print(f"{one.page}: {one.command}\n{reason}")
    for one in every:
        if one not in runnable:
            print(f"skipped without {' '.join(one.needs())}: {one.command}")
    failed = sum(map(bool, wrong))
    print(f"{len(runnable) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1], sys.argv[2], "".join(sys.argv[3:])))
