package import Contracts

/// What a notification of version 1 leads to: it is not signed, so it is nothing but a reason to ask Apple.
package enum NotificationHint {
    /// Most queries of a partition; strangers can send hints.
    package static let maximumQueries = 10_000
    /// A query is not made anew for so many ms: whoever repeats a hint must not keep it from being answered.
    private static let repeatMilliseconds: Int64 = 60_000

    /// Why a hint has no effect; Apple sends it again, unless it is invalid.
    package enum Refusal: String, Error, CaseIterable, Sendable {
        case noKey
        /// Without a shared secret nobody can show that he is Apple.
        case noSecret
        case wrongSecret
        case invalidTransaction
        case tooManyQueries
    }

    /// Checks who sent a hint.
    package static func check(
        _ hint: NotificationHintV1,
        policy: AppPolicy?,
        secret: String?
    ) throws(Refusal) {
        guard policy?.apis.contains(.serverAPI) == true else { throw .noKey }
        guard let secret else { throw .noSecret }
        guard secret.isEqual(inConstantTime: hint.password ?? "") else { throw .wrongSecret }
        guard hint.originalTransactionId.rawValue.isAppleNumber else { throw .invalidTransaction }
    }

    /// Whether Apple is asked because of a hint; `known` is the query that is stored.
    package static func isQueried(
        known: AppleQuery?,
        now: Timestamp,
        hasMaximumQueries: () throws -> Bool
    ) throws -> Bool {
        if let known, known.askedAt <= now, now < known.askedAt.advanced(by: repeatMilliseconds) {
            return false
        }
        guard try !hasMaximumQueries() else { throw Refusal.tooManyQueries }
        return true
    }
}

extension String {
    /// Compares secrets in a time that does not tell where they differ.
    fileprivate func isEqual(inConstantTime other: String) -> Bool {
        let (own, others) = (Array(utf8), Array(other.utf8))
        guard own.count == others.count else { return false }
        return zip(own, others).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
