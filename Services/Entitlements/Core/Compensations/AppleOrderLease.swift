import Contracts
import Domain

/// An order of Apple's that one proposal has for a while, and of its attempts the last one that has taken it.
///
/// | the lease \ an attempt | takes it                | keeps it               | frees it |
/// |------------------------|-------------------------|------------------------|----------|
/// | none, or over          | new                     | lost                   | nothing  |
/// | runs, its own          | renewed                 | renewed                | ends     |
/// | of another attempt     | taken over              | lost                   | nothing  |
/// | of another proposal    | refused: `compensated`  | refused: `compensated` | nothing  |
///
/// *lost* changes nothing: what the attempt has seen may be old. An attempt whose lease was taken over may be writing
/// yet: so whoever took it over, and then fails, does not free it; it ends by itself.
///
/// Tested by: `AppleOrderLeaseTests`.
struct AppleOrderLease: Equatable {
    /// What becomes of the row.
    enum Effect: Equatable {
        case saves(AppleOrderLease)
        case frees
        case nothing
    }

    /// How long it runs, ms: longer than the questions to all partitions and the write take.
    static let milliseconds: Int64 = 2 * 60 * 1_000

    let holder: ProposalID
    let attempt: EventID
    let endsAt: Timestamp

    init(of holder: ProposalID, attempt: EventID, endsAt: Timestamp) {
        (self.holder, self.attempt, self.endsAt) = (holder, attempt, endsAt)
    }

    /// What a request does to the lease `current`, and whether its proposal, or its attempt, did not have it before.
    static func reserved(
        by request: AppleOrderReserveV1,
        over current: AppleOrderLease?,
        at now: Timestamp
    ) throws(RequestRefusal) -> (effect: Effect, isNew: Bool) {
        let running = current.flatMap { $0.runs(at: now) ? $0 : nil }
        let end = now.advanced(by: Self.milliseconds)
        let lease = AppleOrderLease(of: request.proposalId, attempt: request.attempt, endsAt: end)
        switch (request.step, running) {
        case (.free, let own?) where own.attempt == request.attempt: return (.frees, false)
        case (.free, _): return (.nothing, false)
        case (_, let other?) where other.holder != request.proposalId: throw .reservedAppleOrder
        case (.take, _): return (.saves(lease), running == nil)
        case (.keep, let own?) where own.attempt == request.attempt: return (.saves(lease), false)
        case (.keep, _): return (.nothing, true)
        }
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
