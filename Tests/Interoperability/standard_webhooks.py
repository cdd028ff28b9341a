"""Holds a group's webhooks against the library of Standard Webhooks for Python, and `counterfoil listen` as well.

A purchase is made and refunded in a group of its own; what its server and the target of `listen` are sent must be
genuine to the library, by the present secret and by the former one, and nothing else.
Usage: standard_webhooks.py FOLDER-OF-THE-PROGRAMS
"""

import base64
import collections
import json
import os
import subprocess
import sys
import threading
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from standardwebhooks import Webhook, WebhookVerificationError

# The rules of the house read every file here.
sys.dont_write_bytecode = True
import programs  # noqa: E402

BUNDLE = "com.example.game"
PRODUCT = "coins.120"
FORMER = "the-secret-before-this-one"
SECONDS = 60


class Hooks:
    """A server on this machine that takes webhooks, by path, and answers 500 to the first of each."""

    def __init__(self):
        taken = self.taken = collections.defaultdict(list)

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                taken[self.path].append((dict(self.headers), body))
                self.send_response(500 if len(taken[self.path]) == 1 else 204)
                self.end_headers()

            def log_message(self, *arguments):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()


def post(url, body, headers=None):
    request = urllib.request.Request(
        url, json.dumps(body).encode(), {"Content-Type": "application/json", **(headers or {})}
    )
    with urllib.request.urlopen(request, timeout=30) as answer:
        text = answer.read()
    return json.loads(text) if text else None


def refused(secret, headers, body):
    """Whether the library takes it for forged."""
    try:
        Webhook(secret).verify(body, headers)
    except WebhookVerificationError:
        return True
    raise AssertionError("the library takes it for genuine")


def check(results, what, hooks, secret):
    """Each webhook is genuine, and what differs in anything is not."""
    for number, (headers, body) in enumerate(hooks, 1):
        name = f"{what} {number}"
        event = results.check(name, lambda: Webhook(secret).verify(body, headers))
        if event is None:
            continue
        if event["id"] != headers.get("webhook-id"):
            results.fail(f"{name}, its id", f"{headers.get('webhook-id')} instead of {event['id']}")
        results.check(f"{name}, another body", lambda: refused(secret, headers, body + b" "))
        results.check(f"{name}, another secret", lambda: refused("whsec_b3RoZXI=", headers, body))
        for header in ["webhook-id", "webhook-timestamp", "webhook-signature"]:
            fewer = {name: value for name, value in headers.items() if name != header}
            results.check(f"{name} without {header}", lambda: refused(secret, fewer, body))


def buy(gateway, key, store):
    """Orders, pays and hands the proof in; the order's id."""
    access = {"Authorization": f"Bearer {key}", "Idempotency-Key": "one"}
    order = post(f"{gateway}/v1/orders", {"bundleId": BUNDLE, "buyerId": "ada", "productId": PRODUCT}, access)
    sold = post(f"{store}/_control/purchases",
                {"bundleId": BUNDLE, "productId": PRODUCT, "type": "Consumable", "appAccountToken": order["orderId"]})
    post(f"{gateway}/v1/receipts?wait=20000", {
        "bundleId": BUNDLE, "buyerId": "ada", "signedTransaction": sold["transactions"][0]["signedTransaction"],
    }, access)
    return order["orderId"]


def main(binaries):
    results, hooks = programs.Results("Standard Webhooks"), Hooks()
    command = os.path.join(binaries, "counterfoil")
    with programs.folder() as state, programs.app_store(binaries, state) as store:
        home, root, port = os.path.join(state, "home"), os.path.join(state, "root.der"), programs.free_port()
        with urllib.request.urlopen(f"{store}/_control/root.der", timeout=30) as answer, open(root, "wb") as file:
            file.write(answer.read())
        subprocess.run(
            [command, "init", "--test", "--home", home, "--listen", f"127.0.0.1:{port}", "--extra-root", root,
             "--app-store", store, "--webhook-url", f"{hooks.url}/own"], check=True, stdout=subprocess.DEVNULL,
        )
        with open(os.path.join(home, "counterfoil.json"), "r+") as file:
            configuration = json.load(file)
            app = configuration["apps"][0]
            key, app["webhook"]["formerSecret"] = app["keys"][0]["secret"], FORMER
            file.seek(0)
            json.dump(configuration, file)
            file.truncate()
        gateway, log = f"http://127.0.0.1:{port}", os.path.join(state, "up.log")
        with programs.program(command, "up", "--home", home, log=log) as group:
            programs.wait_for("the group", group, log, SECONDS, lambda: programs.answers(f"{gateway}/readyz"))
            said = subprocess.run([command, "check", "--webhook-secrets", "--home", home], check=True,
                                  capture_output=True, text=True, timeout=SECONDS).stdout.split()
            secret = said[said.index(BUNDLE) + 1]
            listened = os.path.join(state, "listen.log")
            with programs.program(command, "listen", "--home", home, "--forward-to", f"{hooks.url}/listened",
                                  log=listened) as listener:
                programs.wait_for("listen", listener, listened, SECONDS, lambda: "until Ctrl-C" in text(listened))
                door = f"{gateway}/v1/apple/server-notifications"
                for environment in ["Production", "Sandbox"]:
                    post(f"{store}/_control/server-notifications",
                         {"bundleId": BUNDLE, "environment": environment, "url": door})
                order = buy(gateway, key, store)
                subprocess.run([command, "trigger", "refund", "--order", order, "--home", home], check=True,
                               stdout=subprocess.DEVNULL, timeout=SECONDS)
                # A grant and its reversal; the server gets the first one twice, because it has refused it.
                for path, count in [("/own", 3), ("/listened", 2)]:
                    programs.wait_for(f"{count} webhooks at {path}", group, log, SECONDS,
                                      lambda: len(hooks.taken[path]) >= count)
        former = "whsec_" + base64.b64encode(FORMER.encode()).decode()
        check(results, "a webhook", hooks.taken["/own"], secret)
        check(results, "a webhook, by the former secret", hooks.taken["/own"], former)
        check(results, "a forwarded webhook", hooks.taken["/listened"], secret)
        lines = text(listened).splitlines()
        for status in ["500  ", "204  "]:
            if not any(line.startswith(status) for line in lines):
                results.fail("listen prints the answer", f"no line begins with {status.strip()}: {lines}")
    return results.end()


def text(path):
    with open(path) as file:
        return file.read()


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    try:
        sys.exit(main(os.path.abspath(sys.argv[1])))
    except programs.Failure as failure:
        sys.exit(f"FAILED {failure}")
