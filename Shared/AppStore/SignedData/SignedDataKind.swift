/// The four kinds of statement that Apple signs as a JWS.
package enum SignedDataKind: String, CaseIterable, Sendable {
    case transaction
    case renewalInfo
    case appTransaction
    case notification

    /// The kind whose payload has these members; nil when there is no such kind.
    ///
    /// Nothing in a JWS names its kind: notifications are known by their type, app transactions by the
    /// receipt's, transactions by their app; renewal info is the one kind that names no app.
    package init?(members: some Collection<String>) {
        let members = Set(members)
        func has(_ marks: String...) -> Bool { !members.isDisjoint(with: marks) }
        if has("notificationType", "notificationUUID") {
            self = .notification
        } else if has("receiptType", "receiptCreationDate") {
            self = .appTransaction
        } else if has("bundleId", "transactionId") {
            self = .transaction
        } else if has("autoRenewStatus", "autoRenewProductId", "environment"), !has("appAppleId") {
            self = .renewalInfo
        } else {
            return nil
        }
    }

    /// Whether a payload of this kind says for which bundle id it was signed.
    package var namesBundleID: Bool { self != .renewalInfo }

    /// Whether a payload of this kind says for which App Store id it was signed, in production at least.
    package var namesAppAppleID: Bool { self == .appTransaction || self == .notification }
}
