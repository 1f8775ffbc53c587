"""Streams in pages: passed on for longer than nginx waits, what bounds them, and a reader who leaves."""

import json
import time

import harness
from unit import SiteTest

BUDGET = 2
LATE = 1.0          # upper bounds are for a machine that is busy otherwise
EVERY = 0.3
READ_TIMEOUT = 2    # nginx's

START = ["fastcgi_param RETRY_CLIENT_START $http_x_start;"]


def events(count, every=EVERY, **more):
    """A step that sends so many events, one by one."""
    return {"chunks": [f"data: {number}\n\n" for number in range(count)], "chunked": True, "drip": {"every_ms": round(every * 1000)}} | more


def broken(count, end, every=EVERY):
    """The same of a longer body, which then breaks off."""
    whole = "".join(f"data: {number}\n\n" for number in range(count + 1))
    return {"body": whole, "send_bytes": 9 * count, "end": end, "drip": {"bytes": 9, "every_ms": round(every * 1000)}}


ENDLESS = {"action": "endless", "body": "data: x\n\n", "drip": {"bytes": 9, "every_ms": 100}}


class StreamTest(SiteTest):
    def streams(self, path, *urls, headers=None, **plan):
        """What came of the streams of a page."""
        answer = self.page(path, plan={"uris": urls} | plan, headers=headers)
        self.elapsed = answer.json["elapsed"]
        return answer.json["streams"]

    def assertAll(self, count, seen):
        self.assertEqual(([str(number) for number in range(count)], None), (seen["events"], seen["thrown"]))

    def assertThrown(self, name, seen, kind=None):
        self.assertIsNotNone(seen["thrown"], seen)
        self.assertEqual((f"RetryClient\\{name}", kind), (seen["thrown"]["class"], seen["thrown"]["kind"]), seen)

    def assertCut(self, seen):
        """That the deadline ended it."""
        self.assertThrown("BudgetExceededException", seen)
        self.assertEqual((0, 0), (seen["thrown"]["needed"], seen["thrown"]["left"]))
        self.assertEqual("RetryClient\\NetworkException", (seen["thrown"]["previous"] or {}).get("class"), seen)

    def assertLeft(self, url, count=1):
        """That the server has seen its clients leave in the middle."""
        harness.wait_until(lambda: [entry for entry in self.server.log(url) if entry["left_ns"]][count - 1:], "the connection is closed")
        return self.server.log(url)[-1]["left_ns"] / 1e9


class Passed(StreamTest):
    site_options = {
        "pools": {"web": {}, "many": {"pm.max_children": 3}}, "read_timeout": READ_TIMEOUT,
        "locations": {"live": ("web", ["fastcgi_buffering off;"]), "many-live": ("many", ["fastcgi_buffering off;"])},
    }

    def passed(self, path, **plan):
        """The status, and when which line came, until nginx ended the answer."""
        lines = []
        with self.site.reading(path, plan) as response:
            while line := response.readline().decode():
                if line.strip():
                    lines.append((time.monotonic(), line.strip()))
        return response.status, lines

    def test_longer_than_the_read_timeout(self):
        count = 18
        ways = {"as nginx is set": ("many-live", "http", False), "as the page says": ("many", "http", True), "over h2": ("many-live", "h2", False)}
        urls = {way: self.server.script(events(count), on=on) for way, (_, on, _) in ways.items()}

        def pass_on(way):
            location, _, header = ways[way]
            return self.passed(f"{location}/pass.php", uri=urls[way], header=header, options={"verify": self.server["ca"]})
        passed = harness.together(*[lambda way=way: pass_on(way) for way in ways])
        for way, (status, lines) in zip(ways, passed):
            with self.subTest(way):
                self.assertEqual((200, [f"data: {number}" for number in range(count)]), (status, [line for _, line in lines]))
                begin = self.server.log(urls[way])[0]["monotonic_ns"] / 1e9
                for number, (came, _) in enumerate(lines):
                    self.assertBetween(number * EVERY, number * EVERY + LATE, came - begin, f"event {number}")
                self.assertGreater(lines[-1][0] - begin, 2 * READ_TIMEOUT)

    def test_silence_is_cut_by_nginx(self):
        # What idleTimeout is for, and that this harness sees it
        url = self.server.script(broken(1, "stall"))
        begin = time.monotonic()
        _, lines = self.passed("live/pass.php", uri=url, options={"idleTimeout": 3.5})
        self.assertEqual(["data: 0"], [line for _, line in lines])
        self.assertBetween(READ_TIMEOUT, 3.4, time.monotonic() - begin)
        # The page has sent nothing since, so that PHP does not know yet; its idleTimeout ends it.
        self.assertLeft(url)

    def test_silence_that_the_page_ends(self):
        url = self.server.script(broken(1, "stall"))
        begin = time.monotonic()
        status, lines = self.passed("live/pass.php", uri=url, options={"idleTimeout": 0.8})
        self.assertEqual((200, ["data: 0", "event: RetryClient\\NetworkException"]), (status, [line for _, line in lines]))
        self.assertBetween(0.8, 1.9, time.monotonic() - begin)

    def test_break_comes_after_what_came(self):
        url = self.server.script(broken(3, "reset", 0.1))
        status, lines = self.passed("live/pass.php", uri=url)
        expected = ["data: 0", "data: 1", "data: 2", "event: RetryClient\\NetworkException"]
        self.assertEqual((200, expected), (status, [line for _, line in lines]))

    def test_retried_before_the_first_byte_only(self):
        url = self.server.script({"status": 429, "headers": [["Retry-After", "0.5"]]}, {"status": 503}, events(3, 0.05))
        _, lines = self.passed("live/pass.php", uri=url, options={"baseDelay": 0.1, "jitter": 0})
        self.assertEqual((["data: 0", "data: 1", "data: 2"], 3), ([line for _, line in lines], len(self.server.log(url))))

    def leaves(self, name, url, **plan):
        """What the page noted about its end, when its client has left after three lines, and when that was."""
        file = harness.writable(name)
        with self.site.reading("live/pass.php", {"uri": url, "file": str(file)} | plan) as response:
            lines = [response.readline() for _ in range(5)]
        left = time.monotonic()
        self.assertEqual([b"data: x\n", b"\n"], lines[:2])
        return json.loads(harness.wait_until(file.read_text, "the page's note")), left

    def test_client_that_leaves(self):
        for on in ("http", "h2"):
            with self.subTest(on):
                workers = self.site.fpm.children()
                options = {"verify": self.server["ca"]}
                url = self.server.script(ENDLESS, on=on)
                note, left = self.leaves(f"left-{on}.json", url, options=options)
                self.assertEqual(1, note["connection"], "aborted")
                self.assertIn(note["pid"], workers)
                self.assertGreaterEqual(note["passed"], 2)
                self.assertBetween(left - 0.1, left + 2.0, self.assertLeft(url), "the server sees it")
                self.assertEqual(workers, self.site.fpm.children())
                next_url = self.server.script(events(2, 0.05), on=on)
                self.assertEqual(2, len(self.passed("live/pass.php", uri=next_url, options=options)[1]))

    def test_client_that_leaves_a_page_that_ignores_it(self):
        url = self.server.script({"body_repeat": ["data: x\n\n", 20], "drip": {"bytes": 9, "every_ms": 100}})
        note, _ = self.leaves("ignored.json", url, ignore=True)
        self.assertEqual((1, 20), (note["connection"], note["passed"]))
        self.assertIsNone(self.server.log(url)[0]["left_ns"])


class Auto(StreamTest):
    """`auto` bounds a stream until its first byte; RETRY_CLIENT_START makes its end near."""

    site_options = {"pools": {"web": {}}, "locations": {"given": ("web", START)}}

    def late(self, left, *urls, **plan):
        """What came of the streams of a page whose 55 s end in so many seconds, and when they ended, in Unix time."""
        end = round(time.time() - 55 + left, 3) + 55
        return self.streams("given/stream.php", *urls, headers={"X-Start": f"{end - 55:.3f}"}, **plan), end

    def check_cut_before_the_first_byte(self, step, **more):
        url = self.server.script(step, **more)
        (seen,), end = self.late(1, url, options={"verify": self.server["ca"]})
        self.assertCut(seen)
        self.assertEqual(([], None), (seen["events"], seen["received"]))
        self.assertBetween(end - 0.01, end + LATE, seen["done"])
        self.assertLeft(url)

    def test_silence(self):
        self.check_cut_before_the_first_byte({"action": "stall"})

    def test_silence_over_h2(self):
        self.check_cut_before_the_first_byte({"action": "stall"}, on="h2")

    def test_silence_after_the_head(self):
        self.check_cut_before_the_first_byte({"body": "data: x\n\n", "body_delay_ms": 20000})

    def test_first_byte_before_and_the_rest_after(self):
        url = self.server.script(events(10))
        (seen,), end = self.late(2, url)
        self.assertAll(10, seen)
        self.assertGreater(seen["done"], end)

    def test_first_byte_before_and_the_rest_after_over_h2(self):
        url = self.server.script(events(10), on="h2")
        (seen,), end = self.late(2, url, options={"verify": self.server["ca"]})
        self.assertAll(10, seen)
        self.assertGreater(seen["done"], end)

    def test_next_one_after_the_deadline_is_not_begun(self):
        url, other = self.server.script(events(10)), self.server.script(events(1))
        (first, second), end = self.late(2, url, other)
        self.assertAll(10, first)
        self.assertGreater(first["done"], end)
        self.assertThrown("BudgetExceededException", second)
        self.assertEqual((0, 0), (second["thrown"]["attempts"], second["thrown"]["left"]))
        self.assertBetween(0, LATE, second["elapsed"])
        self.assertEqual([], self.server.log(other))

    def test_wait_that_does_not_fit_is_not_begun(self):
        url = self.server.script({"status": 429, "headers": [["Retry-After", "5"]]}, events(1))
        (seen,), end = self.late(3, url)
        self.assertThrown("BudgetExceededException", seen)
        self.assertGreater(seen["thrown"]["needed"], seen["thrown"]["left"])
        self.assertBetween(0, 3, seen["thrown"]["left"])
        self.assertLess(seen["done"], end)
        self.assertEqual(1, len(self.server.log(url)))

    def test_budget_of_the_client_holds_to_the_end(self):
        url = self.server.script(events(20))
        seen, = self.streams("web/stream.php", url, options={"budget": 1.0})
        self.assertCut(seen)
        self.assertBetween(1.0, 1.0 + LATE, seen["elapsed"])
        self.assertBetween(1, 6, len(seen["events"]))
        self.assertLeft(url)

    def test_idle_timeout(self):
        url = self.server.script(broken(2, "stall"))
        seen, = self.streams("web/stream.php", url, options={"idleTimeout": 0.5})
        self.assertThrown("NetworkException", seen, "timeout")
        self.assertEqual((["0", "1"], 18), (seen["events"], seen["received"]))
        self.assertBetween(EVERY + 0.5, 2 * EVERY + 0.5 + LATE, seen["elapsed"])
        self.assertLeft(url)

    def test_idle_timeout_longer_than_each_pause(self):
        url = self.server.script(events(6))
        seen, = self.streams("web/stream.php", url, options={"idleTimeout": 1.2})
        self.assertAll(6, seen)


class Number(StreamTest):
    """A number bounds a stream to its end."""

    site_options = {
        "pools": {"web": {"php_value[retry_client.request_budget]": BUDGET}},
        "locations": {"given": ("web", START)},
    }

    def check_cut(self, on="http"):
        url = self.server.script(events(30), on=on)
        seen, = self.streams("web/stream.php", url, options={"verify": self.server["ca"]})
        self.assertCut(seen)
        self.assertBetween(BUDGET, BUDGET + LATE, self.elapsed)
        self.assertEqual([str(number) for number in range(len(seen["events"]))], seen["events"])
        self.assertBetween(2, 10, len(seen["events"]))
        self.assertGreaterEqual(seen["received"], 9 * len(seen["events"]))
        self.assertLeft(url)

    def test_cut_in_the_middle(self):
        self.check_cut()

    def test_cut_in_the_middle_over_h2(self):
        self.check_cut("h2")

    def test_counts_from_what_nginx_says(self):
        start = round(time.time() - 1, 3)
        url = self.server.script(events(30))
        seen, = self.streams("given/stream.php", url, headers={"X-Start": f"{start:.3f}"})
        self.assertCut(seen)
        self.assertBetween(start + BUDGET - 0.01, start + BUDGET + LATE, seen["done"])

    def test_second_stream_of_a_page_gets_what_is_left(self):
        first, second = self.server.script(events(4)), self.server.script(events(30))
        one, two = self.streams("web/stream.php", first, second)
        self.assertAll(4, one)
        self.assertCut(two)
        self.assertBetween(BUDGET, BUDGET + LATE, self.elapsed)

    def test_silence_in_the_middle(self):
        url = self.server.script(broken(1, "stall"))
        seen, = self.streams("web/stream.php", url)
        self.assertCut(seen)
        self.assertEqual(["0"], seen["events"])
        self.assertBetween(BUDGET, BUDGET + LATE, self.elapsed)

    def test_events_that_never_pause(self):
        url = self.server.script({"action": "endless", "body": "data: x\n\n" * 1000})
        answer = self.page("web/pass.php", plan={"uri": url})
        self.assertTrue(answer.body.endswith("event: RetryClient\\BudgetExceededException\n\n"), answer.body[-200:])
        self.assertBetween(BUDGET, BUDGET + LATE, answer.elapsed)

    def test_none(self):
        url = self.server.script(events(10))
        for value in ("0", "auto"):
            seen, = self.streams("web/stream.php", url, ini=[["retry_client.request_budget", value]])
            self.assertAll(10, seen)
            self.assertGreater(self.elapsed, BUDGET)


class Silence(StreamTest):
    """The default of idleTimeout, on a clock that runs 20 times as fast."""

    site_options = {"pools": {"web": {}, "unlimited": {"php_admin_value[retry_client.request_budget]": 0}}}

    @classmethod
    def setUpClass(cls):
        cls.site = harness.Site(cls.site_options["pools"], env={"LD_PRELOAD": harness.library("fast_clock.c")})

    def test_55_s_in_a_web_request(self):
        for pool in ("web", "unlimited"):
            with self.subTest(pool):
                url = self.server.script(broken(1, "stall"))
                seen, = self.streams(f"{pool}/stream.php", url)
                self.assertThrown("NetworkException", seen, "timeout")
                self.assertEqual(["0"], seen["events"])
                self.assertBetween(55, 75, seen["elapsed"])

    def test_less_of_it_as_often_as_the_server_likes(self):
        # 36 s each
        url = self.server.script(events(4, 1.8))
        seen, = self.streams("web/stream.php", url)
        self.assertAll(4, seen)
        self.assertGreater(seen["elapsed"], 100)

    def test_an_answer_that_is_no_stream_may_be_silent(self):
        url = self.server.script({"body": "late", "body_delay_ms": 4000})
        seen = self.page("unlimited/call.php", plan={"calls": [{"method": "GET", "uri": url}]}).json["calls"][0]
        self.assertEqual((200, "late"), (seen.get("status"), seen.get("body")), seen)
        self.assertGreater(seen["elapsed"], 75)
