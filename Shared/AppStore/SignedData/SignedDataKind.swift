/// The four kinds of payload that Apple signs as a JWS.
package enum SignedDataKind: String, CaseIterable, Sendable {
    case transaction
    case renewalInfo
    case appTransaction
    case notification

    /// The kind whose payload has these members.
    ///
    /// A JWS does not name its kind. Most kinds have distinctive members; otherwise transactions are known by
    /// their app, and only renewal info names no app. Other members change nothing.
    package init?(members: some Collection<String>) {
        let members = Set(members)
        func has(_ marks: String...) -> Bool { !members.isDisjoint(with: marks) }
        if has("notificationType", "notificationUUID") {
            self = .notification
        } else if has("transactionId") {
            self = .transaction
        } else if has("autoRenewStatus", "autoRenewProductId") {
            self = .renewalInfo
        } else if has("receiptType", "receiptCreationDate") {
            self = .appTransaction
        } else if has("bundleId") {
            self = .transaction
        } else if has("environment"), !has("appAppleId") {
            self = .renewalInfo
        } else {
            return nil
        }
    }

    /// Whether this kind names a bundle id.
    package var namesBundleID: Bool { self != .renewalInfo }

    /// Whether this kind names an App Store id, at least in production.
    package var namesAppAppleID: Bool { self == .appTransaction || self == .notification }
}
