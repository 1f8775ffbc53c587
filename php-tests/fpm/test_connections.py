"""One pool of connections per worker, over all pages and clients; apart where the identity differs."""

import shutil
import time

import harness
import scripted
from unit import SiteTest


class Connections(SiteTest):
    site_options = {"pools": {"web": {}, "two": {"pm.max_children": 2}}}

    def get(self, *urls, options=None, env=(), pool="web", headers=None):
        """What came of the calls of one page, which must all succeed."""
        calls = [{"method": "GET", "uri": url} for url in urls]
        answer = self.page(f"{pool}/call.php", plan={"calls": calls, "options": options or {}, "env": list(env)}, headers=headers or {})
        self.pid = answer.json["pid"]
        self.assertEqual([200] * len(urls), [seen.get("status") for seen in answer.json["calls"]], answer)
        return answer.json["calls"]

    def connection(self, url, **more):
        """The number of the connection that a page's call used."""
        self.get(url, **more)
        return self.server.connections(url)[-1]

    def test_pages_share_a_connection(self):
        url = self.server.script({"body": "x"})
        for _ in range(20):
            self.get(url, url, url)
        numbers = self.server.connections(url)
        self.assertEqual((60, 1), (len(numbers), len(set(numbers))))

    def test_one_handshake_for_100_pages(self):
        for listener in ("https", "h2"):
            with self.subTest(listener):
                url = self.server.script({"body": "x"}, on=listener)
                before = self.server.stats(listener)["tls_handshakes"]
                for _ in range(100):
                    self.get(url, options={"verify": self.server["ca"]})
                self.assertEqual(1, self.server.stats(listener)["tls_handshakes"] - before)
                self.assertEqual(1, len(set(self.server.connections(url))))

    def test_failed_attempts_share_it_too(self):
        url = self.server.script({"status": 429, "body": "{}"}, {"status": 503, "body": "later"}, {"status": 404, "body": "no"}, {"body": "x"})
        for _ in range(2):
            answer = self.page("web/call.php", plan={"calls": [{"method": "GET", "uri": url}], "options": {"baseDelay": 0.01, "jitter": 0}})
        self.assertEqual(200, answer.json["calls"][0]["status"])
        self.assertEqual((4, 1), (len(self.server.connections(url)), len(set(self.server.connections(url)))))

    def test_every_worker_has_its_own(self):
        url = self.server.script({"delay_ms": 300})
        harness.together(*[lambda: self.get(url, url, pool="two")] * 2)
        self.assertEqual(2, len(set(self.server.connections(url))))

    def test_options_that_do_not_matter(self):
        url = self.server.script({"body": "x"}, on="https")
        trust = {"verify": self.server["ca"]}
        same = [{}, {"connectTimeout": 3.0}, {"maxRedirects": 0}, {"timeout": 5.0}, {"headers": {"Authorization": "Bearer a"}}, {"maxAttempts": 1},
                {"userAgent": "other"}, {"budget": 5.0}, {"proxy": ""}]
        numbers = [self.connection(url, options=trust | options) for options in same]
        self.assertEqual([numbers[0]] * len(same), numbers)

    def test_decoding_does_not_matter(self):
        url = self.server.script({"body": "x", "encoding": "gzip"})
        numbers = [self.connection(url, options=options) for options in ({}, {"decode": False}, {})]
        self.assertEqual(1, len(set(numbers)), numbers)

    def test_identities_are_apart(self):
        url = self.server.script({"body": "x"}, on="mtls")
        ca, cert, key = self.server["ca"], self.server["cert"], self.server["key"]
        both, other_ca = self.server["cert_and_key"], str(harness.folder / "other-ca.pem")
        shutil.copyfile(ca, other_ca)
        identities = [
            {"verify": ca, "cert": cert, "key": key}, {"verify": False, "cert": cert, "key": key}, {"verify": other_ca, "cert": cert, "key": key},
            {"verify": ca, "cert": both}, {"verify": ca, "cert": cert, "key": key, "proxy": self.server["proxy"]},
        ]
        first = [self.connection(url, options=options) for options in identities]
        self.assertEqual(len(identities), len(set(first)), first)
        self.assertEqual(first, [self.connection(url, options=options) for options in identities], "each again")

    def test_no_certificate_from_another_client(self):
        url = self.server.script({"body": "x"}, on="mtls")
        self.get(url, options={"verify": self.server["ca"], "cert": self.server["cert_and_key"]})
        plan = {"calls": [{"method": "GET", "uri": url}], "options": {"verify": self.server["ca"], "maxAttempts": 1}}
        self.assertEqual("RetryClient\\NetworkException", self.page("web/call.php", plan=plan).json["calls"][0]["class"])

    def test_no_trust_from_another_client(self):
        url = self.server.script({"body": "x"}, on="untrusted")
        self.get(url, options={"verify": False})
        plan = {"calls": [{"method": "GET", "uri": url}], "options": {"verify": self.server["ca"], "maxAttempts": 1}}
        self.assertEqual("tls", self.page("web/call.php", plan=plan).json["calls"][0]["kind"])

    def test_at_most_16_pools(self):
        url = self.server.script({"body": "x"}, on="https")
        files = [str(harness.folder / f"ca-{number}.pem") for number in range(17)]
        for file in files:
            shutil.copyfile(self.server["ca"], file)
        numbers = [self.connection(url, options={"verify": file}) for file in files]
        open_before = self.server.stats("https")["open"]
        self.assertEqual(numbers[16], self.connection(url, options={"verify": files[16]}), "the last is kept")
        self.assertEqual(numbers[1], self.connection(url, options={"verify": files[1]}), "the second is kept")
        self.assertNotIn(self.connection(url, options={"verify": files[0]}), numbers, "the least recently used is not")
        harness.wait_until(lambda: self.server.stats("https")["open"] <= open_before, "the dropped pool's connection is closed")

    def test_connection_closed_between_pages(self):
        url = self.server.script({"close_idle_after_ms": 20})
        for _ in range(20):
            answer = self.page("web/call.php", plan={
                "calls": [{"method": "POST", "uri": url, "body": "x"}], "options": {"idempotencyKey": False, "maxAttempts": 1},
            })
            self.assertEqual(200, answer.json["calls"][0].get("status"), answer)
            time.sleep(0.06)
        self.assertEqual(20, len(self.server.log(url)))


class Proxies(SiteTest):
    @classmethod
    def setUpClass(cls):
        cls.site = harness.Site({"web": {}, "env": {"env[http_proxy]": harness.server["proxy"]}})

    def proxied(self, env=(), options=None, headers=None, pool="web"):
        """Whether a page's call went through the proxy."""
        plan = {"calls": [{"method": "GET", "uri": f"{self.server['http']}/json"}], "env": list(env), "options": {"maxAttempts": 1} | (options or {})}
        before = self.server.stats("proxy")["requests"]
        seen = self.page(f"{pool}/call.php", plan=plan, headers=headers or {}).json["calls"][0]
        self.assertEqual(200, seen.get("status"), seen)
        return self.server.stats("proxy")["requests"] > before

    def test_environment_of_one_page_only(self):
        self.assertFalse(self.proxied())
        self.assertTrue(self.proxied(env=[f"http_proxy={self.server['proxy']}"]))
        self.assertFalse(self.proxied(), "the next page")

    def test_environment_of_a_pool(self):
        self.assertTrue(self.proxied(pool="env"))
        self.assertFalse(self.proxied(pool="env", env=["http_proxy"]), "a page that unsets it")
        self.assertTrue(self.proxied(pool="env"), "the next page")

    def test_option_of_one_page_only(self):
        self.assertTrue(self.proxied(options={"proxy": self.server["proxy"]}))
        self.assertFalse(self.proxied(), "the next page")

    def test_empty_option_overrides_the_environment(self):
        self.assertFalse(self.proxied(env=[f"http_proxy={self.server['proxy']}"], options={"proxy": ""}))

    def test_no_proxy(self):
        self.assertFalse(self.proxied(env=[f"http_proxy={self.server['proxy']}", "no_proxy=127.0.0.1"]))

    def test_all_proxy(self):
        self.assertTrue(self.proxied(env=[f"all_proxy={self.server['proxy']}"]))

    def test_header_named_proxy(self):
        self.assertFalse(self.proxied(headers={"Proxy": self.server["proxy"]}))

    def test_upper_case_in_a_web_request(self):
        self.assertFalse(self.proxied(env=[f"HTTP_PROXY={self.server['proxy']}"]))

    def test_credentials_of_one_page_only(self):
        user = self.server["proxy_auth"].replace("http://", f"http://{self.server['proxy_user']}@")
        url = self.server.script({"body": "x"}, on="https")
        plan = {"calls": [{"method": "GET", "uri": url}], "options": {"verify": self.server["ca"], "maxAttempts": 1, "proxy": user}}
        self.assertEqual(200, self.page("web/call.php", plan=plan).json["calls"][0].get("status"))
        plan["options"]["proxy"] = self.server["proxy_auth"]
        self.assertNotEqual(200, self.page("web/call.php", plan=plan).json["calls"][0].get("status"))
        self.assertEqual(1, len(self.server.log(url)))
        self.assertEqual([], scripted.header(self.server.log(url)[0], "proxy-authorization"))
