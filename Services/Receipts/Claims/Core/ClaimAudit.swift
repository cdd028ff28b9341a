import Contracts

/// What an audit says of claims.
///
/// Tested by: `PurchasesAuditTests`.
///
/// | state    | compared with Orders | counted | outstanding after 60 s |
/// |----------|----------------------|---------|------------------------|
/// | held     | yes                  | –       | –                      |
/// | waiting  | –                    | –       | –                      |
/// | proposed | –                    | –       | yes                    |
/// | orphan   | –                    | yes     | –                      |
enum ClaimAudit {
    /// Named of one page; others are named once these are decided.
    static let maximumOutstanding = 100

    /// How far a claim has come.
    enum State: Equatable, Sendable {
        case held(Claim.Holder)
        /// One that is looked up, too.
        case proposed
        case orphan
        /// Apple is asked whose it is.
        case waiting
    }

    /// A claim's row.
    struct Row: Equatable, Sendable {
        let purchaseId: PurchaseID
        let environment: Environment
        let bundleId: BundleID
        let state: State
        let since: Timestamp

        /// The purchase that somebody holds.
        var purchase: PurchasesAuditPage.Purchase? {
            switch state {
            case .held(let holder):
                .init(purchaseId, environment, of: bundleId, by: holder.buyer, for: holder.order)
            case .proposed, .orphan, .waiting: nil
            }
        }

        /// The claim, if nobody has answered its proposal for too long.
        func outstanding(at now: Timestamp) -> PurchasesAuditPage.Outstanding? {
            let age = now.milliseconds - since.milliseconds
            switch state {
            case .proposed where age > PurchasesAuditPage.patience:
                return .init(purchaseId, environment, of: bundleId, for: nil, ageMs: age)
            case .proposed, .held, .orphan, .waiting: return nil
            }
        }
    }
}
