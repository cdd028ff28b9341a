import Contracts

/// What Apple signs as a notification: `responseBodyV2DecodedPayload`, with exactly one of its four parts.
struct NotificationStatement: Encodable, Sendable {
    /// `data`: what happened to a transaction or subscription.
    struct Payment: Encodable, Sendable {
        let environment: String
        var appAppleId: Int64?
        let bundleId: String
        var bundleVersion: String?
        var signedTransactionInfo: String?
        var signedRenewalInfo: String?
        var status: Int?
        var consumptionRequestReason: String?
    }

    let notificationType: String
    var subtype: String?
    let notificationUUID: String
    let version = "2.0"
    let signedDate: Timestamp
    var data: Payment?
    var summary: JSONValue?
    var externalPurchaseToken: JSONValue?
    var appData: JSONValue?
}
