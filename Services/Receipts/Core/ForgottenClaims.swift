package import Contracts

/// How a claim is found again that a store may have forgotten, because an older copy of it was brought back.
///
/// The claim of a transaction stands in one row of one partition, and nothing in an older copy tells that the row is
/// missing: the next login that hands the proof in would look like the first one. Orders knows better, in the partition
/// of the buyer who holds the transaction. So a transaction that was bought before this owner took the store, and
/// whose claim it does not have, is sought in all partitions of Orders before anybody is proposed for it. What was
/// bought later cannot have been forgotten and goes to its candidates at once.
///
/// When it was bought Apple's clock says, and when the store was taken this machine's. What carries a token that names
/// an order is the common case, and nearly always held where its order is, so there the clocks are trusted more: after
/// each start the questions to all partitions would cost every purchase of the next minute its speed.
///
/// What remains, and is not promised:
/// - a partition of Orders that was restored to an older copy at the same time: neither side knows the claim then;
/// - a clock of this machine that ran behind Apple's by more than the tolerance when the owner took the store; for what
///   names an order it must, besides, be held elsewhere, as when its app receipt came first, under another login;
/// - a token of the app's own that was registered for another buyer after the claim was held, where the copy is of the
///   moment between the question to the partitions and the answer about the token;
/// - the proofs that the lost part of the store held: phones hand them in again.
package struct ForgottenClaims: Equatable, Sendable {
    /// How far Apple's clock may be ahead of this machine's, in ms.
    package static let clockToleranceMilliseconds: Int64 = 60_000
    /// The same for a transaction whose token names an order.
    package static let namedClockToleranceMilliseconds: Int64 = 2_000

    /// Nothing can be forgotten.
    package static let none = ForgottenClaims(partitions: 0, firstAttempt: 0)

    /// How many partitions of Orders are asked; 0 where the claim cannot be forgotten.
    package let partitions: Int
    /// From where the questions are numbered: above everything that an owner may have asked whose work is lost, so that
    /// a late answer to one of its questions is not taken for the answer to another one.
    package let firstAttempt: Int

    /// The partitions to be asked, and the number of the first question.
    package init(partitions: Int, firstAttempt: Int) {
        self.partitions = partitions
        self.firstAttempt = firstAttempt
    }

    /// What is to be asked about a transaction of which this owner may not know everything.
    ///
    /// A partition takes less than one question about a transaction in each ms, so the time numbers them.
    package init(ownedSince: Timestamp, partitions: Int) {
        self.init(partitions: partitions, firstAttempt: Int(ownedSince.milliseconds))
    }

    /// Whether the claim of a transaction may be one of them.
    package static func mayInclude(
        purchasedAt time: Timestamp,
        namesOrder: Bool,
        ownedSince: Timestamp
    ) -> Bool {
        let tolerance = namesOrder ? namedClockToleranceMilliseconds : clockToleranceMilliseconds
        return time < ownedSince.advanced(by: tolerance)
    }
}
