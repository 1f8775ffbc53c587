"""PHP under other servers than FPM: Apache, php-cgi, the built-in one. Each listens on a free port of the loopback."""

import contextlib
import http.client
import json
import os
import pathlib
import pwd
import signal
import socket

import harness
import host
import web
from processes import Process

_count = 0


def place():
    """A new folder for one server."""
    global _count
    _count += 1
    at = harness.folder / f"server{_count}"
    at.mkdir()
    return at


def free_port():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return taken.getsockname()[1]


def ask(port, *steps, timeout=30, **more):
    """POSTs a plan to the probe: its answer."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=timeout)
    try:
        connection.request("POST", "/probe.php", json.dumps({"steps": steps} | more), {"Content-Type": "application/json"})
        response = connection.getresponse()
        return web.Answer(response.status, response.headers, response.read().decode("utf-8", "replace"), 0).json
    finally:
        connection.close()


class Listening(Process):
    """A server that is ready when its port takes connections. Its pages are in a folder of its own."""

    def __init__(self, command, port, at, env=None):
        self.at, self.port = at, port
        # Apache ends its whole process group.
        super().__init__(command, at / "output", env, apart=True)

        def ready():
            if not self.alive():
                raise AssertionError(f"{command[0]} ended at once:\n{self.log()}")
            with socket.socket() as probe:
                return probe.connect_ex(("127.0.0.1", port)) == 0
        harness.wait_until(ready, f"{command[0]} listens")

    def stop(self):
        """The built-in server leaves its workers behind."""
        workers = self.children()
        super().stop()
        for pid in workers:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGTERM)

    def log(self):
        return "".join(path.read_text() for path in (self.at / "output", self.at / "error.log") if path.exists())

    def ask(self, *steps, **more):
        return ask(self.port, *steps, **more)


def pages(at):
    folder = at / "pages"
    folder.mkdir()
    (folder / "probe.php").write_text((host.HERE / "probe.php").read_text())
    return folder


def built_in(workers=None, **ini):
    at, port = place(), free_port()
    env = {"PHP_CLI_SERVER_WORKERS": str(workers)} if workers else {}
    command = [host.php(), *host.loading({"retry_client.shared_memory": states(at)} | ini), "-S", f"127.0.0.1:{port}", "-t", str(pages(at))]
    return Listening(command, port, at, env)


def states(at):
    folder = at / "states"
    folder.mkdir()
    folder.chmod(0o777)
    return folder


def apache_module(name):
    """Debian's folder, and that of other systems' packages."""
    folders = ("/usr/lib/apache2/modules", "/usr/lib64/httpd/modules", "/usr/lib/httpd/modules")
    return next((path for folder in folders for path in pathlib.Path(folder).glob(name)), None)


def mod_php():
    return apache_module(f"libphp{host.version()}.so") or apache_module("libphp*.so")


def apache(children=3, **ini):
    """Apache with mod_php, prefork."""
    at, port = place(), free_port()
    given = {"extension": harness.folder / "retry_client.so", "log_errors": 1, "display_errors": 0, "retry_client.shared_memory": states(at)} | ini
    (at / "php.ini").write_text("".join(f"{key}={value}\n" for key, value in given.items()))
    user = pwd.getpwnam(harness.worker_user()) if os.geteuid() == 0 else None
    lines = [f"ServerRoot {at}", f"PidFile {at}/pid", f"DefaultRuntimeDir {at}", f"Listen 127.0.0.1:{port}", "ServerName localhost", f"ErrorLog {at}/error.log",
             f"LoadModule mpm_prefork_module {apache_module('mod_mpm_prefork.so')}", f"LoadModule authz_core_module {apache_module('mod_authz_core.so')}",
             f"LoadModule php_module {mod_php()}", f"PHPINIDir {at}", f"StartServers {children}", f"MinSpareServers {children}", f"MaxSpareServers {children}",
             f"MaxRequestWorkers {children}", f"DocumentRoot {pages(at)}", f"<Directory {at}/pages>", "Require all granted", "AllowOverride Options", "</Directory>",
             '<FilesMatch "\\.php$">', "SetHandler application/x-httpd-php", "</FilesMatch>"]
    if user:
        lines += [f"User {user.pw_name}", f"Group #{user.pw_gid}"]
    if apache_module("mod_unixd.so"):    # where it is not built in
        lines.insert(0, f"LoadModule unixd_module {apache_module('mod_unixd.so')}")
    (at / "apache.conf").write_text("\n".join(lines) + "\n")
    return Listening([host.apache(), "-d", str(at), "-f", str(at / "apache.conf"), "-DFOREGROUND"], port, at, {"PHP_INI_SCAN_DIR": ""})


class Cgi(Process):
    """php-cgi as a FastCGI server with children, behind nginx."""

    def __init__(self, children=2, **ini):
        at = place()
        self.at = at
        folder = pages(at)
        loading = host.loading({"retry_client.shared_memory": states(at), "log_errors": 1, "display_errors": 0} | ini)
        super().__init__([host.php_cgi(), *loading, "-b", str(at / "cgi.sock")], at / "output", {"PHP_FCGI_CHILDREN": str(children)})
        harness.wait_until((at / "cgi.sock").exists, "php-cgi listens")
        (at / "cgi.sock").chmod(0o666)
        self.nginx = harness.Nginx(at, {"cgi": ("cgi", [f"fastcgi_param SCRIPT_FILENAME {folder}/$page;"])}, 60)

    def ask(self, *steps, **more):
        return web.fetch(self.at / "nginx.sock", "cgi/probe.php", {"steps": steps} | more, {}, 30).json

    def stop(self):
        self.nginx.stop()
        super().stop()
