# SPDX-License-Identifier: Apache-2.0
"""A rollout in one stream: a terminal with a recorded run of kinf watch."""
import pathlib
import subprocess

import screen
from cast import Cast
from svg import MARGIN
from terminal import Clock, Terminals, width_of

RECORDING = pathlib.Path(__file__).parent / "recordings" / "rollout.cast"
SPEED = "20"


def draw(_program):
    cast = Cast.read(RECORDING)
    found = screen.rows(cast)
    picture = Terminals(width_of(cast) + 2 * MARGIN, f"{cast.command}: the output of a run",
                        Clock(row.time for row in found))
    start = picture.terminal(MARGIN, MARGIN, len(found), "a rollout in one stream", cast)
    picture.output(*start, found)
    return str(picture)


def differences(program):
    """Compares the recording with a run of today."""
    words = Cast.read(RECORDING).command.split()
    arguments = [word for word in words[1:] if not word.startswith("--sandbox")]
    sandbox = [program, "sandbox", "-q", "--scenario", "rollout", "--speed", SPEED, "--"]
    done = subprocess.run([*sandbox, program, *arguments], stdin=subprocess.DEVNULL,
                          capture_output=True, text=True, timeout=120, check=True)
    return screen.differences(Cast.read(RECORDING), done.stdout)
