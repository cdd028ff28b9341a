package import Contracts

/// Orders Apple's signatures about one purchase: the later one wins, on a tie the revoked one.
package struct Recency: Hashable, Comparable, Sendable {
    package let signedDate: Timestamp
    package let isRevoked: Bool

    package init(signedDate: Timestamp, isRevoked: Bool) {
        self.signedDate = signedDate
        self.isRevoked = isRevoked
    }

    package static func < (left: Recency, right: Recency) -> Bool {
        guard left.signedDate == right.signedDate else { return left.signedDate < right.signedDate }
        return !left.isRevoked && right.isRevoked
    }
}

extension TransactionFacts {
    package var recency: Recency { Recency(signedDate: signedDate, isRevoked: revocationDate != nil) }
}

extension Recency {
    package init(_ signed: SignedTransaction) {
        signedDate = Timestamp(milliseconds: signed.signedDate)
        isRevoked = signed.revocationDate != nil
    }
}
