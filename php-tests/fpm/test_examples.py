"""The example that is a page: in time it answers with what the API says, else at once with 503 and when to come back."""

import pathlib
import shutil

import harness
from unit import SiteTest

EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "examples"


class Page(SiteTest):
    site_options = {"pools": {"web": {}}, "locations": {
        "page": ("web", ["fastcgi_param API_URL $http_x_api_url;", "fastcgi_param API_KEY the-key;"]),
    }}

    def example(self, file, *steps):
        """The page's answer and what the API has received."""
        shutil.copy(EXAMPLES / file, harness.folder / "pages" / "example.php")
        url = self.server.script(*steps)
        return self.page("page/example.php", headers={"X-Api-Url": url}), self.server.log(url)

    def test_retried(self):
        answer, log = self.example("fpm-page.php", {"status": 429, "headers": [["retry-after-ms", "10"]]}, {"body_json": {"n": 1}})
        self.assertEqual({"report": {"n": 1}}, answer.json)
        self.assertEqual(["Bearer the-key"] * 2, [dict(entry["headers"])["authorization"] for entry in log])
        self.assertTrue(all(entry["target"].endswith("/report") for entry in log), log)

    def test_busy(self):
        answer, log = self.example("fpm-page.php", {"status": 429, "headers": [["Retry-After", "60"]]})
        self.assertEqual((503, "60", '{"error":"Busy, please come back later."}'), (answer.status, answer.headers["Retry-After"], answer.body), answer)
        self.assertEqual(1, len(log))
        self.assertBetween(0, 3.0, answer.elapsed, "it does not wait")

    def test_failed(self):
        answer, _ = self.example("fpm-page.php", {"status": 404})
        self.assertEqual((502, '{"error":"The report cannot be had."}'), (answer.status, answer.body), answer)
