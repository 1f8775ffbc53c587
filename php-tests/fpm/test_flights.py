"""Calls that are under way when a page ends, however it ends; and connections that stay for the next page."""

import collections

import harness
import processes
from test_streams import ENDLESS
from unit import SiteTest

# What the page's end looks like: status and text.
WAYS = {"return": (200, ""), "exit": (200, "ended"), "exception": (500, ""), "error": (500, ""), "memory": (500, "")}
PLACES = ("page", "property", "function", "batch", "stream")
HOOKS = ("onAttempt", "onOutcome", "onOutcome of a batch", "onOutcome beside a stream", "onProgress", "input", "iterable of poll")
WARM = 20           # pages after which nothing is to grow any more
PAGES = 60
KEPT = 4            # connections that may stay open: to the script's quick answers, and to the server's control endpoints


class Ending(SiteTest):
    """One worker; each page of a test ends in the same way at the same place, with some eight calls under way."""

    site_options = {
        "pools": {"web": {"php_admin_value[memory_limit]": "32M", "php_admin_value[error_reporting]": 8191 & ~8192}},
        "ini": {"opcache.jit_buffer_size": 0},
    }

    def urls(self, on="http"):
        steps = {"stall": {"action": "stall"}, "endless": ENDLESS, "quick": {"body": "x"}}
        return {name: self.server.script(step, on=on) for name, step in steps.items()}

    def end(self, place, how, urls, **more):
        answer = self.page("web/flights.php", plan={"place": place, "how": how, "verify": self.server["ca"]} | urls | more, timeout=10)
        self.assertEqual(WAYS[how], (answer.status, answer.body), f"{how} in {place}\n{answer.log.read_text()[-600:]}")

    def succeeds(self, worker):
        """The next page of the same worker gets through."""
        url = self.server.script({"status": 503}, {"body": "through"})
        answer = self.page("web/call.php", plan={"calls": [{"method": "GET", "uri": url}], "options": {"baseDelay": 0.01, "jitter": 0}})
        self.assertEqual((worker, "through"), (answer.json["pid"], answer.json["calls"][0].get("body")))
        self.assertEqual([worker], self.site.fpm.children())

    def assertAbandoned(self, urls):
        """The server has seen its clients leave, in every answer that had not ended."""
        for name in ("stall", "endless"):
            log = harness.wait_until(lambda: all(entry["left_ns"] for entry in self.server.log(urls[name])) and self.server.log(urls[name]), f"{name} is abandoned")
            self.assertGreater(len(log), 0)

    def check(self, ends, on="http"):
        """Descriptors and memory are the same after many pages as after the first ones."""
        worker, urls, seen = self.site.fpm.children()[0], self.urls(on), {}
        for number, (place, how) in enumerate(ends, 1):
            self.end(place, how, urls)
            if number in (WARM, len(ends)):
                seen[number] = (collections.Counter(processes.descriptors(worker)), processes.private_kilobytes(worker))
        self.assertAbandoned(urls)
        harness.wait_until(lambda: self.server.stats(on)["open"] <= KEPT, f"connections are closed: {self.server.stats(on)}")
        self.succeeds(worker)
        (first, kilobytes), (last, more_kilobytes) = seen[WARM], seen[len(ends)]
        self.assertEqual((collections.Counter(), collections.Counter()), (last - first, first - last), "descriptors")
        self.assertLess(more_kilobytes - kilobytes, 1024, "kilobytes of memory")

    def test_200_pages_in_all_ways(self):
        ways = [(place, how) for place in PLACES for how in WAYS]
        self.check((ways * 9)[:WARM + 200])

    def test_over_h2(self):
        ways = [(place, how) for place in PLACES for how in WAYS]
        self.check((ways * 3)[:PAGES], "h2")

    def test_closed_at_once(self):
        for on in ("http", "h2"):
            for how in WAYS:
                with self.subTest(f"{how} over {on}"):
                    urls = self.urls(on)
                    self.end("page", how, urls)
                    end = self.server.control("GET", "/_time")["monotonic_ns"]
                    self.assertAbandoned(urls)
                    left = [entry["left_ns"] for name in ("stall", "endless") for entry in self.server.log(urls[name])]
                    self.assertEqual(6, len(left))
                    self.assertBetween(-2, 1.0, (max(left) - end) / 1e9, "seconds after the page")

    def test_shutdown_function_goes_on(self):
        """What was started before the page died comes to its end there, and so does a new call."""
        worker = self.site.fpm.children()[0]
        for how, (status, text) in WAYS.items():
            for place in ("page", "onOutcome", "onProgress"):
                if how == "return" and place != "page":
                    continue
                with self.subTest(f"{how} in {place}"):
                    later = self.server.script({"body": "first", "delay_ms": 200}, {"body": "second"})
                    plan = {"place": place, "how": how, "verify": self.server["ca"], "later": later} | self.urls()
                    answer = self.page("web/flights.php", plan=plan)
                    self.assertEqual(f"{text}first second", answer.body, answer.log.read_text()[-600:])
                    self.succeeds(worker)


for _how in WAYS:
    for _place in HOOKS:
        if _how != "return":
            setattr(Ending, f"test_{_how}_in_{_place.replace(' ', '_')}", lambda self, place=_place, how=_how: self.check([(place, how)] * PAGES))


class Kept(SiteTest):
    site_options = {"pools": {"web": {}}}

    def bodies(self, url, *ways):
        answer = self.page("web/ways.php", plan={"uri": url, "ways": ways, "options": {"verify": self.server["ca"]}})
        self.assertEqual({way: ["x"] * 5 for way in ways}, answer.json["bodies"])

    def check(self, on, first, most):
        url = self.server.script({"body": "x", "delay_ms": 40}, on=on)
        self.bodies(url, first)
        accepted = self.server.stats(on)["accepted"]
        self.assertBetween(1, most, len(set(self.server.connections(url))))
        for way in ("batch", "start", "stream", "send"):
            self.bodies(url, way)
            self.assertEqual(accepted, self.server.stats(on)["accepted"], f"connections that {way} made after {first}")
            # One that was made for the first may not have been needed before.
            self.assertLessEqual(len(set(self.server.connections(url))), most)
        self.bodies(url, "stream", "batch", "send", "start")
        self.assertEqual(accepted, self.server.stats(on)["accepted"])
        self.assertEqual(5 * 9, len(self.server.log(url)))

    def test_after_a_batch(self):
        self.check("http", "batch", 5)

    def test_after_started_calls(self):
        self.check("http", "start", 5)

    def test_over_tls(self):
        self.check("https", "batch", 5)

    def test_over_h2(self):
        for first in ("batch", "start", "stream"):
            with self.subTest(first):
                self.check("h2", first, 1)

    def test_streams_share_one(self):
        for on in ("http", "https"):
            with self.subTest(on):
                url = self.server.script({"chunks": ["x"], "chunked": True}, on=on)
                for _ in range(4):
                    self.bodies(url, "stream", "send")
                self.assertEqual(1, len(set(self.server.connections(url))))
