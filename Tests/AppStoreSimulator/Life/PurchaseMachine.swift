import AppStoreSigning
import Contracts

/// What can happen to one transaction, a subscription's period or any other.
enum PurchaseEvent: Sendable {
    /// Money back: `percentage` in milliunits of a percent, nil for all of it; reason 1 for an issue with the
    /// app, 0 for another.
    case refund(reason: Int, percentage: Int?)
    /// Money back for some seats: the transaction stays valid until all of them are refunded.
    case refundSeats(Int)
    case reverseRefund
    case declineRefund
    /// The family shares no more, or the seat is another member's.
    case revoke
    case requestConsumption(reason: String)

    /// Whether it changes every transaction of the purchase, those that restoring made too.
    var isAboutThePurchase: Bool {
        switch self {
        case .refund, .refundSeats, .reverseRefund, .revoke: true
        case .declineRefund, .requestConsumption: false
        }
    }
}

/// How one transaction changes, and with it the subscription of which it is the latest period.
struct PurchaseMachine {
    let sale: Sale
    let subscription: Subscription?
    let now: Timestamp

    func apply(_ event: PurchaseEvent) throws(Refusal) -> SaleChanges {
        switch event {
        case .refund(let reason, let percentage):
            let refunded = sale.transaction.refunded(at: now, reason: reason, percentage: percentage)
            return changed(refunded, status(.revoked), "REFUND")
        case .refundSeats(let count): return try seatsTaken(count)
        case .reverseRefund:
            guard sale.transaction.revocationDate != nil else {
                throw Refusal("the transaction is not refunded")
            }
            let isOver = (sale.transaction.expiresDate ?? .max) <= now.milliseconds
            let status = status(isOver ? .expired : .active)
            return changed(sale.transaction.notRevoked, status, "REFUND_REVERSED")
        case .declineRefund:
            return SaleChanges(notifications: [PendingServerNotification("REFUND_DECLINED", of: sale.id)])
        case .revoke:
            let types = ["FAMILY_SHARED": "FAMILY_REVOKE", "ASSIGNED": "ASSIGNMENT_REVOKE"]
            guard let type = types[sale.transaction.inAppOwnershipType ?? ""] else {
                throw Refusal("only what the family shares, or a seat, can be revoked")
            }
            var revoked = sale.transaction.refunded(at: now)
            revoked.revocationType = type
            return changed(revoked, status(.revoked), "REVOKE")
        case .requestConsumption(let reason):
            var notification = PendingServerNotification("CONSUMPTION_REQUEST", of: sale.id)
            notification.consumptionRequestReason = reason
            return SaleChanges(notifications: [notification])
        }
    }

    /// The sale with another transaction, of which the app's server is told.
    private func changed(
        _ transaction: SignedTransaction,
        _ subscriptions: [Subscription],
        _ type: String,
        _ subtype: String? = nil
    ) -> SaleChanges {
        var changed = sale
        changed.transaction = transaction
        return SaleChanges(
            sales: [changed],
            subscriptions: subscriptions,
            notifications: [PendingServerNotification(type, subtype, of: sale.id)]
        )
    }

    private func seatsTaken(_ count: Int) throws(Refusal) -> SaleChanges {
        let transaction = sale.transaction
        let left = transaction.quantity - transaction.revokedSeats
        guard transaction.multiSeatInfo != nil, transaction.revocationDate == nil, count > 0, count <= left
        else { throw Refusal("the transaction has not so many seats") }
        let taken = transaction.revoking(seats: transaction.revokedSeats + count)
        guard count == left else { return changed(taken, [], "REFUND", "SEATS") }
        return changed(taken.refunded(at: now), status(.revoked), "REFUND", "SEATS")
    }

    /// The subscription in another status, if this is its latest period.
    private func status(_ status: Subscription.Status) -> [Subscription] {
        guard var subscription, subscription.latestTransactionId == sale.id else { return [] }
        subscription.status = status
        subscription.isAutoRenewing = status == .active
        return [subscription]
    }
}
