# SPDX-License-Identifier: Apache-2.0
"""Which cores a measurement uses: a client and its server share the first two; whatever only
observes them or stands for the network runs on the others, if there are any."""

import contextlib
import os

ALL = sorted(os.sched_getaffinity(0))
MEASURED = set(ALL[:2])
OTHERS = set(ALL[2:]) or MEASURED


def observe():
    """Moves the calling thread, and what it starts from now on, to the other cores."""
    os.sched_setaffinity(0, OTHERS)


@contextlib.contextmanager
def measured():
    """Processes started inside run on the measured cores. The caller must have called observe()."""
    os.sched_setaffinity(0, MEASURED)
    try:
        yield
    finally:
        os.sched_setaffinity(0, OTHERS)
