"""Real php-fpm and nginx around the pages of this folder, and the scripted server that the pages call.

A test class starts a Site: one FPM master with its pools and one nginx with a location per pool. All of it lives in one
temporary folder, listens on unix sockets there, and is ended by process id.
"""

import contextlib
import functools
import os
import pathlib
import pwd
import re
import shutil
import subprocess
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor

import scripted
from processes import Process, started
from web import fetch, opened

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGES = pathlib.Path(__file__).resolve().parent / "pages"

folder = None       # the temporary folder of this run
server = None       # the scripted server of this run
_sites = 0


# --- Programs and files ----------------------------------------------------------------------------------------------

def extension():
    given = os.environ.get("RETRY_CLIENT_SO") or os.environ.get("RETRY_CLIENT_EXTENSION")
    return pathlib.Path(given) if given else ROOT / "build/modules/retry_client.so"


def program(variable, *names):
    """The first of the names that is a program, Debian's /usr/sbin included."""
    path = os.environ.get("PATH", "") + ":/usr/local/sbin:/usr/sbin:/sbin"
    names = [os.environ[variable]] if variable in os.environ else names
    return next(filter(None, (shutil.which(name, path=path) for name in names)), None)


@functools.cache
def version(php):
    """Its major and minor version, as names of programs have it."""
    return subprocess.run([php, "-n", "-r", 'echo PHP_MAJOR_VERSION, ".", PHP_MINOR_VERSION;'], capture_output=True, text=True).stdout


@functools.cache
def php_fpm():
    php = shutil.which("php")
    return program("PHP_FPM", f"php-fpm{version(php) if php else ''}", "php-fpm")


def nginx():
    return program("NGINX", "nginx")


def missing():
    """What the tests cannot do without, as sentences."""
    checks = [
        (php_fpm(), "php-fpm was not found: install it, or name it in PHP_FPM"),
        (nginx(), "nginx was not found: install it, or name it in NGINX"),
        (extension().is_file(), f"{extension()} does not exist: make build"),
    ]
    return [sentence for found, sentence in checks if not found]


@contextlib.contextmanager
def workplace():
    """Makes the temporary folder and starts the scripted server; removes both at the end."""
    global folder, server
    os.umask(0o022)
    folder = pathlib.Path(tempfile.mkdtemp(prefix="retry_client-fpm-"))
    folder.chmod(0o755)
    try:
        shutil.copytree(PAGES, folder / "pages")                     # the clone may be readable by nobody but root
        shutil.copyfile(extension(), folder / "retry_client.so")
        (folder / "certs").mkdir()
        server = scripted.Server(ROOT, folder / "certs")
        yield
    finally:
        for process in reversed(started):
            process.stop()
        if server:
            server.stop()
        if os.environ.get("KEEP"):
            print(f"logs are in {folder}")
        else:
            shutil.rmtree(folder)


def worker_user():
    """Whom the workers run as: None keeps the user of this process, as root an unprivileged one if it can read the folder."""
    if os.geteuid() != 0:
        return None
    if any(not parent.stat().st_mode & 0o001 for parent in folder.parents):
        return "root"
    names = [entry.pw_name for entry in pwd.getpwall()]
    return next((name for name in ("www-data", "nginx", "nobody") if name in names), "root")


def writable(name):
    """An empty file that the workers can write."""
    path = folder / name
    path.touch()
    path.chmod(0o666)
    return path


@functools.cache
def library(source, at=PAGES.parent):
    """A shared library made of a C file of a folder, to be preloaded."""
    compiled = folder / pathlib.Path(source).with_suffix(".so")
    subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-o", compiled, at / source, "-ldl"], check=True)
    return str(compiled)


def wait_until(condition, what, seconds=10.0):
    """The first true value of the condition."""
    end = time.monotonic() + seconds
    while not (value := condition()):
        if time.monotonic() > end:
            raise AssertionError(f"not within {seconds:g} s: {what}")
        time.sleep(0.01)
    return value


def together(*calls, apart=0.0):
    """The results of calls that run at the same time, each begun so many seconds after the one before."""
    futures = []
    with ThreadPoolExecutor(len(calls)) as threads:
        for call in calls:
            futures.append(threads.submit(call))
            time.sleep(apart)
    return [future.result() for future in futures]


# --- Processes -------------------------------------------------------------------------------------------------------

class Fpm(Process):
    """One master. `pools` names each pool's directives; `ini` is php.ini; `settings` are global directives."""

    def __init__(self, at, pools, ini, settings, loaded, opcache, env):
        self.at = at
        self.log_file = at / "fpm.log"
        user = worker_user()
        lines = ["[global]", "daemonize = no", f"error_log = {self.log_file}", "log_level = notice"]
        lines += [f"{key} = {value}" for key, value in settings.items()]
        for name, directives in pools.items():
            errors = writable(f"{at.name}/php-{name}.log")
            defaults = {
                "listen": at / f"{name}.sock", "listen.mode": "0666", "pm": "static", "pm.max_children": 1,
                "php_admin_value[error_log]": errors, "php_admin_value[log_errors]": 1, "php_admin_value[display_errors]": 0,
            } | ({"user": user} if user else {})
            lines += [f"[{name}]"] + [f"{key} = {value}" for key, value in (defaults | directives).items()]
        (at / "fpm.conf").write_text("\n".join(lines) + "\n")
        command = [php_fpm(), "-n", "-F", "-y", str(at / "fpm.conf")] + (["-R"] if user == "root" else [])
        extras = [f"extension={folder / 'retry_client.so'}"] if loaded else []
        extras += ["zend_extension=opcache", "opcache.enable=1"] if opcache and has_opcache() else []
        # One state per site: what the pages of one learn of a limit is not to slow those of another.
        self.states = at / "states"
        self.states.mkdir()
        self.states.chmod(0o777)
        ini = {"retry_client.shared_memory": self.states} | ini
        extras += ["log_errors=1", f"error_log={writable(f'{at.name}/startup.log')}", "error_reporting=-1"] + [f"{key}={value}" for key, value in ini.items()]
        super().__init__(command + [word for extra in extras for word in ("-d", extra)], at / "fpm.out", env)
        self.wait_ready()

    def log(self):
        """FPM's log, what it printed, and what PHP said at its start."""
        return "".join(path.read_text() for path in (self.log_file, self.at / "fpm.out", self.at / "startup.log") if path.exists())

    def php_log(self, pool):
        return (self.at / f"php-{pool}.log").read_text()

    def wait_ready(self, times=1):
        def ready():
            if not self.alive() or "Unable to load" in self.log():
                self.stop()
                raise AssertionError(f"php-fpm does not start as it should:\n{self.log()}")
            return self.log().count("ready to handle connections") >= times
        wait_until(ready, "php-fpm is ready")

    def killed(self):
        """The lines of the log that tell of a worker that did not end by itself."""
        return [line for line in self.log().splitlines() if re.search(r"terminating|exited on signal|exited with code [1-9]", line)]


@functools.cache
def has_timers_per_thread():
    """Whether max_execution_time is each thread's own, as in PHP with threads from 8.3 on."""
    shown = subprocess.run([php_fpm(), "-n", "-i"], capture_output=True, text=True).stdout
    return "Zend Max Execution Timers => enabled" in shown


@functools.cache
def has_opcache():
    """Whether opcache is a file to load (from PHP 8.5 on it is built in)."""
    shown = subprocess.run([php_fpm(), "-n", "-i"], capture_output=True, text=True).stdout
    found = re.search(r"^extension_dir => (\S+)", shown, re.M)
    return bool(found) and pathlib.Path(found[1], "opcache.so").is_file()


PARAMETERS = """REQUEST_METHOD $request_method; QUERY_STRING $query_string; CONTENT_TYPE $content_type; CONTENT_LENGTH $content_length;
REQUEST_URI $request_uri; SERVER_PROTOCOL $server_protocol; SERVER_NAME localhost; REDIRECT_STATUS 200"""


class Nginx(Process):
    """`locations`: name => (pool, further lines)."""

    def __init__(self, at, locations, read_timeout):
        user = worker_user()
        lines = [f"user {user};" if user else "", "daemon off;", "worker_processes 1;", f"pid {at}/nginx.pid;",
                 f"error_log {at}/nginx.log info;", "events { worker_connections 1024; }", "http {", f"access_log {at}/access.log;"]
        lines += [f"{kind}_temp_path {at}/nginx-{kind};" for kind in ("client_body", "fastcgi", "proxy", "scgi", "uwsgi")]
        lines += [f"fastcgi_param {parameter.strip()};" for parameter in PARAMETERS.replace("\n", " ").split(";")]
        lines += [f"fastcgi_param SCRIPT_FILENAME {folder}/pages/$page;", f"fastcgi_read_timeout {read_timeout}s;",
                  "server {", f"listen unix:{at}/nginx.sock backlog=512;"]
        for name, (pool, more) in locations.items():
            inherited = [line for line in lines if line.startswith("fastcgi_param")] if more else []
            body = " ".join(inherited + more)
            lines.append(f"location ~ ^/{name}/(?<page>[a-z_]+\\.php)$ {{ {body} fastcgi_pass unix:{at}/{pool}.sock; }}")
        (at / "nginx.conf").write_text("\n".join(lines) + "\n}}\n")
        super().__init__([nginx(), "-c", str(at / "nginx.conf"), "-p", str(at)], at / "nginx.out")
        self.at = at

        def ready():
            if not self.alive():
                raise AssertionError("nginx ended at once:\n" + (at / "nginx.out").read_text())
            return (at / "nginx.pid").exists() and (at / "nginx.pid").read_text().strip()
        wait_until(ready, "nginx is ready")


class Site:
    """FPM and nginx. Every pool has a location of its name; `locations` adds others: name => (pool, nginx lines)."""

    def __init__(self, pools, locations=None, read_timeout=60, ini=None, settings=None, loaded=True, opcache=True, env=None):
        global _sites
        _sites += 1
        self.at = folder / f"site{_sites}"
        self.at.mkdir()
        self.fpm = Fpm(self.at, pools, ini or {}, settings or {}, loaded, opcache, env)
        locations = {name: (name, []) for name in pools} | (locations or {})
        self.nginx = Nginx(self.at, locations, read_timeout)
        self.pools = {name: pool for name, (pool, _) in locations.items()}

    def page(self, path, plan=None, headers=None, timeout=30):
        """What nginx answers for `location/page.php`; the plan is posted as JSON."""
        answer = fetch(self.at / "nginx.sock", path, plan, headers or {}, timeout)
        answer.log = self.at / f"php-{self.pools[path.split('/')[0]]}.log"
        return answer

    def reading(self, path, plan=None, headers=None, timeout=30):
        """The same to be read as it comes: `with site.reading(…) as response`, which leaves at the end of the block."""
        return opened(self.at / "nginx.sock", path, plan, headers or {}, timeout)

    def stop(self):
        self.nginx.stop()
        self.fpm.stop()
