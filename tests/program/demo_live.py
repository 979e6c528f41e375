# SPDX-License-Identifier: Apache-2.0
"""Tests `kinf demo --live` through a pseudo-terminal: every key at three sizes, new sizes, locales and
colours, and that the terminal is restored however the program ends.

  demo_live.py PROGRAM
"""
import pathlib
import re
import signal
import subprocess
import sys

from live_terminal import LiveTerminal

SIZES = [(80, 24), (100, 30), (200, 60)]
PARTS = ["API server", "Reflector", "Store and index", "Queue (DeltaFIFO)", "Controller", "Handler 1",
         "Handler 2"]
TOP_CORNERS, BOTTOM_CORNERS = "┌┏", "└┗"


def shape_problem(terminal):
    """Returns what is wrong with the diagram, which must be seven closed boxes above the keys."""
    rows, text = terminal.rows(), terminal.text()
    for part in PARTS:
        if part not in text:
            return f"no {part}"
    for corners in TOP_CORNERS, BOTTOM_CORNERS:
        if sum(text.count(corner) for corner in corners) != 7:
            return f"not seven corners {corners}"
    if [text.count(arrow) for arrow in "►◄▼▲╌"] != [1, 1, 4, 1, 2]:
        return "arrows are missing"
    for row in rows:
        if row[0] in "│┃" and row[-1] not in "│┃":
            return f"not closed: {row}"
    return "" if rows[-1].startswith("space step  b back  p play") else "no keys"


def check_shape(terminal):
    """Waits until the whole diagram has arrived."""
    terminal.wait_until(lambda: not shape_problem(terminal),
                        lambda: f"{shape_problem(terminal)}:\n{terminal.text()}")


def check_steps(terminal):
    terminal.wait_for("paused  step 0  0.0 s", "The server has 3 pods")
    check_shape(terminal)
    terminal.press(" ")
    terminal.wait_for("step 1", "The reflector sends LIST any version.")
    terminal.press("    ")
    terminal.wait_for("step 5", "Store and index: 3 pods", "pod-3 v3", "index Pending: pod-1")
    terminal.press("     ")
    terminal.wait_for("step 10", "WATCH after 3", "Handler 1: 3 calls", "Handler 2: 3 calls")


def check_changes(terminal):
    terminal.press("a")
    terminal.wait_for("You create pod-4 (v4).", "at v4, with 4 pods")
    terminal.press("u")
    terminal.wait_for("You change the phase of pod-1 (v5).", "at v5, with 4 pods")
    terminal.press("d")
    terminal.wait_for("You delete pod-1 (v6).", "at v6, with 3 pods")
    terminal.press(" ")
    terminal.wait_for("Queue (DeltaFIFO): 2 keys", "pod-1: Updated v5, Deleted v6",
                      "The watch brings ADDED pod-4, MODIFIED pod-1, DELETED pod-1.")
    check_shape(terminal)


def check_slow_handler(terminal):
    terminal.press("s")
    terminal.wait_for("Handler 2: 3 calls, slow")
    terminal.press("    ")
    terminal.wait_for("Handler 1: 5 calls", "Handler 2: 4 calls, slow", "busy for")


def check_faults(terminal):
    terminal.press("g")
    terminal.wait_for("ends the watch with 410 Gone")
    terminal.press("  ")
    terminal.wait_for("WATCH after 3: 410 Gone", "last error: too old resource", "must list again")
    terminal.press("c")
    terminal.wait_for("the server is unreachable for 4.0 s")
    terminal.press("    ")
    terminal.wait_for("connection refused", "back-off: next request in")
    check_shape(terminal)
    terminal.press(" " * 12)
    terminal.wait_for("LIST from version 6: 3 pods", "watching after v6")


def check_play(terminal):
    terminal.press("ap")
    terminal.wait_for("playing", "Handler 1: 7 calls", "last: OnAdd pod-5 v7")
    terminal.press("p")
    terminal.wait_for("paused")
    terminal.press("x\x1b[A\x1a")  # keys without a meaning; Ctrl-Z without a shell
    terminal.press("a")
    terminal.wait_for("You create pod-6 (v8).")


def check_keys(program, columns, lines):
    terminal = LiveTerminal(program, columns, lines)
    check_steps(terminal)
    check_changes(terminal)
    check_slow_handler(terminal)
    check_faults(terminal)
    check_play(terminal)
    terminal.press("q")
    assert terminal.end() == 0
    assert terminal.has_restored_modes


def check_sizes(program):
    terminal = LiveTerminal(program, 100, 30)
    terminal.wait_for("The server has 3 pods")
    for columns, lines in [(200, 60), (80, 24), (100, 30)]:
        terminal.resize(columns, lines)
        check_shape(terminal)
    terminal.resize(60, 20)
    terminal.wait_for("This terminal has 60 x 20 cells. The diagram needs 80 x 24")
    terminal.press("q")
    assert terminal.end() == 0 and terminal.has_restored_modes


def check_ends(program):
    def run(status, end, keys=""):
        terminal = LiveTerminal(program, 100, 30, TERM="xterm")
        terminal.wait_for_bytes(b"how an informer works")
        terminal.press(keys)
        if keys:
            terminal.wait_for_bytes(b"playing")
        end(terminal)
        found = terminal.end()
        assert found == status, f"{found}, not {status}: {terminal.received!r}"
        assert terminal.has_restored_modes
        assert b"\x1b[?1049l" in terminal.received, "the other screen is not restored"
        assert terminal.received.rfind(b"\x1b[?25h") > terminal.received.rfind(b"\x1b[?25l")

    for keys in "", "p":
        run(0, lambda terminal: terminal.press("q"), keys)
        run(130, lambda terminal: terminal.press("\x03"), keys)
        run(130, lambda terminal: terminal.press("\x03\x03\x03"), keys)
        run(130, lambda terminal: terminal.kill(signal.SIGINT), keys)
        run(143, lambda terminal: terminal.kill(signal.SIGTERM), keys)


def check_characters(program):
    ascii_only = LiveTerminal(program, 80, 24, LC_ALL="C")
    ascii_only.wait_for("The server has 3 pods")
    ascii_only.press("  ")
    ascii_only.wait_for("step 2", "#= Reflector", "+- Store and index", "-1>", "<..")
    ascii_only.press("q")
    assert ascii_only.end() == 0
    assert ascii_only.received.isascii(), ascii_only.received

    def colours(**variables):
        terminal = LiveTerminal(program, 80, 24, **variables)
        terminal.wait_for("The server has 3 pods")
        terminal.press(" ")
        terminal.wait_for("step 1")
        terminal.press("q")
        assert terminal.end() == 0
        return b"\x1b[32m" in terminal.received
    assert colours()
    assert not colours(NO_COLOR="1")


# What the tour shows for each question, after some steps, before the answer. Without steps: what the
# stage prints, because the diagram does not show it.
SCENES = [
    ("deltafifo", 1, "pod-4: Added v7, Updated v8,"),
    ("dedup", 1, "pod-4: Added v7, Updated v9"),
    ("synced", 8, "last: OnAdd pod-3 v3"),
    ("listwatch", 5, "ADDED pod-1 v1 Pending"),
    ("reflector", 1, "The queue ignores 1 deletion"),
    ("reflector-known", 1, "default/pod-1: Deleted v4"),
    ("informer", 3, "last: OnUpdate pod-1 v1 -> v4"),
    ("shared", 5, "Handler 1: 5 calls"),
    ("shared-listwatch", 3, "Handler 2: 4 calls"),
    ("shared-vs-separate", 26, "4 requests, 6 pods sent; the two stores hold 6 pods in memory"),
    ("slow-handler", 3, "pod-3 v20"),
    ("index-map", 2, "index Running: pod-1"),
    ("factory", 3, "Handler 2: 3 calls"),
    ("resync", 1, "default/pod-1: Sync v1"),
    ("broken-watch", 9, "The watch brings ADDED pod-4"),
    ("short-watch", None, "the watch was closed"),
    ("gone", 1, "too old resource version"),
    ("stalled-watch", None, "a new connection"),
    ("workqueue", 9, "pod-5: failure 1, again in 2.0 s"),
    ("controller", 4, "PATCH pod-4: now v8"),
]


def is_cut(terminal):
    """Whether anything does not fit: the question, the news, the answer, the keys or a box."""
    return any("…" in row or re.search(r"and \d+ more", row) for row in terminal.rows())


def check_scene(terminal, number, name, steps, found):
    if steps is None:  # the diagram does not show this stage
        terminal.wait_for(f"{number}/{len(SCENES)}  {name}: ", "Enter runs it")
        terminal.press("\n")
        terminal.wait_for(found)
        return
    terminal.wait_for(f"kinf demo {number}/{len(SCENES)} {name}", "Enter answer", "q end")
    assert not is_cut(terminal), terminal.text()
    terminal.wait_for("step 1 ", "Guess first.  1: ")
    terminal.press(" " * steps)
    terminal.wait_for(found)
    assert not is_cut(terminal), terminal.text()
    terminal.press("2" if number % 2 else "\r")
    terminal.wait_for("Enter next", *([" 2"] if number % 2 else []))
    assert not is_cut(terminal), terminal.text()
    terminal.press("\r")


def check_tour(program, columns, lines):
    """The tour shows each of its questions, and then its answer, in the diagram."""
    terminal = LiveTerminal(program, columns, lines, arguments=["demo"])
    terminal.wait_for("controller", "[Enter starts it, q ends it]")
    terminal.press("\n")
    for number, scene in enumerate(SCENES, 1):
        check_scene(terminal, number, *scene)
    assert terminal.end() == 0 and terminal.has_restored_modes
    text = terminal.received.decode()
    assert f"{len(SCENES)}/{len(SCENES)}  controller: " in text and "or it would never stop writing.\r\n" in text
    assert "That was the tour. What to do next:" in text


def check_tour_ends(program):
    def start(columns):
        terminal = LiveTerminal(program, columns, 24, arguments=["demo"])
        terminal.wait_for("[Enter starts it, q ends it]")
        terminal.press("\n")
        return terminal

    small = start(79)  # too small for the diagram
    small.wait_for("Enter runs it, q ends the tour]")
    small.press("\n")
    small.wait_for("Deleted pod1 value: 1.1", f"2/{len(SCENES)} dedup")
    small.press("q\n")
    assert small.end() == 0

    for key, status in ("q", 0), ("\x03", 130):
        terminal = start(80)
        terminal.wait_for("Enter answer")
        terminal.press(key)
        assert terminal.end() == status and terminal.has_restored_modes, key


def check_refused(program):
    for term, message in [("dumb", b"TERM is dumb"), ("no-such-terminal", b"set TERM to the type")]:
        terminal = LiveTerminal(program, 80, 24, TERM=term)
        assert terminal.end() == 2, term
        assert b"error: --live" in terminal.received and message in terminal.received, term
        assert b"\x1b" not in terminal.received, terminal.received
    piped = subprocess.run([program, "demo", "--live"], stdin=subprocess.DEVNULL,
                           capture_output=True, check=False)
    assert piped.returncode == 2 and piped.stdout == b"", piped


def main():
    program = str(pathlib.Path(sys.argv[1]).resolve())
    for columns, lines in SIZES:
        check_keys(program, columns, lines)
    check_sizes(program)
    check_ends(program)
    check_characters(program)
    check_refused(program)
    for columns, lines in SIZES:
        check_tour(program, columns, lines)
    check_tour_ends(program)


main()
