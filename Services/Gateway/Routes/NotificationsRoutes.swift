import Contracts
import Crypto
import Delivery
import Foundation
import Hummingbird

/// `/v1/apple/notifications`: Apple says what happened to a purchase.
///
/// Nobody is authenticated here but by the signature, which Receipts checks. Apple repeats for days what it was not
/// answered 2xx for, and may give up on a 4xx, so a 4xx is given to nothing that Apple could have sent.
struct NotificationsRoutes: Sendable {
    /// The longest identifier that is taken for one; Apple's UUIDs have 36.
    private static let maximumIdentifierBytes = 64

    let edge: Edge

    /// The routes of the resource.
    var routes: [Route] { [Route(.post, "/v1/apple/notifications", deliver)] }

    private struct DeliverBody: Decodable {
        let signedPayload: String
    }

    @Sendable private func deliver(
        _ request: Request,
        _ context: BasicRequestContext
    ) async throws -> Response {
        let bytes = try await edge.body(of: request, upTo: .notification)
        let payload = try JSONBody.decode(DeliverBody.self, from: bytes).signedPayload
        let delivery = NotificationDeliverV1(identifier: Self.identifier(of: payload), signedPayload: payload)
        return .json(bytes: try await edge.partitions.deliver(delivery))
    }

    /// What leads every delivery of a notification to the same partition: its UUID, read before anything says that it
    /// is genuine; for what bears none, the digest of its text.
    static func identifier(of payload: String) -> String {
        notificationUUID(of: payload)
            ?? SHA256.hash(data: Data(payload.utf8)).map { String($0, radix: 16) }.joined(separator: "-")
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
