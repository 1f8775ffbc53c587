"""What phpinfo() shows."""

import html
import re

import test_secrets
from unit import SiteTest

DIRECTIVES = {"request_budget": "auto", "max_waiting": "auto", "ca_file": "no value"}


class Info(SiteTest):
    site_options = {"pools": {
        "web": {}, "short": {"php_admin_value[retry_client.request_budget]": 3}, "long": {"php_value[retry_client.request_budget]": 25},
    }}

    def section(self, pool):
        """The rows of the extension's section, as name => values; and its HTML."""
        url = self.server.script({"body": "x"})
        page = self.page(f"{pool}/info.php", plan={"uri": url})
        self.assertEqual(200, page.status)
        parts = re.split(r"<h2>(?:<a [^>]*>)?([^<]+)(?:</a>)?</h2>", page.body)
        sections = {name: text for name, text in zip(parts[1::2], parts[2::2])}
        self.assertEqual(1, parts[1::2].count("retry_client"))
        rows = {}
        for row in re.findall(r"<tr>(.*?)</tr>", sections["retry_client"], re.S):
            name, *values = [html.unescape(re.sub(r"<[^>]*>", "", cell)).strip() for cell in re.findall(r"<t[dh][^>]*>(.*?)</t[dh]>", row, re.S)]
            rows[name] = values
        return rows, page.body

    def test_versions(self):
        rows, _ = self.section("web")
        text = str(rows).lower()
        self.assertRegex(text, r"version.{1,10}\d+\.\d+\.\d+")
        for library in ("rustls", "reqwest"):
            self.assertRegex(text, rf"{library}[^,]*\d+\.\d+")

    def test_directives(self):
        rows, _ = self.section("web")
        for name, default in DIRECTIVES.items():
            self.assertEqual(default, rows[f"retry_client.{name}"][1], name)
        self.assertEqual(str(self.site.fpm.states), rows["retry_client.shared_memory"][1])
        self.assertEqual("/etc/ssl/certs/ca-certificates.crt", rows["retry_client.ca_file"][0])

    def test_shared_state(self):
        rows, _ = self.section("web")
        self.assertRegex(rows["Shared state"][0], rf"^{self.site.fpm.states}/retry_client\.\d+\.\d+$")
        self.assertRegex(rows["Processes sharing it"][0], r"^\d+$")

    def test_values_of_a_pool(self):
        for pool, value in (("short", "3"), ("long", "25"), ("web", "auto")):
            rows, _ = self.section(pool)
            self.assertEqual(value, rows["retry_client.request_budget"][0], pool)

    def test_no_secrets(self):
        _, text = self.section("web")
        for mark in test_secrets.MARKS:
            self.assertNotIn(mark, text)
