import Domain

/// A message between partitions, or between a partition and a requester: `["CF1", header, body…]`.
struct WireMessage: Equatable, Sendable {
    static let magic: [UInt8] = Array("CF1".utf8)
    static let maximumLinkBytes = 256 << 10
    static let maximumRequestBytes = Limits.requestBytes

    var header: WireHeader
    var body: [[UInt8]]

    init(_ header: WireHeader, body: [[UInt8]] = []) {
        self.header = header
        self.body = body
    }
}
