import Contracts

/// An app's own `appAccountToken`: a UUID in lower case, because Apple may change its case.
struct AccountToken: RawRepresentable, Hashable, Sendable {
    let rawValue: String

    init?(rawValue: String) {
        let lowercased = rawValue.lowercased()
        let groups = lowercased.split(separator: "-", omittingEmptySubsequences: false)
        guard groups.map(\.utf8.count) == [8, 4, 4, 4, 12],
            groups.allSatisfy({ String($0).isHexadecimal(digits: $0.utf8.count) })
        else { return nil }
        self.rawValue = lowercased
    }
}
