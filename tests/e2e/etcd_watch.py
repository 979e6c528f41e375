# SPDX-License-Identifier: Apache-2.0
"""The changes of objects as etcd itself reports them, and those of a recording."""
import base64
import collections
import http.client
import json
import sqlite3
import threading
import time
import urllib.parse

# A version of an object: what kubectl calls its type, its namespace, name and resourceVersion, and
# whether it is the one that its deletion has.
Version = collections.namedtuple("Version", "resource namespace name revision is_deletion")


def encoded(text):
    return base64.b64encode(text.encode()).decode()


class EtcdWatch:
    """Watches the keys of some types in etcd until stopped. `folders`: `/registry/pods` -> `pods`."""

    def __init__(self, url, folders):
        self._address = urllib.parse.urlsplit(url)
        self._folders = folders
        self._stopped = False
        self._lock = threading.Lock()
        self._times = {}  # Version -> when it arrived here, in seconds since 1970
        self._next = int(self._call("/v3/maintenance/status", {})["header"]["revision"]) + 1
        self.first = self._next
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _call(self, path, body):
        connection = http.client.HTTPConnection(self._address.hostname, self._address.port, timeout=30)
        connection.request("POST", path, json.dumps(body))
        return json.loads(connection.getresponse().read())

    def _run(self):
        while not self._stopped:
            try:
                self._watch()
            except (OSError, ValueError, http.client.HTTPException):
                time.sleep(0.2)

    def _watch(self):
        connection = http.client.HTTPConnection(self._address.hostname, self._address.port, timeout=2)
        connection.request("POST", "/v3/watch", json.dumps({"create_request": {
            "key": encoded("/registry/"), "range_end": encoded("/registry0"),
            "start_revision": str(self._next)}}))
        response = connection.getresponse()
        try:
            while not self._stopped:
                line = response.readline()
                if not line:
                    return
                self._take(json.loads(line)["result"], time.time())
        finally:
            connection.close()  # a silent watch begins again after two seconds

    def _take(self, result, now):
        if result.get("canceled"):
            raise AssertionError(f"etcd ended the watch: {result}")
        for event in result.get("events", []):
            pair = event["kv"]
            revision = int(pair["mod_revision"])
            key = base64.b64decode(pair["key"]).decode()
            for folder, resource in self._folders.items():
                if key.startswith(folder + "/"):
                    namespace, _, name = key[len(folder) + 1:].rpartition("/")
                    one = Version(resource, namespace, name, revision, event.get("type") == "DELETE")
                    with self._lock:
                        self._times[one] = now
            self._next = max(self._next, revision + 1)

    def stop(self):
        """Returns the versions, each with its time, after the last one has arrived."""
        newest = int(self._call("/v3/maintenance/status", {})["header"]["revision"])
        deadline = time.monotonic() + 20
        while self._next <= newest and time.monotonic() < deadline:
            time.sleep(0.1)  # a write to another key may be the newest
        self._stopped = True
        self._thread.join()
        with self._lock:
            return dict(self._times)


class Recorded:
    """What a recording has: `rows` of (Version, source, is unknown), in their order, and `gaps` of
    (resource, namespace, begin, end, reason). `managers`: see WrittenVersions.wrong()."""

    def __init__(self, path):
        database = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
        self.rows = [
            (Version(resource, namespace, name, int(revision or 0), kind == "DELETED"), source, unknown)
            for resource, namespace, name, revision, kind, source, unknown in database.execute(
                "SELECT resource, namespace, name, resource_version, type, source, final_state_unknown "
                "FROM events ORDER BY seq")]
        self.gaps = [
            (resource, namespace or "", begin / 1e9, end / 1e9, reason)
            for resource, namespace, begin, end, reason in database.execute(
                "SELECT t.resource, s.namespace, g.begin, g.end, g.reason FROM gap g "
                "LEFT JOIN scope s ON s.id = g.scope LEFT JOIN type t ON t.id = s.type ORDER BY g.begin")]
        self.managers = list(database.execute(
            "SELECT e.resource, CASE WHEN coalesce(e.namespace, '') = '' THEN e.name "
            "ELSE e.namespace || '/' || e.name END, CAST(e.resource_version AS TEXT), e.type, "
            "coalesce(e.manager, ''), v.time / 1e9, "
            "(SELECT max(id) FROM session WHERE started <= v.time) FROM events e JOIN version v ON v.seq = e.seq ORDER BY e.seq"))
        self._watched = list(database.execute(
            "SELECT e.resource, v.time / 1e9, CAST(e.resource_version AS INTEGER) FROM events e "
            "JOIN version v ON v.seq = e.seq WHERE e.source = 'watch' AND NOT e.final_state_unknown"))
        database.close()

    def covers(self, version, when, slack):
        """Returns whether a gap has this version, which was written at `when`: no newer one was received
        before the gap began."""
        return any(resource in (None, version.resource) and namespace in ("", version.namespace) and
                   begin - slack <= when <= end + slack and self._reached(version.resource, begin) < version.revision
                   for resource, namespace, begin, end, _ in self.gaps)

    def _reached(self, resource, time):
        return max((revision for one, at, revision in self._watched if one == resource and at <= time), default=0)

    def wrong_order(self):
        """Returns what is there twice, or before an older version of the same object; None if nothing."""
        newest, seen, watched = {}, set(), {}
        for version, source, unknown in self.rows:
            key = version[:3]
            if unknown:  # the last version that was seen, once more
                newest.pop(key, None)
                continue
            if version in seen:
                return f"{version} is there twice"
            seen.add(version)
            if version.revision < newest.get(key, 0):
                return f"{version} comes after {newest[key]}, from a {source}"
            newest[key] = version.revision
            if source == "watch":
                if version.revision <= watched.get(version.resource, 0):
                    return f"{version} comes after {watched[version.resource]} of the same watch"
                watched[version.resource] = version.revision
        return None
