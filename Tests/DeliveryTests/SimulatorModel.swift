import Contracts
import TestKit

@testable import Delivery

/// How a simulated shell departs from the design; all but the first must be caught.
enum SimulatedVariant: Sendable, CaseIterable {
    case faithful
    /// Says `settled` before the transaction is durable.
    case settlesBeforeCommit
    /// Takes deliveries of any epoch, link number and connection.
    case forgetsEpoch
    /// Its handlers know an event by its id, not by what it is about.
    case deduplicatesByEventID
    /// Counts links from 1 in an epoch that a restored backup made a second time.
    case repeatsLinkNumbers
    /// Acknowledges a request before the transaction is durable.
    case repliesBeforeCommit
    /// Takes links that are to another partition.
    case ignoresAddressee

    /// The law that it must be caught breaking.
    var law: SimulatedLaw? {
        switch self {
        case .faithful: nil
        case .settlesBeforeCommit, .forgetsEpoch, .ignoresAddressee: .oneHistory
        case .deduplicatesByEventID: .nothingTwice
        case .repeatsLinkNumbers: .keepsToTheProtocol
        case .repliesBeforeCommit: .nothingLost
        }
    }
}

/// A link of the simulated group.
struct SimulatedLink {
    let from: Int
    let to: Int
    /// Forward links may be braked by credit, answer links never.
    let isForward: Bool
    /// The link on which a handler of this one's events sends on.
    let next: Int

    /// Three partitions in two cycles, one of them also with itself.
    static let all = [
        SimulatedLink(from: 0, to: 1, isForward: true, next: 1),
        SimulatedLink(from: 1, to: 0, isForward: false, next: 2),
        SimulatedLink(from: 0, to: 0, isForward: true, next: 0),
        SimulatedLink(from: 2, to: 1, isForward: true, next: 4),
        SimulatedLink(from: 1, to: 2, isForward: false, next: 3),
    ]
    static let addresses = [
        PartitionAddress(.orders, 0), PartitionAddress(.entitlements, 0), PartitionAddress(.receipts, 0),
    ]
    /// The links that carry what the outside asks for.
    static let entrances = [0, 2, 3]
    static let outgoing = addresses.indices.map { partition in
        all.indices.filter { all[$0].from == partition }
    }
}

/// What one send is about; everything but the hops follows from the key, so that sent again it is the same.
struct SimulatedMessage {
    enum Nature {
        case plain
        /// Its handler fails at first.
        case failsTwice
        case failsForever
        case undecodable
    }

    static let keyStride = 16
    static let subjects = 3

    /// The business key; never two sends with the same.
    let key: Int
    /// How many messages still follow from it.
    let hops: Int

    var subject: Int { Self.subject(of: key) }
    /// Whether it ends in the dead letters.
    var isFutile: Bool { nature == .failsForever || nature == .undecodable }
    /// What a handler of this message sends.
    var following: SimulatedMessage? { hops > 0 ? SimulatedMessage(key: key + 1, hops: hops - 1) : nil }

    var nature: Nature {
        switch SeededRandom.draw(key, below: 100) {
        case 0...2: .failsTwice
        case 3: .failsForever
        case 4: .undecodable
        default: .plain
        }
    }

    static func subject(of key: Int) -> Int { key / keyStride % subjects }

    func fails(attempt: Int) -> Bool {
        switch nature {
        case .plain, .undecodable: false
        case .failsTwice: attempt < 2
        case .failsForever: true
        }
    }
}

/// A row of an outbox.
struct SimulatedRow {
    let sequence: UInt64
    let event: Int
    let id: EventID
    let message: SimulatedMessage
}

/// The durable half of a link's sender.
struct SimulatedOutgoing {
    var incarnation = "i0"
    var settled: UInt64 = 0
    var settledID: EventID?
    var next: UInt64 = 1
    var quarantine: LinkSender.Quarantine?
    var rows: [SimulatedRow] = []
    /// Every committed send: the state that a redrive sends again.
    var sent: [SimulatedMessage] = []
    /// The event at each sequence of this incarnation, from 1.
    var events: [Int] = []

    mutating func append(_ message: SimulatedMessage, event: Int) {
        number(message, event: event)
        sent.append(message)
    }

    /// Forgets what is settled and takes its event id along, for the comparison at the next attach.
    mutating func forget(through: UInt64) {
        guard through > settled else { return }
        settledID = rows.first { $0.sequence == through }?.id
        rows.removeAll { $0.sequence <= through }
        settled = through
    }

    /// Begins a new incarnation in which all that was ever sent is sent again, as new events; some of it twice, since
    /// a redrive sends states and knows nothing of the events that led there.
    mutating func redrive(incarnation: String, event: inout Int) {
        let messages = sent
        self = SimulatedOutgoing(incarnation: incarnation)
        sent = messages
        for message in messages {
            for _ in 0..<(message.key % 5 == 0 ? 2 : 1) {
                event += 1
                number(message, event: event)
            }
        }
    }

    private mutating func number(_ message: SimulatedMessage, event: Int) {
        rows.append(
            .init(sequence: next, event: event, id: EventID(unchecked: "e\(event)"), message: message)
        )
        events.append(event)
        next += 1
    }
}

/// The receiving end of a link's incarnation.
struct SimulatedReceiver {
    let link: Int
    var machine: LinkReceiver

    /// As its store knows it: nobody is attached.
    var detached: SimulatedReceiver {
        let known = LinkReceiver(
            from: machine.from,
            incarnation: machine.incarnation,
            last: machine.last,
            lastEventID: machine.lastEventID
        )
        return SimulatedReceiver(link: link, machine: known)
    }
}

/// One partition's durable state; a transaction is a copy that takes its place.
struct SimulatedStore {
    struct Applied {
        let link: Int
        let incarnation: String
        let sequence: UInt64
        let event: Int
    }

    struct Kept {
        let link: Int
        let event: Int
        let message: SimulatedMessage
        var attempts: Int
    }

    var epoch: UInt64 = 0
    var outgoing = [SimulatedOutgoing](repeating: .init(), count: SimulatedLink.all.count)
    var incoming: [SimulatedReceiver] = []
    /// The log of what each link brought, whatever became of it.
    var applied: [Applied] = []
    /// The keys that took effect, in order, per link.
    var effects = [[Int]](repeating: [], count: SimulatedLink.all.count)
    /// What handlers recognise a repetition by.
    var known: Set<Int> = []
    var delayed: [Kept] = []
    var dead: [Kept] = []

    mutating func mark(_ receiver: SimulatedReceiver) {
        let known = incoming.firstIndex {
            $0.link == receiver.link && $0.machine.incarnation == receiver.machine.incarnation
        }
        if let known { incoming[known] = receiver } else { incoming.append(receiver) }
    }
}
