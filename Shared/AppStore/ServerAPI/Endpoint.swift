/// The endpoints of the App Store Server API that are called, with Apple's limit on each app's calls.
///
/// | endpoint | method and path | calls/s | request |
/// |---|---|---|---|
/// | transactionInfo | GET /inApps/v1/transactions/{transactionId} | 50 | `GetTransactionInfo` |
/// | transactionHistory | GET /inApps/v2/history/{transactionId} | 50 | `GetTransactionHistory` |
/// | subscriptionStatuses | GET /inApps/v1/subscriptions/{transactionId} | 50 | `GetSubscriptionStatuses` |
/// | appTransactionInfo | GET /inApps/v1/transactions/appTransactions/{transactionId} | 50 | `GetAppTransactionInfo` |
/// | finishTransaction | POST /inApps/v1/transactions/{transactionId}/finish | 50 | `FinishTransaction` |
/// | consumption | PUT /inApps/v2/transactions/consumption/{transactionId} | 50 | `SendConsumptionInformation` |
/// | consumptionV1 | PUT /inApps/v1/transactions/consumption/{transactionId} | 50 | `SendConsumptionInformationV1` |
/// | notificationHistory | POST /inApps/v1/notifications/history | 50 | `GetNotificationHistory` |
/// | extendRenewalDate | PUT /inApps/v1/subscriptions/extend/{originalTransactionId} | 20 | `ExtendRenewalDate` |
/// | appAccountToken | PUT /inApps/v1/transactions/{originalTransactionId}/appAccountToken | 20 | `SetAppAccountToken` |
/// | orderLookUp | GET /inApps/v1/lookup/{orderId} | 10 | `LookUpOrderID` |
/// | refundHistory | GET /inApps/v2/refund/lookup/{transactionId} | 10 | `GetRefundHistory` |
/// | testNotification | POST /inApps/v1/notifications/test | 1 | `RequestTestNotification` |
/// | testNotificationStatus | GET /inApps/v1/notifications/test/{token} | 1 | `GetTestNotificationStatus` |
package enum Endpoint: String, CaseIterable, Hashable, Sendable {
    case transactionInfo, transactionHistory, subscriptionStatuses, appTransactionInfo, finishTransaction
    case consumption, consumptionV1, notificationHistory, extendRenewalDate, appAccountToken
    case orderLookUp, refundHistory, testNotification, testNotificationStatus

    /// How it is asked.
    package var method: AppleCall.Method {
        switch self {
        case .transactionInfo, .transactionHistory, .subscriptionStatuses, .appTransactionInfo,
            .orderLookUp, .refundHistory, .testNotificationStatus:
            .get
        case .finishTransaction, .notificationHistory, .testNotification: .post
        case .consumption, .consumptionV1, .extendRenewalDate, .appAccountToken: .put
        }
    }

    /// What stands before and after the id in its path.
    private var surroundings: (before: String, after: String) {
        switch self {
        case .transactionInfo: ("/inApps/v1/transactions/", "")
        case .transactionHistory: ("/inApps/v2/history/", "")
        case .subscriptionStatuses: ("/inApps/v1/subscriptions/", "")
        case .appTransactionInfo: ("/inApps/v1/transactions/appTransactions/", "")
        case .finishTransaction: ("/inApps/v1/transactions/", "/finish")
        case .consumption: ("/inApps/v2/transactions/consumption/", "")
        case .consumptionV1: ("/inApps/v1/transactions/consumption/", "")
        case .notificationHistory: ("/inApps/v1/notifications/history", "")
        case .extendRenewalDate: ("/inApps/v1/subscriptions/extend/", "")
        case .appAccountToken: ("/inApps/v1/transactions/", "/appAccountToken")
        case .orderLookUp: ("/inApps/v1/lookup/", "")
        case .refundHistory: ("/inApps/v2/refund/lookup/", "")
        case .testNotification: ("/inApps/v1/notifications/test", "")
        case .testNotificationStatus: ("/inApps/v1/notifications/test/", "")
        }
    }

    /// Its path with an id, percent-encoded, in its place.
    func path(_ id: String) -> String { surroundings.before + PercentEncoding.of(id) + surroundings.after }

    /// Calls a second that Apple takes of one app in production (Apple: "Identifying rate limits").
    package var callsPerSecond: Double {
        switch self {
        case .transactionInfo, .transactionHistory, .subscriptionStatuses, .appTransactionInfo,
            .finishTransaction, .consumption, .consumptionV1, .notificationHistory:
            50
        case .extendRenewalDate, .appAccountToken: 20
        case .orderLookUp, .refundHistory: 10
        case .testNotification, .testNotificationStatus: 1
        }
    }

    /// The limit that most endpoints have.
    package static let commonLimit = 50.0

    /// The part of Apple's limit that is used, so that two clocks that differ a little never exceed it.
    package static let usedShare = 0.95
    /// The part of production's limits that the sandbox has.
    package static let sandboxShare = 0.1

    /// The bucket that paces it: Apple's limit, or another one of `callsPerSecond` where that is configured.
    ///
    /// The burst is what one second brings, of the hour by which Apple keeps its limits.
    func bucket(on server: AppleServer, callsPerSecond: Double? = nil) -> TokenBucket {
        let limit = callsPerSecond ?? self.callsPerSecond
        let rate = limit * Self.usedShare * (server == .sandbox ? Self.sandboxShare : 1)
        return TokenBucket(perSecond: rate, burst: Int(rate))
    }
}

/// Percent-encoding of RFC 3986 §2.1: all but its unreserved characters.
enum PercentEncoding {
    private static let percent = UInt8(ascii: "%")

    static func of(_ text: String) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        let bytes = text.utf8.flatMap { byte -> [UInt8] in
            isUnreserved(byte) ? [byte] : [percent, digits[Int(byte >> 4)], digits[Int(byte & 0xF)]]
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
            UInt8(ascii: "_"), UInt8(ascii: "~"):
            true
        default: false
        }
    }
}
