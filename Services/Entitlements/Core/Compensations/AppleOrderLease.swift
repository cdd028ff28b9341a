import Contracts
import Domain

/// An order of Apple's that one proposal has for a while.
///
/// | the lease \ asked for by | its holder | another proposal       |
/// |--------------------------|------------|------------------------|
/// | none, or over            | new        | new                    |
/// | runs                     | renewed    | refused: `compensated` |
///
/// Tested by: `AppleOrderLeaseTests`.
struct AppleOrderLease: Equatable {
    /// How long it runs, ms: longer than the questions to all partitions and the write take.
    static let milliseconds: Int64 = 2 * 60 * 1_000

    let holder: ProposalID
    let endsAt: Timestamp

    init(of holder: ProposalID, endsAt: Timestamp) { (self.holder, self.endsAt) = (holder, endsAt) }

    /// The lease after `current`, and whether its holder did not have it before.
    static func reserved(
        for proposal: ProposalID,
        over current: AppleOrderLease?,
        at now: Timestamp
    ) throws(RequestRefusal) -> (lease: AppleOrderLease, isNew: Bool) {
        let running = current.flatMap { $0.runs(at: now) ? $0 : nil }
        if let running, running.holder != proposal { throw .reservedAppleOrder }
        return (
            AppleOrderLease(of: proposal, endsAt: now.advanced(by: Self.milliseconds)), running == nil
        )
    }

    /// One that ends far ahead was written by a clock that was wrong, and does not run.
    func runs(at now: Timestamp) -> Bool {
        endsAt > now && endsAt <= now.advanced(by: 2 * Self.milliseconds)
    }
}

extension RequestRefusal {
    static let reservedAppleOrder = RequestRefusal(
        .conflict,
        "A compensation on this order of Apple's, or the assignment of its purchase, is under way: try again.",
        field: "appleOrderId",
        reason: "compensated"
    )
}
