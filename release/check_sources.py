# SPDX-License-Identifier: Apache-2.0
"""Checks what needs no build: the pinned sources can be fetched, and the documents of a release can be
written."""
import json
import pathlib
import re
import tempfile

import fetch
import publish
import sbom
from check import check, finish
from settings import Problem, SOURCES, TARGETS, say, version

ADDRESS = "https://example.com/kinf"


def check_downloads():
    """Fetches the sources. A machine that cannot reach them says so, and checks only the rest."""
    try:
        fetch.fetch(SOURCES)
    except Problem as problem:
        say(f"the sources are not checked: {problem}")
        return

    @check("each source has the pinned sha256")
    def _():
        wrong = [entry["name"] for entry in SOURCES if not fetch.present(entry)]
        assert not wrong, wrong
        return f"{len(SOURCES)} sources"


def check_documents(out):
    for arch in TARGETS:
        (out / f"kinf-{version()}-linux-{arch}.tar.gz").write_text(arch, encoding="utf-8")

    @check("the manifests name the address and the sha256 of both archives")
    def _():
        publish.manifests(out, ADDRESS + "/")
        for _, name in publish.MANIFESTS:
            text = (out / name).read_text(encoding="utf-8")
            assert not re.search(r"@\w+@", text), f"{name} is not filled in"
            for arch in TARGETS:
                path = out / f"kinf-{version()}-linux-{arch}.tar.gz"
                assert f"{ADDRESS}/{path.name}" in text, f"{name} does not name {path.name}"
                assert fetch.sha256(path) in text, f"{name} has no sha256 of {path.name}"

    @check("an empty address is refused")
    def _():
        try:
            publish.refuse_empty(" ")
        except Problem:
            return
        raise AssertionError("it is not")

    @check("the bill of materials names every source")
    def _():
        sbom.write(out)
        document = json.loads((out / f"kinf-{version()}.cdx.json").read_text(encoding="utf-8"))
        names = {component["name"] for component in document["components"]}
        assert names >= {entry["name"] for entry in SOURCES}, names


def run_checks():
    check_downloads()
    with tempfile.TemporaryDirectory(prefix="kinf-release.") as name:
        check_documents(pathlib.Path(name))
    return finish()
