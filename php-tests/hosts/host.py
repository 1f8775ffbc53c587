"""PHP on a host that lacks something: what a process of its own saw there."""

import functools
import json
import os
import pathlib
import pwd
import resource
import shutil
import subprocess
import unittest

import harness
import scripted
import web

HERE = pathlib.Path(__file__).resolve().parent
NO_NAMESPACES = "this system lets nobody make a mount or network namespace"


def php():
    return harness.program("PHP", "php")


def version():
    return harness.version(php())


def of_version(variable, name):
    return harness.program(variable, f"{name}{version()}", name)


def php_cgi():
    return of_version("PHP_CGI", "php-cgi")


def phpdbg():
    return of_version("PHPDBG", "phpdbg")


def apache():
    return harness.program("APACHE", "apache2", "httpd")


def missing():
    programs = {"PHP": php(), "PHP_CGI": php_cgi(), "PHPDBG": phpdbg(), "APACHE": apache()}
    return [f"no program was found for {name}: make setup, or name it" for name, found in programs.items() if not found]


# --- What is done to a process before it becomes PHP -------------------------------------------------------------------

@functools.cache
def has_namespaces():
    command = unshare("mount -t tmpfs none /mnt", "-n") + ["true"]
    return subprocess.run(command, capture_output=True).returncode == 0


def unshare(script, *kinds):
    """The beginning of a command that runs a shell script as root of namespaces of its own, and goes on there."""
    mapped = [] if os.geteuid() == 0 else ["-r"]
    return ["unshare", *mapped, "-m", *kinds, "sh", "-c", f'set -e; {script}; exec "$@"', "sh"]


def nobody():
    """To be called in a child: an unprivileged user, if this process may choose one."""
    if os.geteuid() == 0:
        entry = pwd.getpwnam(harness.worker_user())
        os.setgroups([])
        os.setgid(entry.pw_gid)
        os.setuid(entry.pw_uid)


def limited(**limits):
    """To be called in a child: these resource limits, by the end of their name, for an unprivileged user."""
    def start():
        nobody()
        for name, value in limits.items():
            resource.setrlimit(getattr(resource, f"RLIMIT_{name}"), (value, value))
    return start


@functools.cache
def program(source):
    """A program made of a C file of this folder."""
    compiled = harness.folder / pathlib.Path(source).stem
    subprocess.run(["cc", "-O1", "-o", compiled, HERE / source], check=True)
    return str(compiled)


def refusing(*what):
    """The beginning of a command to which the kernel refuses this; refuse.c has the words."""
    return [program("refuse.c"), *what, "--"]


# --- What it saw -----------------------------------------------------------------------------------------------------

class Seen:
    def __init__(self, code, output, errors):
        self.code, self.output, self.errors = code, output, errors

    def __repr__(self):
        return f"exit code {self.code}: {self.output}\n{self.errors}"

    @property
    def json(self):
        """What the probe answered: a crash, a warning or a fatal error is no answer."""
        return web.answered(self.code == 0, self.output, lambda: f"PHP did not answer: {self}")


def readable(name):
    """A file of this folder where each user may read it: beside the extension."""
    path = harness.folder / name
    if not path.exists():
        shutil.copyfile(HERE / name, path)
    return str(path)


def loading(ini):
    """The arguments that give PHP the extension and these directives."""
    given = {"extension": harness.folder / "retry_client.so", "display_errors": "stderr", "error_reporting": -1, "log_errors": 0} | ini
    return ["-n"] + [word for key, value in given.items() for word in ("-d", f"{key}={value}")]


def run(*steps, before=(), ini=None, env=None, start=None, command=None, timeout=60, **more):
    """Runs the steps of a plan (probe.php) in a PHP process of its own."""
    ini = {"retry_client.shared_memory": ""} | (ini or {})
    plan = json.dumps({"steps": steps} | more)
    line = [*before, *(command or [php()]), *loading(ini), readable("probe.php"), plan]
    # Nothing is taken from this machine's environment: a proxy, a CA file, a home.
    environment = {"PATH": os.environ.get("PATH", "")} | (env or {})
    done = subprocess.run(line, capture_output=True, text=True, env=environment, preexec_fn=start, timeout=timeout, cwd="/",
                          stdin=subprocess.DEVNULL)
    return Seen(done.returncode, done.stdout, done.stderr)


def get(url, **options):
    """A step: one call, without a further attempt unless the options say so."""
    return {"call": {"method": "GET", "uri": url}, "options": {"maxAttempts": 1} | options}


def passing(answer):
    """The statuses of all steps."""
    return [step.get("status") for step in answer["steps"]]


class HostTest(unittest.TestCase):
    longMessage = True
    maxDiff = 3000
    needs_namespaces = False

    def setUp(self):
        if self.needs_namespaces and not has_namespaces():
            self.skipTest(NO_NAMESPACES)

    @property
    def server(self) -> scripted.Server:
        return harness.server

    @property
    def works(self):
        return get(self.server["http"] + "/status/200")

    def assertState(self, reason, answer):
        """That the process keeps what it knows to itself, and says why."""
        state = answer["state"]
        self.assertEqual((False, None, 1), (state["shared"], state["path"], state["processes"]), state)
        self.assertEqual(reason, state["reason"])
        self.assertIn(f"Shared state => per process: {reason}\n", answer["info"])
