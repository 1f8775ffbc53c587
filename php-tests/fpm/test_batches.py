"""Batches in pages: their budget, their progress, their journals, and how many wait for one limit."""

import collections
import json

import harness
from test_streams import ENDLESS
from unit import SiteTest

BUDGET = 3
LATE = 0.8          # upper bounds are for a machine that is busy otherwise


class BatchTest(SiteTest):
    def batch(self, path, **plan):
        """What came of a batch, by key, in the order it came."""
        self.answer = self.page(path, plan=plan).json
        self.assertIsNone(self.answer["error"])
        return {seen["key"]: seen for seen in self.answer["results"]}

    def sent(self, url):
        """How often each key of a batch was sent."""
        return collections.Counter(int(entry["target"].rsplit("/", 1)[1]) for entry in self.server.log(url))


class Budget(BatchTest):
    site_options = {"pools": {"web": {"php_admin_value[retry_client.request_budget]": BUDGET}}}

    def assertCut(self, seen, attempts=1):
        self.assertEqual(("RetryClient\\BudgetExceededException", attempts, 0), (seen["class"], seen["attempts"], seen["left"]), seen)

    def test_of_the_page(self):
        url = self.server.script({"action": "stall"})
        seen = self.batch("web/batch.php", uri=url, count=6, concurrency=2)
        self.assertEqual(6, len(seen))
        for number, (key, result) in enumerate(seen.items()):
            self.assertCut(result, 1 if key < 2 else 0)
            self.assertBetween(BUDGET, BUDGET + LATE, result["at"], f"result {number}")
        self.assertEqual({0: 1, 1: 1}, self.sent(url))

    def test_of_each_request_and_of_the_page(self):
        url = self.server.script({"action": "stall"})
        seen = self.batch("web/batch.php", uri=url, count=5, concurrency=1, options={"budget": 1.2})
        self.assertEqual([0, 1, 2, 3, 4], list(seen))
        for key in (0, 1):
            self.assertCut(seen[key])
            self.assertBetween(1.2 * (key + 1), 1.2 * (key + 1) + 0.5, seen[key]["at"], f"result {key}")
        for key in (2, 3, 4):
            self.assertCut(seen[key], 1 if key == 2 else 0)
            self.assertBetween(BUDGET, BUDGET + LATE, seen[key]["at"], f"result {key}")
        self.assertEqual({0: 1, 1: 1, 2: 1}, self.sent(url))

    def test_one_failure_loses_nothing_else(self):
        quick, slow = self.server.script({"body": "x", "delay_ms": 100}), self.server.script({"action": "stall"})
        wish = self.server.script({"status": 429, "headers": [["Retry-After", "60"]]})
        requests = {"wish": wish, "slow": slow} | {f"quick {number}": f"{quick}/{number}" for number in range(12)}
        seen = self.batch("web/batch.php", requests=requests, concurrency=4)
        self.assertEqual(set(requests), set(seen))
        self.assertEqual(["x"] * 12, [result.get("body") for key, result in seen.items() if key.startswith("quick")])
        self.assertEqual(("RetryClient\\BudgetExceededException", 60), (seen["wish"]["class"], seen["wish"].get("retryAfter")))
        self.assertCut(seen["slow"])
        self.assertEqual("slow", list(seen)[-1])
        for key in seen.keys() - {"slow"}:
            self.assertLess(seen[key]["at"], BUDGET, key)


class Progress(BatchTest):
    """With FPM's own log for what a worker says on stderr."""

    site_options = {"pools": {"web": {"catch_workers_output": "yes", "decorate_workers_output": "no"}}}

    def test_nothing_is_printed(self):
        before = self.site.fpm.log(), self.site.fpm.php_log("web")
        url = self.server.script({"body": "x", "delay_ms": 1100})
        seen = self.batch("web/batch.php", uri=url, count=12, concurrency=2, progress=True, say="the end\n")
        self.assertEqual(["x"] * 12, [result.get("body") for result in seen.values()])
        # What the page says itself comes through, and is all. (The page's answer is JSON and nothing else.)
        logged = harness.wait_until(lambda: self.site.fpm.log().removeprefix(before[0]).strip(), "what the page said")
        self.assertRegex(logged, r"^(\[[^\]]*\] )?(WARNING: )?(\[pool web\] )?(child \d+ said into stderr: )?\"?the end\"?$")
        self.assertEqual(before[1], self.site.fpm.php_log("web"))

    def test_on_progress(self):
        limited, slow = self.server.script({"status": 429, "headers": [["Retry-After", "0.3"]]}, {"body": "x"}), self.server.script({"body": "x", "delay_ms": 2600})
        seen = self.batch("web/batch.php", requests={"slow": slow, "limited": limited, "other": self.server.script({"body": "x"})})
        self.assertEqual(["other", "limited", "slow"], list(seen))
        told = self.answer["progress"]
        self.assertEqual([3] * len(told), [now["total"] for now in told])
        done = [now["done"] for now in told]
        self.assertEqual(sorted(done), done)
        self.assertLessEqual({1, 2, 3}, set(done))
        self.assertGreaterEqual(done.count(2), 2, "while the slow one is waited for, too")
        self.assertEqual(1, told[-1]["limited"])


class JournalTest(BatchTest):
    def journal(self, name):
        """A path for a journal in a folder that the workers can write."""
        made = harness.folder / f"journals-{name}"
        made.mkdir()
        made.chmod(0o777)
        return str(made / "batch.jsonl")


class Killed(JournalTest):
    may_kill = True
    site_options = {"pools": {"short": {"request_terminate_timeout": "1s"}, "web": {}}}

    def test_worker_killed_by_fpm(self):
        count = 200
        journal, notes = self.journal("killed"), harness.writable("killed.txt")
        url = self.server.script({"action": "echo", "delay_ms": 50})
        plan = {"uri": url, "count": count, "journal": journal}
        self.assertEqual(502, self.page("short/batch.php", plan=plan | {"concurrency": 2, "notes": str(notes)}).status)
        self.assertTrue(any("terminating" in line for line in self.site.fpm.killed()), self.site.fpm.log())
        harness.wait_until(lambda: all(entry["left_ns"] or entry["sent"] for entry in self.server.log(url)), "nothing is under way")
        yielded = [int(line) for line in notes.read_text().split()]
        self.assertBetween(5, count - 10, len(yielded), "yielded before")

        seen = self.batch("web/batch.php", **plan, concurrency=20)
        self.assertEqual(list(range(count)), sorted(seen), "each key, once")
        self.assertEqual(count, len(self.answer["results"]))
        for key, result in seen.items():
            self.assertEqual((200, f"/{key}"), (result["status"], json.loads(result["body"])["path"][-len(f"/{key}"):]))
        sent = self.sent(url)
        self.assertEqual({}, {key: sent[key] for key in yielded if sent[key] != 1}, "yielded ones, sent again")
        self.assertEqual(set(range(count)), set(sent))
        # Two were under way, and two may have been read ahead.
        self.assertLessEqual(sum(sent.values()) - count, 4)
        self.assertLessEqual(set(yielded), set(list(seen)[:len(yielded) + 4]), "what the journal has comes first")


class Journals(JournalTest):
    site_options = {"pools": {"web": {"pm.max_children": 2}}}

    def test_two_pages_at_once(self):
        journal = self.journal("shared")
        url = self.server.script({"action": "echo", "hold": "journal"})
        self.server.control("DELETE", "/_release/journal")
        plan = {"uri": url, "count": 4, "journal": journal}

        def second():
            self.server.log(url, 4)
            try:
                return self.page("web/batch.php", plan=plan)
            finally:
                self.server.control("POST", "/_release/journal")
        first, second = harness.together(lambda: self.page("web/batch.php", plan=plan), second)
        self.assertNotEqual(first.json["pid"], second.json["pid"])
        self.assertIn("Argument #5 ($journal)", second.json["error"])
        self.assertIn("use", second.json["error"])
        self.assertEqual([], second.json["results"])
        self.assertEqual((None, 4), (first.json["error"], len(first.json["results"])))
        seen = self.batch("web/batch.php", **plan)
        self.assertEqual((4, 4), (len(seen), sum(self.sent(url).values())), "free afterwards, and complete")

    def test_page_that_ended_in_the_middle_lets_it_go(self):
        for how in ("return", "exit", "exception", "memory"):
            with self.subTest(how):
                journal = self.journal(how)
                quick, stall = self.server.script({"body": "x"}), self.server.script({"action": "stall"})
                self.page("web/flights.php", plan={
                    "how": how, "place": "journal", "journal": journal, "verify": True, "quick": quick, "stall": stall,
                    "endless": self.server.script(ENDLESS),
                })
                before = len(self.server.log(quick))
                seen = self.batch("web/batch.php", requests={"yielded": quick, "other": self.server.script({"body": "y"})}, journal=journal)
                self.assertEqual({"yielded": "x", "other": "y"}, {key: result.get("body") for key, result in seen.items()})
                self.assertEqual(before, len(self.server.log(quick)), "it is not sent again")


WORKERS = 12
WAITING = 8


class Waiting(BatchTest):
    """Batches of several pages under one limit: a process that waits is one, however many requests it has."""

    site_options = {"pools": {
        "web": {"pm.max_children": WORKERS},
        "any": {"pm.max_children": WORKERS, "php_admin_value[retry_client.max_waiting]": 0},
        "two": {"pm.max_children": WORKERS, "php_admin_value[retry_client.max_waiting]": 2},
    }}

    def refused(self, seconds):
        """The URL of a script that has refused one request, and said for how long."""
        url = self.server.script({"status": 429, "headers": [["Retry-After", str(seconds)]]}, {"body": "x"})
        options = {"maxAttempts": 1, "throwOnGiveUp": False}
        seen = self.batch("web/batch.php", requests={"first": url}, limitKey=url, options=options)
        self.assertEqual(429, seen["first"]["status"])
        return url

    def crowd(self, pool, url, count=3):
        """What came of one batch per worker, all at the same time, the quickest page first."""
        plan = {"uri": url, "count": count, "limitKey": url}
        answers = harness.together(*[lambda: self.page(f"{pool}/batch.php", plan=plan)] * WORKERS)
        return [answer.json["results"] for answer in sorted(answers, key=lambda answer: answer.elapsed)]

    def check(self, pool, waiting):
        url = self.refused(2)
        pages = self.crowd(pool, url)
        for results in pages[:WORKERS - waiting]:
            for seen in results:
                self.assertEqual(("RetryClient\\RateLimitedException", 0), (seen["class"], seen["attempts"]), seen)
                self.assertBetween(0, 1.0, seen["at"], "at once")
                self.assertBetween(0.5, 2, seen["retryAfter"], "retryAfter")
        for results in pages[WORKERS - waiting:]:
            self.assertEqual([200] * 3, [seen.get("status") for seen in results])
            self.assertBetween(0.5, 10, results[0]["at"], "waited")
        self.assertEqual(1 + 3 * waiting, len(self.server.log(url)))
        first, second = self.server.log(url)[:2]
        self.assertBetween(2, 2.5, (second["monotonic_ns"] - first["monotonic_ns"]) / 1e9, "from the refusal on")

    def test_eight_pages_wait_with_their_batches(self):
        self.check("web", WAITING)

    def test_any_number_where_a_pool_says_so(self):
        self.check("any", WORKERS)

    def test_two_where_a_pool_says_so(self):
        self.check("two", 2)

    def test_a_batch_larger_than_that_waits_as_one(self):
        url = self.refused(1)
        seen = self.batch("two/batch.php", uri=url, count=20, limitKey=url)
        self.assertEqual([200] * 20, [result.get("status") for result in seen.values()])
