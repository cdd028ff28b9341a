import Contracts

extension TransactionFacts {
    /// The purchase as Apple stated it before it was refunded.
    var beforeRefund: TransactionFacts {
        var facts = self
        (facts.revocationDate, facts.revocationReason) = (nil, nil)
        (facts.revocationType, facts.revocationPercentage) = (nil, nil)
        facts.signedDate = signedDate.advanced(by: -1)
        return facts
    }

    /// The purchase as an app receipt lists it, which does not say that somebody else paid for it.
    var beforeSharing: TransactionFacts {
        var facts = self
        facts.inAppOwnershipType = nil
        facts.signedDate = signedDate.advanced(by: -1)
        return facts
    }
}
