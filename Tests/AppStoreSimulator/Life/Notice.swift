/// What Apple has to tell about an event: a notification before it is signed.
struct Notice: Sendable {
    /// Apple's `notificationType`.
    let type: String
    /// Apple's `subtype`.
    var subtype: String?
    /// The transaction that it carries.
    let transactionId: String
    /// Apple's `consumptionRequestReason`.
    var consumptionRequestReason: String?

    init(_ type: String, _ subtype: String? = nil, of transactionId: String) {
        self.type = type
        self.subtype = subtype
        self.transactionId = transactionId
    }
}

/// What an event changed in the books, and what is to be told about it.
struct Happening: Sendable {
    /// The sales that are new or changed, the one that the event was about at the end.
    var sales: [Sale] = []
    var subscriptions: [Subscription] = []
    var notices: [Notice] = []
}

/// Why an event cannot happen to a purchase.
struct Refusal: Error, Equatable {
    let reason: String

    init(_ reason: String) { self.reason = reason }
}
