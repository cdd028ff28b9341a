package import Contracts

/// The time for which a transaction pays: from its purchase until just before it expires.
package struct PaidTime: Hashable, Sendable {
    package let start: Timestamp
    package let end: Timestamp

    /// Nil of an empty time: nothing expires, or it did so at once, as when it is cut by an upgrade or a refund.
    package init?(from start: Timestamp, until end: Timestamp?) {
        guard let end, start < end else { return nil }
        self.start = start
        self.end = end
    }

    /// Whether the two have no moment in common; what ends when the other begins has none.
    package func isApart(from other: PaidTime) -> Bool { end <= other.start || other.end <= start }
}

extension PaidTime {
    package init?(_ facts: TransactionFacts) { self.init(from: facts.purchaseDate, until: facts.expiresDate) }

    package init?(_ signed: SignedTransaction) {
        let end = signed.expiresDate.map(Timestamp.init(milliseconds:))
        self.init(from: Timestamp(milliseconds: signed.purchaseDate), until: end)
    }
}
