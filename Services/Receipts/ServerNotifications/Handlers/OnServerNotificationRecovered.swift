import Contracts
import Delivery

/// `counterfoil.servernotification.recovered.v1`: a notification from Apple's history is taken as if delivered.
struct OnServerNotificationRecovered {
    let workflow: ServerNotificationWorkflow

    func callAsFunction(
        _ message: Event<ServerNotificationRecoveredV1>,
        in context: HandlerContext
    ) throws -> Outcome {
        let store = ServerNotificationStore(connection: context.connection)
        let known = try store.state(of: message.data.identifier)
        guard ServerNotificationAssessment.isTaken(known: known) else { return .applied }
        do {
            _ = try workflow.accept(ServerNotificationRecord(message.data, request: message.id), in: context)
            return .applied
        } catch let failure as ServerNotificationFailure {
            return .deadLettered(failure.reason)
        }
    }
}
