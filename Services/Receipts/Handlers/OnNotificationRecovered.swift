import Contracts
import Delivery
import ReceiptsCore

/// `counterfoil.notification.recovered.v1`: what stood in Apple's history is taken as if it had been delivered.
struct OnNotificationRecovered {
    let road: NotificationRoad

    func callAsFunction(
        _ message: Event<NotificationRecoveredV1>,
        in context: inout HandlerContext
    ) throws -> Outcome {
        let store = NotificationStore(connection: context.connection)
        let known = try store.state(of: message.data.identifier)
        guard known == nil || known == .parked else { return .applied }
        do {
            _ = try road.take(
                NotificationStore.Record(
                    identifier: message.data.identifier,
                    signedPayload: message.data.signedPayload,
                    requestID: message.id
                ),
                in: &context
            )
            return .applied
        } catch let failure as NoticeFailure {
            return .parked(failure.reason)
        }
    }
}

extension NoticeFailure {
    /// The reason under which a recovered notification lies with the dead letters.
    fileprivate var reason: String {
        switch self {
        case .notGenuine(let failure), .notTrusted(let failure): failure.rawValue
        case .unknownApp: AppPolicy.Obstacle.unknownApp.rawValue
        case .unreadable(let reason): reason
        }
    }
}
