import Contracts

/// An App Store Server Notification with a genuine signature.
struct ServerNotification: Equatable, Sendable {
    let notificationUUID: String
    let type: String
    var subtype: String?
    let bundleId: String?
    /// Apple's number for the app; absent from some sandbox notifications.
    var appAppleId: Int64?
    let environment: Environment?
    /// With its own signature.
    var transaction: SignedTransaction?
    /// What Apple says of the next renewal; with its own signature.
    var renewal: RenewalFacts?
    /// Apple's `status` of the subscription.
    var status: Int?
    /// The app on one account, with its own signature; only where a parent withdrew consent.
    var appTransaction: AppTransactionFacts?
    /// The token of a purchase outside the App Store.
    var externalPurchase: ExternalPurchaseFacts?
    /// The name of a part that this program does not know.
    var unknownPart: String?
    /// Time of Apple's signature.
    var signedDate = Timestamp(milliseconds: 0)

    var kind: ServerNotificationKind { ServerNotificationKind(type: type, subtype: subtype) }
}

/// What Apple says of the app on one Apple Account.
struct AppTransactionFacts: Equatable, Sendable {
    let bundleId: String?
    let environment: Environment?
    /// Apple's id of the app on the account.
    let appTransactionId: String?
}

/// What Apple says of the token of a purchase outside the App Store.
struct ExternalPurchaseFacts: Equatable, Sendable {
    let externalPurchaseId: String?
    var tokenType: String?
    var tokenCreationDate: Timestamp?
    var tokenExpirationDate: Timestamp?
}
