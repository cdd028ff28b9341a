/// Where StoreKit has nothing but the app receipt.
extension Scenario {
    static let receipts = [
        Scenario("receiptMissing", "a transaction without a receipt, which comes an hour later") { stage in
            try stage.launch()
            let payment = try stage.payment().withoutProof
            try stage.give(.transaction(payment))
            try stage.expectRefresh()
            try stage.pass(Stage.hour, step: Stage.promptness)
            try stage.give(.receipt(stage.receipt(of: [payment])))
            try stage.expectFinish(payment, within: Stage.promptness)
        },
        Scenario("receiptEmpty", "the app receipt does not have the purchase yet (pending, emptyReceipt)") {
            stage in
            stage.answer(.verdict("pending", finish: false, reason: "emptyReceipt"))
            try stage.launch()
            let payment = try stage.payment().withoutProof
            try stage.give(.transaction(payment))
            try stage.expectRefresh()
            try stage.give(.receipt(stage.receipt(of: [payment])))
            try stage.expectRefresh(2)
            try stage.pass(10 * Stage.promptness)
            stage.answer(.granted)
            try stage.give(.receipt(stage.receipt(of: [payment])))
            try stage.expectFinish(payment)
        },
    ]
}
