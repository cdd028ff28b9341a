#!/usr/bin/env python3
"""A game's server: phones order and hand in proofs here, and Counterfoil's webhooks say what buyers have got.

usage: WEBHOOK_SECRET=… server.py DEMO_JSON PORT
"""
import collections, hashlib, hmac, json, os, sys, time, urllib.error, urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

with open(sys.argv[1]) as file:
    GROUP = json.load(file)  # the last line of deploy/run: gateway, apiKey, bundleId
SECRET = os.environ["WEBHOOK_SECRET"].encode()
seen, coins = set(), collections.Counter()  # a real server changes both in one transaction of its database


def ask(path, body=None, key=None):
    """The gateway's status and answer, whatever the status is."""
    headers = {"Authorization": "Bearer " + GROUP["apiKey"], "Idempotency-Key": key or ""}
    request = urllib.request.Request(GROUP["gateway"] + path, body, {k: v for k, v in headers.items() if v})
    try:
        with urllib.request.urlopen(request, timeout=40) as answer:
            return answer.status, json.load(answer)
    except urllib.error.HTTPError as refusal:
        return refusal.code, json.load(refusal)


def is_genuine(headers, body):
    timestamp = headers.get("Counterfoil-Timestamp", "")
    expected = "v1=" + hmac.new(SECRET, timestamp.encode() + b"." + body, hashlib.sha256).hexdigest()
    is_signed = hmac.compare_digest(expected, headers.get("Counterfoil-Signature", ""))
    return is_signed and abs(time.time() - int(timestamp)) < 300


def take(event):
    """Adds up amounts, each event once; of possessions `counterfoil.holding.changed.v1` tells."""
    data, is_news = event["data"], event["id"] not in seen
    if is_news and event["type"] == "counterfoil.entitlement.changed.v1" and event["environment"] == "Production":
        for entry in (entry for entry in data["entries"] if entry["entitlement"] == "coins"):
            account = "buyer:" + data["buyerId"]
            coins[data["buyerId"]] += entry["amount"] * ((entry["to"] == account) - (entry["from"] == account))
    seen.add(event["id"])


class Server(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if self.path == "/webhooks":
            if not is_genuine(self.headers, body):
                return self.answer(401, {})
            take(json.loads(body))
            return self.answer(200, {})
        if self.path not in ("/orders", "/receipts"):
            return self.answer(404, {})
        # A real server takes the buyer from the phone's login. The phone makes a key for each purchase, and repeats it.
        request = json.loads(body) | {"bundleId": GROUP["bundleId"]}
        self.answer(*ask("/v1" + self.path, json.dumps(request).encode(), self.headers.get("Idempotency-Key")))

    def do_GET(self):
        buyer = self.path.removeprefix("/coins/")
        status, held = ask(f"/v1/buyers/{buyer}/entitlements")
        self.answer(status, {"gateway": held.get("balances", {}).get("coins", 0), "webhooks": coins[buyer]})

    def answer(self, status, body):
        self.send_response(status)
        self.end_headers()
        self.wfile.write((json.dumps(body) + "\n").encode())


ThreadingHTTPServer(("127.0.0.1", int(sys.argv[2])), Server).serve_forever()
