import AppStoreSigning
import Contracts

/// What can happen to one transaction, a subscription's period or any other.
enum PurchaseEvent: Sendable {
    /// Money back: `percentage` in milliunits of a percent, nil for all of it; reason 1 for an issue with the
    /// app, 0 for another.
    case refund(reason: Int, percentage: Int?)
    case reverseRefund
    case declineRefund
    /// The family shares no more.
    case revoke
    case requestConsumption(reason: String)

    /// Whether it changes every transaction of the purchase, those that restoring made too.
    var isAboutThePurchase: Bool {
        switch self {
        case .refund, .reverseRefund, .revoke: true
        case .declineRefund, .requestConsumption: false
        }
    }
}

/// How one transaction changes, and with it the subscription of which it is the latest period.
struct PurchaseLife {
    let sale: Sale
    let subscription: Subscription?
    let now: Timestamp

    /// What comes of the event.
    func apply(_ event: PurchaseEvent) throws(Refusal) -> Happening {
        switch event {
        case .refund(let reason, let percentage):
            return taken(
                sale.transaction.refunded(at: now, reason: reason, percentage: percentage),
                telling: "REFUND"
            )
        case .reverseRefund: return try givenBack()
        case .declineRefund: return Happening(notices: [Notice("REFUND_DECLINED", of: sale.id)])
        case .revoke:
            guard sale.transaction.inAppOwnershipType == "FAMILY_SHARED" else {
                throw Refusal("only what the family shares can be revoked")
            }
            var revoked = sale.transaction.refunded(at: now)
            revoked.revocationType = "FAMILY_REVOKE"
            return taken(revoked, telling: "REVOKE")
        case .requestConsumption(let reason):
            var notice = Notice("CONSUMPTION_REQUEST", of: sale.id)
            notice.consumptionRequestReason = reason
            return Happening(notices: [notice])
        }
    }

    private func taken(_ transaction: SignedTransaction, telling type: String) -> Happening {
        var changed = sale
        changed.transaction = transaction
        return Happening(
            sales: [changed],
            subscriptions: standing(.revoked),
            notices: [Notice(type, of: sale.id)]
        )
    }

    private func givenBack() throws(Refusal) -> Happening {
        guard sale.transaction.revocationDate != nil else { throw Refusal("the transaction is not refunded") }
        var changed = sale
        changed.transaction.revocationDate = nil
        changed.transaction.revocationReason = nil
        changed.transaction.revocationType = nil
        changed.transaction.revocationPercentage = nil
        let isOver = (sale.transaction.expiresDate ?? .max) <= now.milliseconds
        return Happening(
            sales: [changed],
            subscriptions: standing(isOver ? .expired : .active),
            notices: [Notice("REFUND_REVERSED", of: sale.id)]
        )
    }

    /// The subscription in another standing, if this is its latest period.
    private func standing(_ standing: Subscription.Standing) -> [Subscription] {
        guard var subscription, subscription.latestTransactionId == sale.id else { return [] }
        subscription.standing = standing
        subscription.isAutoRenewing = standing == .active
        return [subscription]
    }
}
