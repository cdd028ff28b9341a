"""Holds what the App Store simulator signs against Apple's own library for servers (app-store-server-library).

The library checks certificates strictly (X509_STRICT) and asks OCSP responders. What it refuses a studio could not use
to test its own backend. Usage: apple_library.py FOLDER-OF-THE-PROGRAMS
"""

import base64
import json
import os
import subprocess
import sys
import time
import urllib.request

from appstoreserverlibrary.api_client import AppStoreServerAPIClient, GetTransactionHistoryVersion
from appstoreserverlibrary.models.Environment import Environment
from appstoreserverlibrary.models.NotificationHistoryRequest import NotificationHistoryRequest
from appstoreserverlibrary.models.TransactionHistoryRequest import TransactionHistoryRequest
from appstoreserverlibrary.receipt_utility import ReceiptUtility
from appstoreserverlibrary.signed_data_verifier import SignedDataVerifier, VerificationException

# The rules of the house read every file here.
sys.dont_write_bytecode = True
import programs  # noqa: E402

BUNDLE = "com.example.game"
APP_APPLE_ID = 1234567890
TYPES = ["Consumable", "Non-Consumable", "Auto-Renewable Subscription", "Non-Renewing Subscription"]
# Every event of a subscription that Apple tells of, in an order in which one can follow the other.
LIFE = [
    ("renew", {}), ("disableAutoRenew", {}), ("enableAutoRenew", {}),
    ("upgrade", {"productId": "gold.yearly", "price": 49990, "period": "P1Y"}),
    ("downgrade", {"productId": "silver.monthly"}), ("cancelDowngrade", {}),
    ("redeemOffer", {"offer": {"type": 3, "identifier": "XMAS", "discountType": "PAY_UP_FRONT", "period": "P1M"}}),
    ("raisePrice", {"price": 59990}), ("acceptPrice", {}),
    ("failToRenew", {"gracePeriodDays": 16}), ("endGracePeriod", {}), ("recover", {}), ("refund", {}),
    ("reverseRefund", {}), ("expire", {}), ("resubscribe", {}),
]


class Store:
    """The simulator's control interface."""

    def __init__(self, url):
        self.url = url

    def post(self, path, body, query=""):
        request = urllib.request.Request(
            f"{self.url}/_control/{path}{query}", json.dumps(body).encode(), {"Content-Type": "application/json"}
        )
        with urllib.request.urlopen(request, timeout=30) as answer:
            text = answer.read()
        return json.loads(text) if text else None

    def root(self):
        with urllib.request.urlopen(f"{self.url}/_control/root.der", timeout=30) as answer:
            return answer.read()


class Agreement:
    """All that is signed in one environment, checked."""

    def __init__(self, store, environment, results):
        self.store = store
        self.environment = environment
        self.results = results
        # Once at the date of the signature, and once now with OCSP.
        self.verifiers = [
            SignedDataVerifier([store.root()], online, environment, BUNDLE, APP_APPLE_ID) for online in (False, True)
        ]

    def verify(self, what, kind, jws):
        """Checks a signature by both verifiers; what it says."""
        found = None
        for verifier in self.verifiers:
            with_ocsp = ", with OCSP" if verifier is self.verifiers[1] else ""
            name = f"{self.environment.value} {what}{with_ocsp}"
            found = self.results.check(name, lambda: getattr(verifier, f"verify_and_decode_{kind}")(jws)) or found
        return found

    def verify_answer(self, what, answer):
        """Checks all that an answer of the control interface has signed; the ids of its transactions."""
        for sale in answer["transactions"]:
            said = self.verify(f"transaction of {what}", "signed_transaction", sale["signedTransaction"])
            if said is not None and said.transactionId != sale["transactionId"]:
                self.results.fail(what, f"{said.transactionId} instead of {sale['transactionId']}")
        for told in answer.get("notifications", []):
            self.verify_notification(f"{told['notificationType']} after {what}", told["signedPayload"])
        return [sale["transactionId"] for sale in answer["transactions"]]

    def verify_notification(self, what, payload):
        said = self.verify(f"notification {what}", "notification", payload)
        if said is None:
            return
        if said.data is not None and said.data.signedTransactionInfo is not None:
            self.verify(f"transaction in {what}", "signed_transaction", said.data.signedTransactionInfo)
        if said.data is not None and said.data.signedRenewalInfo is not None:
            self.verify(f"renewal info in {what}", "renewal_info", said.data.signedRenewalInfo)
        if said.appData is not None:
            self.verify(f"app transaction in {what}", "app_transaction", said.appData.signedAppTransactionInfo)

    def buy(self, type, **more):
        body = {"bundleId": BUNDLE, "productId": f"product.{TYPES.index(type)}", "type": type,
                "environment": self.environment.value, "account": "ada", **more}
        answer = self.store.post("purchases", body)
        if not answer.get("notifications"):
            self.results.fail(f"purchase of a {type}", "nothing was notified")
        return answer

    def live(self):
        """Lets everything happen that Apple signs something about."""
        ids = {}
        for type in TYPES:
            ids[type] = self.verify_answer(f"purchase of a {type}", self.buy(type))[0]
        restored = self.event("restore", ids["Non-Consumable"])
        self.event("share", ids["Non-Consumable"], account="bob")
        self.event("requestConsumption", ids["Consumable"])
        self.event("declineRefund", ids["Consumable"])
        self.event("refund", ids["Consumable"], percentage=40000)
        self.event("refund", restored[0])
        self.event("rescindConsent", ids["Consumable"])
        latest = ids["Auto-Renewable Subscription"]
        for name, more in LIFE:
            latest = (self.event(name, latest, **more) or [latest])[-1]
        return ids

    def event(self, name, transaction, **more):
        answer = self.results.check(
            f"{self.environment.value} event {name}",
            lambda: self.store.post("events", {"event": name, "transactionId": transaction, **more}),
        )
        return self.verify_answer(name, {"transactions": [], **answer}) if answer is not None else []

    def ask(self, ids):
        """Asks the simulated App Store Server API with the library's client, and checks what is signed in answers."""
        key = self.store.post("keys", {})
        client = AppStoreServerAPIClient(
            key["privateKey"].encode(), key["keyId"], key["issuerId"], BUNDLE, self.environment
        )
        client._base_url = f"{self.store.url}/{self.environment.value.lower()}"
        coins = ids["Consumable"]
        check = self.results.check
        info = check("API: transaction", lambda: client.get_transaction_info(coins))
        if info is not None:
            self.verify("transaction of the API", "signed_transaction", info.signedTransactionInfo)
        history = check("API: history", lambda: client.get_transaction_history(
            coins, None, TransactionHistoryRequest(), GetTransactionHistoryVersion.V2))
        for jws in history.signedTransactions if history is not None else []:
            self.verify("transaction of the history", "signed_transaction", jws)
        refunds = check("API: refunds", lambda: client.get_refund_history(coins, None))
        for jws in refunds.signedTransactions if refunds is not None else []:
            self.verify("transaction of the refunds", "signed_transaction", jws)
        statuses = check(
            "API: subscriptions", lambda: client.get_all_subscription_statuses(ids["Auto-Renewable Subscription"])
        )
        for group in statuses.data if statuses is not None else []:
            for latest in group.lastTransactions:
                self.verify("transaction of a subscription", "signed_transaction", latest.signedTransactionInfo)
                self.verify("renewal info of a subscription", "renewal_info", latest.signedRenewalInfo)
        test = check("API: test notification", client.request_test_notification)
        if test is not None:
            status = check(
                "API: its status", lambda: client.get_test_notification_status(test.testNotificationToken)
            )
            if status is not None:
                self.verify_notification("TEST", status.signedPayload)
        now = int(time.time() * 1000)
        wanted = NotificationHistoryRequest(startDate=now - 86_400_000, endDate=now)
        told = check("API: notification history", lambda: client.get_notification_history(None, wanted))
        for item in told.notificationHistory if told is not None else []:
            self.verify_notification("of the history", item.signedPayload)

    def read_receipts(self, ids):
        """The library finds a transaction in both kinds of receipts."""
        answer = self.buy("Non-Consumable", account="eve", appReceipt=True, transactionReceipt=True)
        sold = answer["transactions"][0]
        reader = ReceiptUtility()
        for what, read, receipt in [
            ("app receipt", reader.extract_transaction_id_from_app_receipt, answer["appReceipt"]),
            ("transaction receipt", reader.extract_transaction_id_from_transaction_receipt, sold["transactionReceipt"]),
        ]:
            found = self.results.check(f"{self.environment.value} {what}", lambda: read(receipt))
            if found is not None and found != sold["transactionId"]:
                self.results.fail(what, f"{found} is not its transaction")

    def refuse(self):
        """What is forged or of an expired certificate is refused: a library that takes all shows nothing."""
        signed = self.buy("Consumable")["transactions"][0]["signedTransaction"]
        head, payload, signature = signed.split(".")
        said = json.loads(base64.urlsafe_b64decode(payload + "=" * (-len(payload) % 4)))
        said["quantity"] = 7
        other = base64.urlsafe_b64encode(json.dumps(said).encode()).rstrip(b"=").decode()
        forged = {"another payload": f"{head}.{other}.{signature}"}
        for kind in ["wrongSignature", "expiredCertificate"]:
            self.store.post("faults", {"path": "/_control/purchases", "kind": kind, "count": 1})
            forged[kind] = self.buy("Consumable")["transactions"][0]["signedTransaction"]
        for what, jws in forged.items():
            try:
                self.verifiers[0].verify_and_decode_signed_transaction(jws)
                self.results.fail(what, "was accepted")
            except VerificationException:
                self.results.passed += 1


class Forms:
    """Every form of a proof, in order or forged: this project's verifier and Apple's library answer alike."""

    # What Apple's library takes though an authority says that it did not mean it so: OpenSSL asks neither for the
    # leaf's usage nor, with a name that has no DNS name, for the names to which an authority is constrained.
    STRICTER = {"chain: nameConstraints", "chain: leafWithoutDigitalSignature"}
    # What it cannot read, so that it can say nothing.
    UNREADABLE = {"app receipt: content in a string of its own"}

    def __init__(self, store, binaries, state, results):
        with urllib.request.urlopen(f"{store.url}/_control/forms", timeout=120) as answer:
            self.forms = json.load(answer)["forms"]
        self.folder = os.path.join(state, "forms")
        os.mkdir(self.folder)
        self.verify = os.path.join(binaries, "counterfoil")
        self.results = results
        # For what trusts no root: the library wants one.
        self.stranger = store.root()

    def check(self):
        for number, form in enumerate(self.forms):
            name = f"form {form['name']}"
            own = self.own_answer(str(number), form)
            self.agree(f"{name}, by counterfoil verify", own, form.get("refusal"))
            if form["name"] in self.UNREADABLE:
                continue
            if form["kind"] == "transactionReceipt" or form["kind"] == "appReceipt":
                self.agree(f"{name}, its transaction", self.transaction(form), form.get("transactionId"))
            else:
                is_taken = form["name"] in self.STRICTER or "refusal" not in form
                self.agree(f"{name}, by Apple's library", self.library_takes(form), is_taken)

    def agree(self, what, said, wanted):
        if said == wanted:
            self.results.passed += 1
        else:
            self.results.fail(what, f"{said} instead of {wanted}")

    def own_answer(self, name, form):
        """Why this project refuses it; None where it does not."""
        path = os.path.join(self.folder, name)
        with open(path, "w") as file:
            file.write(form["proof"])
        command = [self.verify, "verify", path]
        if "root" in form:
            with open(f"{path}.der", "wb") as file:
                file.write(base64.b64decode(form["root"]))
            command += ["--root", f"{path}.der"]
        said = json.loads(subprocess.run(command, capture_output=True, check=False, timeout=60).stdout)
        return None if said["valid"] else said["reason"]

    def library_takes(self, form):
        root = base64.b64decode(form["root"]) if "root" in form else self.stranger
        verifier = SignedDataVerifier([root], False, Environment.PRODUCTION, BUNDLE, APP_APPLE_ID)
        kind = {"transaction": "signed_transaction", "renewalInfo": "renewal_info", "appTransaction": "app_transaction",
                "notification": "notification"}[form["kind"]]
        try:
            getattr(verifier, f"verify_and_decode_{kind}")(form["proof"])
        except VerificationException:
            return False
        return True

    def transaction(self, form):
        reader = ReceiptUtility()
        if form["kind"] == "appReceipt":
            try:
                return reader.extract_transaction_id_from_app_receipt(form["proof"])
            except ValueError as error:
                return f"unreadable: {error}"
        return reader.extract_transaction_id_from_transaction_receipt(form["proof"])


def main(binaries):
    results = programs.Results("Apple's library")
    with programs.folder() as state, programs.app_store(binaries, state) as url:
        store = Store(url)
        Forms(store, binaries, state, results).check()
        for environment in [Environment.PRODUCTION, Environment.SANDBOX]:
            # Nobody listens there: what is signed stands in the answers.
            store.post("server-notifications", {"bundleId": BUNDLE, "environment": environment.value,
                                         "url": "http://127.0.0.1:9/"})
            agreement = Agreement(store, environment, results)
            ids = agreement.live()
            agreement.read_receipts(ids)
            agreement.refuse()
            agreement.ask(ids)
    return results.end()


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    try:
        sys.exit(main(sys.argv[1]))
    except programs.Failure as failure:
        sys.exit(f"FAILED {failure}")
