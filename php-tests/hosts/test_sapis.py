"""Under each SAPI: requests, what processes share, retries, and a limit that all keep together."""

import json
import os
import pwd
import signal
import subprocess
import time
import unittest

import harness
import host
import servers
from host import HostTest, get, passing
from unit import SiteOwnTest


class Sapi(HostTest):
    """What each server is asked. `processes`: how many of them answer, all of which share one file."""

    def start(self, make, *arguments, **ini):
        server = make(*arguments, **ini)
        self.addCleanup(server.stop)
        return server

    def works_well(self, sapi, server, processes):
        refused = self.server.script({"status": 429, "headers": [["Retry-After", "0.3"]]}, {"body": "through"})
        local = self.server["http"].replace("127.0.0.1", "localhost") + "/status/200"
        answer = server.ask(get(refused, maxAttempts=2), get(local), get(self.server["https"] + "/status/200", verify=self.server["ca"]))
        self.assertEqual(([200] * 3, []), (passing(answer), answer["warnings"]), answer)
        self.assertEqual((sapi, 2), (answer["sapi"], answer["steps"][0]["attempts"]))
        self.assertTrue(answer["state"]["shared"], answer["state"])
        self.answers_in_time(server)
        self.keeps_a_limit(server, processes)
        self.assertNotRegex(server_log(server), r"(?i)segmentation|exit signal|panicked|core dumped|Fatal error")
        return answer

    def answers_in_time(self, server):
        """A page gives up what does not fit into its budget, before its server gives it up."""
        url = self.server.script({"status": 503, "headers": [["Retry-After", "3"]]})
        begin = time.monotonic()
        answer = server.ask({"ini": ["retry_client.request_budget", "1"]}, get(url, maxAttempts=3))
        self.assertLess(time.monotonic() - begin, 1.2)
        self.assertEqual("RetryClient\\BudgetExceededException", answer["steps"][1].get("class"), answer)

    def keeps_a_limit(self, server, processes):
        """Requests at the same time, by several processes, come as slowly as the limit says."""
        url = self.server.script({})
        step = {"call": {"method": "GET", "uri": url}, "options": {"limit": "10/s"}, "times": 3}
        hold = 0.8 if processes > 1 else 0    # so that no process answers twice while another has nothing to do
        answers = harness.together(*[lambda: server.ask(step, hold=hold)] * processes * 2)
        self.assertEqual([[200] * 3] * processes * 2, [passing(answer) for answer in answers], answers)
        self.assertEqual(processes, len({answer["pid"] for answer in answers}), "processes that answered")
        arrived = sorted(entry["monotonic_ns"] / 1e9 for entry in self.server.log(url))
        # A process's first request takes longer to arrive than another's second, so this looks at stretches.
        for one, fifth in zip(arrived, arrived[4:]):
            self.assertGreater(fifth - one, 0.3, "four turns of a limit of 10/s")


def server_log(server):
    return server.log() if hasattr(server, "log") else (server.at / "output").read_text()


class BuiltIn(Sapi):
    def test_one_process(self):
        server = self.start(servers.built_in)
        self.works_well("cli-server", server, 1)

    def test_workers(self):
        """Four, and the one that has started them answers, too."""
        server = self.start(servers.built_in, 4)
        answer = self.works_well("cli-server", server, 5)
        self.assertEqual(pwd.getpwuid(os.geteuid()).pw_name, pwd.getpwuid(os.stat(answer["state"]["path"]).st_uid).pw_name)


class Cgi(Sapi):
    def test_fastcgi(self):
        server = self.start(servers.Cgi, 2)
        self.works_well("cgi-fcgi", server, 2)

    def test_plain(self):
        """A process for each page: what one learned, the next one knows."""
        at = servers.place()
        # A page's query must not become options, so these count on a command line only.
        (at / "php.ini").write_text(f"extension={harness.folder}/retry_client.so\nretry_client.shared_memory={servers.states(at)}\n")
        page = host.readable("probe.php")
        url = self.server.script({"status": 429, "headers": [["Retry-After", "1"]]}, {})

        def ask(step):
            plan = json.dumps({"steps": [step]})
            env = {"PHPRC": str(at), "PHP_INI_SCAN_DIR": "", "GATEWAY_INTERFACE": "CGI/1.1", "REDIRECT_STATUS": "200", "REQUEST_METHOD": "POST", "SCRIPT_FILENAME": page,
                   "CONTENT_TYPE": "application/json", "CONTENT_LENGTH": str(len(plan)), "SERVER_PROTOCOL": "HTTP/1.1"}
            done = subprocess.run([host.php_cgi()], input=plan, capture_output=True, text=True, env=env, timeout=30)
            self.assertEqual(0, done.returncode, done.stderr)
            return json.loads(done.stdout.split("\n\n", 1)[1])

        first = ask(get(url, throwOnGiveUp=False))
        self.assertEqual(([429], "cgi-fcgi"), (passing(first), first["sapi"]))
        self.assertEqual([200], passing(ask(get(url, maxAttempts=2))))
        refused, passed = [entry["monotonic_ns"] / 1e9 for entry in self.server.log(url, 2)]
        self.assertGreater(passed - refused, 0.95, "the second page has waited")


class Phpdbg(Sapi):
    def test_runs_a_script(self):
        answer = host.run(self.works, get(self.server["https"] + "/status/200", verify=self.server["ca"]), command=[host.phpdbg(), "-qrr"]).json
        self.assertEqual(([200, 200], "phpdbg"), (passing(answer), answer["sapi"]))


class Apache(Sapi):
    def setUp(self):
        super().setUp()
        if not servers.mod_php():
            self.skipTest("Apache has no mod_php here")

    def test_prefork(self):
        server = self.start(servers.apache, 3)
        answer = self.works_well("apache2handler", server, 3)
        self.assertNotIn("pcntl", answer["extensions"])
        owner = pwd.getpwuid(os.stat(answer["state"]["path"]).st_uid).pw_name
        self.assertEqual(harness.worker_user() or pwd.getpwuid(os.geteuid()).pw_name, owner, "the children's user, not the parent's")

    def test_graceful_restart(self):
        """Apache unloads PHP, and with it the extension, and loads it anew."""
        server = self.start(servers.apache, 2)
        before = server.ask(self.works)["pid"]
        for times in (1, 2, 3):
            server.signal(signal.SIGUSR1)
            harness.wait_until(lambda: server.log().count("resuming normal operations") > times, "it goes on")
            answer = server.ask(self.works)
            self.assertEqual([200], passing(answer))
        self.assertNotEqual(before, answer["pid"])
        self.assertTrue(server.alive())
        self.assertNotRegex(server.log(), r"(?i)segmentation|exit signal|panicked|core dumped")

    def test_a_graceful_stop_waits_for_the_page(self):
        server = self.start(servers.apache, 2)
        url = self.server.script({"status": 503, "headers": [["Retry-After", "1"]]}, {})

        def stop():
            self.server.log(url, 1)
            server.signal(signal.SIGWINCH)
        answer, _ = harness.together(lambda: server.ask(get(url, maxAttempts=2)), stop)
        self.assertEqual([200], passing(answer))
        self.assertEqual(0, server.wait(10))

    def test_a_folder_may_not_leave_open_basedir(self):
        """What .htaccess says is the page's word, not the administrator's."""
        server = self.start(servers.apache, 1)
        pages = server.at / "pages"
        (pages / "ca.pem").write_text(open(self.server["ca"]).read())
        https = get(self.server["https"] + "/status/200")
        for open_basedir, file, status in (("/", self.server["ca"], 200), (pages, self.server["ca"], None), (pages, pages / "ca.pem", 200)):
            (pages / ".htaccess").write_text(f"php_value open_basedir {open_basedir}\nphp_value retry_client.ca_file {file}\n")
            with self.subTest((str(open_basedir), str(file))):
                self.assertEqual([status], passing(server.ask(https)))


class Preloading(SiteOwnTest):
    """php-fpm whose master has made and used a client before it forks."""

    def preloaded(self, user):
        says = harness.writable(f"preload-{user}.json")
        env = {"PRELOAD_URL": self.server["http"] + "/status/200", "PRELOAD_SAYS": str(says)}
        ini = {"opcache.preload": host.readable("preloaded.php"), "opcache.preload_user": user}
        self.start({"web": {"pm.max_children": 3, "env[PRELOAD_URL]": env["PRELOAD_URL"]}}, ini=ini, env=env)
        self.assertEqual(200, json.loads(says.read_text())["status"])
        url = self.server.script({})
        plan = {"calls": [{"method": "GET", "uri": url}] * 2, "options": {"limit": "10/s"}, "stats": True}
        answers = [answer.json for answer in harness.together(*[lambda: self.page("web/call.php", plan=plan)] * 3)]
        self.assertEqual([200] * 6, [call.get("status") for answer in answers for call in answer["calls"]])
        arrived = sorted(entry["monotonic_ns"] / 1e9 for entry in self.server.log(url))
        self.assertBetween(0.4, 2, arrived[-1] - arrived[0], "six turns of a limit of 10/s")
        worker = pwd.getpwnam(harness.worker_user()).pw_uid if os.geteuid() == 0 else os.geteuid()
        for answer in answers:
            self.assertEqual(f"{self.site.fpm.states}/retry_client.{worker}.1", answer["stats"]["state"]["path"])
        self.site.fpm.signal(signal.SIGQUIT)
        self.assertEqual(0, self.site.fpm.wait(5))

    def test_in_a_process_of_the_workers_user(self):
        self.preloaded(harness.worker_user() or pwd.getpwuid(os.geteuid()).pw_name)

    def test_in_the_master_itself(self):
        self.preloaded(pwd.getpwuid(os.geteuid()).pw_name)


class Chroot(SiteOwnTest):
    """A pool in a folder that has nothing but its page: no /dev, no /proc, no /etc."""

    @unittest.skipUnless(os.geteuid() == 0, "only root can change the root folder")
    def test_what_it_lacks(self):
        jail = harness.folder / "jail"
        jail.mkdir()
        (jail / "probe.php").write_text((host.HERE / "probe.php").read_text())
        location = {"jail": ("jailed", ["fastcgi_param SCRIPT_FILENAME /probe.php;"])}
        self.start({"jailed": {"chroot": jail}}, locations=location, ini={"retry_client.shared_memory": "auto"}, opcache=False)
        http, https = self.server["http"] + "/status/200", self.server["https"].replace("localhost", "127.0.0.1") + "/status/200"
        answer = self.page("jail/probe.php", plan={"steps": [get(http), get(https), get(https, verify=False)]}).json
        plain, no_store, unverified = answer["steps"]
        self.assertEqual((200, 200), (plain.get("status"), unverified.get("status")), answer)
        self.assertRegex(no_store["message"], "no CA certificates found( \\(.*\\))?: install the package ca-certificates, or name a PEM file")
        self.assertEqual((False, "cannot read /proc/sys/kernel/random/boot_id: No such file or directory (os error 2)"), (answer["state"]["shared"], answer["state"]["reason"]))
