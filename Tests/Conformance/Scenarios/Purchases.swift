/// From the buyer's wish to the goods.
extension Scenario {
    static let purchases = [
        Scenario("plainPurchase", "a purchase in which nothing goes wrong") { stage in
            try stage.launch()
            let payment = try stage.purchase()
            try stage.expectFinish(payment)
            try stage.expectShown(.done, because: "when the goods had come")
            try stage.rest()
        },
        Scenario("orderLost", "the answer that brings the order is lost") { stage in
            try stage.launch()
            stage.world.with { $0.gateway.orderAnswers = [.lost, .lost] }
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
            try stage.pass(Stage.day, step: Stage.hour / 4)
            let payment = try stage.payment(for: token)
            try stage.give(.transaction(payment))
            try stage.expectFinish(payment)
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
}
