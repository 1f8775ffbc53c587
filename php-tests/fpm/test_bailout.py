"""Code that dies inside a call, wherever the extension calls PHP: nothing leaks and the worker serves the next page."""

import collections

import harness
import processes
from unit import SiteTest

# What the page's end looks like: status and, where it is not FPM's empty 500, the text.
WAYS = {"memory": 500, "exception": 500, "error": 500, "exit": 200}
HOOKS = ("onRetry", "onAttempt", "onOutcome")
OTHERS = ("nested", "body", "sink", "json", "stringable", "fake")
PAGES = 50


class Dying(SiteTest):
    """One worker; each page of a test dies in the same way at the same place."""

    site_options = {
        "pools": {"web": {"php_admin_value[memory_limit]": "32M", "php_admin_value[error_reporting]": 8191 & ~8192}},
        "ini": {"opcache.jit_buffer_size": 0},
    }

    def die(self, place, how, times, on="http"):
        """Descriptors and kilobytes of the worker, after the tenth page and after the last."""
        worker = self.site.fpm.children()[0]
        url = self.server.script({"status": 503, "body": '{"error": "slow down"}'}, on=on)
        seen = []
        for number in range(times):
            answer = self.page("web/die.php", plan={"uri": url, "place": place, "how": how, "verify": self.server["ca"]})
            self.assertEqual(WAYS[how], answer.status, answer)
            self.assertEqual("ended" if how == "exit" else "", answer.body)
            if number in (9, times - 1):
                seen.append((collections.Counter(processes.descriptors(worker)), processes.private_kilobytes(worker)))
        if place in HOOKS:
            self.assertEqual(times if place != "onAttempt" else 0, len(self.server.log(url)))
        self.succeeds(worker)
        return seen

    def succeeds(self, worker):
        """The next page of the same worker gets through, with a retry and all hooks."""
        url = self.server.script({"status": 429}, {"body": "through"})
        answer = self.page("web/die.php", plan={"uri": url, "place": "none", "how": "exit", "verify": True})
        self.assertEqual((worker, "through", 2), (answer.json["pid"], answer.json["body"], answer.json["attempts"]))
        self.assertEqual([worker], self.site.fpm.children())

    def check(self, place, how, times=PAGES, on="http"):
        (first, kilobytes), (last, more_kilobytes) = self.die(place, how, times, on)
        self.assertEqual((collections.Counter(), collections.Counter()), (last - first, first - last), "descriptors")
        self.assertLess(more_kilobytes - kilobytes, 1024, "kilobytes of memory")

    def test_1000_pages_out_of_memory_in_onRetry(self):
        self.check("onRetry", "memory", 1000)
        self.assertGreaterEqual(self.site.fpm.php_log("web").count("Allowed memory size"), 1000)

    def test_over_tls_and_h2(self):
        for listener in ("https", "h2"):
            for how in WAYS:
                for place in ("onRetry", "onOutcome"):
                    with self.subTest(f"{how} in {place} over {listener}"):
                        self.check(place, how, 30, listener)

    def test_call_of_a_shutdown_function(self):
        worker = self.site.fpm.children()[0]
        url = self.server.script({"status": 503})
        for how in WAYS:
            with self.subTest(how):
                later = self.server.script({"status": 503}, {"body": "reported"})
                plan = {"uri": url, "place": "onRetry", "how": how, "later": later, "verify": True}
                self.assertTrue(self.page("web/die.php", plan=plan).body.endswith("reported"))
                self.succeeds(worker)

    def test_out_of_time_in_a_hook(self):
        # CPU time; the engine's fatal error ends the page
        for place in HOOKS:
            with self.subTest(place):
                worker = self.site.fpm.children()[0]
                url = self.server.script({"status": 503})
                self.assertEqual(500, self.page("web/die.php", plan={"uri": url, "place": place, "how": "time", "verify": True}).status)
                self.assertIn("Maximum execution time of 1 second", self.site.fpm.php_log("web"))
                self.succeeds(worker)

    def test_connections_are_not_left_open(self):
        for how in WAYS:
            self.die("onRetry", how, 20)
        harness.wait_until(lambda: self.server.stats("http")["open"] <= 3, f"{self.server.stats('http')}")


for _how in WAYS:
    for _place in HOOKS + OTHERS:
        setattr(Dying, f"test_{_how}_in_{_place}", lambda self, place=_place, how=_how: self.check(place, how))
