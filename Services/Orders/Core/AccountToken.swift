/// An app's own `appAccountToken`: a UUID in lower case, because Apple may change its case.
package struct AccountToken: RawRepresentable, Hashable, Sendable {
    package let rawValue: String

    package init?(rawValue: String) {
        let lowercased = rawValue.lowercased()
        guard lowercased.wholeMatch(of: /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/) != nil else {
            return nil
        }
        self.rawValue = lowercased
    }
}
