/// Several buyers use one phone.
extension Scenario {
    static let logins = [
        Scenario("anotherLogin", "another buyer logs in before the proof has got through") { stage in
            stage.answer(.failed)
            let payment = try stage.launchWithTransaction()
            try stage.logIn(Stage.login("bob"))
            try stage.rest()
            stage.answer(.granted)
            try stage.expectFinish(payment)
        },
        Scenario("anotherLoginAfterKill", "killed while sending, and started again under another login") {
            stage in
            try stage.launch()
            stage.world.with { $0.holdsAnswers = true }
            let payment = try stage.payment()
            try stage.tell(.transaction(payment))
            try stage.awaitHeldRequest()
            stage.kill()
            stage.world.with { $0.holdsAnswers = false }
            try stage.logIn(Stage.login("bob"))
            stage.answer(.failed)
            try stage.launch()
            try stage.give(.unfinished(payment))
            stage.answer(.granted)
            try stage.expectFinish(payment)
        },
        Scenario(
            "anotherBuyersOrder",
            "two buyers have ordered the same product, and Apple has lost the token of the first one's payment"
        ) { stage in
            let product = "coins.120"
            try stage.launch()
            try stage.give(.buy(productID: product))
            _ = try stage.expectPay(product)
            try stage.give(.approvalPending(productID: product))
            try stage.logIn(Stage.login("bob"))
            try stage.give(.buy(productID: product))
            _ = try stage.expectPay(product)
            try stage.give(.cancelled(productID: product))
            try stage.logIn(Stage.login("ada"))
            stage.answer(.failed)
            let payment = try stage.payment(of: product)
            try stage.give(.transaction(payment))
            try stage.rest()
            // Now the other one is logged in, whose order of the product is kept, too.
            try stage.logIn(Stage.login("bob"))
            try stage.expectAnotherRequest(payment)
            stage.answer(.granted)
            try stage.expectFinish(payment)
        },
        Scenario("approvalAfterLogin", "StoreKit calls a purchase deferred after another login") {
            stage in
            let product = "coins.120"
            try stage.launch()
            try stage.give(.buy(productID: product))
            let token = try stage.expectPay(product)
            try stage.logIn(Stage.login("bob"))
            stage.world.with { $0.gateway.isUnreachable = true }
            try stage.give(.approvalPending(productID: product))
            try stage.logIn(Stage.login("ada"))
            let reason = "while somebody else had to approve it, after another buyer's login"
            try stage.expectNoPay(product, .paysOnce, because: reason)
            stage.world.with { $0.gateway.isUnreachable = false }
            let payment = try stage.payment(of: product, for: token)
            try stage.give(.transaction(payment))
            try stage.expectFinish(payment)
        },
        Scenario("twoBuyers", "each of two buyers has bought, and both proofs have to wait") { stage in
            stage.answer(.failed)
            let first = try stage.launchWithTransaction()
            try stage.logIn(Stage.login("bob"))
            let second = try stage.payment(of: "gems.50")
            try stage.give(.transaction(second))
            try stage.rest()
            try stage.logIn(Stage.login("ada"))
            try stage.rest()
            stage.answer(.granted)
            try stage.expectFinish(first)
            try stage.expectFinish(second)
        },
    ]
}
