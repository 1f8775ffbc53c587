"""The scripted server of php-tests/server, as these tests use it. Its README says what steps are."""

import itertools
import json
import os
import pathlib
import subprocess
import urllib.error
import urllib.request


class Server:
    def __init__(self, root, certs):
        self._process = subprocess.Popen([binary(root), "--dir", str(certs)], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        line = self._process.stdout.readline()
        if not line:
            raise AssertionError("the test server ended at once")
        self.addresses = json.loads(line)
        self._numbers = itertools.count(1)

    def __getitem__(self, key):
        return self.addresses[key]

    def stop(self):
        self._process.stdin.close()
        try:
            self._process.wait(5)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def control(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self["control"] + path, data, method=method)
        try:
            with _direct.open(request, timeout=30) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as error:
            raise AssertionError(f"{method} {path}: {error.read().decode()}") from None

    def script(self, *steps, on="http", host=None):
        """The URL of a new script."""
        name = f"s{next(self._numbers)}"
        self.control("POST", f"/_script/{name}", list(steps))
        return f"{self[on] if host is None else host}/{name}"

    def log(self, url, at_least=0):
        """What arrived for the URL of a script."""
        name = url.rsplit("/", 1)[1]
        return self.control("GET", f"/_log/{name}?wait={at_least}&timeout_ms=5000")

    def connections(self, url):
        """The number of the connection on which each request of a script came."""
        return [entry["connection"] for entry in self.log(url)]

    def stats(self, listener):
        return self.control("GET", "/_stats")["listeners"][listener]


_direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))


def binary(root):
    if given := os.environ.get("TEST_SERVER"):
        return given
    subprocess.run(["cargo", "build", "--locked", "--quiet", "-p", "test-server"], cwd=root, check=True)
    return str(root / pathlib.Path(os.environ.get("CARGO_TARGET_DIR", "target")) / "debug/test-server")


def header(entry, name):
    """The values of a header of a log entry."""
    return [value for key, value in entry["headers"] if key.lower() == name.lower()]
