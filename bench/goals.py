# SPDX-License-Identifier: Apache-2.0
"""The tables of `./dev bench --apiserver`: medians per client, and kinf's goals."""

import statistics
from dataclasses import dataclass

# What a client does with the list. Only clients of one form compare.
FORMS = {
    "json": ("kinf json", ["client-go typed", "kube-rs typed", "kubectl json"]),
    "table": ("kinf table", ["kubectl table"]),
    "name": ("kinf name", ["client-go metadata"]),
}


@dataclass
class Goal:
    """kinf's figure is to be at most `limit` times the best figure among `peers`."""
    what: str
    form: str
    figure: str
    limit: float
    peers: list


def goals(link):
    """Returns the goals on a link: `loopback` or `wan`."""
    if link == "wan":
        return [Goal(what, form, figure, limit, FORMS[form][1])
                for what, figure, limit in (("wall", "wall", 0.7), ("bytes", "megabytes", 1.02))
                for form in FORMS]
    return [
        Goal("wall", "json", "wall", 0.75, ["client-go typed"]),
        Goal("wall", "table", "wall", 1 / 8, ["kubectl table"]),
        Goal("wall", "name", "wall", 0.9, ["client-go metadata"]),
        Goal("server CPU", "json", "server_cpu", 1.2, ["client-go typed"]),
        Goal("server CPU", "table", "server_cpu", 0.9, ["kubectl table"]),
        Goal("server CPU", "name", "server_cpu", 1.1, ["client-go metadata"]),
    ]


class Results:
    """The runs of each client in one setting, and the bytes that it received."""

    def __init__(self):
        self.runs = {}
        self.megabytes = {}

    def median(self, client, figure):
        """Returns None if the client was not measured."""
        if figure == "megabytes":
            return self.megabytes.get(client)
        runs = self.runs.get(client)
        return statistics.median(getattr(run, figure) for run in runs) if runs else None


def measured_table(results, title):
    lines = [f"| {title} | runs | server CPU s | etcd CPU s | client CPU s | wall to sync s "
             "| MB received | peak MiB |", "|---|" + "---|" * 7]
    for client, runs in results.runs.items():
        walls = [run.wall for run in runs]
        megabytes = results.megabytes.get(client)
        cells = [client, str(len(runs))]
        cells += [f"{results.median(client, figure):.2f}"
                  for figure in ("server_cpu", "etcd_cpu", "cpu")]
        cells += [f"{statistics.median(walls):.2f} ({min(walls):.2f}–{max(walls):.2f})",
                  "" if megabytes is None else f"{megabytes:.1f}",
                  f"{results.median(client, 'peak'):.0f}"]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


def goals_table(results, link):
    """One line per goal whose kinf and peer were measured."""
    lines = []
    for goal in goals(link):
        kinf = results.median(FORMS[goal.form][0], goal.figure)
        known = [(value, peer) for peer in goal.peers
                 if (value := results.median(peer, goal.figure)) is not None]
        if kinf is None or not known:
            continue
        best, peer = min(known)
        ratio = kinf / best
        lines.append(f"| {goal.what}, {goal.form} | {kinf:.2f} | {best:.2f} ({peer}) | {ratio:.2f} "
                     f"| ≤ {goal.limit:.3g} | {'met' if ratio <= goal.limit else '**not met**'} |")
    if lines:
        lines[:0] = ["| goal | kinf | best peer | ratio | limit | |", "|---|---|---|---|---|---|"]
    return "\n".join(lines)
