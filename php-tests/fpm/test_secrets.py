"""No credential shows: not in a page's output with display_errors, not in FPM's, PHP's or nginx's logs, not in phpinfo()."""

import base64

import harness
from unit import SiteTest

SECRET = "no-sendam" + "b3e7f1"
MARKS = (SECRET, base64.b64encode(f"user:{SECRET}".encode()).decode()[8:-4])

UNCAUGHT = """exhausted post form multipart body request proxy proxy_malformed http_exception throw_on_error onRetry onAttempt onOutcome memory
    with with_type with_unknown construct base_uri uri uri_scheme uri_newline header_value header_type json_error two_bodies cert fake fake_empty""".split()
PRINTED = "dump_client dump_exhausted dump_budget dump_network dump_uri dump_thrown dump_attempts dump_response dump_request".split()


class Secrets(SiteTest):
    site_options = {
        "pools": {"web": {
            "php_admin_value[display_errors]": 1, "php_admin_value[zend.exception_ignore_args]": 0,
            "php_admin_value[zend.exception_string_param_max_len]": 100000, "php_admin_value[html_errors]": 0,
            "catch_workers_output": "yes", "request_slowlog_timeout": "1s", "slowlog": "/dev/null",
        }, "stderr": {"php_admin_value[error_log]": "/dev/stderr", "catch_workers_output": "yes"}},
        "ini": {"zend.exception_ignore_args": 0, "zend.exception_string_param_max_len": 1000},
    }

    @classmethod
    def setUpClass(cls):
        cls.slowlog = harness.writable("slow.log")
        options = dict(cls.site_options)
        options["pools"] = {**options["pools"], "web": options["pools"]["web"] | {"slowlog": cls.slowlog}}
        cls.site = harness.Site(**options)

    def assertSilent(self, text, where):
        for mark in MARKS:
            at = text.find(mark)
            self.assertEqual(-1, at, f"{where} shows it: …{text[max(0, at - 600):at + 100]}…")

    def fail_with(self, way, pool="web"):
        url = self.server.script({"status": 429, "body": "{}"})
        answer = self.page(f"{pool}/secrets.php", plan={"uri": url, "way": way, "refused": self.server["refused"]})
        self.assertSilent(answer.body, "the page")
        return answer

    def logs(self):
        return {str(path): path.read_text(errors="replace") for path in [*self.site.at.glob("*.log"), *self.site.at.glob("*.out"), self.slowlog]}

    def check(self, way):
        answer = self.fail_with(way)
        self.assertRegex(answer.body, "Uncaught|Allowed memory size")
        self.assertNotIn("reached the end", answer.body)
        self.fail_with(way, "stderr")

    def check_printed(self, way):
        self.assertIn("reached the end", self.fail_with(way).body)

    def test_backtrace(self):
        self.assertRegex(self.fail_with("backtrace").body, "RetryClient.*->get")

    def test_slow_log(self):
        self.fail_with("slow")
        text = harness.wait_until(self.slowlog.read_text, "the slow log")
        self.assertIn("secrets.php", text)

    def test_zz_logs(self):
        """Last, since unittest goes by name: what all the others have left in the logs."""
        self.fail_with("exhausted")
        self.assertIn("RetryClient", self.site.fpm.php_log("web"))
        for where, text in self.logs().items():
            self.assertSilent(text, where)


for _way in UNCAUGHT:
    setattr(Secrets, f"test_{_way}", lambda self, way=_way: self.check(way))
for _way in PRINTED:
    setattr(Secrets, f"test_{_way}", lambda self, way=_way: self.check_printed(way))
