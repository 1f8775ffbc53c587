"""Processes that the tests start, and what /proc says about them."""

import contextlib
import os
import pathlib
import re
import subprocess
import time


started = []        # every Process of this run, to be stopped at its end


class Process:
    def __init__(self, command, output, env=None, apart=False):
        """`apart`: in a process group of its own."""
        with open(output, "ab") as out:
            self._process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=out, stderr=out,
                                             env=os.environ | (env or {}), start_new_session=apart)
        self.pid = self._process.pid
        started.append(self)

    def alive(self):
        return self._process.poll() is None

    def signal(self, number):
        self._process.send_signal(number)

    def wait(self, seconds):
        return self._process.wait(seconds)

    def children(self):
        """Process ids of the children, smallest first."""
        found = []
        for path in pathlib.Path("/proc").glob("[0-9]*/stat"):
            with contextlib.suppress(OSError):
                after_name = path.read_text().rsplit(")", 1)[1].split()
                if int(after_name[1]) == self.pid and after_name[0] != "Z":
                    found.append(int(path.parent.name))
        return sorted(found)

    def stop(self):
        if not self.alive():
            return
        children = self.children()
        self._process.terminate()
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
            for pid in children:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, 9)


def descriptors(pid):
    """What each open descriptor leads to, without the numbers that tell two processes apart.

    A worker closes its connection to nginx a little after its page has ended, hence the moment before.
    """
    time.sleep(0.05)
    found = []
    for path in pathlib.Path(f"/proc/{pid}/fd").iterdir():
        with contextlib.suppress(OSError):
            found.append(re.sub(r"\[\d+\]|site\d+", "", os.readlink(path)))
    return sorted(found)


def threads(pid):
    return len(os.listdir(f"/proc/{pid}/task"))


def private_kilobytes(pid):
    """Memory that no other process shares."""
    text = pathlib.Path(f"/proc/{pid}/smaps_rollup").read_text()
    return sum(int(value) for value in re.findall(r"^Private_\w+:\s+(\d+) kB", text, re.M))
