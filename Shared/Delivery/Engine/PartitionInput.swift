import Contracts

/// An input of a partition: one event, one request, or one frame or signal of a link.
enum PartitionInput: Equatable, Sendable {
    case attach(LinkFrame.Attach, connection: [UInt8])
    /// One event of a delivery, with its own sequence.
    case delivery([UInt8], LinkFrame.Delivery, connection: [UInt8])
    case request(ReceivedRequest)
    /// An event from standard input, without a link.
    case direct([UInt8])
    case attached(LinkFrame.Attached, by: PartitionAddress)
    /// An attach to this receiver came to another partition.
    case astray(LinkFrame.Astray, to: PartitionAddress)
    case settled(LinkFrame.Settled, by: PartitionAddress)
    case refused(LinkFrame.Refused, by: PartitionAddress)
    /// A hint that the wire to a receiver reconnected.
    case connected(PartitionAddress)
    /// The result of outside work, or a turn of a timer, which has none.
    case worked(WorkItem, result: [UInt8])
    case tick
}

extension WireMessage {
    /// What a message at the partition's endpoint contains; each event of a delivery is an input of its own.
    func inputs(from connection: [UInt8]) -> [PartitionInput] {
        if let first = header.delivery {
            return body.enumerated().map { offset, event in
                var delivery = first
                delivery.sequence += UInt64(offset)
                return .delivery(event, delivery, connection: connection)
            }
        }
        if let request = header.request, let event = body.first {
            let (id, to, within) = (request.id, request.to, request.within)
            return [.request(.init(id: id, to: to, within: within, event: event, connection: connection))]
        }
        return header.attach.map { [.attach($0, connection: connection)] } ?? []
    }

    /// What a message from the receiver of an outgoing link contains.
    func inputs(by receiver: PartitionAddress) -> [PartitionInput] {
        if let settled = header.settled { return [.settled(settled, by: receiver)] }
        if let attached = header.attached { return [.attached(attached, by: receiver)] }
        if let astray = header.astray { return [.astray(astray, to: receiver)] }
        return header.refused.map { [.refused($0, by: receiver)] } ?? []
    }
}

extension PartitionInput {
    var event: [UInt8]? {
        switch self {
        case .delivery(let event, _, _), .direct(let event): event
        case .request(let request): request.event
        case .attach, .attached, .astray, .settled, .refused, .connected, .worked, .tick: nil
        }
    }

    var hasHandler: Bool {
        switch self {
        case .delivery, .request, .direct, .worked: true
        case .attach, .attached, .astray, .settled, .refused, .connected, .tick: false
        }
    }
}
