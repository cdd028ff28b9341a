/// A message from one service to another.
///
/// One file holds one contract. A released contract never changes: a new version is a new type in a new file,
/// so that stored bytes keep their meaning.
///
/// A struct that declares no initializer itself gets one of all its stored properties (`Generated/`). Their initial
/// values are default arguments; a property without one, also if it is optional, is named by every call.
package protocol Contract: Codable, Sendable, DirectlyCoded {
    /// The CloudEvents `type`, name and version, such as `counterfoil.order.issue.v1`.
    static var type: EventType { get }
    /// The largest event with this message, in bytes.
    static var maximumBytes: Int { get }
}

extension Contract {
    /// 64 KiB.
    package static var maximumBytes: Int { 64 << 10 }

    /// A contract without a direct form.
    @inline(__always) package init(_ json: inout some DirectCoder, _ value: Self?) throws(NotDirect) {
        throw NotDirect()
    }
}
