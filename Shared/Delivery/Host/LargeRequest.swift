import Glibc
import ZeroMQ

/// A request so large that it is read ahead.
final class LargeRequest: @unchecked Sendable {  // `inbound` is guarded by the inbox that admitted it
    let identifier: String
    let bytes: Int
    /// Immutable, unlike the connection to answer on.
    let body: [UInt8]
    var inbound: Inbound

    init(_ identifier: String, _ inbound: Inbound) {
        self.identifier = identifier
        self.inbound = inbound
        bytes = inbound.bytes
        body = inbound.frames.dropFirst(2).first ?? []
    }
}
