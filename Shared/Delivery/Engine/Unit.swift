import Contracts
import DeliveryCore

/// The smallest piece of a batch: one event, request or link frame.
struct Unit {
    enum Content {
        case attach(LinkFrame.Attach, connection: [UInt8])
        case event([UInt8], LinkFrame.Transfer, connection: [UInt8])
        case request(WireHeader.Request, [UInt8], connection: [UInt8])
        case direct([UInt8])
        case sender(PartitionAddress, LinkWord)
        case worked(WorkItem, result: [UInt8])
        case tick
    }

    /// A frame or a signal for the sender of a link.
    enum LinkWord {
        case attached(LinkFrame.Attached)
        case settled(LinkFrame.Settled)
        case refused(LinkFrame.Refused)
        case connected
    }

    let content: Content
    /// Whether it was alone in progress at too many deaths of the process.
    var isDeadly = false

    init(_ content: Content) { self.content = content }

    var event: [UInt8]? {
        switch content {
        case .event(let bytes, _, _), .request(_, let bytes, _), .direct(let bytes): bytes
        case .attach, .sender, .worked, .tick: nil
        }
    }

    var hasHandler: Bool {
        switch content {
        case .event, .request, .direct, .worked: true
        case .attach, .sender, .tick: false
        }
    }

    static func units(of input: PartitionInput) -> [Unit] {
        switch input {
        case .arrived(let message, let connection): arrived(message, connection)
        case .answered(let header, let address): answered(header, address)
        case .connected(let address): [Unit(.sender(address, .connected))]
        case .worked(let item, let result): [Unit(.worked(item, result: result))]
        case .tick: [Unit(.tick)]
        case .direct(let event): [Unit(.direct(event))]
        }
    }

    private static func arrived(_ message: WireMessage, _ connection: [UInt8]) -> [Unit] {
        if let first = message.header.transfer {
            return message.body.enumerated().map { offset, event in
                var transfer = first
                transfer.sequence += UInt64(offset)
                return Unit(.event(event, transfer, connection: connection))
            }
        }
        if let request = message.header.request, let event = message.body.first {
            return [Unit(.request(request, event, connection: connection))]
        }
        return message.header.attach.map { [Unit(.attach($0, connection: connection))] } ?? []
    }

    private static func answered(_ header: WireHeader, _ address: PartitionAddress) -> [Unit] {
        if let settled = header.settled { return [Unit(.sender(address, .settled(settled)))] }
        if let attached = header.attached { return [Unit(.sender(address, .attached(attached)))] }
        return header.refused.map { [Unit(.sender(address, .refused($0)))] } ?? []
    }
}

/// The message of a batch whose handler failed.
enum PoisonKey: Hashable {
    case unit(Int)
    case wait(String)
    case held
}

/// A handler failed, not the store; the batch is rolled back and runs without this message.
struct HandlerFault: Error {
    let key: PoisonKey
    let reason: String
}

/// The newest outbox rows of one link, which saves reading them back after COMMIT.
struct RowCache {
    static let bound = 4_096

    private var rows: [DeliveryStore.OutboxRow] = []

    mutating func append(_ new: [DeliveryStore.OutboxRow]) {
        rows.append(contentsOf: new)
        if rows.count > Self.bound { rows.removeFirst(rows.count - Self.bound) }
    }

    mutating func drop(through sequence: UInt64) {
        guard let first = rows.first, first.sequence <= sequence else { return }
        rows.removeFirst(min(rows.count, Int(sequence - first.sequence) + 1))
    }

    mutating func removeAll() { rows = [] }

    func rows(_ range: ClosedRange<UInt64>) -> ArraySlice<DeliveryStore.OutboxRow>? {
        guard let first = rows.first, first.sequence <= range.lowerBound else { return nil }
        let start = Int(range.lowerBound - first.sequence)
        let end = Int(range.upperBound - first.sequence)
        return end < rows.count ? rows[start...end] : nil
    }
}
