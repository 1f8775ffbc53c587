"""HTTP requests of the tests themselves."""

import contextlib
import http.client
import json
import pathlib
import socket
import time


def answered(is_well, text, why):
    """What was answered, which is JSON; a failure that says why if it is none."""
    try:
        assert is_well
        return json.loads(text)
    except (AssertionError, ValueError):
        raise AssertionError(why()) from None


class Answer:
    log = ""        # where the errors of the page are

    def __init__(self, status, headers, body, elapsed):
        self.status, self.headers, self.body, self.elapsed = status, headers, body, elapsed

    def __repr__(self):
        return f"{self.status} after {self.elapsed:.3f} s: {self.body[:2000]}"

    @property
    def json(self):
        """What the page answered; a failure if it was not a page that answered."""
        def why():
            logged = pathlib.Path(self.log).read_text()[-600:] if self.log else ""
            return f"the page did not answer: {self}\n{logged}"
        return answered(self.status == 200, self.body, why)


class UnixConnection(http.client.HTTPConnection):
    def __init__(self, path, timeout):
        super().__init__("localhost", timeout=timeout)
        self._path = str(path)

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(self.timeout)
        self.sock.connect(self._path)


@contextlib.contextmanager
def opened(path, page, plan, headers, timeout):
    """POSTs the plan as JSON to a page behind the nginx that listens on this socket: the answer, whose body may still come."""
    connection = UnixConnection(path, timeout)
    try:
        connection.request("POST", f"/{page}", json.dumps(plan or {}), {"Content-Type": "application/json"} | headers)
        yield connection.getresponse()
    finally:
        connection.close()


def fetch(path, page, plan, headers, timeout):
    begin = time.monotonic()
    with opened(path, page, plan, headers, timeout) as response:
        body = response.read().decode("utf-8", "replace")
    return Answer(response.status, response.headers, body, time.monotonic() - begin)
