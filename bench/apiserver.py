#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares how kinf and other clients read a first list from a real kube-apiserver over TLS.

For each number of pods and each link it prints a Markdown table of medians, the server's CPU
included, and one line per goal. The clients run in turns. See README.md.

usage: apiserver.py KINF [flags]
"""

import argparse
import os
import re
import sys
import tempfile

import cores
from api_server import ApiServer
from clients import BIN, build_all
from first_list import ClientFailed, measure
from goals import Results, goals_table, measured_table
from link import Link, WanLink

PEERS = {"client-go typed": ("typed", []), "client-go metadata": ("metadata", []),
         "kube-rs typed": ("kubers", ["typed"])}


def say(text):
    print(f"bench: {text}", file=sys.stderr, flush=True)


def clients(kinf, kubectl, pods, built):
    """Returns name: (command, how it says that it has the list; see read_list())."""
    known = {
        "kinf json": ([kinf, "watch", "pods", "-A", "-o", "json"], pods),
        "kinf table": ([kinf, "watch", "pods", "-A"], pods + 1),
        "kinf name": ([kinf, "watch", "pods", "-A", "-o", "name"], pods),
        "kinf index": ([kinf, "index", "pods", "-A", "--by", "app"], None),
    }
    for name, (program, arguments) in PEERS.items():
        if program in built:
            known[name] = ([str(BIN / program), *arguments], b"SYNCED ")
    known["kubectl table"] = ([kubectl, "get", "pods", "-A"], None)
    known["kubectl json"] = ([kubectl, "get", "pods", "-A", "-o", "json"], None)
    return known


class Setting:
    """One number of pods, one link, all clients."""

    def __init__(self, link, measured, servers):
        self.results = Results()
        self._link = link
        self._clients = measured
        self._servers = servers
        self._cache = tempfile.TemporaryDirectory(prefix="kinf-bench.")

    def _run(self, name, kubeconfig):
        command, synced = self._clients[name]
        # Discovery is cached between runs, as on a user's machine.
        environment = {**os.environ, "KUBECONFIG": kubeconfig, "XDG_CACHE_HOME": self._cache.name,
                       "KUBECACHEDIR": self._cache.name, "NO_PROXY": "*", "no_proxy": "*"}
        return measure(command, synced, environment, self._servers)

    def _try(self, name, kubeconfig):
        try:
            return self._run(name, kubeconfig)
        except ClientFailed as failure:
            say(f"{name}: {failure}")
            return None

    def count_bytes(self):
        """Runs each client once through a proxy. Its times do not count, its bytes do."""
        for name in self._clients:
            say(f"{self._link.name}: bytes of {name}")
            counter, kubeconfig = self._link.counted()
            if self._try(name, kubeconfig):
                self.results.megabytes[name] = counter.received / 1e6
            counter.close()

    def run(self, runs):
        for number in range(runs):
            # Each round begins with another client, so that none always follows the same one.
            names = list(self._clients)
            first = number % len(names)
            for name in names[first:] + names[:first]:
                say(f"{self._link.name}, run {number + 1}: {name}")
                if figures := self._try(name, self._link.kubeconfig):
                    self.results.runs.setdefault(name, []).append(figures)
        order = self.results.runs
        self.results.runs = {name: order[name] for name in self._clients if name in order}


def numbers(text):
    return sorted(int(part.replace("_", "")) for part in text.split(","))


def arguments_of():
    parser = argparse.ArgumentParser(prog="./dev bench --apiserver",
                                     description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("kinf", help=argparse.SUPPRESS)
    parser.add_argument("--pods", type=numbers, metavar="N,...",
                        help="numbers of pods (10000,50000)")
    parser.add_argument("--runs", type=int, help="runs of each client per setting (5)")
    parser.add_argument("--only", default="", metavar="REGEX", help="measure only these clients")
    parser.add_argument("--link", choices=["loopback", "wan", "both"], default="both",
                        help="directly, or through a relay with 50 ms and 12 MB/s (both)")
    parser.add_argument("--quick", action="store_true",
                        help="10,000 pods, two runs, and only the clients that are built")
    parser.add_argument("--server", metavar="DIR", help="use the server that "
                        "tests/e2e/server/up.sh started in DIR, and keep its pods")
    arguments = parser.parse_args()
    arguments.pods = arguments.pods or ([10_000] if arguments.quick else [10_000, 50_000])
    arguments.runs = arguments.runs or (2 if arguments.quick else 5)
    return arguments


def measure_setting(server, arguments, measured, link_name):
    link = (WanLink(arguments.kinf, server.address, server.kubeconfig) if link_name == "wan"
            else Link("loopback", server.address, server.kubeconfig))
    try:
        setting = Setting(link, measured, server.processes)
        setting.count_bytes()
        setting.run(arguments.runs)
        return setting.results, link.name
    finally:
        link.close()


def main():
    arguments = arguments_of()
    built = build_all(arguments.quick, say, {program for program, _ in PEERS.values()})
    cores.observe()
    links = ["loopback", "wan"] if arguments.link == "both" else [arguments.link]
    with ApiServer(arguments.server) as server:
        for wanted in arguments.pods:
            pods = server.create_pods(wanted)
            size = server.list_megabytes()
            say(f"{pods} pods of {size * 1e3 / pods:.1f} KB")
            known = clients(arguments.kinf, server.kubectl, pods, built)
            measured = {name: client for name, client in known.items()
                        if re.search(arguments.only, name)}
            for name in links:
                results, title = measure_setting(server, arguments, measured, name)
                print(measured_table(results, f"{pods:,} pods ({size:.0f} MB of JSON), {title}"))
                print("\n" + goals_table(results, name), flush=True)
    print(f"\n{len(cores.MEASURED)} cores; load average at the end {os.getloadavg()[0]:.1f}.")


if __name__ == "__main__":
    main()
