import Contracts
import Delivery
import ReceiptsCore

/// `counterfoil.notification.recovered.v1`: what stood in Apple's history is taken as if it had been delivered.
struct OnNotificationRecovered {
    let workflow: NotificationWorkflow

    func callAsFunction(
        _ message: Event<NotificationRecoveredV1>,
        in context: inout HandlerContext
    ) throws -> Outcome {
        let store = NotificationStore(connection: context.connection)
        let known = try store.state(of: message.data.identifier)
        guard known == nil || known == .parked else { return .applied }
        do {
            _ = try workflow.take(
                NotificationStore.Record(
                    identifier: message.data.identifier,
                    signedPayload: message.data.signedPayload,
                    requestID: message.id
                ),
                in: &context
            )
            return .applied
        } catch let failure as NotificationFailure {
            return .parked(failure.reason)
        }
    }
}

extension NotificationRecoveredV1 {
    /// Longest notification that travels on links, in bytes; a longer one stays where it was found.
    private static let longestOnLink = 60 << 10

    /// Whether it can be sent to its partition.
    var travels: Bool { signedPayload.utf8.count <= Self.longestOnLink }
}

extension HandlerContext {
    /// Sends a notification of Apple's history to the partition that knows whether it came before.
    mutating func send(_ notification: NotificationRecoveredV1) throws {
        try send(
            notification,
            to: .receipts,
            shard: Shard(notification: notification.identifier),
            subject: "notification/\(notification.identifier)"
        )
    }
}

extension NotificationFailure {
    /// The reason under which a recovered notification lies with the dead letters.
    fileprivate var reason: String {
        switch self {
        case .notGenuine(let failure), .notTrusted(let failure): failure.rawValue
        case .unknownApp: AppPolicy.Obstacle.unknownApp.rawValue
        case .unreadable(let reason): reason
        }
    }
}
