#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares the sandbox's controllers with a real kube-controller-manager, scenario by scenario.
   compare.py [--record] [SCENARIO...]   --record writes what the real one did to recorded/

KINF_BIN is the program, E2E_BIN the folder of kube-apiserver, etcd, kubectl and kube-controller-manager.
The last line is `N passed, N failed`."""
import concurrent.futures
import os
import pathlib
import sys
import textwrap
import traceback

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

from apiserver import ApiServer  # noqa: E402
from controllers import play, real_controllers, recording  # noqa: E402
from controllers.scenarios import SCENARIOS  # noqa: E402
from controllers.stage import make_nodes  # noqa: E402
from lines import Failure  # noqa: E402
from trial import Trial, expect_equal  # noqa: E402

WORKERS = 4


def compare(server, name, keeps):
    """Plays a scenario on the real cluster and on the sandbox. Returns the problem, or None."""
    real, copy = Trial(server), Trial(server)
    try:
        steps = play.record(real, name)
        if keeps:
            recording.save(name, steps)
        else:
            expect_equal(steps, recording.load(name), "the real controllers differ from the recording")
        play.play_on_sandbox(copy, name, steps)
        return None
    except Failure as failure:
        return str(failure)
    except Exception:  # an error in a scenario fails it
        return traceback.format_exc()
    finally:
        real.end()
        copy.end()


def main(arguments):
    for name in ("KINF_BIN", "E2E_BIN"):
        os.environ[name] = str(pathlib.Path(os.environ[name]).resolve())
    keeps = "--record" in arguments
    names = [word for word in arguments if not word.startswith("-")] or list(SCENARIOS)
    server = ApiServer()
    trial = Trial(server)
    try:
        real_controllers.start(trial)
        make_nodes(server)
        with concurrent.futures.ThreadPoolExecutor(WORKERS) as pool:
            problems = list(pool.map(lambda name: compare(server, name, keeps), names))
    finally:
        trial.end()
        server.stop()
    for name, problem in zip(names, problems):
        print(f"{'FAIL' if problem else 'ok  '} {name}")
        if problem:
            print(textwrap.indent(problem, "     "))
    failed = len(names) - problems.count(None)
    print(f"{len(names) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
