/// One socket of one `SocketLoop`; never reused.
package struct SocketID: Hashable, Sendable {
    package let rawValue: UInt64

    package init(rawValue: UInt64) { self.rawValue = rawValue }
}
