import Contracts

/// What a version 1 notification leads to: it is unsigned, so it only triggers a query to Apple.
enum ServerNotificationHint {
    /// Most queries of a partition; strangers can send hints.
    static let maximumQueries = 10_000
    /// A query is not repeated within this time, ms: repeated hints must not delay its answer.
    private static let repeatMilliseconds: Int64 = 60_000

    /// Why a hint has no effect; Apple repeats it unless it is invalid.
    enum Refusal: String, Error, CaseIterable, Sendable {
        case noKey
        /// Without a shared secret the sender cannot be authenticated.
        case noSecret
        case wrongSecret
        case invalidTransaction
        case tooManyQueries
    }

    /// Whether a hint triggers a query, if its sender knows the app's secret; `known` is the stored query.
    static func isQueried(
        _ hint: ServerNotificationHintV1,
        policy: AppPolicy?,
        secret: String?,
        known: AppleQuery?,
        now: Timestamp,
        hasMaximumQueries: () throws -> Bool
    ) throws -> Bool {
        guard policy?.apis.contains(.serverAPI) == true else { throw Refusal.noKey }
        guard let secret else { throw Refusal.noSecret }
        guard secret.isEqual(inConstantTime: hint.password ?? "") else { throw Refusal.wrongSecret }
        guard hint.originalTransactionId.rawValue.isAppleNumber else { throw Refusal.invalidTransaction }
        if let known, known.askedAt <= now, now < known.askedAt.advanced(by: repeatMilliseconds) {
            return false
        }
        guard try !hasMaximumQueries() else { throw Refusal.tooManyQueries }
        return true
    }
}

extension String {
    /// Compares in constant time, so that timing reveals nothing about the secret.
    fileprivate func isEqual(inConstantTime other: String) -> Bool {
        let (own, others) = (Array(utf8), Array(other.utf8))
        guard own.count == others.count else { return false }
        return zip(own, others).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
