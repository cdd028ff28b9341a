import Contracts

/// An app's own `appAccountToken`: a UUID in lower case, because Apple may change its case.
struct AccountToken: RawRepresentable, Hashable, Sendable {
    let rawValue: String

    init?(rawValue: String) {
        guard let uuid = UUIDText(rawValue) else { return nil }
        self.rawValue = uuid.text
    }
}
