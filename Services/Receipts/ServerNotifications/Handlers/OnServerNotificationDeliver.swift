import Contracts
import Delivery

/// `counterfoil.servernotification.deliver.v1`: a notification is stored, and its transaction goes to its claim.
///
/// A repeated one has no effect unless it is parked: then it is judged anew.
struct OnServerNotificationDeliver {
    let workflow: ServerNotificationWorkflow

    func callAsFunction(
        _ message: Event<ServerNotificationDeliverV1>,
        in context: HandlerContext
    ) throws -> RequestOutcome<ServerNotificationDeliveredV1> {
        let identifier = message.data.identifier
        let store = ServerNotificationStore(connection: context.connection)
        let known = try store.state(of: identifier)
        if known != nil { try store.countDelivery(of: identifier) }
        guard ServerNotificationAssessment.isTaken(known: known) else {
            return .reply(.init(notificationUUID: identifier, isRepeated: true))
        }
        let record = ServerNotificationRecord(
            identifier: identifier,
            signedPayload: message.data.signedPayload,
            requestID: message.id
        )
        do {
            let stored = try workflow.accept(record, in: context)
            return .reply(.init(notificationUUID: stored, isRepeated: known != nil))
        } catch let failure as ServerNotificationFailure {
            return .refused(RequestRefusal(failure))
        }
    }
}

extension RequestRefusal {
    /// Only what cannot be Apple's is refused for good; Apple repeats the rest.
    fileprivate init(_ failure: ServerNotificationFailure) {
        switch failure {
        case .notGenuine(let reason):
            let detail = "is no notification that Apple signed: \(reason.rawValue)"
            self.init(.invalid, detail, field: "signedPayload")
        case .notTrusted(let reason):
            self.init(.busy, "the certificates of the notification are not accepted here: \(reason.rawValue)")
        case .unknownApp: self.init(.busy, "the notification is about an app that is not configured here")
        case .unreadable(let reason): self.init(.busy, "the notification cannot be read: \(reason)")
        }
    }
}
