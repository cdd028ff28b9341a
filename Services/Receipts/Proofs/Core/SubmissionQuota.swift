/// How many proofs of one buyer are stored in one partition, and how many bytes of them.
///
/// Tested by: `SubmissionQuotaTests`.
///
/// | space | invalid | asking | parked, all known | pending | verified, all known | verified or parked, with new transactions |
/// |---|---|---|---|---|---|---|
/// | enough | stored | stored | stored | stored | stored | stored |
/// | enough without the invalid ones | replaces invalid | the same | the same | stored | the same | the same |
/// | none | refused | refused | refused | stored | forwarded only | replaces all invalid |
///
/// Verified proofs do not reduce the others' space: a buyer of many purchases can still submit what only Apple can
/// judge. A new transaction is one that goes to its claim and is in no other verified proof of the buyer here. A
/// pending proof replaces the buyer's last one. A proof that is only forwarded is not stored: others hold its
/// purchases.
struct SubmissionQuota: Equatable, Sendable {
    static let maximumCount = 1_000
    static let maximumBytes = 32 << 20
    static let maximumAsking = 100

    struct Usage: Equatable, Sendable {
        var count: Int
        var bytes: Int
    }

    enum Admission: Equatable, Sendable {
        case store
        /// Deletes this many invalid proofs, oldest first.
        case replaceInvalid(Usage)
        case forwardOnly
        case refuse
    }

    let total: Usage
    let verified: Usage
    let invalid: Usage
    let asking: Int

    /// What is done with a proof of `bytes`; its new transactions are checked only if needed.
    func admit(
        _ state: SubmissionAssessment.State,
        bytes: Int,
        hasNewTransactions: () throws -> Bool
    ) rethrows -> Admission {
        if state == .asking, asking >= Self.maximumAsking { return .refuse }
        let exempt = state == .verified ? Usage(count: 0, bytes: 0) : verified
        let excess = Usage(
            count: max(0, total.count - exempt.count + 1 - Self.maximumCount),
            bytes: max(0, total.bytes - exempt.bytes + bytes - Self.maximumBytes)
        )
        if state == .pending || (excess.count == 0 && excess.bytes == 0) { return .store }
        if excess.count <= invalid.count, excess.bytes <= invalid.bytes { return .replaceInvalid(excess) }
        return switch state {
        case .verified: try hasNewTransactions() ? .replaceInvalid(invalid) : .forwardOnly
        case .parked: try hasNewTransactions() ? .replaceInvalid(invalid) : .refuse
        case .asking, .pending, .invalid: .refuse
        }
    }
}
