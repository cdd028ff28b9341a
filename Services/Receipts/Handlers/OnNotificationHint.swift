import Contracts
import Delivery
import ReceiptsCore

/// `counterfoil.notification.hint.v1`: somebody who may be Apple says that something happened; Apple is asked.
///
/// What cannot be asked now is refused as busy: Apple delivers it again.
struct OnNotificationHint {
    /// Most queries of a partition; strangers can give hints.
    static let maximumQuestions = 10_000

    let policies: [BundleID: AppPolicy]
    /// Apple's shared secrets, where they are configured: who does not know it is not Apple, and where there is none
    /// nobody can show that he is.
    let secrets: [BundleID: String]

    func callAsFunction(
        _ message: Event<NotificationHintV1>,
        in context: inout HandlerContext
    ) throws -> RequestOutcome<NotificationHintedV1> {
        let hint = message.data
        guard policies[hint.bundleId]?.apis.contains(.serverAPI) == true else {
            return .refused(
                RequestRefusal(.busy, "no App Store Server API key is configured for this app", field: "bid")
            )
        }
        guard let secret = secrets[hint.bundleId] else {
            let detail = "needs verifyReceipt.sharedSecret in the configuration, which this app has not"
            return .refused(RequestRefusal(.busy, detail, field: "password"))
        }
        guard secret.isEqual(inConstantTime: hint.password ?? "") else {
            return .refused(RequestRefusal(.busy, "is not the app's shared secret", field: "password"))
        }
        let store = AppleQueryStore(connection: context.connection)
        guard hint.originalTransactionId.rawValue.isAppleNumber else {
            return .refused(
                RequestRefusal(.invalid, "is no transaction id", field: "original_transaction_id")
            )
        }
        let query = HistoryQuery(
            environment: hint.environment,
            transactionId: hint.originalTransactionId
        )
        let subject = AppleQueryRecord.Subject.history(query)
        let known = try store.row(AppleQueryRecord.id(of: subject, in: hint.bundleId))
        if known?.isFresh(context.now) != true {
            guard try !store.hasMany(Self.maximumQuestions) else {
                return .refused(RequestRefusal(.busy, "too much is being asked already; try again"))
            }
            try context.ask(subject, of: hint.bundleId, .background)
        }
        return .reply(NotificationHintedV1(originalTransactionId: hint.originalTransactionId))
    }
}

extension AppleQueryRecord {
    /// A query that was asked so many ms ago is not asked anew: whoever repeats a hint must not keep it from being
    /// answered.
    private static let freshMilliseconds: Int64 = 60_000

    fileprivate func isFresh(_ now: Timestamp) -> Bool {
        askedAt <= now && now < askedAt.advanced(by: Self.freshMilliseconds)
    }
}

extension String {
    /// Compares secrets without telling by the time it takes where they differ.
    fileprivate func isEqual(inConstantTime other: String) -> Bool {
        let (own, others) = (Array(utf8), Array(other.utf8))
        guard own.count == others.count else { return false }
        return zip(own, others).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
