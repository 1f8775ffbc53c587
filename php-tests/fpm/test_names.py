"""A name server that does not answer: neither the page nor the end of its worker waits for it."""

import signal
import time

import harness
from test_budget import BUDGET, LATE, NOTICED, POOL
from unit import SiteOwnTest


class SlowNames(SiteOwnTest):
    def setUp(self):
        env = {"LD_PRELOAD": harness.library("slow_names.c")}
        pools = {"web": POOL | {"pm.max_children": 1}, "short": POOL | {"pm.max_children": 1, "pm.max_requests": 1}}
        self.start(pools, env=env, read_timeout=4, settings={"process_control_timeout": "10s"})

    def call(self, uri, pool="web", **options):
        answer = self.page(f"{pool}/call.php", plan={"calls": [{"method": "GET", "uri": uri}], "options": options})
        self.assertBetween(0, BUDGET + LATE, answer.json["elapsed"], "the page's clock")
        return answer

    def quick(self, pool="web"):
        """A call by name gets through at once."""
        answer = self.call(self.server.script({"body": "x"}).replace("127.0.0.1", "host.quick"), pool)
        self.assertEqual(200, answer.json["calls"][0].get("status"), answer)
        self.assertBetween(0, 1.0, answer.elapsed)

    def test_budget(self):
        self.quick()
        for _ in range(2):
            answer = self.call("http://host.slow/")
            self.assertEqual("RetryClient\\BudgetExceededException", answer.json["calls"][0]["class"])
            self.assertBetween(BUDGET, BUDGET + LATE, answer.json["elapsed"])
            self.assertBetween(BUDGET, BUDGET + NOTICED, answer.elapsed)
        self.quick()

    def test_connect_timeout(self):
        seen = self.call("http://host.slow/", connectTimeout=0.3, maxAttempts=2, baseDelay=0.1).json["calls"][0]
        self.assertEqual(("RetryClient\\NetworkException", "timeout", 2), (seen["class"], seen["kind"], seen["attempts"]))
        self.assertBetween(0.7, 1.5, seen["elapsed"])

    def test_worker_that_ends_meanwhile(self):
        self.call("http://host.slow/", "short", connectTimeout=0.2, maxAttempts=1)
        self.quick("short")

    def test_graceful_stop_meanwhile(self):
        self.call("http://host.slow/", connectTimeout=0.2, maxAttempts=1)
        begin = time.monotonic()
        self.site.fpm.signal(signal.SIGQUIT)
        self.assertEqual(0, self.site.fpm.wait(15))
        self.assertLess(time.monotonic() - begin, 2)
