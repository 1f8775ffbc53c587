"""The request budget: whatever a server does, the page answers by itself before nginx gives up or FPM kills the worker."""

import harness
from unit import SiteTest

BUDGET = 3
LATE = 0.2          # how much later than its budget a page may answer, on its own clock
NOTICED = 0.5       # the same as the client of nginx sees it
AT_ONCE = 0.3

POOL = {
    "pm.max_children": 48, "request_terminate_timeout": "6s",
    "php_admin_value[retry_client.request_budget]": BUDGET,
}


def status(code, *headers, **more):
    return [{"status": code, "headers": [list(header) for header in headers]} | more]


def drip(head=False, **more):
    return [{"body_repeat": ["x", 1000], "action": "drip", "drip": {"bytes": 1, "every_ms": 1000, "head": head}} | more]


# name: (steps, how the call ends, more). How: "cut" by the deadline; or (earliest, latest) second at which it saw that the
# next wait does not fit. More: `on` listener, `options`, further arguments of the call, `wish` the server's wish.
CASES = {
    "retry_after_1": (status(429, ("Retry-After", "1")), (2.0, 2.9), {"wish": (1, 1), "attempts": 3}),
    "retry_after_2": (status(429, ("Retry-After", "2")), (2.0, 2.9), {"wish": (2, 2), "attempts": 2}),
    "retry_after_60": (status(429, ("Retry-After", "60")), (0, AT_ONCE), {"wish": (60, 60), "attempts": 1}),
    "retry_after_10_digits": (status(429, ("Retry-After", "9999999999")), (0, AT_ONCE), {"wish": (9999999999, 9999999999)}),
    "retry_after_30_digits": (status(429, ("Retry-After", "9" * 30)), (0, AT_ONCE), {"wish": (1e9, float("inf"))}),
    "retry_after_ms": (status(429, ("retry-after-ms", "60000")), (0, AT_ONCE), {"wish": (60, 60)}),
    "date_in_60_s": (status(429, ("Retry-After", "{{http_date+60}}")), (0, AT_ONCE), {"wish": (58, 60)}),
    "date_in_2_s": (status(503, ("Retry-After", "{{http_date+2}}")), (0.9, 2.9), {"wish": (0, 2)}),
    "wish_in_the_body": (status(429, body_json={"error": {"details": [
        {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "34s"}]}}), (0, AT_ONCE), {"wish": (34, 34)}),
    "status_429": (status(429), (1.5, 2.4), {"attempts": 3}),
    "status_429_endless_body": (status(429, action="endless", body="x", drip={"every_ms": 50}), (1.5, BUDGET + LATE), {}),
    "status_429_silent_body": (status(429, body="{}", body_delay_ms=60000), (1.5, BUDGET + LATE), {}),
    "status_503": (status(503), (1.5, 2.4), {"attempts": 3}),
    "status_503_retry_after_60": (status(503, ("Retry-After", "60")), (0, AT_ONCE), {"wish": (60, 60)}),
    "status_500": (status(500), (1.5, 2.4), {"attempts": 3}),
    "status_500_then_silence": (status(500, times=2) + [{"action": "stall"}], "cut", {}),
    "silence": ([{"action": "stall"}], "cut", {}),
    "silence_post": ([{"action": "stall"}], "cut", {"method": "POST", "json": {"a": 1}}),
    "silence_h2": ([{"action": "stall"}], "cut", {"on": "h2", "options": {"verify": "ca"}}),
    "silence_after_the_head": ([{"body": "x" * 100, "send_bytes": 0, "end": "stall"}], "cut", {}),
    "silence_in_the_body": ([{"action": "half", "body": "x" * 100, "end": "stall"}], "cut", {}),
    "drip_head": (drip(head=True), "cut", {}),
    "drip_body": (drip(), "cut", {}),
    "drip_body_h2": (drip(), "cut", {"on": "h2", "options": {"verify": "ca"}}),
    "drip_body_into_sink": (drip(), "cut", {"discard": True}),
    "drip_chunked": (drip(chunked=True), "cut", {}),
    "drip_endless": ([{"action": "endless", "drip": {"every_ms": 300}}], "cut", {}),
    "informational_then_silence": ([{"informational": [102, 103], "action": "stall"}], "cut", {}),
    "upload_that_nobody_reads": ([{"read_body": False, "action": "stall"}], "cut", {"method": "PUT", "upload": 16 << 20}),
    "tls_that_never_begins": (None, "cut", {"on": "tls_stall"}),
    "connect_blackhole": (None, "cut", {"on": "blackhole"}),
    "connect_timeouts": (None, (1.5, 2.9), {"on": "blackhole", "options": {"connectTimeout": 0.2}}),
    "proxy_that_is_silent": (None, "cut", {"on": "tls_stall", "options": {"proxy": "blackhole"}}),
    "slow_redirects": ([{"action": "redirect", "location": "/{name}", "delay_ms": 700}], "cut", {}),
    "malformed_answer": ([{"action": "raw", "raw": "HTTP/1.1 two hundred\r\n\r\n"}], (1.5, 2.4), {"attempts": 3}),
    "drop": ([{"action": "drop"}], (1.5, 2.4), {"attempts": 3}),
    "reset": ([{"action": "reset"}], (1.5, 2.4), {"attempts": 3}),
    "refused": (None, (1.5, 2.4), {"on": "refused", "attempts": 3}),
}

# The first answer decides, long before the budget: the class and kind of the exception.
OTHERS = {
    "redirect_loop": ([{"action": "redirect", "location": "/{name}"}], "redirect", {}),
    "post_dropped": ([{"action": "drop"}], "reset", {"method": "POST"}),
    "malformed_answer_to_a_post": ([{"action": "raw", "raw": "HTTP/1.1 two hundred\r\n\r\n"}], "protocol", {"method": "POST"}),
    "untrusted": (None, "tls", {"on": "untrusted"}),
}


def url_of(steps, on):
    if steps is None:
        return harness.server[on] + "/"
    url = harness.server.script(*steps, on=on)
    if "{name}" in str(steps):
        name = url.rsplit("/", 1)[1]
        harness.server.control("POST", f"/_script/{name}", [step | {"location": f"/{name}"} for step in steps])
    return url


def plan_of(steps, more):
    options = {key: harness.server[value] if value in harness.server.addresses else value for key, value in more.get("options", {}).items()}
    extras = {key: more[key] for key in ("json", "discard", "upload") if key in more}
    return {"calls": [{"method": more.get("method", "GET"), "uri": url_of(steps, more.get("on", "http")), "options": options} | extras]}


class Answers(SiteTest):
    """All cases at nearly the same time, each on a worker of its own; the test methods only look at what came."""

    site_options = {"pools": {"web": POOL}, "read_timeout": 4, "opcache": False}

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.workers = cls.site.fpm.children()
        cases = CASES | OTHERS
        plans = {name: plan_of(steps, more) for name, (steps, _, more) in cases.items()}
        answers = harness.together(*[lambda plan=plan: cls.site.page("web/call.php", plan=plan) for plan in plans.values()], apart=0.02)
        cls.answers = dict(zip(plans, answers))

    def answered_in_time(self, name):
        answer = self.answers[name]
        self.assertIn(answer.json["pid"], self.workers)
        self.assertBetween(0, BUDGET + LATE, answer.json["elapsed"], "the page's clock")
        self.assertBetween(0, BUDGET + NOTICED, answer.elapsed, "the client's clock")
        return answer.json["calls"][0]

    def check(self, name):
        _, ends, more = CASES[name]
        seen = self.answered_in_time(name)
        self.assertEqual("RetryClient\\BudgetExceededException", seen["class"], seen)
        if ends == "cut":
            self.assertBetween(BUDGET, BUDGET + LATE, self.answers[name].json["elapsed"], "cut by the deadline")
            self.assertEqual((0, 0), (seen["needed"], seen["left"]))
            self.assertEqual("RetryClient\\NetworkException", (seen["previous"] or {}).get("class"), seen)
        else:
            self.assertBetween(*ends, seen["elapsed"], "before the wait that does not fit")
            self.assertGreater(seen["needed"], seen["left"])
            self.assertBetween(0, BUDGET, seen["left"], "left")
        if "wish" in more:
            self.assertBetween(*more["wish"], seen["retryAfter"], "retryAfter")
            self.assertIn(seen["status"], (429, 503))
        else:
            self.assertIsNone(seen["retryAfter"])
        if "attempts" in more:
            self.assertEqual(more["attempts"], seen["attempts"])

    def check_other(self, name):
        seen = self.answered_in_time(name)
        self.assertEqual(("RetryClient\\NetworkException", OTHERS[name][1]), (seen["class"], seen.get("kind")), seen)
        self.assertBetween(0, 1.0, seen["elapsed"])

    def test_no_worker_was_replaced(self):
        self.assertEqual(self.workers, self.site.fpm.children())
        timeouts = [line for line in (self.site.at / "nginx.log").read_text().splitlines() if "upstream timed out" in line]
        self.assertEqual([], timeouts[:1], f"{len(timeouts)} timeouts of nginx")


for _name in CASES:
    setattr(Answers, f"test_{_name}", lambda self, name=_name: self.check(name))
for _name in OTHERS:
    setattr(Answers, f"test_{_name}", lambda self, name=_name: self.check_other(name))


class Flood(SiteTest):
    """Endless bodies at full speed, one after the other since each takes a core."""

    site_options = {"pools": {"web": POOL | {"php_admin_value[memory_limit]": "128M"}}, "read_timeout": 4}

    def flood(self, **more):
        answer = self.page("web/call.php", plan=plan_of([{"action": "endless", "body": "x" * 65536}], more))
        self.assertBetween(0, BUDGET + LATE, answer.json["elapsed"])
        self.assertBetween(0, BUDGET + NOTICED, answer.elapsed)
        return answer.json["elapsed"], answer.json["calls"][0]

    def test_endless_body(self):
        _, seen = self.flood()
        self.assertIn((seen["class"], seen["kind"]), (
            ("RetryClient\\NetworkException", "too-large"), ("RetryClient\\BudgetExceededException", None)))

    def test_endless_body_over_memory_limit(self):
        _, seen = self.flood(options={"maxBodySize": 1 << 40})
        self.assertIn((seen["class"], seen["kind"]), (
            ("RetryClient\\NetworkException", "too-large"), ("RetryClient\\BudgetExceededException", None)))

    def test_endless_body_into_sink(self):
        elapsed, seen = self.flood(discard=True)
        self.assertEqual("RetryClient\\BudgetExceededException", seen["class"])
        self.assertBetween(BUDGET, BUDGET + LATE, elapsed)

    def test_endless_body_of_an_error(self):
        answer = self.page("web/call.php", plan=plan_of([{"status": 503, "action": "endless", "body": "x" * 65536}], {}))
        self.assertEqual("RetryClient\\BudgetExceededException", answer.json["calls"][0]["class"])
        self.assertBetween(1.5, BUDGET + LATE, answer.json["elapsed"])

    def test_endless_header(self):
        answer = self.page("web/call.php", plan=plan_of([{"header_bomb": {"endless": True}}], {}))
        self.assertEqual("too-large", answer.json["calls"][0]["kind"], answer)
