/// From the buyer's wish to the goods.
extension Scenario {
    static let purchases = [
        Scenario("plainPurchase", "a purchase in which nothing goes wrong, order and token included") {
            stage in
            try stage.launch()
            let payment = try stage.purchase()
            try stage.expectFinish(payment)
            try stage.expectShown(.done, because: "when the goods had come")
            try stage.rest()
        },
        Scenario("noOrder", "no order can be had (lost, 500, 503, no JSON, no network): sell all the same") {
            stage in
            let answers: [GatewayAnswer] = [
                .lost, .failed, .problem(status: 429, code: "tooManyRequests"),
                .problem(status: 503, code: "unavailable", retryAfter: 30),
                .text(status: 200, "<html>Log in to the hotel's network</html>"),
                .text(status: 201, #"{"orderId": "019c0000-0000-8000-8000-0000000"#),
                .text(status: 201, #"{"state": "issued"}"#), .text(status: 204, ""),
            ]
            try stage.launch()
            for answer in answers {
                stage.world.with { $0.gateway.orderAnswer = answer }
                try stage.expectFinish(stage.purchase())
            }
            stage.world.with { $0.gateway.isUnreachable = true }
            try stage.give(.buy(productID: "coins.120"))
            let token = try stage.expectPay("coins.120")
            stage.world.with { state in
                state.gateway.isUnreachable = false
                state.gateway.orderAnswer = nil
            }
            let payment = try stage.payment(for: token)
            try stage.give(.transaction(payment))
            try stage.expectFinish(payment)
            try stage.expectFinish(stage.purchase())
        },
        Scenario("orderRefused", "the gateway refuses the order (403, 409, 422): nothing is paid") { stage in
            try stage.launch()
            let refusals = [(403, "forbidden"), (409, "limitReached"), (422, "notOnSale")]
            for (status, code) in refusals {
                stage.world.with { $0.gateway.orderAnswer = .problem(status: status, code: code) }
                try stage.expectNoPay("coins.120", .obeysRefusals, because: "after a \(status) to its order")
            }
            stage.world.with { $0.gateway.orderAnswer = nil }
            try stage.expectFinish(stage.purchase())
        },
        Scenario("openOrder", "another phone of the buyer has an order that waits for approval, or is paid") {
            stage in
            try stage.launch()
            for state in ["deferred", "paid", "parked"] {
                stage.setOrder(of: "coins.120", to: state)
                try stage.expectNoPay("coins.120", .paysOnce, because: "while an order of it was \(state)")
                try stage.expectShown(
                    .waitingForApproval,
                    .delivering,
                    .alreadyOwned,
                    .needsHelp,
                    because: "while an order was \(state)"
                )
            }
            stage.setOrder(of: "coins.120", to: "granted")
            try stage.expectFinish(stage.purchase())
        },
        Scenario("impatientBuyer", "the buyer taps again while the goods are on their way") { stage in
            stage.answer(.pending)
            try stage.launch()
            let first = try stage.purchase()
            for _ in 1...3 { try stage.give(.buy(productID: first.productID)) }
            try stage.rest()
            stage.answer(.granted)
            try stage.expectFinish(first)
            try stage.expectFinish(stage.purchase())
        },
        Scenario("askToBuy", "a parent approves the purchase a day later") { stage in
            try stage.launch()
            try stage.give(.buy(productID: "coins.120"))
            let token = try stage.expectPay("coins.120")
            try stage.give(.approvalPending(productID: "coins.120"))
            try stage.expectShown(.waitingForApproval, because: "while somebody else had to approve")
            try stage.expectNoPay("coins.120", .paysOnce, because: "while somebody else had to approve it")
            try stage.pass(Stage.day, step: Stage.hour / 4)
            try stage.expectFinish(pay("coins.120", for: token, stage))
        },
        Scenario("askToBuyAgain", "what has to be approved is tapped again: no gateway, another life") {
            stage in
            try stage.launch()
            try approveLate("coins.120", hasOrder: true, stage)
            try approveLate("gems.50", hasOrder: false, stage)
        },
        Scenario("paidAfterCancelling", "StoreKit says cancelled, and the payment comes all the same") {
            stage in
            try stage.launch()
            try stage.give(.buy(productID: "coins.120"))
            let token = try stage.expectPay("coins.120")
            try stage.give(.cancelled(productID: "coins.120"))
            try stage.rest()
            let payment = try stage.payment(for: token)
            try stage.give(.transaction(payment))
            try stage.expectFinish(payment)
        },
        Scenario("approvalBesideAnother", "one purchase waits for approval, an older one is paid after all") {
            stage in
            let product = "coins.120"
            try stage.launch()
            try stage.give(.buy(productID: product))
            let older = try stage.expectPay(product)
            try stage.give(.cancelled(productID: product))
            try stage.give(.buy(productID: product))
            let token = try stage.expectPay(product)
            stage.world.with { $0.gateway.isUnreachable = true }
            try stage.give(.approvalPending(productID: product))
            stage.world.with { $0.gateway.isUnreachable = false }
            try stage.expectFinish(pay(product, for: older, stage))
            stage.world.with { $0.gateway.isUnreachable = true }
            let reason = "while somebody else had to approve it, and an older one had been delivered"
            try stage.expectNoPay(product, .paysOnce, because: reason)
            stage.world.with { $0.gateway.isUnreachable = false }
            try stage.expectFinish(pay(product, for: token, stage))
        },
        Scenario("repeatedTransaction", "StoreKit hands the same transaction over four times") { stage in
            let payment = try stage.launchWithTransaction()
            try stage.give(.transaction(payment))
            try stage.expectFinish(payment)
            for _ in 2...3 {
                try stage.give(.unfinished(payment))
                try stage.expectFinish(payment)
            }
        },
        Scenario("twoAtOnce", "two transactions at once, of which one has to wait") { stage in
            try stage.launch()
            let waiting = try stage.payment(of: "coins.120"), granted = try stage.payment(of: "gems.50")
            stage.answer(.problem(status: 503, code: "unavailable", retryAfter: 30), .failed, to: waiting)
            let numbers = try [waiting, granted].map { try stage.tell(.transaction($0)) }
            try stage.awaitHandled(numbers)
            try stage.expectFinish(granted)
            try stage.pass(10 * Stage.promptness)
            stage.answer(.granted, to: waiting)
            try stage.expectFinish(waiting)
        },
        Scenario("refundBetween", "Apple refunds before the goods have come") { stage in
            stage.answer(.failed)
            let payment = try stage.launchWithTransaction()
            try stage.rest()
            try stage.give(.transaction(stage.payment(again: payment)))
            stage.answer(.verdict("ended", finish: true, reason: "refunded"))
            try stage.expectFinish(payment)
        },
    ]

    /// StoreKit hands over the transaction of a purchase.
    private static func pay(_ product: String, for token: String?, _ stage: Stage) throws -> Payment {
        let payment = try stage.payment(of: product, for: token)
        try stage.give(.transaction(payment))
        return payment
    }

    /// Somebody has to approve, and the gateway does not hear of it; meanwhile the buyer taps again and again.
    private static func approveLate(_ product: String, hasOrder: Bool, _ stage: Stage) throws {
        func tap(withGateway isThere: Bool, _ moment: String) throws {
            stage.world.with { $0.gateway.isUnreachable = !isThere }
            let reason = "while somebody else had to approve it, \(moment)"
            try stage.expectNoPay(product, .paysOnce, because: reason)
            try stage.expectShown(.waitingForApproval, because: reason)
        }
        if !hasOrder {
            // Whatever became of an earlier purchase, and its order, is no word on this one.
            try stage.give(.buy(productID: product))
            _ = try stage.expectPay(product)
            try stage.give(.cancelled(productID: product))
        }
        stage.world.with { $0.gateway.isUnreachable = !hasOrder }
        try stage.give(.buy(productID: product))
        let token = try stage.expectPay(product)
        stage.world.with { $0.gateway.isUnreachable = true }
        try stage.give(.approvalPending(productID: product))
        try tap(withGateway: false, "and the gateway was down")
        stage.kill()
        try stage.launch()
        try tap(withGateway: false, "and it was started again")
        try tap(withGateway: true, "of which the gateway had not heard")
        try tap(withGateway: true, "of which the gateway had heard")
        try stage.expectFinish(pay(product, for: token, stage))
    }
}
