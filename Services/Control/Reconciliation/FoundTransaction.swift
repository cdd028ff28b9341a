import Contracts
import Domain

/// A transaction that Apple told of, and how its claim stood here before and stands after.
struct FoundTransaction: Equatable {
    /// What tells a transaction from all others.
    struct Key: Hashable, Comparable {
        let bundleID: BundleID
        let environment: Environment
        let transactionID: TransactionID

        static func < (left: Key, right: Key) -> Bool { left.words.lexicographicallyPrecedes(right.words) }

        private var words: [String] { [bundleID.rawValue, environment.rawValue, transactionID.rawValue] }
    }

    let key: Key
    let originalTransactionID: TransactionID
    /// What was paid for: it may be known here under another transaction id.
    let purchaseID: PurchaseID
    let productID: ProductID
    /// The moment of the newest signature that was found.
    private(set) var signedDate: Timestamp
    private(set) var isRevoked: Bool
    /// Before anything was handed in; nil until it was asked for.
    var before: Standing?
    /// Now; nil until it was asked for.
    var after: Standing?
    /// Whether this run has put it on its way to its claim.
    var isHandedIn = false

    /// A transaction that was found, by its facts.
    init(_ facts: TransactionFacts) {
        key = Key(
            bundleID: facts.bundleId,
            environment: facts.environment,
            transactionID: facts.transactionId
        )
        originalTransactionID = facts.originalTransactionId
        purchaseID = facts.purchaseId
        productID = facts.productId
        signedDate = facts.signedDate
        isRevoked = facts.revocationDate != nil
    }

    /// The keys by which its claim may be known: its own, and that of the transaction it restores.
    var keys: [Key] {
        guard let first = TransactionID(rawValue: purchaseID.rawValue), first != key.transactionID else {
            return [key]
        }
        return [
            key, Key(bundleID: key.bundleID, environment: key.environment, transactionID: first),
        ]
    }

    /// Takes in what else was found about the same transaction: the later signature holds, and of two at the same time
    /// the revocation, as for its claim.
    mutating func merge(_ other: FoundTransaction) {
        guard other.supersedes(signedDate, isRevoked: isRevoked) else { return }
        signedDate = other.signedDate
        isRevoked = other.isRevoked
    }

    /// Whether Apple says more than is known here.
    func isNews(to standing: Standing) -> Bool {
        guard let known = standing.signedDate else { return true }
        return supersedes(known, isRevoked: standing.isRevoked)
    }

    /// Whether it was put on its way and has not come to its claim.
    var isUnderWay: Bool { isHandedIn && after.map(isNews(to:)) ?? true }

    /// Whether nothing more is to be expected.
    var isSettled: Bool { after.map { !$0.isOpen } ?? false && !isUnderWay }

    /// Whether it stands otherwise than before.
    var isChanged: Bool {
        guard let before, let after else { return false }
        return before.sentence != after.sentence
    }

    /// What handing it in would change, for people; nil for nothing.
    var prospect: String? {
        guard let before, isNews(to: before) else { return nil }
        if before.isUnknown { return isRevoked ? "handed in, refunded" : "handed in" }
        guard before.isRevoked != isRevoked else { return nil }
        return isRevoked ? "refunded" : "no longer refunded"
    }

    private func supersedes(_ known: Timestamp, isRevoked wasRevoked: Bool) -> Bool {
        Recency(signedDate: signedDate, isRevoked: isRevoked)
            > Recency(signedDate: known, isRevoked: wasRevoked)
    }
}
