"""FPM's processes: before the fork, reload and stop during a wait, pm.max_requests, and what workers must not share."""

import os
import signal
import time

import harness
import processes
import scripted
from unit import SiteOwnTest, SiteTest

WAIT = 1.5


class Interruptible(SiteOwnTest):
    def waiting(self, seconds=WAIT):
        """A script whose first answer asks to wait, and a call of it that fits the default budget."""
        url = self.server.script({"status": 429, "headers": [["Retry-After", str(seconds)]]}, {"body": "through"})
        return url, {"calls": [{"method": "GET", "uri": url}]}

    def interrupt(self, number, seconds=WAIT):
        """The answer to a page whose wait is interrupted by a signal to the master, and when the signal was sent."""
        url, plan = self.waiting(seconds)

        def send():
            self.server.log(url, 1)
            time.sleep(0.2)
            self.site.fpm.signal(number)
            return time.monotonic()
        return harness.together(lambda: self.page("web/call.php", plan=plan), send)

    def assertThrough(self, answer, least=WAIT):
        seen = answer.json["calls"][0]
        self.assertEqual((200, "through", 2), (seen.get("status"), seen.get("body"), seen["attempts"]), seen)
        self.assertGreaterEqual(seen["elapsed"], least)


class Signals(Interruptible):
    def test_reload_during_a_wait(self):
        self.start({"web": {"pm.max_children": 2}}, settings={"process_control_timeout": "10s"})
        before = self.site.fpm.children()
        answer, _ = self.interrupt(signal.SIGUSR2)
        self.assertThrough(answer)
        self.site.fpm.wait_ready(2)
        after = harness.wait_until(lambda: (now := self.site.fpm.children()) and len(now) == 2 and now, "new workers")
        self.assertTrue(set(before).isdisjoint(after), (before, after))
        _, plan = self.waiting(0.1)
        self.assertThrough(self.page("web/call.php", plan=plan), 0.1)

    def test_graceful_stop_during_a_wait(self):
        self.start({"web": {}}, settings={"process_control_timeout": "10s"})
        answer, _ = self.interrupt(signal.SIGQUIT)
        self.assertThrough(answer)
        self.assertEqual(0, self.site.fpm.wait(5))

    def test_graceful_stop_of_an_idle_worker_with_a_connection(self):
        self.start({"web": {}}, settings={"process_control_timeout": "10s"})
        _, plan = self.waiting(0.1)
        self.assertThrough(self.page("web/call.php", plan=plan), 0.1)
        begin = time.monotonic()
        self.site.fpm.signal(signal.SIGQUIT)
        self.assertEqual(0, self.site.fpm.wait(5))
        self.assertLess(time.monotonic() - begin, 2)

    def test_stop_does_not_wait_longer_than_fpm_does(self):
        self.start({"web": {}}, settings={"process_control_timeout": "1s"})
        self.may_kill = True
        answer, sent = self.interrupt(signal.SIGQUIT, 20)
        self.assertEqual(502, answer.status)
        self.site.fpm.wait(5)
        self.assertBetween(0.9, 3.0, time.monotonic() - sent)

    def test_signals_in_a_row_do_not_shorten_the_wait(self):
        # A worker gets SIGCHLD-like noise from tools that look at it: strace, slowlog's SIGSTOP and SIGCONT
        self.start({"web": {}})
        url, plan = self.waiting()

        def disturb():
            self.server.log(url, 1)
            for _ in range(20):
                for number in (signal.SIGSTOP, signal.SIGCONT):
                    os.kill(self.site.fpm.children()[0], number)
                    time.sleep(0.01)
        answer, _ = harness.together(lambda: self.page("web/call.php", plan=plan), disturb)
        self.assertThrough(answer)
        first, second = self.server.log(url)
        self.assertGreaterEqual((second["monotonic_ns"] - first["monotonic_ns"]) / 1e9, WAIT)


class Workers(Interruptible):
    def test_max_requests(self):
        self.start({"web": {"pm.max_requests": 5}})
        url = self.server.script({"body": "x"})
        pids = []
        for _ in range(50):
            answer = self.page("web/call.php", plan={"calls": [{"method": "GET", "uri": url}]})
            self.assertEqual(200, answer.json["calls"][0].get("status"), answer)
            pids.append(answer.json["pid"])
        self.assertEqual(10, len(set(pids)), pids)
        self.assertEqual(10, len(set(self.server.connections(url))))

    def test_nothing_begins_before_the_fork(self):
        seen = {}
        for loaded in (False, True):
            self.start({"web": {}}, loaded=loaded, opcache=False)
            worker = self.site.fpm.children()[0]
            self.page("web/sleep.php", plan={})
            pids = (self.site.fpm.pid, worker)
            seen[loaded] = [(processes.threads(pid), processes.descriptors(pid)) for pid in pids]
            self.site.stop()
        self.assertEqual(seen[False], seen[True])
        self.assertEqual(1, seen[True][0][0])

    def test_one_thread_also_after_calls(self):
        self.start({"web": {}})
        _, plan = self.waiting(0.1)
        answer = self.page("web/call.php", plan=plan)
        self.assertThrough(answer, 0.1)
        self.assertEqual((1, 1), (processes.threads(self.site.fpm.pid), processes.threads(answer.json["pid"])))

    def drawn(self, pool, count, at_once):
        """What pages draw: the jitter of their first wait and their Idempotency-Key."""
        url = self.server.script({"status": 429})
        calls = [lambda: self.page(f"{pool}/jitter.php", plan={"uri": url, "hold": 0.5 if at_once else 0})] * count
        answers = harness.together(*calls) if at_once else [call() for call in calls]
        self.assertEqual(count, len({answer.json["pid"] for answer in answers}))
        waits = [answer.json["wait"] for answer in answers]
        keys = [scripted.header(entry, "idempotency-key")[0] for entry in self.server.log(url)]
        self.assertEqual((count, count), (len(set(waits)), len(set(keys))), (waits, keys))
        self.assertBetween(0, 0.25, min(waits))
        self.assertBetween(0, 0.25, max(waits))

    def test_workers_draw_different_jitter(self):
        self.start({"web": {"pm.max_children": 20}})
        self.drawn("web", 20, True)

    def test_successive_workers_draw_different_jitter(self):
        self.start({"web": {"pm.max_requests": 1}})
        self.drawn("web", 20, False)

    def test_terminate_timeout_kills_without_a_budget(self):
        # What the budget is for, and that this harness sees it
        self.may_kill = True
        self.start({"web": {"request_terminate_timeout": "1s", "php_admin_value[retry_client.request_budget]": 0}})
        url = self.server.script({"action": "stall"})
        worker = self.site.fpm.children()[0]
        answer = self.page("web/call.php", plan={"calls": [{"method": "GET", "uri": url}]})
        self.assertEqual(502, answer.status)
        self.assertTrue(any("terminating" in line for line in self.site.fpm.killed()), self.site.fpm.log())
        harness.wait_until(lambda: worker not in self.site.fpm.children(), "the worker is gone")


class Pages(SiteTest):
    site_options = {"pools": {"web": {"php_admin_value[max_execution_time]": 1}}}

    def test_max_execution_time_does_not_count_waits(self):
        url = self.server.script({"status": 429, "headers": [["Retry-After", "2"]]}, {"delay_ms": 500})
        if harness.has_timers_per_thread():
            # They go by the clock: the page ends in its wait, and the worker lives.
            with self.assertRaisesRegex(AssertionError, "Maximum execution time of 1 second exceeded"):
                self.page("web/call.php", plan={"calls": [{"method": "GET", "uri": url}]}).json
            return
        answer = self.page("web/call.php", plan={"calls": [{"method": "GET", "uri": url}]})
        self.assertEqual(200, answer.json["calls"][0].get("status"), answer)
        self.assertGreaterEqual(answer.json["calls"][0]["elapsed"], 2.5)

    def test_reader_that_leaves_during_a_wait(self):
        url = self.server.script({"status": 429, "headers": [["Retry-After", "0.6"]]}, {"body": "through"})
        worker = self.site.fpm.children()[0]
        with self.assertRaises(TimeoutError):
            self.page("web/call.php", plan={"calls": [{"method": "GET", "uri": url}]}, timeout=0.3)
        self.assertEqual(2, len(self.server.log(url, 2)))
        url = self.server.script({"body": "next"})
        answer = self.page("web/call.php", plan={"calls": [{"method": "GET", "uri": url}]})
        self.assertEqual((worker, "next"), (answer.json["pid"], answer.json["calls"][0].get("body")))
