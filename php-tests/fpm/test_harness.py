"""That the harness itself notices what the other tests deny: a 504, a worker that is killed or replaced. Plain PHP only."""

import os
import signal
import time

import harness
from unit import SiteTest


class Notices(SiteTest):
    may_kill = True
    site_options = {
        "pools": {
            "slow": {"pm.max_children": 2},
            "limited": {"request_terminate_timeout": "1s"},
            "dying": {},
        },
        "read_timeout": 1,
        "loaded": False,
    }

    def test_page_that_answers(self):
        answer = self.page("slow/sleep.php", plan={"sleep": 0.2})
        self.assertIn(answer.json["pid"], self.site.fpm.children())
        self.assertBetween(0.2, 1.0, answer.json["elapsed"])

    def test_timeout_of_nginx(self):
        answer = self.page("slow/sleep.php", plan={"sleep": 2})
        self.assertEqual(504, answer.status)
        self.assertBetween(1.0, 1.9, answer.elapsed)
        self.assertIn("upstream timed out", (self.site.at / "nginx.log").read_text())

    def test_worker_killed_by_fpm(self):
        # FPM looks every third of the limit, and nginx gives up after one second: so the page is started and left alone
        before = self.page("limited/sleep.php").json["pid"]
        self.page("limited/sleep.php", plan={"sleep": 5})
        harness.wait_until(lambda: any("terminating" in line for line in self.site.fpm.killed()), "FPM kills the worker")
        self.assertNotEqual(before, self.page("limited/sleep.php").json["pid"])

    def test_worker_that_crashes(self):
        before = self.page("dying/sleep.php").json["pid"]
        answer, _ = harness.together(
            lambda: self.page("dying/sleep.php", plan={"sleep": 1}),
            lambda: (time.sleep(0.3), os.kill(before, signal.SIGSEGV)),
        )
        self.assertEqual(502, answer.status)
        harness.wait_until(lambda: any("SIGSEGV" in line for line in self.site.fpm.killed()), "FPM notices")
        self.assertNotEqual(before, self.page("dying/sleep.php").json["pid"])

    def test_fatal_error(self):
        answer = self.page("dying/sleep.php", plan={"fail": True})
        self.assertEqual(500, answer.status)
        self.assertIn("Allowed memory size", self.site.fpm.php_log("dying"))
