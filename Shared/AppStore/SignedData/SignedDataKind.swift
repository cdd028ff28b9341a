/// The four kinds of payload that Apple signs as a JWS.
package enum SignedDataKind: String, CaseIterable, Sendable {
    case transaction
    case renewalInfo
    case appTransaction
    case notification

    /// The kind whose payload has these members; nil when there is no such kind.
    ///
    /// Nothing in a JWS names its kind. Each has members of its own; without those, transactions are known by their
    /// app, and renewal info is the one kind that names no app. Other members, of whatever shape, change nothing.
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

/// A signed item that a notification carries, under the name that it has there.
package enum SignedItem: String, CaseIterable, Sendable {
    case signedTransactionInfo
    case signedRenewalInfo
    case signedAppTransactionInfo

    /// What the item has to be.
    package var kind: SignedDataKind {
        switch self {
        case .signedTransactionInfo: .transaction
        case .signedRenewalInfo: .renewalInfo
        case .signedAppTransactionInfo: .appTransaction
        }
    }

    /// Runs a check of this item, so that a failure names it.
    package func checking<Value>(
        _ body: () throws(VerificationFailure) -> Value
    ) throws(VerificationFailure) -> Value {
        do throws(VerificationFailure) {
            return try body()
        } catch {
            throw VerificationFailure(error.reason, "\(rawValue): \(error.detail)", item: self)
        }
    }
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
