# SPDX-License-Identifier: Apache-2.0
"""Makes hostile recordings from a good one that kinf records, and runs commands that read or continue one
on each. None may take more than 256 MiB or 5 s or end by a signal; each error is one clear line that names
the file, damage that hides what was recorded is such an error, nothing printed can control a terminal, and
no value of a masked Secret is printed. A command that takes longer, or that follows a server for ever, gets
SIGTERM, which must end it within two seconds.

  recordings.py PROGRAM [--all] [WORD...]   only the runs whose line contains all WORDs

Without --all, each file meets the commands that read what is hostile in it in different ways.
"""
import concurrent.futures
import gzip
import os
import pathlib
import re
import shutil
import signal
import sqlite3
import struct
import subprocess
import sys
import tempfile
import time

from attack_case import peak_memory

MEMORY = 256  # MiB
SECONDS = 5  # of CPU time; a busy machine may take much longer
HANG_SECONDS = 60
STOP_SECONDS = 20
LONGEST_LINE = 1500
INSIDE = "KINF_ATTACKED_SANDBOX"
PASSWORD = "aHVudGVyMg=="
LARGEST = 2**63 - 1
FOLLOW_SECONDS = 0.4  # how long a command that follows a server runs before SIGTERM
BLOCK = 128 * 1024
FILE = "hostile"
FORMAT_1 = pathlib.Path(__file__).parents[2] / "cli/shared/format-1.kinf.gz"
UPDATE = {
    # Each number and text of a row that kinf reads, as it must never be.
    "seq_negative": "UPDATE version SET seq = -seq",
    "seq_largest": f"UPDATE version SET seq = {LARGEST} WHERE seq = (SELECT max(seq) FROM version)",
    "synced_seq_largest": f"UPDATE scope SET synced_seq = {LARGEST}",
    "synced_seq_negative": f"UPDATE scope SET synced_seq = {-LARGEST}",
    "first_seq_largest": f"INSERT OR REPLACE INTO meta VALUES('first_seq', {LARGEST})",
    "first_seq_negative": f"INSERT OR REPLACE INTO meta VALUES('first_seq', {-LARGEST})",
    "first_seq_text": "INSERT OR REPLACE INTO meta VALUES('first_seq', 'x')",
    "gathered_largest": f"UPDATE session SET gathered = {LARGEST}",
    "times_largest": f"UPDATE version SET time = {LARGEST}",
    "times_lowest": f"UPDATE version SET time = {-LARGEST - 1}",
    "late_largest": f"UPDATE version SET late = {LARGEST}",
    "late_lowest": f"UPDATE version SET late = {-LARGEST - 1}",
    "session_times": f"UPDATE session SET started = {LARGEST}, ended = {-LARGEST - 1}",
    "session_ends_never": f"UPDATE session SET ended = {LARGEST}",
    "scope_times": f"UPDATE scope SET listed = {LARGEST}, watched = {-LARGEST - 1}",
    "scope_listed_lowest": f"UPDATE scope SET listed = {-LARGEST - 1}",
    "gap_times": f"INSERT INTO gap VALUES(1, {-LARGEST - 1}, {LARGEST}, 'a')",
    "gap_reversed": f"INSERT INTO gap VALUES(1, {LARGEST}, {-LARGEST - 1}, 'a')",
    "gap_of_no_scope": f"INSERT INTO gap VALUES({LARGEST}, 'x', x'00', NULL)",
    "facts_largest": f"UPDATE version SET facts = {LARGEST}",
    "distance_zero": "UPDATE version SET distance = 0",
    "distance_negative": "UPDATE version SET distance = -1",
    "distance_lowest": f"UPDATE version SET distance = {-LARGEST - 1}",
    "distance_to_first": "UPDATE version SET distance = seq - 1 WHERE seq > 1",
    "sample_missing": "UPDATE version SET sample = 99",
    "sample_negative": "UPDATE version SET sample = -1",
    "sample_empty": "UPDATE sample SET data = x''",
    "sample_since": f"UPDATE sample SET since = {LARGEST}, type = {LARGEST}",
    "data_empty": "UPDATE version SET data = x''",
    "data_number": "UPDATE version SET data = 7",
    "data_null": "UPDATE version SET data = NULL",
    "object_missing": f"UPDATE version SET object = {LARGEST}",
    "objects_one": "UPDATE version SET object = 1",
    "type_missing": f"UPDATE object SET type = {LARGEST} WHERE id > 1",
    "columns_missing": f"UPDATE version SET column_set = {LARGEST}, manager = {-LARGEST}",
    "columns_deep": "UPDATE column_set SET definitions = replace(hex(zeroblob(500000)), '00', '[')",
    "columns_wrong": "UPDATE column_set SET definitions = '7'",
    "version_numbers": f"UPDATE version SET resource_version = {-LARGEST - 1}",
    "version_texts": "UPDATE version SET resource_version = x'00ff1b5b'",
    "scope_version_large": "UPDATE scope SET version = '9999999999999999999999999999'",
    "resume_version_control": "UPDATE scope SET resume_version = char(27) || '[2J'",
    "names_control": "UPDATE object SET name = name || char(27, 91, 50, 74, 10, 155, 8238), "
                     "namespace = namespace || char(27, 93, 7)",
    "types_control": "UPDATE type SET resource = resource || char(27, 91, 10), kind = char(27), "
                     "singular = char(155), short_names = char(27, 44, 10), categories = char(27)",
    "reasons_control": "INSERT INTO gap SELECT NULL, listed, watched, char(27, 91, 10) FROM scope",
    "server_control": "UPDATE session SET server = char(27, 91, 10), cluster = char(27), "
                      "namespace = char(27)",
    "scopes_none": "DELETE FROM scope", "types_none": "DELETE FROM type",
    "sessions_none": "DELETE FROM session", "meta_none": "DELETE FROM meta",
    "objects_none": "DELETE FROM object", "versions_none": "DELETE FROM version",
    "samples_none": "DELETE FROM sample", "columns_none": "DELETE FROM column_set",
    # Much of something.
    **{f"many_{what}": f"WITH RECURSIVE n(i) AS (SELECT 1000 UNION ALL SELECT i + 1 FROM n WHERE "
                       f"i < {1000 + count}) {sql} FROM n" for what, count, sql in (
        ("scopes", 200_000, "INSERT INTO scope(session, type, namespace, name, listed, synced_seq, "
                            "watched) SELECT 1, 1, 'n' || i, '', i, 1, i"),
        ("sessions", 200_000, "INSERT INTO session(started, ended, server, namespace) "
                              "SELECT i, i, 'x', 'y'"),
        ("types", 30_000, "INSERT INTO type SELECT i, 'g' || i, 'v1', 'r' || i, 'k' || i, 's', 1, "
                           "'a,b', ''"),
        ("columns", 30_000, "INSERT INTO column_set SELECT i, '[{\"name\":\"' || i || '\",' || "
                             "substr((SELECT definitions FROM column_set LIMIT 1), 3)"),
        ("managers", 200_000, "INSERT INTO manager SELECT i, 'manager' || i"),
        ("gaps", 200_000, "INSERT INTO gap SELECT 1, i, i + 1, 'r' || i"),
        ("objects", 200_000, "INSERT INTO object SELECT i, 1, 'default', 'n' || i, 'u' || i"))},
    "long_types": "UPDATE type SET short_names = replace(hex(zeroblob(5000000)), '0', ','), "
                  "kind = hex(zeroblob(5000000))",
    "long_names": "UPDATE object SET name = hex(zeroblob(8000000))",
    "long_reason": "INSERT INTO gap SELECT NULL, listed, watched, hex(zeroblob(8000000)) FROM scope",
    "long_server": "UPDATE session SET server = hex(zeroblob(8000000)), namespace = server",
    "long_managers": "INSERT INTO manager SELECT seq + 1000, seq || hex(zeroblob(4000000)) FROM version "
                     "LIMIT 40",
    "long_resource_version": "UPDATE version SET resource_version = hex(zeroblob(2000000))",
    "long_meta": "UPDATE meta SET value = zeroblob(120000000)",
    # What SQLite runs itself.
    "view": "DROP VIEW events; CREATE VIEW events AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT "
            "i + 1 FROM n) SELECT i AS seq FROM n",
    "trigger": "CREATE TRIGGER t BEFORE INSERT ON version BEGIN DELETE FROM version; END",
    "index_expression": "CREATE INDEX i ON version(abs(seq))",
    "partial_index": "CREATE INDEX i ON version(seq) WHERE length(data) > 3",
    "statistics": "ANALYZE",
    "statistics_large": "ANALYZE; UPDATE sqlite_stat1 SET stat = hex(zeroblob(10000000))",
    "virtual_table": "CREATE VIRTUAL TABLE v USING fts5(a)",
    "generated": "ALTER TABLE meta ADD COLUMN g AS (hex(zeroblob(400000000)))",
}


def frame(blocks, size):
    """Returns a zstd frame without its magic, as kinf stores it: one segment of `size` bytes."""
    return b"\xe0" + struct.pack("<Q", size) + b"".join(blocks)


def block(kind, size, data, is_last=False):
    return struct.pack("<I", size << 3 | kind << 1 | is_last)[:3] + data


def whole(text):
    """Returns a text as a frame."""
    pieces = [text[i:i + BLOCK] for i in range(0, len(text), BLOCK)] or [b""]
    return frame([block(0, len(one), one, i == len(pieces) - 1) for i, one in enumerate(pieces)],
                 len(text))


def repeated(byte, mebibytes):
    """Returns a frame of many MiB in a few bytes."""
    count = mebibytes * 8
    return frame([block(1, BLOCK, byte, i == count - 1) for i in range(count)], count * BLOCK)


def rows(sql):
    def change(database):
        database.execute("UPDATE version SET checksum = NULL")
        database.executescript(sql)
        database.execute("UPDATE version SET checksum = NULL")
    return change


def large_samples(mebibytes):
    def change(database):
        data = repeated(b"{", mebibytes)
        database.execute("UPDATE version SET checksum = NULL, sample = 1000 + seq, distance = NULL")
        database.executemany("INSERT INTO sample VALUES(?, 1, 1, ?)",
                             [(1000 + i, data) for i in range(1, 61)])
    return change


def texts(data, distance="NULL"):
    def change(database):
        database.execute(f"UPDATE version SET checksum = NULL, sample = NULL, distance = {distance}, "
                         "data = ?", (data,))
    return change


def claimed(size):
    return texts(frame([block(0, 1, b"x", True)], size))


def secret(database):
    """The file says that Secrets are masked, but holds one with a value."""
    number, name = database.execute("SELECT id, name FROM object ORDER BY id DESC").fetchone()
    database.execute("UPDATE object SET type = (SELECT id FROM type WHERE resource = 'secrets') "
                     "WHERE id = ?", (number,))
    json = ('{"apiVersion":"v1","kind":"Secret","metadata":{"name":"%s","namespace":"default","uid":"s",'
            '"resourceVersion":"5"},"data":{"password":"%s"},"stringData":{"password":"%s"}}'
            % (name, PASSWORD, PASSWORD)).encode()
    database.execute("UPDATE version SET checksum = NULL, sample = NULL, distance = NULL, data = ?, "
                     "column_set = NULL WHERE object = ?", (whole(b"\0\0\0\0" + json), number))


def deep_chain(database):
    """200,000 versions of one object, each a difference from the one before it."""
    database.execute("UPDATE version SET checksum = NULL, object = 1")
    last = database.execute("SELECT max(seq) FROM version").fetchone()[0]
    like = "SELECT ?, object, time, facts, resource_version, manager, column_set, 1, NULL, data, late, NULL "
    database.executemany(f"INSERT INTO version {like} FROM version WHERE seq = {last}",
                         [(last + i,) for i in range(1, 200_001)])


def rebuilt(good, path, change):
    """Copies a recording to a file without checks of pages, as one of format 1 that was continued, and
    changes it."""
    with sqlite3.connect(good) as source, sqlite3.connect(path) as target:
        for pragma in ("application_id", "user_version"):
            value = source.execute(f"PRAGMA {pragma}").fetchone()[0]
            target.execute(f"PRAGMA {pragma} = {value}")
        schema = source.execute("SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL "
                                "ORDER BY rowid").fetchall()
        for _, _, sql in schema:
            target.execute(sql)
        for kind, name, _ in schema:
            if kind == "table":
                for row in source.execute(f"SELECT * FROM {name}"):
                    target.execute(f"INSERT INTO {name} VALUES({', '.join('?' * len(row))})", row)
        target.commit()
        change(target)
    target.close()
    source.close()


def in_bytes(good, path, change):
    shutil.copy(good, path)
    with open(path, "r+b") as file:
        change(file)


def poke(offset, data):
    def change(file):
        file.seek(offset)
        file.write(data)
    return change


def flipped(every):
    def change(file):
        data = bytearray(file.read())
        for at in range(100, len(data), every):
            data[at] ^= 1 << at % 8
        file.seek(0)
        file.write(data)
    return change


def beside(suffix, data):
    def make(good, path):
        shutil.copy(good, path)
        pathlib.Path(f"{path}{suffix}").write_bytes(data)
    return make


def statistics_of_format_1(_, path):
    """A column of the statistics that SQLite computes when it opens the file."""
    path.write_bytes(gzip.decompress(FORMAT_1.read_bytes()))
    with sqlite3.connect(path) as database:
        database.executescript(
            "ANALYZE; PRAGMA writable_schema = 1; UPDATE sqlite_schema SET sql = 'CREATE TABLE sqlite_stat1("
            "tbl, idx, stat AS (hex(zeroblob(400000000))))' WHERE name = 'sqlite_stat1'")
    database.close()


def sparse(path):
    with open(path, "wb") as file:
        file.truncate(2**40)


def files():
    """Returns a name and a function that makes the file for each hostile recording."""
    changes = {name: rows(sql) for name, sql in UPDATE.items()} | {
        "samples_128_mib": large_samples(128), "samples_31_mib": large_samples(31),
        "samples_8_mib": large_samples(8), "texts_128_mib": texts(repeated(b"\0", 128)),
        "texts_31_mib": texts(repeated(b"\0", 31)), "texts_31_mib_json": texts(repeated(b"[", 31)),
        "differences_31_mib": texts(repeated(b"\0", 31), "1"),
        "size_largest": claimed(2**64 - 3), "size_31_mib": claimed(31 * 2**20),
        "texts_deep": texts(whole(b"\0\0\0\0" + b'{"a":' * 100_000)), "texts_empty": texts(whole(b"")),
        "cells_outside": texts(whole(b"\xff\xff\xff\xff{}")), "secret": secret, "chain": deep_chain}
    for name, change in changes.items():
        yield name, lambda good, path, change=change: rebuilt(good, path, change)
    pages = {"page_size_1": poke(16, b"\0\1"), "page_size_64_kib": poke(16, b"\0\x02"),
             "pages_most": poke(28, b"\xff" * 4), "reserved_255": poke(20, b"\xff"),
             "version_later": poke(60, b"\0\0\0\x63"), "version_0": poke(60, b"\0\0\0\0"),
             "root_garbage": poke(100, b"\xff" * 300), "free_pages": poke(32, b"\xff" * 8),
             "flips_500": flipped(500), "flips_9000": flipped(9000), "encoding": poke(56, b"\0\0\0\2"),
             "truncated": lambda file: file.truncate(20_000), "header": lambda file: file.truncate(100),
             "empty": lambda file: file.truncate(0)}
    for name, change in pages.items():
        yield name, lambda good, path, change=change: in_bytes(good, path, change)
    yield "wal_garbage", beside("-wal", b"\xa5" * 100_000)
    yield "wal_header", beside("-wal", struct.pack(">8I", 0x377f0682, 3007000, 4096, 0, 1, 1, 1, 1) * 99)
    yield "shm_garbage", beside("-shm", b"\xa5" * 32_768)
    yield "journal_garbage", beside("-journal", b"\xd9\xd5\x05\xf9\x20\xa1\x63\xd7" + b"\xff" * 600)
    yield "statistics_of_format_1", statistics_of_format_1
    yield "folder", lambda good, path: path.mkdir()
    yield "sparse", lambda good, path: sparse(path)
    yield "loop", lambda good, path: path.symlink_to(path)


ALL = ("pods,secrets,configmaps", "-A")
COMMANDS = {
    "watch": ("watch", *ALL, "--from", "F"),
    "watch-json": ("watch", *ALL, "--from", "F", "-o", "json"),
    "history": ("history", "pod/NAME", "--from", "F"),
    "get": ("get", *ALL, "--from", "F"),
    "get-yaml": ("get", *ALL, "--from", "F", "-o", "yaml"),
    "get-at": ("get", "pods", "-A", "--from", "F", "--at", "rv=30"),
    "index": ("index", "pods", "-A", "--by", "@namespace", "--from", "F"),
    "wait": ("wait", "pod/NAME", "--for=delete", "--from", "F", "--timeout", "2s"),
    "run": ("run", "pods", "-A", "--from", "F", "--", "true"),
    "sandbox": ("sandbox", "--from", "F", "--", "true"),
    "info": ("info", "F"),
    "check": ("info", "F", "--check"),
    "copy": ("copy", "F", "COPY"),
    "record": ("watch", *ALL, "--record", "F", "--max-events", "3", "--timeout", "1s"),
    "state": ("watch", *ALL, "--state", "F"),
}
FOLLOWING = {"state"}  # ended by SIGTERM
CHANGING = {"record", "state"}  # these may change the file
# The commands of a file: those of each pattern that its name matches. A change of rows is met by one that
# plays, one that prints a state, and one that looks at all.
USUAL = {
    "": "watch get check",
    "seq|times|late|session|scope|gap|reason|meta": "history info record",
    "seq|times|first|synced|gathered|version|rv": "get-at",
    "scope|session|selection|resume|server|columns_deep": "state",
    "control": "history info index get-yaml record",
    "none": "history info copy record sandbox",
    "many|long": "info copy record",
    "many_types|many_objects|long_types": "sandbox",
    "samples|texts|differences|size|secret|deep|cells": "watch-json get-yaml copy",
    "chain|distance|data|sample": "history run copy",
    "object|type": "wait index sandbox",
    "view|trigger|index|statistics|virtual|generated": "info copy record",
    "page|wal|shm|journal|flips|truncated|header|empty|root|folder|sparse|loop|encoding": "copy record",
}
READERS = [one for one in COMMANDS if one not in CHANGING]
# What must be refused: by these commands, an error that names the file and no success.
REFUSED = {
    "seq_largest|first_seq_largest|first_seq_negative|many_(types|columns)|long_(types|managers)|trigger|"
    "index_expression|partial_index|virtual_table|generated|page_size_1|root_garbage|flips_500|truncated|"
    "header|empty|folder|sparse|loop|version_later|version_0": READERS,
    "columns_deep|columns_wrong": [one for one in READERS if one != "copy"],
    "distance_(zero|negative|lowest)|sample_(missing|negative|empty)|data_(empty|number|null)|size_.*|"
    "samples_.*|texts_.*|differences_31_mib|chain|cells_outside": ["get", "check"],
    "chain": ["watch", "history", "run"], "long_names": ["watch", "info", "check", "copy"],
    "long_reason": ["watch", "info", "check", "copy"],
    "object_missing|objects_none": ["check"],
}


def usual(name):
    """Returns the commands that a file meets without --all, in the order of COMMANDS."""
    chosen = {word for pattern, words in USUAL.items() if re.search(pattern, name)
              for word in words.split()}
    return [one for one in COMMANDS if one in chosen]


def plan(has_all=False):
    """Returns each file with its function and its commands."""
    return [(name, make, list(COMMANDS) if has_all else usual(name)) for name, make in files()]


def is_refused(name, command):
    return any(re.fullmatch(pattern, name) and command in commands
               for pattern, commands in REFUSED.items())


class Kinf:
    """One run of kinf, in a folder of its own."""

    def __init__(self, program, folder, command, arguments, must_refuse):
        self.program = program
        self.folder = folder
        self.command = command
        self.arguments = arguments
        self.must_refuse = must_refuse
        self.peak = 0  # MiB; that of the child alone, unlike ru_maxrss

    def finish(self, child):
        """Waits for the end. Returns its usage, and the signal that comes next: SIGTERM if it needed
        none, SIGKILL if it needed SIGTERM, None if it needed both."""
        first = FOLLOW_SECONDS if self.command in FOLLOWING else HANG_SECONDS
        deadlines = [(first, signal.SIGTERM), (STOP_SECONDS, signal.SIGKILL)]
        number = None
        for seconds, number in deadlines:
            deadline = time.monotonic() + seconds
            while time.monotonic() < deadline:
                pid, status, usage = os.wait4(child.pid, os.WNOHANG)
                if pid != 0:
                    child.returncode = os.waitstatus_to_exitcode(status)
                    return usage, number
                self.peak = max(self.peak, peak_memory(child.pid))
                time.sleep(0.005)
            os.kill(child.pid, number)
        _, _, usage = os.wait4(child.pid, 0)
        child.returncode = -signal.SIGKILL
        return usage, None

    def problems(self):
        """Returns what is wrong with the run, and its line for the table."""
        shown = {name: self.folder / name for name in ("out", "err")}
        with shown["out"].open("wb") as out, shown["err"].open("wb") as err:
            begin = time.monotonic()
            child = subprocess.Popen([self.program, *self.arguments], cwd=self.folder, stdout=out,
                                     stderr=err, stdin=subprocess.DEVNULL)
            usage, ended_by = self.finish(child)
            seconds = time.monotonic() - begin
        cpu, memory = usage.ru_utime + usage.ru_stime, self.peak
        errors = shown["err"].read_text(encoding="utf-8", errors="surrogateescape")
        with shown["out"].open(encoding="utf-8", errors="surrogateescape") as file:
            output = file.read(50_000_000)
        lines = [one for one in errors.split("\n") if one.startswith("error: ")]
        line = (f"{memory:4} MiB {seconds:5.1f} s {cpu:5.2f} s CPU {child.returncode:4}  "
                f"{ascii(lines[0])[1:110] if lines else ''}")
        return list(self.wrong(child.returncode, ended_by, seconds, cpu, memory, lines, errors, output)), line

    def wrong(self, code, ended_by, seconds, cpu, memory, lines, errors, output):
        was_ended = ended_by == signal.SIGKILL and self.command in FOLLOWING
        if ended_by is None:
            yield f"SIGTERM did not end it within {STOP_SECONDS} s"
        elif (ended_by == signal.SIGKILL and not was_ended) or cpu > SECONDS:
            yield f"{seconds:.1f} s, {cpu:.1f} s CPU"
        elif code < 0:
            yield f"ended by signal {-code}"
        elif code not in (0, 1, 2, 3, 4, 124) and not (was_ended and code == 143):
            yield f"exit code {code}"
        if memory > MEMORY:
            yield f"{memory} MiB"
        yield from self.wrong_errors(code, [one for one in lines if "condition" not in one])
        if any(len(one) > LONGEST_LINE for one in errors.split("\n")):
            yield f"prints a line of {max(map(len, errors.split(chr(10))))} bytes"
        for name, text in (("standard error", errors), ("standard output", output)):
            if found := re.search("[\0-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e]", text):
                yield f"prints the character {ascii(found[0])} to {name}"
            if PASSWORD in text or "hunter2" in text:
                yield f"prints a password to {name}"

    def wrong_errors(self, code, lines):
        if len(lines) > 1 or (code in (2,) and not lines):
            yield f"{len(lines)} errors: {lines[:2]}"
        if self.must_refuse and (code in (0, 4, 124, 143) or not lines):
            yield f"exit code {code} and no error, although the file is damaged"
        if lines and FILE not in lines[0]:
            yield f"an error does not name the file: {lines[0]}"


def attempt(program, folder, pod, name, command):
    """Runs one command on the hostile file in `folder`, in a folder of its own."""
    with tempfile.TemporaryDirectory(prefix="run.", dir=folder) as run:
        words = {"F": str(folder / FILE), "COPY": str(pathlib.Path(run) / "copy")}
        arguments = [words.get(one, one).replace("NAME", pod) for one in COMMANDS[command]]
        return Kinf(program, pathlib.Path(run), command, arguments, is_refused(name, command)).problems()


def attack_file(program, good, pod, name, make, commands):
    """Makes one hostile file, and runs the commands on it. Those that may change it come last. Returns the
    problems of each."""
    outcomes = []
    with tempfile.TemporaryDirectory(prefix="kinf-attack.") as temporary:
        made = {}
        for command in commands:
            kind = "state" if command == "state" else "record"

            def new_file(kind=kind, command=command):
                folder = pathlib.Path(temporary) / f"{kind}{command}{len(list(os.scandir(temporary)))}"
                folder.mkdir()
                make(good[kind], folder / FILE)
                return folder

            made[kind] = made.get(kind) or new_file()
            problems, line = attempt(program, made[kind], pod, name, command)
            if problems:  # other programs may have slowed it down
                folder = new_file() if command in CHANGING else made[kind]
                problems, line = attempt(program, folder, pod, name, command)
            print(f"{name[:24]:24} {command:10} {line}", flush=True)
            outcomes += [f"{name} {command}: {problem}" for problem in problems]
    return outcomes


def record(program, folder):
    """Records the sandbox, as a recording and as a state. Returns both and the name of a pod."""
    good = {"record": folder / "good", "state": folder / "state"}
    for kind, path in good.items():
        subprocess.run([program, "watch", *ALL, f"--{kind}", path, "--max-events", "60"], check=True,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=60)
    with sqlite3.connect(good["record"]) as database:
        pod = database.execute("SELECT o.name FROM object o JOIN type t ON t.id = o.type WHERE "
                               "t.resource = 'pods'").fetchone()[0]
    database.close()
    return good, pod


def attack(program, words, has_all):
    wrong, count = [], 0
    with tempfile.TemporaryDirectory(prefix="kinf-good.") as folder, \
            concurrent.futures.ThreadPoolExecutor(max_workers=2) as pool:
        good, pod = record(program, pathlib.Path(folder))
        runs = []
        for name, make, commands in plan(has_all):
            commands = [one for one in commands if all(word in f"{name} {one}" for word in words)]
            count += len(commands)
            if commands:
                runs.append(pool.submit(attack_file, program, good, pod, name, make, commands))
        for run in runs:
            wrong += run.result()
    for problem in wrong:
        print(f"WRONG: {problem}")
    print(f"{count} runs on hostile recordings, {len(wrong)} problems")
    return 1 if wrong or count == 0 else 0


def main():
    program = str(pathlib.Path(sys.argv[1]).resolve())
    if INSIDE not in os.environ:
        # All runs use one server, so that the state is of the same cluster.
        os.environ[INSIDE] = "1"
        os.execv(program, [program, "sandbox", "--scenario", "churn:objects=20:rate=20", "--",
                           sys.executable, "-B", os.path.abspath(__file__), program, *sys.argv[2:]])
    words = [one for one in sys.argv[2:] if one != "--all"]
    return attack(program, words, len(words) + 2 < len(sys.argv))


if __name__ == "__main__":
    sys.exit(main())
