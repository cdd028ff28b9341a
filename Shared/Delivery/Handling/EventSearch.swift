/// The bounds of a service's search for an event in its newest rows, which have no index for it.
package enum EventSearch {
    package static let maximumRows: Int64 = 50_000

    private static let digits = 32

    /// Whether an id has the form that `IdentifierSource` gives to event ids.
    package static func mayFind(_ identifier: String) -> Bool {
        identifier.utf8.count == digits
            && identifier.utf8.allSatisfy { byte in
                (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                    || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
            }
    }
}
