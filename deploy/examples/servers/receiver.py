#!/usr/bin/env python3
"""Takes webhooks and adds coins up, each change once: however often one comes, and whenever this is killed.
usage: WEBHOOK_SECRET=… receiver.py PORT FILE"""
import hashlib, hmac, json, os, sqlite3, sys, threading, time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
secret = os.environ.get("WEBHOOK_SECRET", "")  # without one nothing is genuine: anybody could sign


def is_genuine(secret, headers, body):
    timestamp = headers.get("Counterfoil-Timestamp", "")
    expected = "v1=" + hmac.new(secret.encode(), timestamp.encode() + b"." + body, hashlib.sha256).hexdigest()
    signatures = headers.get("Counterfoil-Signature", "").encode().split()  # two while the secret is changed
    is_signed = any(hmac.compare_digest(expected.encode(), signature) for signature in signatures)
    return bool(secret) and is_signed and timestamp.isdecimal() and abs(time.time() - int(timestamp)) < 300


class Credits:
    """Two tables: which events were seen, and what buyers have. Of possessions `holding.changed` tells."""
    def __init__(self, file):
        self.lock, self.store = threading.Lock(), sqlite3.connect(file, check_same_thread=False)
        self.store.execute("CREATE TABLE IF NOT EXISTS seen (id TEXT PRIMARY KEY)")
        columns = "buyer TEXT, environment TEXT, amount INTEGER NOT NULL, PRIMARY KEY (buyer, environment)"
        self.store.execute(f"CREATE TABLE IF NOT EXISTS coins ({columns})")

    def take(self, event):
        """One transaction: if this dies before its commit, nothing was done, and the event comes again."""
        with self.lock, self.store:
            seen = self.store.execute("INSERT OR IGNORE INTO seen VALUES (?)", [event["id"]]).rowcount == 0
            if seen or event["type"] != "counterfoil.entitlement.changed.v1":
                return
            account = "buyer:" + event["data"]["buyerId"]
            amount = sum(entry["amount"] * ((entry["to"] == account) - (entry["from"] == account))
                         for entry in event["data"]["entries"] if entry["entitlement"] == "coins")
            add = "INSERT INTO coins VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET amount = amount + excluded.amount"
            self.store.execute(add, [event["data"]["buyerId"], event["environment"], amount])

    def coins(self, buyer):
        with self.lock:
            return dict(self.store.execute("SELECT environment, amount FROM coins WHERE buyer = ?", [buyer]))


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if (genuine := is_genuine(secret, self.headers, body)):
            credits.take(json.loads(body))
        self.answer(200 if genuine else 401, {})  # only now: what is answered does not come again

    def do_GET(self):
        self.answer(200, credits.coins(self.path.removeprefix("/coins/")))

    def answer(self, status, body):
        self.send_response(status)
        self.end_headers()
        self.wfile.write((json.dumps(body) + "\n").encode())


if __name__ == "__main__":
    credits = Credits(sys.argv[2]) if secret and len(sys.argv) == 3 else sys.exit(__doc__)
    ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Receiver).serve_forever()
