import Contracts

/// What Apple says last of one subscription: a period, and the next renewal.
struct FoundStatus: Codable, Equatable, Sendable {
    var transaction: SignedTransaction
    var renewal: RenewalFacts?
}
