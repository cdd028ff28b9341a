import Foundation

/// What a right client does sooner or later.
extension Stage {
    private static let minute: Int64 = 60_000
    static let hour = 60 * minute
    static let day = 24 * hour

    /// Longest pause between two tries, in ms.
    static let longestPause = hour
    /// Within what time a phone tries again that has a reason to, such as being back in the foreground; in ms.
    static let promptness = minute

    /// Sets the answers to all proofs, or to those of one payment; the last one is repeated.
    func answer(_ answers: GatewayAnswer..., to payment: Payment? = nil) {
        world.with { $0.gateway.answer(with: answers, to: payment?.transactionID) }
    }

    func record(_ payment: Payment) -> PaymentRecord? {
        world.with { $0.judge.payments[payment.transactionID] }
    }

    /// How many requests there were about a payment.
    func requests(_ payment: Payment) -> Int { record(payment)?.requests ?? 0 }

    /// Waits until the client has finished what StoreKit handed over last; the gateway allows it by now.
    ///
    /// `reason` is what has just happened, and why the client has no cause to wait.
    func expectFinish(
        _ payment: Payment,
        within duration: Int64 = Stage.longestPause,
        after reason: String? = nil
    ) throws {
        let id = payment.transactionID
        let isDone = try pass(atMost: duration) { ($0.judge.payments[id]?.finishes ?? 0) > 0 }
        guard !isDone else { return }
        if record(payment)?.mayFinish == true {
            throw Violation(
                .finishesWhatIsDone,
                "did not finish \(id), for which a 200 had said \"finish\": true"
            )
        }
        throw missing(payment, within: duration, after: reason)
    }

    /// Waits until a proof is sent, or asked about, so often in all.
    func expectRequests(_ payment: Payment, _ count: Int, within duration: Int64 = Stage.longestPause) throws
    {
        let id = payment.transactionID
        let came = try pass(atMost: duration) { ($0.judge.payments[id]?.requests ?? 0) >= count }
        if !came { throw missing(payment, within: duration) }
    }

    /// Waits until something is asked about a payment once more.
    func expectAnotherRequest(_ payment: Payment, within duration: Int64 = Stage.longestPause) throws {
        try expectRequests(payment, requests(payment) + 1, within: duration)
    }

    /// Waits until the client opens StoreKit's sheet; the token with which it does.
    func expectPay(_ productID: String, within duration: Int64 = 10 * minute) throws -> String? {
        let came = try pass(atMost: duration) { !$0.payLines.isEmpty }
        guard came, case .pay(productID, let token) = world.with({ $0.payLines.removeFirst() }) else {
            if case .unavailable(let answer)? = world.with({ $0.judge.orders[productID]?.outcome }) {
                let deed = "did not let \(productID) be paid after \(answer) to its order"
                throw Violation(.sellsWithoutOrder, deed)
            }
            let refusal = world.with { $0.refusal.map { "; \($0)" } ?? "" }
            let deed = "did not let \(productID) be paid, which the buyer wanted to buy\(refusal)"
            throw Violation(.sellsWhatIsWanted, deed)
        }
        return token
    }

    /// The buyer wants a product that is not to be paid now; the client does not open StoreKit's sheet.
    func expectNoPay(_ productID: String, _ law: Law, because reason: String) throws {
        try give(.buy(productID: productID))
        try rest()
        guard world.with(\.payLines.isEmpty) else {
            throw Violation(law, "let \(productID) be paid \(reason)")
        }
    }

    /// Waits until the client asks StoreKit for a receipt so often in all.
    func expectRefresh(_ count: Int = 1) throws {
        let came = try pass(atMost: Stage.longestPause) { $0.refreshes >= count }
        if !came {
            throw Violation(
                .refreshesReceipts,
                "did not ask StoreKit for the receipt that was missing or empty"
            )
        }
    }

    /// The last screen is one of these.
    func expectShown(_ states: ScreenState..., because reason: String) throws {
        let last = world.with(\.shown.last)
        if let last, states.contains(last) { return }
        let names = states.map { "`\($0.rawValue)`" }.joined(separator: " or ")
        throw Violation(
            .saysWhatIsSo,
            "showed \(last.map { "`\($0.rawValue)`" } ?? "nothing") and not \(names) \(reason)"
        )
    }

    private func missing(
        _ payment: Payment,
        within duration: Int64,
        after reason: String? = nil
    ) -> any Error {
        let id = payment.transactionID
        let record = record(payment)
        let (refusal, receipts) = world.with { ($0.refusal, $0.refreshes) }
        let since = (reason ?? record?.lastAnswer).map { " after \($0)" } ?? ""
        let time = Self.words(duration)
        if let refusal { return Violation(.neverGivesUp, "got no proof through: \(refusal)") }
        if record?.requests ?? 0 == 0, payment.signedTransaction == nil, receipts == 0 {
            return Violation(.refreshesReceipts, "neither sent \(id) nor asked StoreKit for a receipt")
        }
        return Violation(.neverGivesUp, "did not ask about \(id) for \(time)\(since)")
    }

    private static func words(_ duration: Int64) -> String {
        switch duration {
        case ..<(2 * minute): "\(duration / 1_000) s"
        case ..<(2 * hour): "\(duration / minute) min"
        default: "\(duration / hour) h"
        }
    }
}

/// Parts that several scenarios have.
extension Stage {
    /// Buys, pays and hands the transaction over.
    @discardableResult func purchase(_ productID: String = "coins.120") throws -> Payment {
        try give(.buy(productID: productID))
        let token = try expectPay(productID)
        let payment = try payment(of: productID, for: token)
        try give(.transaction(payment))
        return payment
    }

    /// Launches the client, and its buyer buys and pays.
    func launchWithPurchase() throws -> Payment {
        try launch()
        return try purchase()
    }

    /// Launches the client, and StoreKit hands a transaction over that the app did not start.
    func launchWithTransaction() throws -> Payment {
        try launch()
        let payment = try payment()
        try give(.transaction(payment))
        return payment
    }

    /// A minute in which nothing has to happen, and nothing wrong may.
    func rest() throws { try pass(Self.promptness) }
}
