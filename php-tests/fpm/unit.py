"""The base of the test classes."""

import unittest

import harness


class SiteTest(unittest.TestCase):
    """Starts the site of its class, and fails if a worker did not end by itself (unless `may_kill`)."""

    longMessage = True
    maxDiff = 2000
    may_kill = False
    site_options = {}

    @classmethod
    def setUpClass(cls):
        cls.site = harness.Site(**cls.site_options)

    @classmethod
    def tearDownClass(cls):
        cls.site.stop()

    @property
    def server(self):
        return harness.server

    def tearDown(self):
        if not self.may_kill:
            self.assertEqual([], self.site.fpm.killed(), "FPM ended a worker")

    def page(self, path, **options):
        return self.site.page(path, **options)

    def assertBetween(self, least, most, actual, what=None):
        if not least <= actual <= most:
            self.fail(f"{what or 'value'}: expected {least:.3f} to {most:.3f}, got {actual:.4f}")


class SiteOwnTest(SiteTest):
    """A site per test, since the tests end it or make it in different ways."""

    @classmethod
    def setUpClass(cls):
        pass

    @classmethod
    def tearDownClass(cls):
        pass

    def start(self, pools, **options):
        self.site = harness.Site(pools, **options)
        self.addCleanup(self.site.stop)
        return self.site
