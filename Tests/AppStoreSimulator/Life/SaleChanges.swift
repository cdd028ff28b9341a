/// A notification to be signed and sent.
struct PendingServerNotification: Sendable {
    let type: String
    var subtype: String?
    let transactionId: String
    var consumptionRequestReason: String?

    init(_ type: String, _ subtype: String? = nil, of transactionId: String) {
        self.type = type
        self.subtype = subtype
        self.transactionId = transactionId
    }
}

/// What an event changed, and the notifications about it.
struct SaleChanges: Sendable {
    /// The sales that are new or changed, the one that the event was about at the end.
    var sales: [Sale] = []
    var subscriptions: [Subscription] = []
    var notifications: [PendingServerNotification] = []
}

/// Why an event cannot happen to a purchase.
struct Refusal: Error, Equatable {
    let reason: String

    init(_ reason: String) { self.reason = reason }
}
