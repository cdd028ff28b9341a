/// Reasons to send again what is kept.
extension Scenario {
    static let phoneStates = [
        Scenario("offline", "the network is away when the transaction comes, and back an hour later") {
            stage in
            try stage.launch()
            stage.world.with { $0.gateway.isUnreachable = true }
            try stage.give(.offline)
            let payment = try stage.payment()
            try stage.give(.transaction(payment))
            try stage.pass(Stage.hour, step: Stage.promptness)
            try awaitVainRequest(stage)
            stage.world.with { $0.gateway.isUnreachable = false }
            try stage.give(.online)
            try stage.expectFinish(payment, within: Stage.promptness, after: "the network was back")
        },
        Scenario("foreground", "the buyer comes back to the app after hours of errors") { stage in
            let payment = try failForHours(stage)
            try stage.give(.foreground)
            try stage.expectFinish(payment, within: Stage.promptness, after: "the buyer was back in the app")
        },
        Scenario("afterPurchase", "an old proof is sent again after another purchase") { stage in
            let payment = try failForHours(stage)
            try stage.expectFinish(stage.purchase("gems.50"))
            try stage.expectFinish(payment, within: Stage.promptness, after: "another purchase")
        },
        Scenario("expiredToken", "the token has expired for hours; the buyer logs in again") { stage in
            try stage.launch()
            let payment = try stage.payment()
            let old = try Stage.login("ada"), new = try Stage.login("ada", 2)
            stage.world.with { $0.gateway.refuse(old) }
            try stage.give(.transaction(payment))
            try stage.pass(6 * Stage.hour, step: Stage.promptness)
            try awaitVainRequest(stage)
            try stage.logIn(new)
            try stage.expectFinish(payment, within: Stage.promptness, after: "a login with a new token")
        },
    ]

    /// A client that tries though it must be in vain has just done so: its next pause has begun.
    private static func awaitVainRequest(_ stage: Stage) throws {
        let vain = stage.world.with(\.gateway.vainRequests)
        _ = try stage.pass(atMost: Stage.longestPause) { $0.gateway.vainRequests > vain }
    }

    /// The pauses between two tries are as long as they get, and one has just begun; then the gateway works again.
    private static func failForHours(_ stage: Stage) throws -> Payment {
        stage.answer(.failed)
        let payment = try stage.launchWithTransaction()
        try stage.pass(6 * Stage.hour, step: Stage.promptness)
        try stage.expectAnotherRequest(payment)
        stage.answer(.granted)
        return payment
    }
}
