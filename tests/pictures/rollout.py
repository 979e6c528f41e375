# SPDX-License-Identifier: Apache-2.0
"""A rollout in one stream: a terminal with a recorded run of kinf watch."""
import pathlib
import re
import subprocess

from cast import Cast
from screen import rows
from svg import MARGIN
from terminal import Clock, Terminals, width_of

RECORDING = pathlib.Path(__file__).parent / "recordings" / "rollout.cast"
SPEED = "20"
AGE = re.compile(r"\b\d+s\b")  # depends on the speed


def draw(_program):
    cast = Cast.read(RECORDING)
    found = rows(cast)
    picture = Terminals(width_of(cast) + 2 * MARGIN, f"{cast.command}: the output of a run",
                        Clock(row.time for row in found))
    start = picture.terminal(MARGIN, MARGIN, len(found), "a rollout in one stream", cast)
    picture.output(*start, found)
    return str(picture)


def differences(program):
    """Returns rows that only the recording, or only a run of today, has. The order of different
    types is not fixed."""
    words = Cast.read(RECORDING).command.split()
    arguments = [word for word in words[1:] if not word.startswith("--sandbox")]
    sandbox = [program, "sandbox", "-q", "--scenario", "rollout", "--speed", SPEED, "--"]
    done = subprocess.run([*sandbox, program, *arguments], stdin=subprocess.DEVNULL,
                          capture_output=True, text=True, timeout=120, check=True)
    shown = [row.text() for row in rows(Cast.read(RECORDING)) if not row.text().startswith("kinf:")]

    def plain(lines):
        return sorted(AGE.sub("Ns", re.sub(r" +", " ", line)).strip() for line in lines)
    return sorted(set(plain(shown)) ^ set(plain(done.stdout.splitlines())))
