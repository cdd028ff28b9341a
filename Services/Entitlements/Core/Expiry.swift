import Contracts

/// When an entitlement of a buyer ends by itself, and whether the buyer's server was told.
///
/// | known \ the entitlement | never ends | ends later | has ended, taken back | has ended |
/// |-------------------------|------------|------------|-----------------------|-----------|
/// | nothing                 | nothing    | planned    | nothing               | nothing   |
/// | planned                 | nothing    | planned    | nothing               | due now, for its end |
/// | due: its time is past   | nothing    | planned    | due                   | due       |
/// | told                    | nothing    | planned    | told                  | told      |
///
/// *taken back*: a refund ended it, of which the buyer's server is told with the ledger's entries.
struct Expiry: Hashable, Sendable {
    /// The next message about an entitlement's end, or the last one.
    struct Plan: Hashable, Sendable {
        var expiresAt: Timestamp
        /// What gave the entitlement at the end.
        var productId: ProductID
        var isTold = false
    }

    /// Nil when there is nothing to tell.
    private(set) var plan: Plan?

    init(_ known: Plan?, _ holding: Holding.Expiry, isTakenBack: Bool = false, at now: Timestamp) {
        switch (known, holding) {
        case (_, .never), (nil, .past):
            plan = nil
        case (_, .at(let end, let product)):
            plan = Plan(expiresAt: end, productId: product)
        case (let known?, .past(let end)):
            guard !known.isTold, known.expiresAt > now else {
                plan = known
                return
            }
            guard !isTakenBack else { return }
            plan = Plan(expiresAt: min(end ?? now, now), productId: known.productId)
        }
    }
}
