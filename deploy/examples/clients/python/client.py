#!/usr/bin/env python3
"""The phone's side of a purchase, without any package: a sample, and a client for `counterfoil-conform`.

The rules stand in `Client`. A real app replaces what is around it: `say` by StoreKit and the screen, `Kept` by the
keychain, `main` by what happens. Events tell the time, in ms since 1970. One thread sends, so that nothing overtakes.
"""
import http.client, json, os, random, sys, urllib.error, urllib.request, uuid

BUNDLE_ID = os.environ["COUNTERFOIL_BUNDLE_ID"]
GATEWAY = os.environ["COUNTERFOIL_GATEWAY"]
WAIT_MS = 20_000  # how long one request waits for a verdict
POLL_MS = 15_000  # between two questions about a verdict that is pending
LONGEST_PAUSE_MS = 900_000  # between two tries
TIMEOUT = 40  # seconds; longer than a wait
SCREENS = {"deferred": "waitingForApproval", "paid": "delivering", "parked": "delivering"}  # of open orders


def say(line):
    """Tells StoreKit, or the screen."""
    print(json.dumps(line), flush=True)


class Kept:
    """Proofs and orders, on the disk before anything else happens with them. A real app has the keychain."""

    def __init__(self, folder):
        self.path = os.path.join(folder, "kept.json")
        self.proofs, self.orders = {}, {}
        if os.path.exists(self.path):
            with open(self.path) as file:
                content = json.load(file)
            self.proofs, self.orders = content["proofs"], content["orders"]

    def write(self):
        """All of it or nothing, whenever the phone dies."""
        with open(self.path + ".new", "w") as file:
            json.dump({"proofs": self.proofs, "orders": self.orders}, file)
            file.flush()
            os.fsync(file.fileno())
        os.replace(self.path + ".new", self.path)


class Answer:
    """A status, and the body as far as it is a JSON object; status 0 is no answer at all."""

    def __init__(self, status, body=b"", retry_after=None):
        self.status, self.body, self.retry_after = status, {}, None
        try:
            value = json.loads(body)
            self.body = value if isinstance(value, dict) else {}
        except ValueError:
            pass  # something between the phone and the gateway has answered
        if retry_after and retry_after.isdigit(): self.retry_after = int(retry_after)

    @property
    def finishes(self):
        """No other status, and no other body, ever means finish."""
        return self.status == 200 and self.body.get("finish") is True


class Client:
    def __init__(self, buyer, token, folder):
        self.buyer, self.token, self.now = buyer, token, 0
        self.kept = Kept(folder)
        self.tries = {}  # of this life: transaction id -> {"at", "notBefore", "failures", "receiptId"}
        self.buying = {}  # products for which StoreKit's sheet is open, with who buys

    def login(self, buyer, token):
        self.buyer, self.token = buyer, token
        for attempt in self.tries.values():
            attempt["receiptId"] = None  # a login sees its own receipts alone
        self.resend()

    def buy(self, product):
        """One purchase at a time of a product."""
        if self.is_delivering(product):
            return say({"show": "delivering", "productId": product})
        if product in self.buying:
            return
        self.buying[product] = self.buyer
        say({"show": "ordering", "productId": product})
        order, refusal = self.order(product)
        if refusal:
            del self.buying[product]
            return say({"show": SCREENS.get(refusal, "needsHelp"), "productId": product, "code": refusal})
        name = self.buyer + "/" + product
        kept = self.kept.orders.get(name, {})
        # It may be approved at any moment, whether or not the gateway was told, or can be asked. Another order comes
        # only once that one was closed at the gateway, because the approval was declined.
        if kept.get("waits") and (not order or kept.get("orderId", order["orderId"]) == order["orderId"]):
            return self.not_paid(product, "waitingForApproval", "deferred", order)
        # Anew, with or without an order: what was said of an earlier purchase says nothing of this one.
        self.keep(name, {"orderId": order["orderId"], "token": order["appAccountToken"]} if order else {})
        say({"show": "paying", "productId": product})
        # Without an order buy all the same: the purchase gets one when its proof arrives.
        say({"pay": product} | ({"appAccountToken": order["appAccountToken"]} if order else {}))

    def order(self, product):
        key = str(uuid.uuid4())  # of all tries: a repetition is the same order
        wanted = {"bundleId": BUNDLE_ID, "buyerId": self.buyer, "productId": product, "onlyOne": True}
        for _ in range(3):
            answer = self.ask("POST", "/v1/orders", wanted, key)
            # 409 openOrder brings the order that is open: it is the one to pay, unless it is paid or to be approved.
            order = answer.body if answer.status == 201 else answer.body.get("order")
            if order and "orderId" in order:
                return (order, None) if order.get("state") == "issued" else (None, order.get("state"))
            if 400 <= answer.status < 500 and answer.status not in (408, 429):
                return None, answer.body.get("code", str(answer.status))
            if answer.status != 0: break
        return None, None

    def paid(self, transaction):
        """StoreKit has a transaction. The proof is on the disk before it is sent, with the buyer who made it."""
        id, product = transaction["transactionId"], transaction["productId"]
        self.buying.pop(product, None)
        known = self.kept.proofs.get(id)
        proof = dict(known or {"buyerId": self.buyer, "productId": product})
        proof |= {key: transaction[key] for key in ("signedTransaction", "appAccountToken") if key in transaction}
        if proof != known:
            self.kept.proofs[id] = proof
            self.kept.write()
        say({"show": "delivering", "productId": product})
        if not self.has_proof(proof):
            say({"refreshReceipt": True})
        # A refund has another proof than the purchase, and what had to wait may get through now.
        self.resend()

    def receipt_came(self, receipt):
        for proof in self.kept.proofs.values():
            if "signedTransaction" not in proof:
                proof["appReceipt"] = receipt
        self.kept.write()
        self.resend()

    def not_paid(self, product, screen, outcome, order=None):
        buyer = self.buying.pop(product, self.buyer)  # whoever is logged in by now
        name = buyer + "/" + product
        kept = self.kept.orders.get(name, {}) | ({"orderId": order["orderId"]} if order else {})
        self.keep(name, kept | {"waits": outcome == "deferred"})
        if buyer != self.buyer: return
        say({"show": screen, "productId": product})
        if "orderId" in kept:  # of help to support only; nothing depends on it
            self.ask("POST", f"/v1/orders/{kept['orderId']}/report", {"outcome": outcome})

    def keep(self, name, order):
        self.kept.orders[name] = order
        self.kept.write()

    def resend(self):
        """There is a reason to try everything now, but never before Retry-After."""
        for attempt in self.tries.values():
            attempt["at"] = attempt["notBefore"]

    def work(self):
        for id in list(self.kept.proofs):
            attempt = self.tries.setdefault(id, {"at": 0, "notBefore": 0, "failures": 0, "receiptId": None})
            if attempt["at"] <= self.now and self.has_proof(self.kept.proofs[id]):
                self.submit(id, self.kept.proofs[id], attempt)

    def submit(self, id, proof, attempt):
        """Sends a proof, or asks what became of it."""
        receipt = attempt["receiptId"]
        if receipt:
            answer = self.ask("GET", f"/v1/receipts/{receipt}?wait={WAIT_MS}")
        else:
            answer = self.ask("POST", f"/v1/receipts?wait={WAIT_MS}", self.request(proof))
        attempt["receiptId"] = None
        if answer.finishes:
            return self.finish(id, proof, answer.body.get("verdict"))
        pause = self.pause(attempt, answer)
        attempt["failures"] += 1
        if answer.status == 202 and answer.body.get("verdict") == "pending":
            # It is recorded: now only the verdict is missing.
            attempt["receiptId"], attempt["failures"], pause = answer.body.get("receiptId"), 0, POLL_MS
            if answer.body.get("reason") == "emptyReceipt":
                attempt["receiptId"] = None
                say({"refreshReceipt": True})
        elif answer.status == 200 and answer.body.get("verdict") in ("parked", "invalid"):
            say({"show": "needsHelp", "productId": proof["productId"], "code": answer.body.get("receiptId")})
        attempt["at"] = self.now + pause
        attempt["notBefore"] = self.now + 1_000 * answer.retry_after if answer.retry_after else 0

    def request(self, proof):
        """A proof keeps the buyer who made it, whoever is logged in."""
        request = {"bundleId": BUNDLE_ID, "buyerId": self.buyer}
        if proof["buyerId"] != self.buyer:
            request["purchasedBy"] = proof["buyerId"]
        order = self.kept.orders.get(proof["buyerId"] + "/" + proof["productId"], {})
        request |= {"orderId": order["orderId"]} if "orderId" in order else {}
        kind = "signedTransaction" if "signedTransaction" in proof else "appReceipt"
        return request | {kind: proof[kind]}

    def finish(self, id, proof, verdict):
        """Finishes first: if the phone dies in between, the proof is only sent once more."""
        say({"finish": id})
        del self.kept.proofs[id]
        self.tries.pop(id, None)
        name = proof["buyerId"] + "/" + proof["productId"]
        # Another purchase of the product may still wait for approval.
        if self.kept.orders.get(name, {}).get("token", "") == proof.get("appAccountToken", "").lower():
            self.kept.orders.pop(name, None)
        self.kept.write()
        if proof["buyerId"] == self.buyer and not self.is_delivering(proof["productId"]):
            shown = {"granted": "done", "ended": "ready"}.get(verdict, "alreadyOwned")
            say({"show": shown, "productId": proof["productId"]})

    def pause(self, attempt, answer):
        """Doubles up to a limit, less up to a quarter by chance; what the gateway says comes first."""
        pause = min(LONGEST_PAUSE_MS, 2_000 << min(attempt["failures"], 10))
        return max(pause * random.uniform(0.75, 1), 1_000 * (answer.retry_after or 0))

    def is_delivering(self, product):
        return any(proof["productId"] == product for proof in self.kept.proofs.values())

    @staticmethod
    def has_proof(proof):
        return "signedTransaction" in proof or "appReceipt" in proof

    def ask(self, method, path, body=None, key=None):
        headers = {"Authorization": "Bearer " + self.token, "Content-Type": "application/json"}
        headers |= {"Idempotency-Key": key} if key else {}
        data = None if body is None else json.dumps(body).encode()
        try:
            request = urllib.request.Request(GATEWAY + path, data, headers, method=method)
            with urllib.request.urlopen(request, timeout=TIMEOUT) as answer:
                return Answer(answer.status, answer.read())
        except urllib.error.HTTPError as refusal:
            return Answer(refusal.code, refusal.read(), refusal.headers.get("Retry-After"))
        except (OSError, ValueError, http.client.HTTPException):
            return Answer(0)


def main():
    client = Client(*(os.environ["COUNTERFOIL_" + name] for name in ("BUYER", "TOKEN", "FILES")))
    for line in sys.stdin:
        event = json.loads(line)
        client.now = event["atMs"]
        match event["event"]:
            case "login": client.login(event["buyerId"], event["token"])
            case "buy": client.buy(event["productId"])
            case "transaction" | "unfinished": client.paid(event)
            case "receipt": client.receipt_came(event["appReceipt"])
            case "approvalPending": client.not_paid(event["productId"], "waitingForApproval", "deferred")
            case "cancelled": client.not_paid(event["productId"], "ready", "cancelled")
            case "launch" | "foreground" | "online": client.resend()
        client.work()
        say({"handled": event["number"]})


main()
