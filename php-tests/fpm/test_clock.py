"""From when the request budget counts, and where its value comes from."""

import json
import time

import harness
from unit import SiteTest

WISH = 120      # a Retry-After that no budget here has room for, so that the exception tells at once what is left


class ClockTest(SiteTest):
    def left(self, path, **plan):
        """The seconds left that a page's exceptions name, one per call."""
        headers = plan.pop("headers", {})
        url = self.server.script({"status": 429, "headers": [["Retry-After", str(WISH)]]})
        answer = self.page(path, plan={"calls": [{"method": "GET", "uri": url}]} | plan, headers=headers)
        seen = answer.json["calls"][0]
        self.assertEqual(("RetryClient\\BudgetExceededException", WISH), (seen["class"], seen.get("retryAfter")), seen)
        self.assertBetween(WISH - 0.5, WISH, seen["needed"], "needed, counted from the answer's head")
        self.ini = answer.json["ini"]
        self.pid = answer.json["pid"]
        return seen["left"]

    def unlimited(self, path, **plan):
        """That nothing bounds a call of the page: the server's wish is capped and waited for."""
        url = self.server.script({"status": 429, "headers": [["Retry-After", str(WISH)]]})
        options = {"maxRetryAfter": 0.3, "jitter": 0, "maxAttempts": 2}
        answer = self.page(path, plan={"calls": [{"method": "GET", "uri": url}], "options": options} | plan)
        seen = answer.json["calls"][0]
        self.assertEqual("RetryClient\\AttemptsExhaustedException", seen["class"], seen)
        self.assertBetween(0.3, 2.0, seen["elapsed"])
        self.ini = answer.json["ini"]


class Start(ClockTest):
    """Without opcache, which would ask for the request's start by itself."""

    site_options = {"pools": {"web": {"pm.max_children": 4, "php_admin_value[retry_client.request_budget]": 3}}, "opcache": False}

    def test_third_call_gets_what_is_left(self):
        slow = self.server.script({"delay_ms": 1000, "times": 2}, {"action": "stall"})
        answer = self.page("web/call.php", plan={"calls": [{"method": "GET", "uri": slow}] * 3})
        first, second, third = answer.json["calls"]
        self.assertEqual((200, 200), (first.get("status"), second.get("status")))
        self.assertEqual("RetryClient\\BudgetExceededException", third["class"])
        self.assertBetween(3.0, 3.2, answer.json["elapsed"])
        self.assertBetween(0.5, 1.0, third["elapsed"])

    def test_work_before_the_call_counts(self):
        self.assertBetween(1.0, 1.5, self.left("web/call.php", sleep=1.5))

    def test_counts_from_the_start_also_if_nobody_asked_for_it(self):
        # PHP takes the request's time when something first asks; this page never touches $_SERVER and sleeps before its call
        url = self.server.script({"status": 429, "headers": [["Retry-After", str(WISH)]]})
        answer = self.page("web/late.php", plan={"uri": url, "sleep": 1.5})
        self.assertBetween(1.0, 1.5, answer.json["left"])

    def test_call_after_the_deadline_sends_nothing(self):
        url = self.server.script({})
        answer = self.page("web/call.php", plan={"sleep": 3.1, "calls": [{"method": "GET", "uri": url}]})
        seen = answer.json["calls"][0]
        self.assertEqual(("RetryClient\\BudgetExceededException", 0), (seen["class"], seen["left"]))
        self.assertBetween(0, 0.2, seen["elapsed"])
        self.assertEqual([], self.server.log(url))

    def test_budget_option_when_it_is_the_earlier(self):
        url = self.server.script({"status": 429, "headers": [["Retry-After", str(WISH)]]})
        for budget, least, most in ((1, 0.8, 1.0), (100, 2.5, 3.0)):
            call = {"method": "GET", "uri": url, "options": {"budget": budget}}
            seen = self.page("web/call.php", plan={"calls": [call]}).json["calls"][0]
            self.assertBetween(least, most, seen["left"], f"budget: {budget}")


class Values(ClockTest):
    site_options = {"pools": {
        "auto": {},
        "none": {"php_admin_value[retry_client.request_budget]": 0},
        "admin": {"php_admin_value[retry_client.request_budget]": 3},
        "value": {"php_value[retry_client.request_budget]": 25.5},
        "sticky": {"php_admin_value[retry_client.request_budget]": 3},
    }, "locations": {"fastcgi": ("sticky", ['fastcgi_param PHP_VALUE "retry_client.request_budget=20";'])}}

    def test_auto_is_55(self):
        self.assertBetween(54, 55, self.left("auto/call.php"))

    def test_0_is_none(self):
        self.unlimited("none/call.php")

    def test_php_value(self):
        self.assertBetween(24.5, 25.5, self.left("value/call.php"))

    def test_php_value_can_be_changed_by_the_page(self):
        self.assertBetween(9, 10, self.left("value/call.php", ini=[["retry_client.request_budget", "10"]]))
        self.assertEqual(["25.5"], self.ini)
        self.assertBetween(24.5, 25.5, self.left("value/call.php"), "the next page")

    def test_ini_set_counts_at_the_next_call(self):
        for value, least, most in (("20", 19, 20), ("0.75", 0.1, 0.75), ("auto", 54, 55)):
            self.assertBetween(least, most, self.left("auto/call.php", ini=[["retry_client.request_budget", value]]), value)
            self.assertBetween(54, 55, self.left("auto/call.php"), "the next page")
        self.unlimited("auto/call.php", ini=[["retry_client.request_budget", "0"]])

    def test_php_admin_value_locks(self):
        self.assertBetween(2.5, 3, self.left("admin/call.php", ini=[["retry_client.request_budget", "0"]]))
        self.assertEqual([False], self.ini)

    def test_malformed_ini_set(self):
        values = ["abc", "-1", "5s", "NaN", "INF", "1 2", "0x10", "--", "1e999"]
        least, most = 54, 55
        self.assertBetween(least, most, self.left("auto/call.php", ini=[["retry_client.request_budget", value] for value in values]))
        self.assertEqual(dict.fromkeys(values, False), dict(zip(values, self.ini)))

    def test_fastcgi_php_value(self):
        self.assertBetween(19, 20, self.left("fastcgi/call.php"))

    def test_malformed_at_startup(self):
        site = harness.Site({"web": {}}, ini={"retry_client.request_budget": "soon"})
        try:
            url = self.server.script({"status": 429, "headers": [["Retry-After", str(WISH)]]})
            seen = site.page("web/call.php", plan={"calls": [{"method": "GET", "uri": url}]}).json["calls"][0]
            self.assertBetween(54, 55, seen["left"])
            self.assertRegex(site.fpm.log(), r"(?i)warning.*retry_client\.request_budget")
        finally:
            site.stop()

    def test_malformed_in_a_pool(self):
        site = harness.Site({"web": {"php_admin_value[retry_client.request_budget]": "soon"}})
        try:
            url = self.server.script({"status": 429, "headers": [["Retry-After", str(WISH)]]})
            seen = site.page("web/call.php", plan={"calls": [{"method": "GET", "uri": url}]}).json["calls"][0]
            self.assertBetween(54, 55, seen["left"])
        finally:
            site.stop()


class Finished(ClockTest):
    site_options = {"pools": {"web": {"pm.max_children": 2, "php_value[retry_client.request_budget]": 1}}}

    def finished(self, name, lift):
        file = harness.writable(name)
        url = self.server.script({"delay_ms": 2000, "body": "late"})
        answer = self.page("web/finish.php", plan={"uri": url, "lift": lift, "file": str(file)})
        self.assertBetween(0, 0.9, answer.elapsed)
        return json.loads(harness.wait_until(file.read_text, "the page's result"))

    def test_budget_holds_after_finish(self):
        seen = self.finished("held.json", False)
        self.assertEqual("RetryClient\\BudgetExceededException", seen["class"])
        self.assertBetween(0.5, 1.2, seen["elapsed"])

    def test_lifted_after_finish(self):
        seen = self.finished("lifted.json", True)
        self.assertEqual((200, "late"), (seen.get("status"), seen.get("body")))
        self.assertGreaterEqual(seen["elapsed"], 2.0)


START = ["fastcgi_param RETRY_CLIENT_START $http_x_start;"]


class Queue(ClockTest):
    """RETRY_CLIENT_START: the time in the queue for a worker counts, as nginx counts it."""

    site_options = {
        "pools": {
            "told": {"php_admin_value[retry_client.request_budget]": 3},
            "untold": {"php_admin_value[retry_client.request_budget]": 3},
        },
        "locations": {
            "queue": ("told", ["fastcgi_param RETRY_CLIENT_START $msec;"]),
            "given": ("told", START),
        },
        "read_timeout": 4,
    }

    def queued(self, location, pool):
        """The answer to a page that is silent, asked for while the only worker is busy for 1.8 s."""
        url = self.server.script({"action": "stall"})
        _, answer = harness.together(
            lambda: self.page(f"{pool}/sleep.php", plan={"sleep": 1.8}),
            lambda: (time.sleep(0.2), self.page(f"{location}/call.php", plan={"calls": [{"method": "GET", "uri": url}]}))[1],
        )
        return answer

    def test_queued_request_answers_in_time(self):
        answer = self.queued("queue", "told")
        self.assertEqual("RetryClient\\BudgetExceededException", answer.json["calls"][0]["class"])
        self.assertBetween(2.99, 3.5, answer.elapsed)       # nginx's time is in milliseconds
        self.assertBetween(1.0, 1.6, answer.json["elapsed"])

    def test_without_it_nginx_gives_up(self):
        self.assertEqual(504, self.queued("untold", "untold").status)

    def test_unqueued(self):
        self.assertBetween(2.5, 3.0, self.left("queue/call.php"))

    def test_earlier_start_counts(self):
        self.assertBetween(1.0, 1.5, self.left("given/call.php", headers={"X-Start": f"{time.time() - 1.5:.3f}"}))
        self.assertBetween(0.5, 2.0, self.left("given/call.php", headers={"X-Start": str(int(time.time() - 1))}), "whole seconds")

    def test_ignored(self):
        now = time.time()
        values = {
            "empty": "", "word": "now", "negative": f"-{now:.3f}", "zero": "0", "future": f"{now + 30:.3f}", "old": f"{now - 700:.3f}",
            "unit": f"{now - 1:.3f}s", "two": f"{now - 1:.3f} {now:.3f}", "nan": "NaN", "inf": "inf", "huge": "9" * 40, "milliseconds": f"{(now - 1) * 1000:.0f}",
            "hexadecimal": hex(int(now)), "long": "1" * 7000,
        }
        for name, value in values.items():
            with self.subTest(name):
                self.assertBetween(2.5, 3.0, self.left("given/call.php", headers={"X-Start": value}))

    def test_does_not_stay_for_the_next_page(self):
        self.left("given/call.php", headers={"X-Start": f"{time.time() - 2:.3f}"})
        first = self.pid
        self.assertBetween(2.5, 3.0, self.left("told/call.php"))
        self.assertEqual(first, self.pid)

    def test_not_a_request_header(self):
        headers = {"RETRY_CLIENT_START": f"{time.time() - 2:.3f}", "Retry-Client-Start": f"{time.time() - 2:.3f}"}
        self.assertBetween(2.5, 3.0, self.left("told/call.php", headers=headers))
