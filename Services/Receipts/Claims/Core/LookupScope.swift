import Contracts

/// Which partitions of Orders are asked whether they hold a transaction whose claim is unknown here.
///
/// A restored older copy of a store does not show that a claim's row is missing: the next login that submits the
/// proof would look like the first. Orders knows the holder. So a transaction bought before this owner took the store
/// is looked up before anybody is proposed; all partitions are asked at once, and the first that holds it ends the
/// round.
///
/// A partition of Orders is asked until its link shows that the store is no older copy: when the link is attached,
/// Orders names the last event it took (`LinkSender.isConfirmed`). If that event has the same number here, everything
/// that Orders ever took from here is known, and with it the claim. Otherwise the link is quarantined; a link that an
/// operator began anew confirms nothing. After an ordinary restart the links confirm within milliseconds, and nobody
/// is asked.
///
/// The purchase time is Apple's, the start of ownership this machine's. A token that names an order is nearly always
/// held where its order is, so its clock tolerance is smaller.
///
/// Not prevented, and possibly granted twice:
///
/// - a partition of Orders was restored to an older copy at the same time;
/// - this machine's clock was behind Apple's by more than the tolerance when the owner took the store, and what names
///   an order is held elsewhere, as when its app receipt came first, under another login;
/// - a token of the app's own was registered for another buyer after the claim was held, and the copy was made
///   between the lookup and the answer about the token;
/// - a subscription period was paid under one transaction id, and comes back under another one in a receipt without
///   `webOrderLineItemId`.
///
/// Proofs in the lost part of the store are lost; phones submit them again.
struct LookupScope: Equatable, Sendable {
    /// `Limits.clockToleranceMilliseconds` for a transaction whose token names an order.
    static let namedClockToleranceMilliseconds: Int64 = 2_000
    /// Upper bound of a partition's requests about one transaction per ms.
    static let requestsPerMillisecond: Int64 = 1_000

    static let none = LookupScope(partitions: [], firstAttempt: 0)

    /// The partitions of Orders to ask, in order.
    let partitions: [Int]
    /// The first attempt number: above all of an earlier owner, whose late answers then match no new request.
    let firstAttempt: Int
}

extension LookupScope {
    init(ownedSince: Timestamp, partitions: [Int]) {
        let first = ownedSince.milliseconds.multipliedReportingOverflow(by: Self.requestsPerMillisecond)
        self.init(partitions: partitions, firstAttempt: Int(first.overflow ? .max / 2 : first.partialValue))
    }
}

struct PendingLookup: Codable, Equatable, Sendable {
    let partition: Int
    let attempt: Int
}
