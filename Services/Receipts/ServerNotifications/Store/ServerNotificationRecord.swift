import Contracts

/// A notification as it came, with the request by which it is traced.
struct ServerNotificationRecord: Equatable {
    var identifier: String
    let signedPayload: String
    let requestID: EventID
}

extension ServerNotificationRecord {
    init(_ notification: ServerNotificationRecoveredV1, request: EventID) {
        self.init(
            identifier: notification.identifier,
            signedPayload: notification.signedPayload,
            requestID: request
        )
    }
}
