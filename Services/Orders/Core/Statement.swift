package import Contracts

/// How fresh Apple's word on a transaction is.
package struct Statement: Equatable, Sendable {
    package let signedDate: Timestamp
    package let revoked: Bool

    package init(signedDate: Timestamp, revoked: Bool) {
        self.signedDate = signedDate
        self.revoked = revoked
    }

    /// The statement that `transaction` is.
    package init(_ transaction: TransactionFacts) {
        self.init(signedDate: transaction.signedDate, revoked: transaction.revocationDate != nil)
    }

    /// Whether this statement replaces `other`: it was signed later, or at the same time and revokes.
    package func supersedes(_ other: Statement) -> Bool {
        if signedDate != other.signedDate { return signedDate > other.signedDate }
        return revoked && !other.revoked
    }
}
