import Contracts
import Delivery
import Foundation
import Hummingbird

/// `/v1/apple/notifications`: Apple says what happened to a purchase.
///
/// Nobody is authenticated here but by the signature of version 2, which Receipts checks; version 1 has none and is
/// only a reason to ask Apple, for whoever knows the app's shared secret. A request counts as in hand when all of it has
/// come, so that those who send slowly keep nobody out. Apple repeats for days what it was not answered 2xx for, and may give up on a 4xx, so
/// a 4xx is given to nothing that Apple could have sent.
struct NotificationsRoutes: Sendable {
    /// The longest identifier that is taken for one; Apple's UUIDs have 36.
    private static let maximumIdentifierBytes = 64

    let edge: Edge

    /// The routes of the resource.
    var routes: [Route] { [Route(.post, "/v1/apple/notifications", deliver)] }

    /// A notification of either version; one has the one member, one the other.
    private struct DeliverBody: Decodable {
        enum CodingKeys: String, CodingKey {
            case signedPayload
            case type = "notification_type"
        }

        let signedPayload: String?
        let type: String?
    }

    private struct Hinted: Encodable {
        let hinted: [TransactionID]
    }

    @Sendable private func deliver(
        _ request: Request,
        _ context: BasicRequestContext
    ) async throws -> Response {
        let lane = edge.admission.notifications
        return try await edge.withBody(of: request, upTo: .notification, in: lane) { bytes in
            try lane.enter()
            defer { lane.leave() }
            let body = try JSONBody.decode(DeliverBody.self, from: bytes)
            if let payload = body.signedPayload { return .json(bytes: try await deliver(payload)) }
            guard body.type != nil else { throw Problem.unacceptable("signedPayload", "is missing") }
            return try .json(await hint(JSONBody.decode(VersionOneNotification.self, from: bytes)))
        }
    }

    private func deliver(_ payload: String) async throws(Problem) -> Data {
        try await edge.partitions.deliver(
            NotificationDeliverV1(identifier: Self.identifier(of: payload), signedPayload: payload)
        )
    }

    /// Passes on what an unsigned notification is about, one after the other: strangers get no more than one question
    /// at a time answered for one request, and none without the app's secret.
    private func hint(_ notification: VersionOneNotification) async throws(Problem) -> Hinted {
        let hints = try notification.hints()
        guard hints.allSatisfy({ edge.hintSecrets.opens($0.bundleId, $0.password) }) else {
            throw .forbidden(
                "password",
                "must be the app's shared secret, and `verifyReceipt.sharedSecret` here, too"
            )
        }
        var hinted: [TransactionID] = []
        for hint in hints {
            hinted.append(try await edge.partitions.hint(hint).originalTransactionId)
        }
        return Hinted(hinted: hinted)
    }

    /// What leads every delivery of a notification to the same partition: its UUID, read before anything says that it
    /// is genuine; for what bears none, the digest of its text.
    static func identifier(of payload: String) -> String {
        notificationUUID(of: payload)
            ?? NotificationIdentifier.digest(of: payload)
    }

    private static func notificationUUID(of payload: String) -> String? {
        struct Head: Decodable { let notificationUUID: String }
        let segments = payload.split(separator: ".", omittingEmptySubsequences: false)
        guard segments.count == 3 else { return nil }
        var text = String(segments[1]).replacing("-", with: "+").replacing("_", with: "/")
        text += String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
        guard let json = Data(base64Encoded: text) else { return nil }
        do {
            let identifier = try JSONDecoder().decode(Head.self, from: json).notificationUUID
            return identifier.utf8.count <= maximumIdentifierBytes ? identifier : nil
        } catch {
            return nil
        }
    }
}
