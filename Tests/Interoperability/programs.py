"""Starts programs of this package for the tests of other people's tools, and ends them whatever happens."""

import contextlib
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request


class Failure(Exception):
    """A program that does not start; nothing can be tested."""


class Results:
    """Prints a line for each check, and counts what failed."""

    def __init__(self, tool):
        self.tool = tool
        self.passed = 0
        self.failures = []

    def check(self, what, action):
        """Runs a check; its result, or None if it failed."""
        try:
            result = action()
        except Exception as error:
            causes = [describe(error)]
            while error.__cause__ is not None:
                error = error.__cause__
                causes.append(describe(error))
            return self.fail(what, ", because of ".join(causes))
        self.passed += 1
        return result

    def fail(self, what, reason):
        self.failures.append(f"FAILED {what}: {reason}")
        print(self.failures[-1], flush=True)

    def end(self):
        """Says how it went; the exit code."""
        print(f"{self.tool}: {self.passed} checks passed, {len(self.failures)} failed", flush=True)
        return 1 if self.failures or self.passed == 0 else 0


def describe(error):
    status = getattr(error, "status", None)
    return f"{type(error).__name__} {getattr(status, 'name', '')} {error}".strip()


@contextlib.contextmanager
def folder():
    """A folder for one run, which nobody else may read."""
    path = tempfile.mkdtemp(prefix="counterfoil-interoperability.")
    try:
        yield path
    finally:
        shutil.rmtree(path, ignore_errors=True)


@contextlib.contextmanager
def program(*arguments, log, environment=None):
    """A program that runs as long as it is needed; its output goes into a file."""
    with open(log, "wb") as output:
        process = subprocess.Popen(
            arguments, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT,
            env={**os.environ, **(environment or {})},
        )
    try:
        yield process
    finally:
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def wait_for(what, process, log, seconds, found):
    """Waits until `found` gives something; its value."""
    deadline = time.monotonic() + seconds
    while True:
        value = found()
        if value:
            return value
        if process.poll() is not None or time.monotonic() > deadline:
            with open(log, errors="replace") as file:
                sys.stderr.write(file.read()[-4000:])
            raise Failure(f"{what} does not start")
        time.sleep(0.05)


@contextlib.contextmanager
def app_store(binaries, state, *options):
    """A simulator of the App Store; its address and process."""
    port = free_port()
    log = os.path.join(state, "appstore.log")
    arguments = [os.path.join(binaries, "counterfoil-appstore"), "--listen", f"127.0.0.1:{port}",
                 "--state", os.path.join(state, "appstore"), "--ocsp", f"http://127.0.0.1:{port}/ocsp"]
    with program(*arguments, *options, log=log) as process:
        url = f"http://127.0.0.1:{port}"
        wait_for("the App Store simulator", process, log, 60, lambda: answers(f"{url}/livez"))
        yield url


def answers(url):
    """Whether there is a 200."""
    try:
        with urllib.request.urlopen(url, timeout=5) as answer:
            return answer.status == 200
    except (urllib.error.URLError, OSError):
        return False


def free_port():
    """A port at which nobody listens now."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]
