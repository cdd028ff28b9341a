import AppStore
import Contracts
import Foundation

@testable import Receipts

extension GroupWorld {
    /// From one reading of what Apple could not deliver to the next, in ms: none comes while a group runs.
    private static let readingInterval: Int64 = 1_000 * 86_400_000

    /// What a new process needs to ask Apple; nothing of it leaves the simulation.
    static func questions(at moment: Timestamp) throws -> AppleSettings {
        let clock = ClientClock(now: { moment }, sleep: { _ in }, random: { 0 })
        return AppleSettings(
            access: try AppleAccess(
                apps: [:],
                partitions: partitions,
                transport: UnreachableTransport(),
                clock: clock
            ),
            readingInterval: readingInterval,
            verifiers: verifiers
        )
    }

    /// Nothing is signed here.
    private static let verifiers = AppleVerifiers()
}

private struct UnreachableTransport: AppleTransport {
    func execute(_ call: AppleHTTPRequest) async throws(TransportFailure) -> AppleHTTPResponse {
        throw .unreachable
    }
}

/// A notification of a simulated group, which nobody signed.
struct GroupServerNotification: Codable {
    let notificationUUID: String
    var transaction: SignedTransaction?
    var renewal: RenewalFacts?
    /// The token of a purchase outside the App Store.
    var externalPurchaseId: String?
}

struct GroupNoticeReader: ServerNotificationReader {
    var variant = GroupVariant.faithful

    func notification(
        in signedPayload: String,
        now: Timestamp
    ) throws(ServerNotificationFailure) -> ServerNotification {
        do {
            let text = Data(signedPayload.utf8)
            let notification = try JSONDecoder().decode(GroupServerNotification.self, from: text)
            guard let signed = notification.transaction?.asRead(variant) else {
                return externalPurchase(notification)
            }
            return ServerNotification(
                notificationUUID: notification.notificationUUID,
                type: signed.revocationDate == nil ? "ONE_TIME_CHARGE" : "REFUND",
                bundleId: signed.bundleId,
                environment: Environment(rawValue: signed.environment),
                transaction: signed,
                renewal: notification.renewal
            )
        } catch {
            throw .unreadable("\(error)")
        }
    }

    private func externalPurchase(_ notification: GroupServerNotification) -> ServerNotification {
        var read = ServerNotification(
            notificationUUID: notification.notificationUUID,
            type: "EXTERNAL_PURCHASE_TOKEN",
            subtype: "CREATED",
            bundleId: GroupWorld.app.rawValue,
            environment: .production
        )
        guard variant != .forgetsExternalPurchases else { return read }
        read.externalPurchase = ExternalPurchaseFacts(externalPurchaseId: notification.externalPurchaseId)
        return read
    }
}
