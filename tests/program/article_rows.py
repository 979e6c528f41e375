# SPDX-License-Identifier: Apache-2.0
"""Runs the commands that show what articles on informers say, and checks that each of their rows is shown.

  article_rows.py PROGRAM SOURCES [ROW...]   only these rows

article_rows.tsv beside this file has the rows; its head describes them.
"""
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROWS = 126
SECONDS = 240

POD = """{"apiVersion":"v1","kind":"Pod","metadata":{"name":"nettool"},
  "spec":{"containers":[{"name":"c","image":"nginx"}]}}"""

DEFINITION = """{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition",
  "metadata":{"name":"toys.example.com"},"spec":{"group":"example.com","scope":"Namespaced",
  "names":{"plural":"toys","singular":"toy","kind":"Toy"},"versions":[
    {"name":"v1beta1","served":true,"storage":false,"schema":{"openAPIV3Schema":{"type":"object"}}},
    {"name":"v1","served":true,"storage":true,"schema":{"openAPIV3Schema":{"type":"object"}}}]}}"""

# Each runs in its own folder.
SCRIPTS = {
    "history": """kinf sandbox -q --scenario quiet -- sh -c '
objects="python3 $SOURCES/tests/cli/shared/sandbox_objects.py"
echo "$POD" | tr -d "\\n" > nettool
kinf watch pods nettool -o "jsonpath={.type} {.object.status.phase}{\\"\\n\\"}" --output-watch-events \\
  --until delete -v 2 2> told &
until grep -q synced told; do sleep 0.05; done
$objects create nettool
kinf wait pod/nettool --for=condition=Ready > /dev/null
$objects delete /api/v1/namespaces/default/pods/nettool
wait'""",
    "http": """kinf demo http --listen 127.0.0.1:0 2> told & kinf=$!
until grep -q listening told; do sleep 0.05; done
cat told
url=$(sed -n "s/.*listening on //p" told)
python3 -c "import sys, urllib.request; print(urllib.request.urlopen(sys.argv[1]).read().decode())" "$url"
kill -INT $kinf; wait $kinf""",
    "volume": """kinf sandbox -q --load "$SOURCES/examples/local-volume.yaml" --speed 4 -- sh -c '
until kinf get events 2> /dev/null | grep FailedMount; do sleep 0.05; done
tr -d "\\n" < "$SOURCES/examples/local-volume-directory.json" > directory
python3 "$SOURCES/tests/cli/shared/sandbox_objects.py" create directory
kinf wait pod/app --for=condition=Ready'""",
    "versions": """kinf sandbox -q --scenario quiet -- sh -c '
objects="python3 $SOURCES/tests/cli/shared/sandbox_objects.py"
echo "$DEFINITION" | tr -d "\\n" > toys
echo "{\\"apiVersion\\":\\"example.com/v1\\",\\"kind\\":\\"Toy\\",\\"metadata\\":{\\"name\\":\\"t\\"}}" > toy
$objects create toys
until kinf get toys.v1beta1.example.com 2> /dev/null; do sleep 0.05; done
$objects create toy
for version in v1beta1 v1; do
  kinf watch toys.$version.example.com -o name --max-events 1 -v 6 2>&1 | grep -o "GET .*toys?[^ ]*"
done'""",
}


def read_table():
    """Returns the commands by their names, and the rows: (number, command, expression, claim)."""
    commands, rows = dict(SCRIPTS), []
    table = pathlib.Path(__file__).with_suffix(".tsv").read_text(encoding="utf-8")
    for line in table.splitlines():
        cells = line.split("\t")
        if line.startswith("@"):
            commands[cells[0][1:]] = cells[1]
        elif line and not line.startswith("#"):
            rows.append((int(cells[0]), cells[1], cells[2], cells[3]))
    return commands, rows


def output_of(command, program, sources):
    environment = {**os.environ, "SOURCES": sources, "POD": POD, "DEFINITION": DEFINITION,
                   "PATH": f"{pathlib.Path(program).parent}:{os.environ['PATH']}"}
    environment.pop("KUBECONFIG", None)
    with tempfile.TemporaryDirectory() as folder:
        try:
            done = subprocess.run(["sh", "-c", command], cwd=folder, env={**environment, "HOME": folder},
                                  stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                  text=True, errors="replace", timeout=SECONDS, check=False)
        except subprocess.TimeoutExpired as late:
            return f"{late.output}\nno end within {SECONDS} s"
    return done.stdout


def main():
    program, sources = (str(pathlib.Path(one).resolve()) for one in sys.argv[1:3])
    wanted = {int(one) for one in sys.argv[3:]}
    commands, rows = read_table()
    numbers = [number for number, *_ in rows]
    if numbers != list(range(1, ROWS + 1)):
        sys.exit(f"the table does not have the rows 1 to {ROWS} in this order")
    chosen = [row for row in rows if not wanted or row[0] in wanted]
    names = sorted({name for _, name, _, _ in chosen})
    with concurrent.futures.ThreadPoolExecutor(max_workers=4) as pool:  # most of them wait for a clock
        outputs = dict(zip(names, pool.map(lambda name: output_of(commands[name], program, sources), names)))
    missing = [row for row in chosen if not re.search(row[2], outputs[row[1]], re.MULTILINE)]
    for number, name, expression, claim in missing:
        print(f"row {number}, {claim}: no {expression!r} in the output of `{commands[name]}`:\n{outputs[name]}")
    unused = sorted(set(commands) - {name for _, name, _, _ in rows})
    if unused:
        print(f"no row uses {', '.join(unused)}")
    print(f"{len(chosen) - len(missing)} of {len(chosen)} rows shown")
    return 1 if missing or unused else 0


sys.exit(main())
