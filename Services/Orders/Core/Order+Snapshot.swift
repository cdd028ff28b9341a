import Contracts

extension Order {
    /// The order's state, derived from its two state machines.
    ///
    /// | payment \ fulfilment | none       | granted   | reversed   | parked   |
    /// |----------------------|------------|-----------|------------|----------|
    /// | issued               | `issued`   | never     | never      | never    |
    /// | deferred             | `deferred` | never     | never      | never    |
    /// | closed               | `closed`   | never     | never      | never    |
    /// | paid                 | `paid`     | `granted` | `refunded` | `parked` |
    /// | void                 | `void`     | never     | never      | never    |
    ///
    /// *never*: the schema forbids it, and an unpaid order is shown as unpaid.
    var state: OrderV1.State {
        switch (payment, fulfilment) {
        case (.issued, .none), (.issued, .granted), (.issued, .reversed), (.issued, .parked): .issued
        case (.deferred, .none), (.deferred, .granted), (.deferred, .reversed), (.deferred, .parked):
            .deferred
        case (.closed, .none), (.closed, .granted), (.closed, .reversed), (.closed, .parked): .closed
        case (.void, .none), (.void, .granted), (.void, .reversed), (.void, .parked): .void
        case (.paid, .none): .paid
        case (.paid, .granted): .granted
        case (.paid, .reversed): .refunded
        case (.paid, .parked): .parked
        }
    }

    /// The order's public form.
    var snapshot: OrderV1 {
        var snapshot = OrderV1(
            orderId: id,
            state: state,
            bundleId: bundleID,
            buyerId: buyerID,
            productId: content.productID,
            quantity: content.quantity,
            environment: content.environment,
            origin: origin,
            createdAt: issuedAt
        )
        snapshot.reference = content.reference
        snapshot.metadata = content.metadata
        snapshot.issuedBy = content.issuedBy
        snapshot.paidAt = paidAt
        snapshot.grantedAt = grantedAt
        snapshot.sandboxOf = sandboxOf
        snapshot.error = reportedError
        switch payment {
        case .issued, .deferred, .void: break
        case .closed(let reason): snapshot.closeReason = reason
        case .paid(let purchase, _):
            snapshot.transactionId = purchase.transactionID
            snapshot.late = payment.isLate ? true : nil
            snapshot.overLimit = isOverLimit ? true : nil
        }
        return snapshot
    }

    /// The part of the order that travels with its goods.
    var terms: OrderTerms {
        OrderTerms(
            orderId: id,
            reference: content.reference,
            metadata: content.metadata,
            issuedBy: content.issuedBy,
            late: payment.isLate ? true : nil
        )
    }
}
