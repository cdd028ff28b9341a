import Contracts

@testable import Delivery

/// The volatile half of an owned partition: all that is gone when its process dies.
final class SimulatedOwner {
    let partition: Int
    let host: Int
    /// Counts owners over the whole group.
    let generation: Int
    let epoch: UInt64
    /// By link.
    var senders: [LinkSender?]
    /// The serial number of each link's running timer.
    var timers = [Int](repeating: 0, count: SimulatedLink.all.count)
    /// When each link's timer runs out; nil when none is running.
    var timerEnds = [Int?](repeating: nil, count: SimulatedLink.all.count)
    /// Up to where each link's rows may be forgotten.
    var forgettable = [UInt64](repeating: 0, count: SimulatedLink.all.count)
    /// By link, the partition to which a stale address leads.
    var strays = [Int?](repeating: nil, count: SimulatedLink.all.count)
    var machines: SimulatedMachines
    var inbox: [SimulatedPacket] = []
    var isWorkPlanned = false
    var isRetryPlanned = false

    init(partition: Int, host: Int, generation: Int, life: UInt64, firstNumber: UInt64, store: SimulatedStore)
    {
        self.partition = partition
        self.host = host
        self.generation = generation
        epoch = store.epoch
        senders = SimulatedLink.all.indices.map { link in
            guard SimulatedLink.all[link].from == partition else { return nil }
            let row = store.outgoing[link]
            return LinkSender(
                from: SimulatedLink.addresses[partition],
                to: SimulatedLink.addresses[SimulatedLink.all[link].to],
                incarnation: row.incarnation,
                life: life,
                settled: row.settled,
                next: row.next,
                quarantine: row.quarantine
            )
        }
        machines = SimulatedMachines(nextNumber: firstNumber, store: store)
    }

    /// The sender's own event id at a sequence, as its store knows it.
    static func ownEventID(_ row: SimulatedOutgoing, at sequence: UInt64) -> EventID? {
        sequence == row.settled ? row.settledID : row.rows.first { $0.sequence == sequence }?.id
    }
}

/// The receiving machines of a partition; a batch works on a copy.
struct SimulatedMachines {
    var receivers: [SimulatedReceiver]
    /// Which receiver a link number of this epoch belongs to.
    var numbers: [(number: UInt64, receiver: Int)] = []
    var nextNumber: UInt64

    init(nextNumber: UInt64, store: SimulatedStore) {
        self.nextNumber = nextNumber
        receivers = store.incoming.map(\.detached)
    }

    /// The receiver of a link's incarnation, made when it is new.
    mutating func receiver(_ link: Int, _ attach: LinkFrame.Attach) -> Int {
        let known = receivers.firstIndex { $0.link == link && $0.machine.incarnation == attach.incarnation }
        if let known { return known }
        receivers.append(
            SimulatedReceiver(
                link: link,
                machine: LinkReceiver(from: attach.from, incarnation: attach.incarnation)
            )
        )
        return receivers.count - 1
    }

    func receiver(number: UInt64) -> Int? { numbers.first { $0.number == number }?.receiver }
}

/// One transaction at work.
struct SimulatedDraft {
    /// What is said to a sender once the transaction is durable.
    struct Reply {
        let link: Int
        let connection: [UInt8]
        let frame: LinkFrame
    }

    let epoch: UInt64
    var store: SimulatedStore
    var machines: SimulatedMachines
    private(set) var replies: [Reply] = []
    /// Receivers whose sender is to hear how far they are.
    var touched: [Int] = []
    /// Keys of requests that were taken.
    var accepted: [Int] = []
    /// Links with new rows.
    var lengthened: [Int] = []
    /// Events that threw in an earlier run of the same batch.
    var poisoned: Set<Int> = []
    /// Dead letters and refusals, to be counted if the transaction is durable.
    var undecodable = 0

    init(_ owner: SimulatedOwner, _ store: SimulatedStore) {
        epoch = owner.epoch
        machines = owner.machines
        self.store = store
    }

    mutating func reply(to packet: SimulatedPacket, _ frame: LinkFrame) {
        replies.append(Reply(link: packet.link, connection: packet.connection, frame: frame))
    }

    mutating func touch(_ receiver: Int) {
        if !touched.contains(receiver) { touched.append(receiver) }
    }

    mutating func append(_ message: SimulatedMessage, to link: Int, event: Int) {
        store.outgoing[link].append(message, event: event)
        if !lengthened.contains(link) { lengthened.append(link) }
    }
}

/// A process of the group.
struct SimulatedHost {
    /// Counts its deaths.
    var life = 0
    var isStopped = false
    /// Counts, by partition, how often the wire to it was made anew.
    var reconnects = [Int](repeating: 0, count: SimulatedLink.addresses.count)
}

/// A process has died at a crash point.
struct SimulatedCrash: Error {
    let host: Int
}
