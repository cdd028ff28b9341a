import Contracts
import Delivery

/// `counterfoil.notification.recovered.v1`: a notification from Apple's history is taken as if delivered.
struct OnNotificationRecovered {
    let workflow: NotificationWorkflow

    func callAsFunction(
        _ message: Event<NotificationRecoveredV1>,
        in context: inout HandlerContext
    ) throws -> Outcome {
        let store = NotificationStore(connection: context.connection)
        let known = try store.state(of: message.data.identifier)
        guard NotificationAssessment.isTaken(known: known) else { return .applied }
        do {
            _ = try workflow.take(NotificationRecord(message.data, request: message.id), in: &context)
            return .applied
        } catch let failure as NotificationFailure {
            return .parked(failure.reason)
        }
    }
}

extension NotificationRecoveredV1 {
    /// Longest notification sent on links, bytes; a longer one stays where it was found.
    private static let longestOnLink = 60 << 10

    var travels: Bool { signedPayload.utf8.count <= Self.longestOnLink }
}
