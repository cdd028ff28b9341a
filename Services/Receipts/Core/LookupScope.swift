package import Contracts

/// How a claim is found again that a store may have forgotten, because an older copy of it was brought back.
///
/// The claim of a transaction stands in one row of one partition, and nothing in an older copy tells that the row is
/// missing: the next login that hands the proof in would look like the first one. Orders knows better, in the partition
/// of the buyer who holds the transaction. So a transaction that was bought before this owner took the store, and
/// whose claim it does not have, is sought in the partitions of Orders before anybody is proposed for it. All are asked
/// at once, and one that is dead holds up nobody whose transaction another one holds. What was bought later cannot have
/// been forgotten and goes to its candidates at once.
///
/// A store counts as an older copy until evidence outside it shows otherwise, one partition of Orders at a time. Orders
/// holds a transaction of this partition only because this partition proposed it or told of it again, and both came over
/// the one link to the partition of Orders. When that link is attached, Orders says which event it took last; if this
/// store knows the event as its own of that number, all that Orders ever took from here is in this store's past, and so
/// is the claim: there is nothing to ask Orders. An older copy that lost a claim lost the event that
/// proposed it, too: Orders tells of a number that this store has not given yet, or of another event, and the link goes
/// into quarantine. A link that an operator has begun anew proves nothing, because both sides count from 1 again; Orders
/// says that it knew another one. (`LinkSender.isConfirmed`.) Which answers of Orders reached this store is not asked:
/// what an earlier owner has asked is asked again anyway. So after an ordinary restart nobody is asked as soon as the
/// links are attached, a kind of milliseconds, and only a partition of Orders that is dead all the while keeps those
/// waiting who bought before the restart.
///
/// When it was bought Apple's clock says, and when the store was taken this machine's. What carries a token that names
/// an order is the common case, and nearly always held where its order is, so there the clocks are trusted more.
///
/// What remains, and is not promised:
/// - a partition of Orders that was restored to an older copy at the same time: neither side knows the claim then;
/// - a clock of this machine that ran behind Apple's by more than the tolerance when the owner took the store; for what
///   names an order it must, besides, be held elsewhere, as when its app receipt came first, under another login;
/// - a token of the app's own that was registered for another buyer after the claim was held, where the copy is of the
///   moment between the query to the partitions and the answer about the token;
/// - the proofs that the lost part of the store held: phones hand them in again.
package struct LookupScope: Equatable, Sendable {
    /// How far Apple's clock may be ahead of this machine's, in ms.
    package static let clockToleranceMilliseconds: Int64 = 60_000
    /// The same for a transaction whose token names an order.
    package static let namedClockToleranceMilliseconds: Int64 = 2_000
    /// A partition asks fewer than so many queries about a transaction in each ms, all partitions of Orders counted.
    static let questionsPerMillisecond: Int64 = 1_000

    /// Nothing can be forgotten.
    package static let none = LookupScope(partitions: [], firstAttempt: 0)

    /// The partitions of Orders that are asked, in order: those that may hold what is forgotten here.
    package let partitions: [Int]
    /// From where the queries are numbered: above everything that an owner may have asked whose work is lost, so that
    /// a late answer to one of its queries is not taken for the answer to another one.
    package let firstAttempt: Int

    package init(partitions: [Int], firstAttempt: Int) {
        self.partitions = partitions
        self.firstAttempt = firstAttempt
    }

    /// What is to be asked about a transaction of which this owner may not know everything; the time numbers the
    /// queries.
    package init(ownedSince: Timestamp, partitions: [Int]) {
        let first = ownedSince.milliseconds.multipliedReportingOverflow(by: Self.questionsPerMillisecond)
        self.init(partitions: partitions, firstAttempt: Int(first.overflow ? .max / 2 : first.partialValue))
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

/// A query to a partition of Orders that is not answered yet: whether it holds the transaction.
package struct PendingLookup: Equatable, Sendable {
    /// Which partition is asked.
    package let partition: Int
    /// The number that its answer bears.
    package let attempt: Int

    package init(to partition: Int, attempt: Int) {
        self.partition = partition
        self.attempt = attempt
    }
}
