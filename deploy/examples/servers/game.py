#!/usr/bin/env -S python3 -B
"""A game's server: phones order and hand in proofs here, and Counterfoil's webhooks say what buyers have got.
usage: WEBHOOK_SECRET=… game.py DEMO_JSON PORT FILE"""
import json, sys, urllib.error, urllib.parse, urllib.request
from http.server import ThreadingHTTPServer

import receiver  # beside this file: webhooks, each credited once in the tables of FILE

PHONES_SAY = {"buyerId", "productId", "quantity", "orderId", "signedTransaction", "appReceipt", "intent", "purchasedBy"}


def ask(path, body=None, key=None):
    """The gateway's status and answer, whatever the status is."""
    headers = {"Authorization": "Bearer " + GROUP["apiKey"]} | ({"Idempotency-Key": key} if key else {})
    request = urllib.request.Request(GROUP["gateway"] + path, body, headers)
    try:
        with urllib.request.urlopen(request, timeout=40) as answer:
            return answer.status, json.load(answer)
    except urllib.error.HTTPError as refusal:
        return refusal.code, json.load(refusal)


class Server(receiver.Receiver):
    def do_POST(self):
        if self.path == "/webhooks":
            return super().do_POST()
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if self.path not in ("/orders", "/receipts"):
            return self.answer(404, {})
        # A real server takes the buyer from the phone's login, and passes on nothing else that only servers may say.
        # The phone makes a key for each purchase, and repeats it.
        said = json.loads(body)
        request = {name: said[name] for name in PHONES_SAY & said.keys()} | {"bundleId": GROUP["bundleId"]}
        self.answer(*ask("/v1" + self.path, json.dumps(request).encode(), self.headers.get("Idempotency-Key")))

    def do_GET(self):
        buyer = urllib.parse.unquote(self.path.removeprefix("/coins/"))
        status, held = ask(f"/v1/buyers/{urllib.parse.quote(buyer, safe='')}/entitlements")
        told = receiver.credits.coins(buyer).get("Production", 0)
        self.answer(status, {"gateway": held.get("balances", {}).get("coins", 0), "webhooks": told})


if not receiver.secret or len(sys.argv) != 4:
    sys.exit(__doc__)
with open(sys.argv[1]) as file:
    GROUP = json.load(file)  # the last line of deploy/run: gateway, apiKey, bundleId
receiver.credits = receiver.Credits(sys.argv[3])
ThreadingHTTPServer(("127.0.0.1", int(sys.argv[2])), Server).serve_forever()
