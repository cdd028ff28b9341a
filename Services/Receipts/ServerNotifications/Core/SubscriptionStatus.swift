import Contracts
import Domain

/// Apple's `status` of a subscription beside what Apple signed of its period.
///
/// Tested by: `SubscriptionStatusesTests`.
///
/// The status decides nothing. One that the signed facts contradict means that newer facts are missing here:
///
/// | status | is contradicted by a period that |
/// |---|---|
/// | 1, active | has expired when it was signed, or is upgraded |
/// | 2, expired; 3, in billing retry | has not expired when it was signed |
/// | 4, in a grace period | has no grace period after the signature |
/// | 5, revoked | is not revoked |
///
/// A revoked period says nothing about the others of its chain, so it contradicts none of the first four.
enum SubscriptionStatus: Int, Sendable, CaseIterable {
    case active = 1
    case expired, billingRetry, gracePeriod, revoked

    func contradicts(_ period: SignedTransaction, _ renewal: RenewalFacts?) -> Bool {
        guard period.isPeriod else { return false }
        let isRevoked = period.revocationDate != nil
        let isOver = period.expiresDate.map { $0 <= period.signedDate } ?? false
        switch self {
        case .active: return !isRevoked && (isOver || period.isUpgraded ?? false)
        case .expired, .billingRetry: return !isRevoked && !isOver && period.isUpgraded != true
        case .gracePeriod:
            let grace = renewal?.gracePeriodExpiresDate?.milliseconds ?? 0
            return !isRevoked && grace <= period.signedDate
        case .revoked: return !isRevoked
        }
    }
}
