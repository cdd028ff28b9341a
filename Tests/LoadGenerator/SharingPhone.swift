import LoadVerdict
import TestKit

/// A phone that two logins share: the other one hands in the device's app receipt before whoever paid speaks.
extension Phone {
    /// Sells at the simulator, which the group asks; nil when that has not sold before the end of the run.
    func sellAtAppStore(_ order: OrderAnswer) async throws -> Payment? {
        guard let appStore = context.appStore else { return nil }
        let answer: SimulatorProcess.Sold? = try await context.retry {
            await .of { try await appStore.sell(product, quantity: script.quantity, token: token(order)) }
        }
        guard let sale = answer?.transactions.first, let receipt = answer?.appReceipt else { return nil }
        var sold = try payment(of: sale.facts, proof: sale.signedTransaction, for: order, by: script.buyer)
        sold.appReceipt = receipt
        return sold
    }

    /// Pays; the goods belong to the order whose token was signed, whoever hands in what first.
    func share(_ payment: Payment) async throws {
        guard let plan = script.sharing, let receipt = payment.appReceipt else { return }
        try await pay(payment)
        let other = payment.handedIn(as: receipt, by: script.submitter)
        var line = JournalLine(.shared, other)
        line.owner = context.buyers[script.buyer]
        line.submitter = context.buyers[other.submitter]
        try await context.journal.add(line)
        guard let delay = plan.delayMilliseconds else {
            try await handInReceipt(other)
            try await submit(payment, since: WallClock.microseconds)
            return
        }
        async let told: Void = handInReceipt(other)
        try await Task.sleep(for: .milliseconds(delay))
        try await submit(payment, since: WallClock.microseconds)
        try await told
    }

    /// The other login must be told in the end that it gets nothing, and may forget the receipt.
    private func handInReceipt(_ receipt: Payment) async throws {
        guard let meaning = try await handIn(receipt, since: WallClock.microseconds) else { return }
        context.note { $0.noteSharing(meaning) }
    }
}

extension Payment {
    /// What another login on the same phone hands in: the receipt names no order.
    fileprivate func handedIn(as receipt: String, by buyer: Int) -> Payment {
        var other = self
        (other.proof, other.kind) = (receipt, "appReceipt")
        (other.submitter, other.hint) = (buyer, nil)
        return other
    }
}
