# SPDX-License-Identifier: Apache-2.0
"""Checks what needs no build: the pinned sources can be fetched, and the documents of a release can be
written."""
import json
import pathlib
import re
import tempfile

import fetch
import pack
import publish
import sbom
from check import Skipped, check, finish
from settings import ROOT, SOURCES, TARGETS, version

ADDRESS = "https://example.com/kinf"


def check_downloads(sources):
    """Fetches `sources`, which checks their sha256. Skips those whose registry does not answer."""
    for tool, kinds in fetch.TOOLS.items():
        entries = [entry for entry in sources if entry["how"] in kinds]

        @check(f"each source from {tool} has the pinned sha256")
        def _(entries=entries):
            try:
                fetch.fetch(entries)
            except fetch.Unreachable as problem:
                raise Skipped(problem) from None
            return f"{len(entries)} sources"


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

    @check("the formula installs every section of the man pages")
    def _():
        text = (out / "kinf.rb").read_text(encoding="utf-8")
        sections = {page.suffix[1:] for page in (ROOT / "man").iterdir()}
        missing = [name for name in sorted(sections)
                   if f'man{name}.install Dir["share/man/man{name}/*"]' not in text]
        assert not missing, missing

    @check("the release notes say what was not run")
    def _():
        text = pack.notes()
        assert "## What was not run" in text and "macOS" in text, text[:300]

    @check("the bill of materials names every source")
    def _():
        sbom.write(out)
        document = json.loads((out / f"kinf-{version()}.cdx.json").read_text(encoding="utf-8"))
        names = {component["name"] for component in document["components"]}
        assert names >= {entry["name"] for entry in SOURCES}, names


def run_checks():
    check_downloads(SOURCES)
    with tempfile.TemporaryDirectory(prefix="kinf-release.") as name:
        check_documents(pathlib.Path(name))
    return finish()
