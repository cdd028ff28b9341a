package import Contracts

/// A message between partitions, or between a partition and a requester: `["CF1", header, body…]`.
package struct WireMessage: Equatable, Sendable {
    package static let magic: [UInt8] = Array("CF1".utf8)
    package static let maximumLinkBytes = 256 << 10
    package static let maximumRequestBytes = 4 << 20

    package var header: WireHeader
    package var body: [[UInt8]]

    package init(_ header: WireHeader, body: [[UInt8]] = []) {
        self.header = header
        self.body = body
    }
}

/// The header of a message; exactly one member is set.
package struct WireHeader: Equatable, Sendable, Codable {
    /// A request's id and timeout.
    package struct Request: Equatable, Sendable, Codable {
        package var id: String
        /// Timeout, ms; a point in time would depend on both clocks.
        package var within: Int64

        package init(id: String, within: Int64) {
            self.id = id
            self.within = within
        }
    }

    /// Identifies the request; the reply is the body, or the refusal here.
    package struct Reply: Equatable, Sendable, Codable {
        package var id: String
        package var refused: RequestRefusal?

        package init(id: String, refused: RequestRefusal? = nil) {
            self.id = id
            self.refused = refused
        }
    }

    package var attach: LinkFrame.Attach?
    package var attached: LinkFrame.Attached?
    package var transfer: LinkFrame.Transfer?
    package var settled: LinkFrame.Settled?
    package var refused: LinkFrame.Refused?
    package var request: Request?
    package var reply: Reply?

    package init(_ frame: LinkFrame) {
        switch frame {
        case .attach(let attach): self.attach = attach
        case .attached(let attached): self.attached = attached
        case .transfer(let transfer): self.transfer = transfer
        case .settled(let settled): self.settled = settled
        case .refused(let refused): self.refused = refused
        }
    }

    package init(request: Request) { self.request = request }

    package init(reply: Reply) { self.reply = reply }
}

extension WireHeader {
    /// Above every number of this protocol, and far below arithmetic overflow.
    static let numberBound = UInt64(Int64.max) / 2

    var isInRange: Bool { numbers.allSatisfy { $0 <= Self.numberBound } && (request?.within ?? 0) >= 0 }

    private var numbers: [UInt64] {
        if let transfer { return [transfer.link, transfer.epoch, transfer.sequence] }
        if let settled { return [settled.link, settled.epoch, settled.last, settled.credit] }
        if let attach { return [attach.attempt, attach.settled, attach.next] }
        if let attached {
            return [attached.attempt, attached.link, attached.epoch, attached.last, attached.credit]
        }
        if let refused { return [refused.link, refused.epoch, refused.last] }
        return [UInt64(clamping: request?.within ?? 0)]
    }
}
