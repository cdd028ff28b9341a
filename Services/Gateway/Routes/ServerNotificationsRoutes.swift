import Contracts
import Delivery
import Domain
import FoundationEssentials
import Hummingbird

/// `/v1/apple/server-notifications`: App Store Server Notifications.
///
/// Receipts checks the signature of version 2. Version 1 has none: it needs the app's shared secret and is only a
/// reason to ask Apple. A request counts as in flight once it is complete, so that slow senders lock nobody out. Apple
/// repeats for days whatever is not answered 2xx, and may give up on a 4xx, so a possible notification never gets 4xx.
struct ServerNotificationsRoutes: Sendable {
    /// The longest accepted identifier; Apple's UUIDs have 36.
    private static let maximumIdentifierBytes = 64

    /// A notification of either version; each has its own member.
    private struct DeliverBody: NamedBody {
        enum CodingKeys: String, CodingKey, CaseIterable {
            case signedPayload
            case type = "notification_type"
        }

        let signedPayload: String?
        let type: String?
    }

    let gateway: GatewayContext

    var routes: [Route] { [Route(.post, "/v1/apple/server-notifications", deliver)] }

    @Sendable private func deliver(
        _ request: Request,
        _ context: GatewayRequestContext
    ) async throws -> Response {
        let counter = gateway.loadShedder.serverNotifications
        let abort: ConcurrencyLimit.Abort = { context.channel.pipeline.fireErrorCaught($0) }
        return try await request.withBody(upTo: .serverNotification, countedBy: counter, abort: abort) {
            bytes in
            try await counter.run {
                let body = try await JSONBody.decodeApart(DeliverBody.self, from: bytes) { $0 }
                if let payload = body.signedPayload {
                    let identifier = Self.identifier(of: payload)
                    let deliver = ServerNotificationDeliverV1(identifier: identifier, signedPayload: payload)
                    return .json(bytes: try await gateway.partitions.forward(deliver))
                }
                guard body.type != nil else { throw Problem.unacceptable("signedPayload", "is missing") }
                let hints = try await JSONBody.decodeApart(VersionOneServerNotification.self, from: bytes) {
                    try $0.hints()
                }
                return try .json(["hinted": await ask(hints)])
            }
        }
    }

    /// Sends the hints one at a time: strangers cause one request at a time, and none without the app's secret.
    private func ask(_ hints: [ServerNotificationHintV1]) async throws(Problem) -> [TransactionID] {
        guard hints.allSatisfy({ gateway.authentication.isSharedSecret($0.password, of: $0.bundleId) }) else {
            throw .forbidden(
                "password",
                "must be the app's shared secret, and `verifyReceipt.sharedSecret` here, too"
            )
        }
        var hinted: [TransactionID] = []
        for hint in hints {
            hinted.append(try await gateway.partitions.ask(hint).originalTransactionId)
        }
        return hinted
    }

    /// Leads every delivery of a notification to the same partition: its UUID, not yet verified, or its text's digest.
    static func identifier(of payload: String) -> String {
        notificationUUID(of: payload) ?? ServerNotificationIdentifier.digest(of: payload)
    }

    private static func notificationUUID(of payload: String) -> String? {
        struct Head: Decodable { let notificationUUID: String }
        let limit = BodyLimit.serverNotification.rawValue
        let head = UnverifiedJWS.payload(of: payload, as: Head.self, maximumBytes: limit)
        guard let head, head.notificationUUID.utf8.count <= maximumIdentifierBytes else { return nil }
        return head.notificationUUID
    }
}
