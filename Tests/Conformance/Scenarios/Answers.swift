/// What the gateway, or whatever stands before it, may answer to a proof.
extension Scenario {
    static let answers = [
        refused("answerLost", "the proof is recorded, but the answers are lost", .lost),
        refused(
            "status4xx",
            "the proof is answered 400, 409, 413 and 422",
            .problem(status: 400, code: "invalid"),
            .problem(status: 409, code: "conflict"),
            .problem(status: 413, code: "tooLarge"),
            .problem(status: 422, code: "invalid")
        ),
        refused("error500", "the gateway fails", .failed),
        Scenario("answerLate", "the answer is late, and StoreKit and the buyer are impatient") { stage in
            try stage.launch()
            stage.world.with { $0.holdsAnswers = true }
            let payment = try stage.payment()
            var numbers = [try stage.tell(.transaction(payment))]
            try stage.awaitHeldRequest()
            for event in [PhoneEvent.transaction(payment), .foreground, .online] {
                numbers.append(try stage.tell(event))
            }
            try stage.awaitRestraint(until: numbers[3])
            try stage.world.release()
            try stage.awaitHandled(numbers)
            try stage.expectFinish(payment)
        },
        Scenario("pending202", "the verdict is pending for an hour (202)") { stage in
            stage.answer(.pending)
            let payment = try stage.launchWithPurchase()
            try stage.expectRequests(payment, 3)
            try stage.expectShown(.delivering, because: "while a payment was being judged")
            try stage.pass(Stage.hour)
            stage.answer(.granted)
            try stage.expectFinish(payment)
        },
        Scenario("receiptForgotten", "the gateway's backup was restored: it does not know the receipt (404)")
        { stage in
            stage.answer(.pending)
            let payment = try stage.launchWithTransaction()
            try stage.expectRequests(payment, 2)
            stage.world.with { $0.gateway.forgetReceipts() }
            stage.answer(.granted)
            try stage.expectFinish(payment)
        },
        Scenario("tooMany429", "429 with Retry-After: 120") { stage in
            try wait(
                stage,
                after: .problem(status: 429, code: "tooManyRequests", retryAfter: 120),
                seconds: 120
            )
        },
        Scenario("busy503", "503 with Retry-After: 30, twenty times") { stage in
            let busy = GatewayAnswer.problem(status: 503, code: "unavailable", retryAfter: 30)
            try wait(stage, after: busy, seconds: 30)
        },
        Scenario("parked", "an operator has to decide, and does so two days later") { stage in
            stage.answer(.verdict("parked", finish: false, reason: "unknownProduct"))
            let payment = try stage.launchWithPurchase()
            try stage.expectShown(.delivering, .needsHelp, because: "while an operator had to decide")
            try stage.pass(2 * Stage.day, step: Stage.hour / 4)
            stage.answer(.granted)
            try stage.expectFinish(payment)
        },
        Scenario("conflict", "another buyer holds the purchase: finish, and say what is so") { stage in
            stage.answer(.verdict("conflict", finish: true))
            let payment = try stage.launchWithPurchase()
            try stage.expectFinish(payment)
            try stage.expectShown(.alreadyOwned, .needsHelp, because: "when another buyer had the goods")
        },
        Scenario("invalid", "a 200 says invalid, which is not final") { stage in
            stage.answer(.verdict("invalid", finish: false, reason: "malformed"))
            let payment = try stage.launchWithTransaction()
            try stage.expectAnotherRequest(payment, within: Stage.longestPause)
            stage.answer(.granted)
            try stage.expectFinish(payment)
        },
        refused(
            "finishInOtherStatus",
            "a body says \"finish\": true, but the status is not 200",
            .finish(status: 202),
            .finish(status: 201),
            .finish(status: 409),
            .finish(status: 503)
        ),
        refused(
            "notUnderstood",
            "a 200 comes from something that is not the gateway",
            .text(status: 200, "<html>Log in to the hotel's network</html>"),
            .text(status: 200, "{}"),
            .text(status: 200, #"{"verdict": "granted", "finish": "true"}"#),
            .text(status: 200, #"{"verdict": "granted", "finish": 1}"#),
            .text(status: 200, #"{"verdict": "granted", "finish": tr"#),
            .text(status: 200, "[true]"),
            .text(status: 200, "null"),
            .text(status: 204, "")
        ),
        Scenario("neverGivesUp", "two days of errors") { stage in
            stage.answer(.failed)
            let payment = try stage.launchWithTransaction()
            for _ in 1...48 {
                try stage.expectAnotherRequest(payment)
                try stage.pass(Stage.hour / 4, step: Stage.promptness)
            }
            stage.answer(.granted)
            try stage.expectFinish(payment)
        },
    ]

    /// Answers that never mean finish, each a few times; then the proof is taken.
    private static func refused(_ name: String, _ story: String, _ answers: GatewayAnswer...) -> Scenario {
        Scenario(name, story) { stage in
            try stage.launch()
            let payment = try stage.payment()
            stage.answer(answers[0])
            try stage.give(.transaction(payment))
            for answer in answers {
                stage.answer(answer)
                for _ in 1...2 { try stage.expectAnotherRequest(payment) }
            }
            stage.answer(.granted)
            try stage.expectFinish(payment)
        }
    }

    /// Nothing is sent before the time that Retry-After says, whatever happens to the phone.
    private static func wait(_ stage: Stage, after answer: GatewayAnswer, seconds: Int64) throws {
        stage.answer(answer)
        let payment = try stage.launchWithTransaction()
        for _ in 1...20 {
            try stage.pass(1_000, step: 1_000)
            try stage.give(.foreground)
            try stage.give(.transaction(payment))
            try stage.pass(seconds * 1_000 / 2, step: 1_000)
            try stage.give(.online)
            try stage.expectAnotherRequest(payment)
        }
        stage.answer(.granted)
        try stage.expectFinish(payment)
    }
}
