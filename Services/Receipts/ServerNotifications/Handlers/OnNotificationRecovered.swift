import Contracts
import Delivery

/// `counterfoil.notification.recovered.v1`: a notification from Apple's history is taken as if delivered.
struct OnNotificationRecovered {
    let workflow: NotificationWorkflow

    func callAsFunction(
        _ message: Event<NotificationRecoveredV1>,
        in context: HandlerContext
    ) throws -> Outcome {
        let store = NotificationStore(connection: context.connection)
        let known = try store.state(of: message.data.identifier)
        guard NotificationAssessment.isTaken(known: known) else { return .applied }
        do {
            _ = try workflow.accept(NotificationRecord(message.data, request: message.id), in: context)
            return .applied
        } catch let failure as NotificationFailure {
            return .parked(failure.reason)
        }
    }
}
