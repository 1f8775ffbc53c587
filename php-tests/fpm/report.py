"""How a run of tests reports: one line per test, then the line that counts them."""

import signal
import sys
import time
import unittest

import harness


class Lines(unittest.TestResult):
    """One line per test, what failed indented below it."""

    def __init__(self):
        super().__init__()
        self.passed = 0

    def startTest(self, test):
        super().startTest(test)
        self.begin = time.monotonic()

    def addSuccess(self, test):
        self.passed += 1
        print(f"ok   {name(test)} ({time.monotonic() - self.begin:.2f} s)", flush=True)

    def addSkip(self, test, reason):
        super().addSkip(test, reason)
        print(f"SKIP {name(test)}: {reason}", flush=True)

    def addFailure(self, test, err):
        super().addFailure(test, err)
        self.show(test, str(err[1]))

    def addError(self, test, err):
        super().addError(test, err)
        self.show(test, self.errors[-1][1])

    def addSubTest(self, test, subtest, err):
        if err is not None:
            super().addSubTest(test, subtest, err)
            expected = issubclass(err[0], test.failureException)
            self.show(subtest, str(err[1]) if expected else self.errors[-1][1])

    def show(self, test, text):
        print(f"FAIL {name(test)}", *text.rstrip().splitlines(), sep="\n     ", flush=True)


def name(test):
    """test_budget.Answers.test_x as budget.Answers.x"""
    return test.id().replace("test_", "").replace("__main__.", "")


def chosen(suite, words):
    """The tests of a suite whose name has one of the words, all if there are none."""
    for test in suite:
        if isinstance(test, unittest.TestSuite):
            yield from chosen(test, words)
        elif not words or any(word in name(test) for word in words):
            yield test


def interrupted(*_):
    raise KeyboardInterrupt


def run(folder, missing=()):
    """Runs the tests of a folder, those whose name has a word of the command line, and returns the exit code."""
    signal.signal(signal.SIGTERM, interrupted)
    missing = [*harness.missing(), *missing]
    if missing:
        print("FAIL setup", *missing, sep="\n     ")
        print("0 passed, 1 failed, 0 skipped")
        return 1
    result = Lines()
    with harness.workplace():
        tests = unittest.TestLoader().discover(str(folder), "test_*.py", str(folder))
        unittest.TestSuite(chosen(tests, sys.argv[1:])).run(result)
    failed = len(result.failures) + len(result.errors)
    print(f"{result.passed} passed, {failed} failed, {len(result.skipped)} skipped")
    return 1 if failed or not result.passed else 0
