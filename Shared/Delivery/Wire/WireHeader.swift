import Contracts

/// The header of a message; exactly one member is set.
struct WireHeader: Equatable, Sendable, Codable {
    /// A request's id, whom it is to, and its timeout.
    struct Request: Equatable, Sendable, Codable {
        var id: String
        /// A stale address may lead to another partition.
        var to: PartitionAddress
        /// Timeout, ms; a point in time would depend on both clocks.
        var within: Int64
    }

    /// Identifies the request; the reply is the body, or the refusal here.
    struct Reply: Equatable, Sendable, Codable {
        var id: String
        var refused: RequestRefusal?
        /// Whether the request came to another partition than the one it is to: nothing was done.
        var isAstray: Bool?
    }

    var attach: LinkFrame.Attach?
    var attached: LinkFrame.Attached?
    var astray: LinkFrame.Astray?
    var delivery: LinkFrame.Delivery?
    var settled: LinkFrame.Settled?
    var refused: LinkFrame.Refused?
    var request: Request?
    var reply: Reply?

    init(_ frame: LinkFrame) {
        switch frame {
        case .attach(let attach): self.attach = attach
        case .attached(let attached): self.attached = attached
        case .astray(let astray): self.astray = astray
        case .delivery(let delivery): self.delivery = delivery
        case .settled(let settled): self.settled = settled
        case .refused(let refused): self.refused = refused
        }
    }

    init(request: Request) { self.request = request }

    init(reply: Reply) { self.reply = reply }
}

extension WireHeader {
    /// Above every number of this protocol, and far below arithmetic overflow.
    static let numberBound = UInt64(Int64.max) / 2

    var isInRange: Bool { numbers.allSatisfy { $0 <= Self.numberBound } && (request?.within ?? 0) >= 0 }

    private var numbers: [UInt64] {
        if let delivery { return [delivery.link, delivery.epoch, delivery.sequence] }
        if let settled { return [settled.link, settled.epoch, settled.last, settled.credit] }
        if let attach { return [attach.attempt, attach.settled, attach.next] }
        if let attached {
            return [attached.attempt, attached.link, attached.epoch, attached.last, attached.credit]
        }
        if let astray { return [astray.attempt] }
        if let refused { return [refused.link, refused.epoch, refused.last] }
        return [UInt64(clamping: request?.within ?? 0)]
    }
}
