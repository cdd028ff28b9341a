/// The client dies by SIGKILL, and is started again with its files.
extension Scenario {
    static let kills = [
        Scenario("killedBeforeHandling", "killed as the transaction comes; StoreKit hands it over again") {
            stage in
            try stage.launch()
            let payment = try stage.payment()
            try stage.tell(.transaction(payment))
            stage.kill()
            try stage.launch()
            try stage.give(.unfinished(payment))
            try stage.expectFinish(payment)
        },
        Scenario("killedWhileSending", "killed while the first request is under way; StoreKit says nothing") {
            stage in
            try stage.launch()
            stage.world.with { $0.holdsAnswers = true }
            let payment = try stage.payment()
            try stage.tell(.transaction(payment))
            try stage.awaitHeldRequest()
            stage.kill()
            stage.world.with { $0.holdsAnswers = false }
            try stage.launch()
            try kept(payment, stage)
        },
        Scenario("killedWhileWaiting", "killed while the verdict is pending; StoreKit says nothing") {
            stage in
            stage.answer(.pending)
            let payment = try stage.launchWithTransaction()
            try stage.expectRequests(payment, 2)
            stage.kill()
            stage.answer(.granted)
            try stage.launch()
            try kept(payment, stage)
        },
        Scenario("killedAfterFinishing", "killed as it finishes; StoreKit has not heard it") { stage in
            let payment = try stage.launchWithTransaction()
            try stage.expectFinish(payment)
            stage.kill()
            try stage.launch()
            try stage.give(.unfinished(payment))
            try stage.expectFinish(payment)
        },
        Scenario("killedAnywhere", "a purchase, killed at each of its requests and lines in turn") { stage in
            for point in 1...mostPoints {
                do {
                    guard try buyKilled(at: point, stage) else { return }
                } catch let violation as Violation {
                    // The judge's words go on: what it did, or did not do, in its next life or before.
                    let place = "killed at its \(stage.world.with(\.killedAt)), it "
                    throw Violation(violation.law, place + violation.deed)
                }
            }
            throw PhoneFault("did more than \(mostPoints) things for one purchase")
        },
    ]

    /// Most requests and lines of one purchase.
    private static let mostPoints = 60

    /// What was sent once is sent again after a launch, because it was kept.
    private static func kept(_ payment: Payment, _ stage: Stage) throws {
        do {
            try stage.expectFinish(payment, within: Stage.longestPause)
        } catch let violation as Violation where violation.law == .neverGivesUp {
            throw Violation(
                .keepsBeforeSending,
                "did not send \(payment.transactionID) again in its next life"
            )
        }
    }

    /// Buys, is killed at a point, and goes on; whether the purchase lasted to that point.
    private static func buyKilled(at point: Int, _ stage: Stage) throws -> Bool {
        stage.answer(.pending, .granted)
        stage.killAtPoint(point)
        var payment: Payment?
        do {
            try stage.launch()
            try stage.give(.buy(productID: "coins.120"))
            let token = try stage.expectPay("coins.120")
            let made = try stage.payment(for: token)
            payment = made
            try stage.give(.transaction(made))
            try stage.expectFinish(made)
            stage.killAtPoint(nil)
            stage.kill()
            return false
        } catch is PhoneKilled {
            stage.killAtPoint(nil)
            stage.kill()
        }
        try stage.launch()
        try goOn(payment, stage)
        stage.kill()
        return true
    }

    /// StoreKit hands over what it knows; if nothing was paid, the buyer buys again.
    private static func goOn(_ payment: Payment?, _ stage: Stage) throws {
        guard let payment else { return try stage.expectFinish(stage.purchase()) }
        // Once a proof has been sent it has to be on the phone, too.
        if let record = stage.record(payment), record.requests > 0, !record.mayFinish {
            return try kept(payment, stage)
        }
        try stage.give(.unfinished(payment))
        try stage.expectFinish(payment)
    }
}
