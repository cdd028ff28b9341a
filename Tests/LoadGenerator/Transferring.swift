import LoadVerdict
import TestKit

/// A purchase that another login restores, so that it moves.
extension Phone {
    /// Buys something that moves; when it is granted, another login restores it.
    func transfer(_ payment: Payment) async throws {
        guard let transfer = script.transfer else { return }
        let isPeriod = product.kind == .autoRenewable
        if isPeriod { note(first: payment.transaction, of: payment.id) }
        try await pay(payment)
        // Who came before the buyer who paid would have bought it.
        guard try await submit(payment, since: WallClock.microseconds) else { return }
        let restore = payment.restored(by: script.submitter)
        guard try await move(payment.id, with: restore) else { return }
        if transfer.isRepeated { _ = try await context.retry { await attempt(restore) } }
        if isPeriod, transfer.isRenewed { try await renew(payment) }
        // Nothing comes of it: whatever the answer is, the ledgers say so.
        guard transfer.isAskedBack else { return }
        _ = try await context.retry { await attempt(payment.restored(by: script.buyer)) }
    }

    /// Notes that a purchase may move from here on, in the journal too; whether the gateway said that it has.
    private func move(_ payment: UInt64, with restore: Payment) async throws -> Bool {
        context.note {
            $0.moves.begin(payment, from: Int32(script.buyer), to: Int32(script.submitter))
        }
        var line = JournalLine(.transferred, restore)
        line.owner = context.buyers[script.buyer]
        line.submitter = context.buyers[script.submitter]
        line.productId = product.id
        try await context.journal.add(line)
        guard try await submit(restore, since: WallClock.microseconds) else { return false }
        context.note { $0.moves.noteAnswer(payment) }
        return true
    }

    /// Apple renews it for its new holder, without a phone.
    private func renew(_ payment: Payment) async throws {
        let names = NamedOrder.byRenewal(token: script.carriesToken ? payment.order.orderId : nil)
        let period = SubscriptionScript.Step.renewal.period(
            after: [payment.transaction],
            TransferScript.periodLength,
            named: context.products
        )
        let notice = Notice(.renewal, period)
        try await announce(notice, product: script.product, of: payment.id, names, owner: script.submitter)
        try await deliver(notice, of: payment.id)
    }
}

extension Payment {
    /// The same proof, which a login hands in to have what was bought.
    fileprivate func restored(by buyer: Int) -> Payment {
        var restore = self
        (restore.submitter, restore.hint, restore.isRestore) = (buyer, nil, true)
        return restore
    }
}
