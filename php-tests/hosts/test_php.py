"""What php.ini may switch off or on: open_basedir, disable_functions, opcache's JIT and preloading."""

import json
import os
import subprocess

import harness
import host
from host import HostTest, get, passing

OUTSIDE = "must be inside the directories that open_basedir allows"
# What probe.php itself calls.
OF_THE_PROBE = """array_count_values array_fill chdir count file_get_contents function_exists get_loaded_extensions getmypid header
    html_entity_decode ini_set json_decode json_encode max microtime ob_get_clean ob_start opcache_get_status set_error_handler
    strip_tags substr usleep""".split()


class OpenBasedir(HostTest):
    def setUp(self):
        super().setUp()
        self.inside = harness.folder / "inside"
        self.inside.mkdir(exist_ok=True)
        (self.inside / "ca.pem").write_text(open(self.server["ca"]).read())
        (self.inside / "out").unlink(missing_ok=True)
        (self.inside / "out").symlink_to("/etc/hosts")
        self.ini = {"open_basedir": f"{self.inside}:{harness.folder / 'probe.php'}"}

    def test_each_path_that_a_script_can_name(self):
        https, http = self.server["https"] + "/status/200", self.server["http"] + "/status/200"
        batch = {"batch": 1, "uri": http}
        sink = {"call": {"method": "GET", "uri": http, "sink": "/tmp/sink"}}
        refused = {
            "verify": get(https, verify=self.server["ca"]),
            "cert": get(https, cert=self.server["cert"], key=str(self.inside / "key.pem")),
            "key": get(https, cert=str(self.inside / "ca.pem"), key=self.server["key"]),
            "verify ": get(https, verify=str(self.inside / "out")),
            "sink": sink,
            "journal": batch | {"with": {"journal": "/tmp/journal"}},
        }
        for name, seen in zip(refused, host.run(*refused.values(), ini=self.ini).json["steps"]):
            self.assertEqual("ValueError", seen.get("class"), (name, seen))
            self.assertRegex(seen["message"], rf"\(\${name.strip()}\) {OUTSIDE}$")
        self.assertFalse(os.path.exists("/tmp/sink") or os.path.exists("/tmp/journal"))

    def test_inside_all_is_well(self):
        https = self.server["https"] + "/status/200"
        inside = str(self.inside)
        sink = {"call": {"method": "GET", "uri": self.server["http"] + "/bytes/10", "sink": f"{inside}/sink"}}
        batch = {"batch": 2, "uri": self.server["http"] + "/status/200", "with": {"journal": f"{inside}/journal"}}
        seen = host.run(get(https, verify=f"{inside}/ca.pem"), sink, batch, ini=self.ini).json
        self.assertEqual([200, 200, None], passing(seen), seen)
        self.assertEqual({"200": 2}, seen["steps"][2].get("statuses"), seen)
        self.assertEqual(10, (self.inside / "sink").stat().st_size)

    def test_the_ca_file_of_a_script(self):
        """php.ini may name a file elsewhere, a script may not."""
        https = self.server["https"] + "/status/200"
        outside, inside = self.server["ca"], str(self.inside / "ca.pem")
        set_to = [{"ini": ["retry_client.ca_file", path]} for path in (outside, str(self.inside / "out"), "ca.pem", "../ca.pem", inside, "")]
        steps = [{"chdir": str(self.inside)}, *set_to[:4], get(https), set_to[4], get(https), set_to[5]]
        answer = host.run(*steps, ini=self.ini).json
        seen = answer["steps"]
        self.assertEqual([False] * 4, [step.get("ini") for step in seen[1:5]], seen)
        self.assertEqual("tls", seen[5].get("kind"), "none of them holds")
        self.assertEqual(("", 200, inside), (seen[6].get("ini"), seen[7].get("status"), seen[8].get("ini")), seen)
        self.assertEqual(2, len(answer["warnings"]), answer["warnings"])
        self.assertIn(f"open_basedir restriction in effect. File({outside}) is not within the allowed path(s)", answer["warnings"][0])
        of_ini = host.run(get(https), ini=self.ini | {"retry_client.ca_file": outside}).json
        self.assertEqual([200], passing(of_ini), of_ini)


class DisableFunctions(HostTest):
    def test_all_of_them(self):
        known = subprocess.run([host.php(), "-n", "-r", "echo json_encode(get_defined_functions()['internal']);"], capture_output=True, text=True)
        others = sorted(set(json.loads(known.stdout)) - set(OF_THE_PROBE))
        self.assertGreater(len(others), 500)
        refused = self.server.script({"status": 429, "headers": [["Retry-After", "0.1"]]}, {"body": "through"})
        steps = [
            get(refused, maxAttempts=2), get(self.server["https"] + "/status/200", verify=self.server["ca"]),
            get(self.server["http"].replace("127.0.0.1", "localhost") + "/status/200"),
            {"call": {"method": "POST", "uri": self.server["http"] + "/status/200", "multipart": {"a": "b"}}},
            {"call": {"method": "POST", "uri": self.server["http"] + "/status/200", "json": {"a": "b"}}},
        ]
        answer = host.run(*steps, ini={"disable_functions": ",".join(others)}).json
        self.assertEqual([200] * 5, passing(answer), answer)
        self.assertEqual(2, answer["steps"][0]["attempts"])


class Opcache(HostTest):
    def setUp(self):
        super().setUp()
        if not harness.has_opcache():
            self.skipTest("opcache.so was not found")

    def ini(self, **more):
        return {"zend_extension": "opcache", "opcache.enable_cli": 1} | {f"opcache.{key}": value for key, value in more.items()}

    def test_jit(self):
        refused = self.server.script({"status": 429, "headers": [["Retry-After", "0"]]}, {"body": "through"})
        batch = {"batch": 200, "uri": self.server["http"] + "/status/200", "with": {"concurrency": 5}}
        for mode in ("tracing", "function"):
            with self.subTest(mode):
                ini = self.ini(jit=mode, jit_buffer_size="32M", jit_hot_loop=8, jit_hot_func=8, jit_hot_return=4)
                answer = host.run(self.works | {"times": 300}, get(refused, maxAttempts=2, baseDelay=0.01, jitter=0.0), batch, ini=ini).json
                self.assertTrue(answer["jit"], "the JIT is on")
                self.assertEqual([200] * 301, passing(answer)[:301])
                self.assertEqual({"200": 200}, answer["steps"][301].get("statuses"))

    def test_preloading(self):
        user = harness.worker_user() or "root"
        states = harness.folder / "preload"
        states.mkdir()
        states.chmod(0o777)
        says = harness.writable("preload.json")
        ini = self.ini(preload=host.readable("preloaded.php"), preload_user=user) | {"retry_client.shared_memory": states}
        env = {"PRELOAD_URL": self.server["http"] + "/status/200", "PRELOAD_SAYS": str(says)}
        answer = host.run(self.works, ini=ini, env=env).json
        self.assertEqual(200, json.loads(says.read_text())["status"])
        self.assertEqual(([200], 200), (passing(answer), answer["preloaded"]), answer)
        self.assertEqual(f"{states}/retry_client.{os.geteuid()}.1", answer["state"]["path"], "this process's own")
