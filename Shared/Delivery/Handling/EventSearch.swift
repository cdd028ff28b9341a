/// How a service finds an event in its rows: no index leads there, so the newest rows are looked through.
package enum EventSearch {
    /// Rows of one table that are looked through at most: the partition does nothing else meanwhile.
    package static let maximumRows: Int64 = 50_000

    private static let digits = 32

    /// Whether an id has the form in which `IdentifierSource` makes those of events.
    package static func mayFind(_ identifier: String) -> Bool {
        identifier.utf8.count == digits
            && identifier.utf8.allSatisfy { byte in
                (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                    || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
            }
    }
}
