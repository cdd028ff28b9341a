/// The four kinds of statement that Apple signs as a JWS.
package enum SignedDataKind: String, CaseIterable, Sendable {
    case transaction
    case renewalInfo
    case appTransaction
    case notification

    /// The kind whose payload has these members; nil when there is no such kind.
    ///
    /// Nothing in a JWS names its kind. Each has members of its own; where those are absent, transactions are known
    /// by their app, and renewal info is the one kind that names no app. What else a payload has some day, and in
    /// which shape, changes nothing of it.
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

    /// Whether a payload of this kind says for which bundle id it was signed.
    package var namesBundleID: Bool { self != .renewalInfo }

    /// Whether a payload of this kind says for which App Store id it was signed, in production at least.
    package var namesAppAppleID: Bool { self == .appTransaction || self == .notification }
}

/// The names of a JSON object's members, without their values.
struct MemberNames: Decodable {
    private struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    let names: [String]

    init(from decoder: any Decoder) throws {
        names = try decoder.container(keyedBy: Name.self).allKeys.map(\.stringValue)
    }
}
