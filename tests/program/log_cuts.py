# SPDX-License-Identifier: Apache-2.0
"""Cuts copies of the write-ahead log of a recording, as a crash of the machine could, and checks
that every commit before the cut is still there.
"""
import os
import pathlib
import random
import shutil
import sqlite3
import struct
import subprocess

HEADER = 32
FRAME_HEADER = 24
# kinf moves a log of this many pages into the main file. SQLite syncs the log before, so that no
# crash cuts it then. If it was cut, its pages would hide newer ones of the main file.
MOVED_PAGES = 1000


def commit_ends(log):
    """Returns where the commits end in the bytes of a write-ahead log
    (https://sqlite.org/fileformat.html#the_write_ahead_log)."""
    ends = [0]
    if len(log) < HEADER:
        return ends
    page_size = struct.unpack(">I", log[8:12])[0]
    salts = log[16:24]
    at = HEADER
    while at + FRAME_HEADER + page_size <= len(log) and log[at + 8:at + 16] == salts:
        pages_after_commit = struct.unpack(">I", log[at + 4:at + 8])[0]
        at += FRAME_HEADER + page_size
        if pages_after_commit != 0:
            ends.append(at)
    return ends


def query(file, sql):
    """Returns the rows of a query. Raises sqlite3.DatabaseError if the file is damaged."""
    database = sqlite3.connect(f"file:{file}?mode=ro", uri=True)
    try:
        return database.execute(sql).fetchall()
    finally:
        database.close()


def check(file):
    """Reads all pages. Raises sqlite3.DatabaseError if the file is damaged."""
    try:
        found = query(file, "PRAGMA quick_check(1)")[0][0]
    except sqlite3.OperationalError:  # it is being created
        return
    if found != "ok":
        raise sqlite3.DatabaseError(found)


class LogCuts:
    """Cuts copies of `file` in `folder`. `faults` lists what was wrong."""

    def __init__(self, program, file, folder):
        self.program = program
        self.file = file
        self.copy = f"{folder}/cut.kinf"
        self.done = 0
        self.faults = []

    def read_cut(self, size):
        """Returns the versions that are left if the log has `size` bytes."""
        for name in (self.copy, f"{self.copy}-shm"):
            pathlib.Path(name).unlink(missing_ok=True)
        shutil.copy(self.file, self.copy)
        shutil.copy(f"{self.file}-wal", f"{self.copy}-wal")
        os.truncate(f"{self.copy}-wal", size)
        check(self.copy)
        return query(self.copy, "SELECT seq, object, time, facts, resource_version, data "
                                "FROM version ORDER BY seq")

    def cut(self, times):
        """Cuts the log at `times` random bytes. No program may write the file."""
        path = pathlib.Path(f"{self.file}-wal")
        log = path.read_bytes() if times > 0 and path.exists() else b""
        page_size = struct.unpack(">I", log[8:12])[0] if len(log) >= HEADER else 0
        if not log or len(log) >= MOVED_PAGES * (FRAME_HEADER + page_size):
            return
        whole = self.read_cut(len(log))
        ends = commit_ends(log)
        for _ in range(times):
            size = random.randrange(len(log))
            end = max(end for end in ends if end <= size)
            where = f"the log cut to {size} of {len(log)} bytes"
            try:
                kept = self.read_cut(end)
                found = self.read_cut(size)
                if found != kept or found != whole[:len(found)]:
                    self.faults.append(f"{where}: {len(found)} versions; {len(kept)} were "
                                       f"committed by byte {end}")
                self.check_program(where)
            except sqlite3.DatabaseError as error:
                self.faults.append(f"{where}: {error}")
            self.done += 1

    def check_program(self, where):
        """Checks that kinf reads the cut copy, too."""
        if not query(self.copy, "SELECT 1 FROM scope WHERE synced_seq IS NOT NULL"):
            return
        run = subprocess.run([self.program, "get", "pods", "-A", "--from", self.copy, "-o", "name"],
                             capture_output=True, text=True, check=False)
        if run.returncode != 0:
            self.faults.append(f"{where}: {run.stderr}")
