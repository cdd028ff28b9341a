import Contracts
import Delivery
import Domain

/// A message for an app's own server, before it is stored.
struct WebhookMessage: Equatable {
    let key: WebhookRow.Key
    let type: EventType
    let bundleId: BundleID
    /// Whose messages are delivered in turn: a buyer's, or an Apple Account's.
    let subject: String
    let eventId: EventID
    let causationId: EventID?
    let body: String

    /// About the ledger's entries of a purchase; without its submission and transfers, which a message sent again does not
    /// have, or has others.
    init(_ message: Event<EntitlementChangedV1>) throws {
        var message = message
        (message.data.submission, message.data.transfers) = (nil, nil)
        let change = message.data
        let key = WebhookRow.Key(
            about: change.transaction.purchaseId.rawValue,
            changeId: EventID(ofChange: change.entries).rawValue
        )
        try self.init(message, key, change.bundleId, change.buyerId.rawValue, change.environment)
    }

    /// About the end of an entitlement; its event is named by what ended and when.
    init(_ message: Event<EntitlementExpiredV1>) throws {
        let expired = message.data
        let key = WebhookRow.Key(about: "expiry", changeId: message.id.rawValue)
        try self.init(message, key, expired.bundleId, expired.buyerId.rawValue, expired.environment)
    }

    /// About an account whose consent was withdrawn; its event is named by Apple's notification and the teller.
    init(_ message: Event<ConsentRescindedV1>) throws {
        let rescinded = message.data
        let key = WebhookRow.Key(about: "consent", changeId: message.id.rawValue)
        let account = "account/\(rescinded.appTransactionId)"
        try self.init(message, key, rescinded.bundleId, account, rescinded.environment)
    }

    private init<Body: Contract>(
        _ message: Event<Body>,
        _ key: WebhookRow.Key,
        _ bundle: BundleID,
        _ subject: String,
        _ environment: Environment
    ) throws {
        self.key = key
        type = Body.type
        (bundleId, self.subject) = (bundle, subject)
        (eventId, causationId) = (message.id, message.causationID)
        body = try JSONColumn.text(WebhookBody(message, of: environment))
    }
}
