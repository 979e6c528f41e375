# SPDX-License-Identifier: Apache-2.0
"""Writes the software bill of materials, a CycloneDX 1.5 document, from the pinned list."""
import json
import time
import uuid

from settings import SOURCES, commit_time, version

PURL = {"crate": "cargo", "sdist": "pypi", "wheel": "pypi", "debian-source": "deb/debian",
        "debian-package": "deb/debian"}


def purl(entry):
    """The address of the package that the source came from, as package-url defines it."""
    pin = entry["pin"].replace("+", "%2B").replace(":", "%3A")
    arch = "?arch=source" if entry["how"] == "debian-source" else ""
    return f"pkg:{PURL[entry['how']]}/{entry['package']}@{pin}{arch}"


def licenses(name):
    return [{"expression": name}] if " " in name else [{"license": {"id": name}}]


def embedded(entry):
    """The libraries that the compiler brings and links."""
    return [{"type": "library", "bom-ref": one["name"], "name": one["name"],
             "version": one["version"], "scope": "required", "licenses": licenses(one["license"])}
            for one in entry.get("embeds", [])]


def component(entry):
    made = {
        "type": "application" if entry["role"] == "toolchain" else "library",
        "bom-ref": entry["name"],
        "name": entry["name"],
        "version": entry["version"],
        "scope": "required" if entry["role"] == "linked" else "excluded",
        "licenses": licenses(entry["license"]),
        "purl": purl(entry),
        "properties": [{"name": f"kinf:sha256:{file}", "value": digest}
                       for file, digest in sorted(entry["files"].items())],
    }
    if "cpe" in entry:
        made["cpe"] = f"cpe:2.3:a:{entry['cpe']}:{entry['version']}:*:*:*:*:*:*:*"
    return made


def text():
    """The same list gives the same text, so its serial number is derived from it."""
    components = [component(entry) for entry in SOURCES]
    serial = uuid.uuid5(uuid.NAMESPACE_OID, json.dumps(components, sort_keys=True) + version())
    for entry in SOURCES:
        components += embedded(entry)
    linked = [one["name"] for one in components if one["scope"] == "required"]
    document = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "serialNumber": f"urn:uuid:{serial}",
        "version": 1,
        "metadata": {
            "timestamp": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(commit_time())),
            "component": {"type": "application", "bom-ref": "kinf", "name": "kinf",
                          "version": version(),
                          "licenses": [{"license": {"id": "Apache-2.0"}}]},
        },
        "components": components,
        "dependencies": [{"ref": "kinf", "dependsOn": linked}],
    }
    return json.dumps(document, indent=2) + "\n"


def write(out):
    path = out / f"kinf-{version()}.cdx.json"
    path.write_text(text(), encoding="utf-8")
    return path
