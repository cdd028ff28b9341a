import Domain
import FoundationEssentials

/// The App Store Server API's endpoints in use.
package enum Endpoint: String, CaseIterable, Hashable, Sendable {
    case transactionInfo, transactionHistory, consumption, notificationHistory, orderLookUp
    case subscriptionStatuses

    /// Method, path and calls a second for one app (Apple: "Identifying rate limits").
    private var row: (method: AppleHTTPRequest.Method, path: String, callsPerSecond: Double) {
        switch self {
        case .transactionInfo: (.get, "/inApps/v1/transactions/{id}", 50)
        case .transactionHistory: (.get, "/inApps/v2/history/{id}", 50)
        case .consumption: (.put, "/inApps/v2/transactions/consumption/{id}", 50)
        case .notificationHistory: (.post, "/inApps/v1/notifications/history", 50)
        case .orderLookUp: (.get, "/inApps/v1/lookup/{id}", 10)
        case .subscriptionStatuses: (.get, "/inApps/v1/subscriptions/{id}", 50)
        }
    }

    package var method: AppleHTTPRequest.Method { row.method }

    func path(_ id: String) -> String { row.path.replacing("{id}", with: id.percentEncoded) }

    /// The longest answer, in bytes; a page of notifications has twenty.
    var responseBytes: Int { self == .notificationHistory ? 12 << 20 : 4 << 20 }

    /// Calls a second in production.
    package var callsPerSecond: Double { row.callsPerSecond }
    package static let commonLimit = 50.0
    /// Share of Apple's limit in use, so that clock differences never exceed it.
    static let usedShare = 0.95
    /// The sandbox's share of production's limits.
    static let sandboxShare = 0.1

    func bucket(on server: AppleServer, callsPerSecond: Double? = nil) -> TokenBucket {
        let limit = callsPerSecond ?? self.callsPerSecond
        let rate = limit * Self.usedShare * (server == .sandbox ? Self.sandboxShare : 1)
        return TokenBucket(perSecond: rate, burst: Int(rate))
    }
}

extension String {
    private static let unreserved = Set(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~".utf8
    )

    /// All but RFC 3986 §2.3's unreserved characters.
    var percentEncoded: String {
        utf8.map { byte in
            if Self.unreserved.contains(byte) { return String(UnicodeScalar(byte)) }
            return (byte < 0x10 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
        }
        .joined()
    }
}
