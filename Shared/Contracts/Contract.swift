/// A message that one service may send another.
///
/// One file holds one contract. A landed contract never changes: a new version is a new type in a new file, so that
/// old bytes keep their meaning for as long as they lie in a store.
package protocol Contract: Codable, Sendable {
    /// The CloudEvents `type`: name and version on the wire, such as `counterfoil.order.issue.v1`.
    static var type: EventType { get }
}

/// A contract whose receiver answers the one who sent it.
package protocol Request: Contract {
    /// What comes back once the owner of the partition has committed.
    associatedtype Reply: Codable & Sendable
}

/// The CloudEvents `type` of a message: what it says, and in which version.
package struct EventType: Hashable, Sendable, Codable, RawRepresentable, ExpressibleByStringLiteral,
    CustomStringConvertible
{
    package let rawValue: String

    package init(rawValue: String) { self.rawValue = rawValue }

    package init(stringLiteral value: String) { rawValue = value }

    package var description: String { rawValue }
}
