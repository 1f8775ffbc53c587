"""What the workers of a pool, and of two pools of one user, know of a limit together."""

import os
import pwd
import stat

import harness
from unit import SiteTest

WORKERS = 12
ONCE = {"maxAttempts": 1, "throwOnGiveUp": False}


class Together(SiteTest):
    site_options = {"pools": {
        "web": {"pm.max_children": WORKERS},
        "other": {"pm.max_children": WORKERS, "php_admin_value[retry_client.max_waiting]": 0},
    }}

    def call(self, path, url, **options):
        return self.page(path, plan={"calls": [{"method": "GET", "uri": url}], "options": options}).json["calls"][0]

    def crowd(self, path, url):
        """What came of one page per worker, all at the same time, the quickest first."""
        seen = harness.together(*[lambda: self.call(path, url)] * WORKERS)
        return sorted(seen, key=lambda call: call["elapsed"])

    def refused(self, seconds):
        """The URL of a script that has refused one request, and said for how long."""
        url = self.server.script({"status": 429, "headers": [["Retry-After", str(seconds)]]}, {})
        self.assertEqual(429, self.call("web/call.php", url, **ONCE)["status"])
        return url

    def test_eight_pages_wait_and_the_next_are_told_at_once(self):
        url = self.refused(2)
        seen = self.crowd("web/call.php", url)
        for call in seen[:WORKERS - 8]:
            self.assertEqual("RetryClient\\RateLimitedException", call["class"], call)
            self.assertBetween(0, 0.7, call["elapsed"], "at once")
            self.assertBetween(1, 2, call["retryAfter"], "retryAfter")
            self.assertEqual((0, None), (call["attempts"], call["status"]))
        for call in seen[WORKERS - 8:]:
            self.assertEqual(200, call.get("status"), call)
            self.assertBetween(1, 3.5, call["elapsed"], "waited")
        first, second = self.server.log(url)[:2]
        self.assertBetween(2, 2.3, (second["monotonic_ns"] - first["monotonic_ns"]) / 1e9, "from the refusal on")

    def test_any_number_where_a_pool_says_so(self):
        seen = self.crowd("other/call.php", self.refused(1))
        self.assertEqual([200] * WORKERS, [call.get("status") for call in seen])

    def test_another_pool_of_the_user_is_held_back(self):
        url = self.refused(1)
        self.assertBetween(0.5, 1.3, self.call("other/call.php", url)["elapsed"])

    def test_a_limit_holds_for_all_workers(self):
        url = self.server.script({})
        plan = {"calls": [{"method": "GET", "uri": url}] * 2, "options": {"limit": "20/s"}, "ini": [["retry_client.max_waiting", "0"]]}
        pages = harness.together(*[lambda: self.page("web/call.php", plan=plan)] * 6)
        self.assertEqual([200] * 12, [call.get("status") for page in pages for call in page.json["calls"]])
        arrived = sorted(entry["monotonic_ns"] / 1e9 for entry in self.server.log(url))
        # A worker's first request takes longer to arrive than the next worker's second, so this looks at stretches.
        for one, fifth in zip(arrived, arrived[5:]):
            self.assertBetween(0.15, 10, fifth - one, "five turns")
        self.assertBetween(0.5, 1.3, arrived[-1] - arrived[0], "all twelve")

    def test_a_page_sees_the_limits_of_its_own_process(self):
        call = {"method": "GET", "uri": self.server.script({}), "limitKey": "mine"}
        answer = self.page("web/call.php", plan={"calls": [call], "options": {"limit": "77/s"}, "stats": True}).json
        self.assertIn("77/s", [key["limit"] for key in answer["stats"]["keys"]])
        state = answer["stats"]["state"]
        self.assertTrue(state["shared"], state)
        found = os.stat(state["path"])
        self.assertEqual(harness.worker_user() or pwd.getpwuid(os.geteuid()).pw_name, pwd.getpwuid(found.st_uid).pw_name, "the worker's, not the master's")
        self.assertEqual(0o600, stat.S_IMODE(found.st_mode))


class Place(SiteTest):
    site_options = {"pools": {"web": {"php_admin_value[retry_client.shared_memory]": "/dev/shm/elsewhere"}}}

    def test_a_pool_cannot_move_it(self):
        call = {"method": "GET", "uri": self.server.script({})}
        answer = self.page("web/call.php", plan={"calls": [call], "stats": True}).json
        self.assertEqual(str(self.site.fpm.states), str(answer["stats"]["state"]["path"]).rsplit("/", 1)[0])
        self.assertIn("retry_client.shared_memory", self.site.fpm.log() + self.site.fpm.php_log("web"))
