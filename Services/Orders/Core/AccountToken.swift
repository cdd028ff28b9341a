/// An app's own `appAccountToken`: a UUID in lower case, because Apple may change its case.
package struct AccountToken: Hashable, Sendable {
    package let rawValue: String

    package init?(_ text: String) {
        let lowercased = text.lowercased()
        let groups = lowercased.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        guard groups.map(\.count) == [8, 4, 4, 4, 12],
            groups.allSatisfy({ $0.allSatisfy(Self.isHexadecimal) })
        else { return nil }
        rawValue = lowercased
    }

    private static func isHexadecimal(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
            || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
    }
}
