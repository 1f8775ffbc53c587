"""Hosts that lack what a request needs: each works, or says what is missing and what to set."""

import json
import os
import subprocess

import harness
import host
from host import HostTest, get, passing

SEE = "install the package ca-certificates, or name a PEM file in verify or in retry_client.ca_file"


class Authorities(HostTest):
    """No store of CA certificates."""

    needs_namespaces = True
    EMPTY = "for folder in /etc/ssl /etc/pki /usr/share/ca-certificates /usr/lib/ssl /var/lib/ca-certificates; do [ ! -d $folder ] || mount -t tmpfs none $folder; done"

    def test_what_is_missing_and_what_to_set(self):
        url = self.server["https"] + "/status/200"
        ca = self.server["ca"]
        steps = [get(url, maxAttempts=5), get(url, verify=ca), {"ini": ["retry_client.ca_file", ca]}, get(url), self.works]
        answer = host.run(*steps, before=host.unshare(self.EMPTY)).json
        refused, named, _, from_ini, plain = answer["steps"]
        self.assertEqual(("RetryClient\\NetworkException", "tls", 1), (refused["class"], refused["kind"], refused["attempts"]), refused)
        self.assertRegex(refused["message"], f"^GET {url} got no response: TLS with {self.server['https']} failed: no CA certificates found( \\(.*\\))?: {SEE}$")
        self.assertEqual([200, 200, 200], [seen.get("status") for seen in (named, from_ini, plain)])

    def test_the_environment_names_them(self):
        url = self.server["https"] + "/status/200"
        seen = host.run(get(url), before=host.unshare(self.EMPTY), env={"SSL_CERT_FILE": self.server["ca"]}).json
        self.assertEqual([200], passing(seen), seen)


class Environment(HostTest):
    def test_a_file_that_is_not_there(self):
        seen = host.run(get(self.server["https"] + "/status/200"), env={"SSL_CERT_FILE": "/nowhere.pem"}).json["steps"][0]
        self.assertIn(f"no CA certificates found (failed to read PEM from file: No such file or directory (os error 2) at '/nowhere.pem'): {SEE}", seen["message"])

    def test_odd_values(self):
        for env in ({"TZ": "Nowhere/Land"}, {"TZ": ":"}, {"LC_ALL": "xx_XX.odd"}, {"TMPDIR": "/nowhere"}, {"HOME": "/nowhere"}, {"PATH": ""}):
            with self.subTest(env):
                seen = host.run(self.works, get(self.server["https"] + "/status/200", verify=self.server["ca"]), env=env).json
                self.assertEqual([200, 200], passing(seen), seen)
                self.assertEqual([], seen["warnings"])

    def test_an_unprivileged_user_without_a_home(self):
        seen = host.run(self.works, start=host.nobody, ini={"retry_client.shared_memory": harness.folder}).json
        self.assertEqual([200], passing(seen))


class Names(HostTest):
    needs_namespaces = True

    def test_no_hosts_file_and_no_resolver(self):
        script = "for file in /etc/hosts /etc/resolv.conf /etc/nsswitch.conf; do [ ! -e $file ] || mount --bind /dev/null $file; done"
        port = self.server["http"].rsplit(":", 1)[1]
        name = f"http://nowhere.test:{port}"
        steps = [self.works, get(f"{name}/status/200"), get(f"{name}/status/200", resolve={"nowhere.test": "127.0.0.1"})]
        address, unknown, resolved = host.run(*steps, before=host.unshare(script)).json["steps"]
        self.assertEqual((200, 200), (address.get("status"), resolved.get("status")))
        self.assertEqual("dns", unknown.get("kind"), unknown)
        self.assertIn(f"got no response: Could not resolve the host of {name}: failed to lookup address information", unknown["message"])

    def test_ipv6_only(self):
        """A network with nothing but ::1, where a name has both kinds of addresses."""
        hosts = harness.folder / "hosts"
        hosts.write_text("127.0.0.1 both.test\n::1 both.test\n::1 six.test\n127.0.0.1 four.test\n")
        before = host.unshare(f"mount --bind {hosts} /etc/hosts", "-n") + ["python3", str(host.HERE / "only_ipv6.py")]
        urls = [f"http://{name}:8080/" for name in ("[::1]", "six.test", "both.test", "four.test")]
        literal, six, both, four = host.run(*[get(url, connectTimeout=5) for url in urls], before=before).json["steps"]
        self.assertEqual(["from ::1"] * 3, [seen.get("body") for seen in (literal, six, both)], (literal, six, both))
        self.assertEqual("connect", four.get("kind"), four)
        self.assertIn("Could not connect to http://four.test:8080: Network is unreachable (os error 101)", four["message"])

    def test_no_network(self):
        seen = host.run(get("http://127.0.0.1:8080/"), before=host.unshare("true", "-n")).json["steps"][0]
        self.assertEqual("connect", seen.get("kind"), seen)


class Limits(HostTest):
    """Where the process itself may have little."""

    def test_no_threads(self):
        """A name needs a thread for its lookup; an address and `resolve` need none."""
        port = self.server["http"].rsplit(":", 1)[1]
        name = f"http://localhost:{port}"
        steps = [self.works, get(f"{name}/status/200"), get(f"{name}/status/200", resolve={"localhost": "127.0.0.1"})]
        address, unknown, resolved = host.run(*steps, start=host.limited(NPROC=1)).json["steps"]
        self.assertEqual((200, 200), (address.get("status"), resolved.get("status")), (address, resolved))
        self.assertEqual("dns", unknown.get("kind"), unknown)
        self.assertIn(f"Could not resolve the host of {name}: no thread for the lookup can be started: Resource temporarily unavailable (os error 11)", unknown["message"])

    def test_few_descriptors(self):
        """From none to enough: an exception that says so, or an answer."""
        https = self.server["https"] + "/status/200"
        steps = [self.works, {"batch": 3, "uri": self.server["http"] + "/status/200", "options": {"maxAttempts": 1}}, get(https), get(https, verify=self.server["ca"])]
        path = harness.folder / "few"
        path.mkdir()
        path.chmod(0o777)
        worked = 0
        for most in range(4, 17):
            with self.subTest(most):
                answer = host.run(*steps, start=host.limited(NOFILE=most), ini={"retry_client.shared_memory": path}).json
                plain, batch, system, named = answer["steps"]
                if plain.get("status") != 200:
                    self.assertRegex(plain["message"], "Too many open files|No file descriptors available")
                self.assertEqual(3, sum(batch["statuses"].values()), batch)
                self.assertIn(system.get("kind"), ("tls", "dns", "connect"), system)
                if "no CA certificates" in system["message"]:
                    self.assertIn("Too many open files", system["message"], "it names the cause")
                worked += named.get("status") == 200
        self.assertGreater(worked, 2, "16 are enough")

    def test_authorities_that_could_not_be_read_for_the_moment(self):
        """A process that was out of descriptors finds them when it has some again."""
        code = """
            $client = new RetryClient(maxAttempts: 1);
            $messages = [];
            $held = [];
            while ($file = @fopen('/dev/null', 'r')) {
                $held[] = $file;
            }
            do {    // one descriptor more each time
                array_pop($held);
                try {
                    $status = $client->get($argv[1])->status;
                } catch (RetryClient\\NetworkException $e) {
                    $messages[] = $e->getMessage();
                }
            } while (!isset($status) && $held);
            echo json_encode([$status ?? null, $messages]);
        """
        url = self.server["https"].replace("localhost", "127.0.0.1") + "/status/200"
        done = subprocess.run([host.php(), *host.loading({"retry_client.shared_memory": ""}), "-r", code, "--", url], capture_output=True,
                              text=True, preexec_fn=host.limited(NOFILE=40), env={"PATH": os.environ["PATH"], "SSL_CERT_FILE": self.server["ca"]}, timeout=60)
        status, messages = json.loads(done.stdout)
        self.assertEqual(200, status, messages)
        self.assertTrue(all("Too many open files" in message for message in messages), messages)
        self.assertIn("no CA certificates found", " ".join(messages), "it came to that")

    def test_little_memory(self):
        big = {"call": {"method": "GET", "uri": self.server["http"] + "/bytes/8000000"}, "options": {"maxAttempts": 1}}
        seen = host.run(self.works, big, self.works, ini={"memory_limit": "4M"}).json["steps"]
        self.assertEqual([200, None, 200], [step.get("status") for step in seen], seen)
        self.assertEqual("too-large", seen[1]["kind"], seen[1])


class Seccomp(HostTest):
    def test_what_is_refused_and_not_missed(self):
        https = get(self.server["https"] + "/status/200", verify=self.server["ca"])
        name = get(self.server["http"].replace("127.0.0.1", "localhost") + "/status/200")
        for what in (["timers"], ["random"], ["statx"], ["ring"], ["timers", "random", "statx", "ring"]):
            with self.subTest(what):
                seen = host.run(self.works, https, name, before=host.refusing(*what)).json
                self.assertEqual([200] * 3, passing(seen), seen)

    def test_no_epoll(self):
        seen = host.run(self.works, before=host.refusing("epoll")).json["steps"][0]
        self.assertEqual("connect", seen.get("kind"), seen)
        self.assertIn("got no response: No event loop could be started: Operation not permitted (os error 1)", seen["message"])


class FullDisk(HostTest):
    needs_namespaces = True

    def test_sink_and_journal(self):
        big = self.server.script({"body": "x" * 200_000})
        small = self.server.script({"body": "y" * 1000})
        many = {"batch": 300, "uri": small, "with": {"journal": "/mnt/journal"}}
        steps = [get(big) | {"call": {"method": "GET", "uri": big, "sink": "/mnt/old"}}, many, many | {"batch": 5}, self.works]
        script = "mount -t tmpfs -o size=64k none /mnt; printf before > /mnt/old"
        after = ["sh", "-c", '"$@"; cat /mnt/old >&2', "sh"]
        seen = host.run(*steps, before=host.unshare(script) + after, ini={"retry_client.shared_memory": "/mnt"})
        answer = seen.json
        sink, journal, again, plain = answer["steps"]
        self.assertEqual(("RetryClient\\NetworkException", "sink"), (sink["class"], sink["kind"]), sink)
        self.assertIn("The sink failed: No space left on device (os error 28)", sink["message"])
        self.assertEqual("before", seen.errors, "the file that was there stays")
        self.assertEqual(("RuntimeException", "The journal cannot be written: No space left on device (os error 28)"), (journal["class"], journal["message"]))
        self.assertEqual({"200": 5}, again.get("statuses"), "what is in the journal can be used")
        self.assertEqual(200, plain.get("status"))
        self.assertIn("No space left on device", answer["state"]["reason"])

