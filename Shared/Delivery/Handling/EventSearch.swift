import Contracts

/// The bounds of a service's search for an event in its newest rows, which have no index for it.
package enum EventSearch {
    package static let maximumRows: Int64 = 50_000

    private static let digits = 32

    /// Whether an id has the form that `IdentifierSource` gives to event ids.
    package static func mayFind(_ identifier: String) -> Bool { identifier.isHexadecimal(digits: digits) }
}
