import Testing

@testable import Conformance

/// A rule is broken in the Python sample, as somebody might write it; the scenario of that name finds it.
@Suite(.serialized) struct `a client with a broken rule` {
    struct Break: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let scenario: String
        let law: Law
        let changes: [Client.Change]

        init(_ name: String, _ scenario: String, _ law: Law, _ changes: (String, String)...) {
            testDescription = "\(name) (\(scenario))"
            self.scenario = scenario
            self.law = law
            self.changes = changes.map { Client.Change(right: $0.0, wrong: $0.1) }
        }
    }

    private static let finishes = #"return self.status == 200 and self.body.get("finish") is True"#
    private static let submits = "self.submit(id, self.kept.proofs[id], attempt)"
    private static let forgetsReceipt = """
                attempt["receiptId"] = None
                if answer.finishes:
        """
    private static let keeps = """
                    self.kept.proofs[id] = proof
                    self.kept.write()
        """

    static let breaks: [Break] = answers + sending + buyers + orders + approvals + screens

    private static let answers = [
        Break(
            "finishes before it sends",
            "plainPurchase",
            .finishesOnFinishAlone,
            (submits, #"say({"finish": id}); "# + submits)
        ),
        Break(
            "finishes on 4xx",
            "status4xx",
            .finishesOnFinishAlone,
            (finishes, "return 400 <= self.status < 500 or self.body.get('finish') is True")
        ),
        Break(
            "finishes on 409",
            "status4xx",
            .finishesOnFinishAlone,
            (finishes, "return self.status == 409 or self.body.get('finish') is True")
        ),
        Break(
            "finishes on 200",
            "parked",
            .finishesOnFinishAlone,
            (finishes, "return self.status == 200")
        ),
        Break(
            "does not look at the status",
            "finishInOtherStatus",
            .finishesOnFinishAlone,
            (finishes, #"return self.body.get("finish") is True"#)
        ),
        Break(
            "takes anything for true",
            "notUnderstood",
            .finishesOnFinishAlone,
            (finishes, #"return self.status == 200 and bool(self.body.get("finish"))"#)
        ),
        Break(
            "drops what is refused",
            "status4xx",
            .neverGivesUp,
            (
                "pause = self.pause(attempt, answer)",
                "if 400 <= answer.status < 500: return self.kept.proofs.pop(id)"
            )
        ),
        Break(
            "asks for ever about a receipt that is unknown",
            "receiptForgotten",
            .neverGivesUp,
            (forgetsReceipt, "        if answer.finishes:")
        ),
        Break(
            "finishes a transaction only once",
            "repeatedTransaction",
            .finishesWhatIsDone,
            (
                #"say({"finish": id})"#,
                #"say({"finish": id}) if id not in self.tries.get("done", []) else None"#
            ),
            (
                "self.tries.pop(id, None)",
                #"self.tries.pop(id, None); self.done = {*getattr(self, "done", ()), id}"#
            ),
            (
                "known = self.kept.proofs.get(id)",
                "known = self.kept.proofs.get(id)\n        if id in getattr(self, 'done', ()): return"
            )
        ),
    ]

    private static let sending = [
        Break(
            "keeps after sending",
            "killedWhileSending",
            .keepsBeforeSending,
            (keeps, "            self.kept.proofs[id] = proof"),
            (forgetsReceipt, "        self.kept.write()\n" + forgetsReceipt)
        ),
        Break(
            "keeps after sending",
            "killedAnywhere",
            .keepsBeforeSending,
            (keeps, "            self.kept.proofs[id] = proof"),
            (forgetsReceipt, "        self.kept.write()\n" + forgetsReceipt)
        ),
        Break(
            "does not look at what was kept",
            "killedWhileWaiting",
            .keepsBeforeSending,
            ("if os.path.exists(self.path):", "if False:")
        ),
        Break(
            "gives up after ten tries",
            "neverGivesUp",
            .neverGivesUp,
            (
                #"if attempt["at"] <= self.now and"#,
                #"if attempt["failures"] < 10 and attempt["at"] <= self.now and"#
            )
        ),
        Break(
            "sends by two senders",
            "answerLate",
            .sendsOneAtATime,
            (
                submits,
                """
                __import__("threading").Thread(target=self.ask, args=("POST", "/v1/receipts", \
                self.request(self.kept.proofs[id]))).start(); \(submits)
                """
            )
        ),
        Break(
            "does not look at Retry-After",
            "tooMany429",
            .obeysRetryAfter,
            (#"self.now + 1_000 * answer.retry_after if answer.retry_after else 0"#, "0")
        ),
        Break(
            "sends again and again",
            "error500",
            .asksInModeration,
            (submits, "[\(submits) for _ in range(9) if id in self.kept.proofs]")
        ),
        Break(
            "asks without waiting",
            "pending202",
            .waitsForVerdicts,
            ("/v1/receipts/{receipt}?wait={WAIT_MS}", "/v1/receipts/{receipt}")
        ),
        Break(
            "waits out its pause in the foreground",
            "foreground",
            .neverGivesUp,
            (#"attempt["at"] = attempt["notBefore"]"#, "pass")
        ),
        Break(
            "waits out its pause after another purchase",
            "afterPurchase",
            .neverGivesUp,
            (
                """
                may get through now.
                        self.resend()
                """,
                "may get through now."
            )
        ),
        Break(
            "waits out its pause when the network is back",
            "offline",
            .neverGivesUp,
            (#""foreground" | "online""#, #""foreground""#)
        ),
        Break(
            "changes proofs",
            "plainPurchase",
            .sendsProofsAsTheyAre,
            ("{kind: proof[kind]}", "{kind: proof[kind].lower()}")
        ),
        Break(
            "asks for no receipt",
            "receiptMissing",
            .refreshesReceipts,
            ("if not self.has_proof(proof):", "if False:")
        ),
        Break(
            "asks for no further receipt",
            "receiptEmpty",
            .refreshesReceipts,
            (#"== "emptyReceipt":"#, "== 0:")
        ),
    ]

    private static let buyers = [
        Break(
            "sends under the new login",
            "anotherLogin",
            .keepsBuyer,
            (#"if proof["buyerId"] != self.buyer:"#, "if False:")
        ),
        Break(
            "lets StoreKit's repetition change the buyer",
            "anotherLoginAfterKill",
            .keepsBuyer,
            ("dict(known or {", "dict({")
        ),
        Break(
            "forgets proofs at a login",
            "twoBuyers",
            .neverGivesUp,
            (
                "self.buyer, self.token = buyer, token\n",
                "self.buyer, self.token = buyer, token; self.kept.proofs = {}\n"
            )
        ),
        Break(
            "has no token",
            "expiredToken",
            .neverGivesUp,
            (#""Authorization": "Bearer ""#, #""Authorization": "Basic ""#)
        ),
        Break(
            "waits out its pause after a login",
            "expiredToken",
            .neverGivesUp,
            (
                """
                receipts alone
                        self.resend()
                """,
                "receipts alone"
            )
        ),
        Break(
            "names the last order of the product, whoever made it",
            "anotherBuyersOrder",
            .keepsBuyer,
            (#"name = self.buyer + "/" + product"#, "name = product"),
            (#"name = buyer + "/" + product"#, "name = product"),
            (#"(proof["buyerId"] + "/" + proof["productId"], {})"#, #"(proof["productId"], {})"#)
        ),
        Break(
            "names the order of who is logged in",
            "anotherBuyersOrder",
            .keepsBuyer,
            (
                #"(proof["buyerId"] + "/" + proof["productId"], {})"#,
                #"(self.buyer + "/" + proof["productId"], {})"#
            )
        ),
    ]

    private static let orders = [
        Break(
            "makes an order at each try",
            "noOrder",
            .makesOneOrder,
            (
                #"self.ask("POST", "/v1/orders", wanted, key)"#,
                #"self.ask("POST", "/v1/orders", wanted, str(uuid.uuid4()))"#
            )
        ),
        Break("opens no sheet", "plainPurchase", .sellsWhatIsWanted, (#"say({"pay""#, #"str({"pay""#)),
        Break(
            "makes no order",
            "plainPurchase",
            .ordersBeforePaying,
            ("order, refusal = self.order(product)", "order, refusal = None, None")
        ),
        Break(
            "forgets the order's token",
            "plainPurchase",
            .paysWithToken,
            (#"({"appAccountToken": order["appAccountToken"]} if order else {})"#, "{}")
        ),
        Break(
            "pays with a token of its own",
            "plainPurchase",
            .paysWithToken,
            (#"{"appAccountToken": order["appAccountToken"]}"#, #"{"appAccountToken": str(uuid.uuid4())}"#)
        ),
        Break(
            "sells nothing while the gateway is down",
            "noOrder",
            .sellsWithoutOrder,
            ("        return None, None\n", #"        return None, "unavailable"\#n"#)
        ),
        Break(
            "takes a busy gateway for a refusal",
            "noOrder",
            .sellsWithoutOrder,
            ("400 <= answer.status < 500 and answer.status not in (408, 429)", "answer.status >= 400")
        ),
        Break(
            "takes a 2xx that brings no order for a refusal",
            "noOrder",
            .sellsWithoutOrder,
            (
                "if answer.status != 0: break",
                "if answer.status in (200, 201, 204): return None, 'noOrder'"
            )
        ),
        Break(
            "lets be paid what was refused",
            "orderRefused",
            .obeysRefusals,
            ("        if refusal:", "        if False:")
        ),
        Break(
            "pays an open order in whatever state",
            "openOrder",
            .paysOnce,
            (#"if order.get("state") == "issued" else (None, order.get("state"))"#, "")
        ),
        Break(
            "makes another order beside the open one",
            "openOrder",
            .paysOnce,
            (#""onlyOne": True"#, #""onlyOne": False"#)
        ),
        Break(
            "pays again what has to be approved",
            "askToBuy",
            .paysOnce,
            (#""onlyOne": True"#, #""onlyOne": False"#)
        ),
    ]

    private static let screens = [
        Break(
            "lets the buyer pay again",
            "impatientBuyer",
            .paysOnce,
            ("if self.is_delivering(product):", "if False:")
        ),
        Break(
            "offers again what is paid",
            "plainPurchase",
            .saysWhatIsSo,
            (
                #"say({"show": "delivering", "productId": product})\#n        if not self"#,
                #"say({"show": "ready", "productId": product})\#n        if not self"#
            )
        ),
        Break(
            "says done to a buyer who has nothing",
            "conflict",
            .saysWhatIsSo,
            (#"verdict, "alreadyOwned")"#, #"verdict, "done")"#)
        ),
    ]

    @Test(arguments: breaks)
    func `is found out`(broken: Break) async throws {
        let result = try await Client.play(broken.scenario, with: broken.changes)
        #expect(result.law == broken.law, "\(result.why ?? "it passed")")
        #expect(result.why?.hasSuffix(": " + broken.law.loss) == true)
    }

    @Test func `there is one for every law`() {
        #expect(Set(Self.breaks.map(\.law)) == Set(Law.allCases))
    }
}
