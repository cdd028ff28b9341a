import Contracts
import Delivery
import Domain

/// A message for an app's own server, before it is stored.
struct WebhookMessage: Equatable {
    let key: WebhookRow.Key
    let type: EventType
    let bundleId: BundleID
    /// Whose messages are delivered in turn: a buyer's, an Apple Account's, or a token's.
    let subject: String
    let eventId: EventID
    let causationId: EventID?
    let traceparent: String?
    let body: String

    /// About the ledger's entries of a purchase; without its submission and transfers, which a message sent again does
    /// not have, or has others.
    init(_ message: Event<EntitlementChangedV1>) throws {
        var message = message
        (message.data.submission, message.data.transfers) = (nil, nil)
        let change = message.data
        let purchase = change.transaction.purchaseId.rawValue
        let key = WebhookRow.Key(about: purchase, changeId: EventID(ofChange: change.entries).rawValue)
        try self.init(message, key, change.bundleId, change.buyerId.rawValue, change.environment)
    }

    /// About what a buyer holds of an entitlement.
    init(_ message: Event<HoldingChangedV1>) throws {
        let holding = message.data
        let content = "\(holding.webhookContent)\(message.id)"
        let key = WebhookRow.Key(about: holding.webhookAbout, changeId: content)
        try self.init(message, key, holding.bundleId, holding.buyerId.rawValue, holding.environment)
    }

    /// About an account whose consent was withdrawn; its event is named by Apple's notification and the teller.
    init(_ message: Event<ConsentRescindedV1>) throws {
        let rescinded = message.data
        let key = WebhookRow.Key(about: "consent", changeId: message.id.rawValue)
        let account = "account/\(rescinded.appTransactionId)"
        try self.init(message, key, rescinded.bundleId, account, rescinded.environment)
    }

    /// About the token of a purchase outside the App Store; its event is named by Apple's notification.
    init(_ message: Event<ExternalPurchaseNotifiedV1>) throws {
        let notified = message.data
        let key = WebhookRow.Key(about: "externalPurchase", changeId: message.id.rawValue)
        let token = "externalPurchase/\(notified.externalPurchaseId)"
        try self.init(message, key, notified.bundleId, token, notified.environment)
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
        (eventId, causationId, traceparent) = (message.id, message.causationID, message.traceparent)
        body = try JSONColumn.text(WebhookBody(message, of: environment))
    }
}

extension HoldingChangedV1 {
    /// The entitlement of the buyer, of whose messages the newest one counts.
    var webhookAbout: String {
        DerivedID.hexadecimal([
            "holding", bundleId.rawValue, buyerId.rawValue, environment.rawValue, entitlement,
        ])
    }

    /// What is said of it: messages that begin alike say the same.
    var webhookContent: String {
        guard held else { return "not held/" }
        return expires.map { "held until \($0.milliseconds)/" } ?? "held/"
    }
}

extension Event<HoldingChangedV1> {
    /// The same word once more, as a message that the server has not seen.
    func again(after change: String) -> Self {
        var event = self
        event.id = EventID(unchecked: DerivedID.hexadecimal(["again", id.rawValue, change]))
        return event
    }
}
