import Contracts

/// A partition's state in memory: a batch changes a copy, which replaces the original after COMMIT.
struct PartitionState {
    struct Sender {
        let link: Int64
        var machine: LinkSender
        var timerAt: Int64?
        /// While the receiver owes an answer.
        var silence: Silence?
        /// Rows up to here are settled and can be deleted.
        var settleThrough: UInt64?
        /// Rows that may travel later, with others.
        var lingering: Lingering?

        init(_ row: DeliveryStore.LinkRow, from address: PartitionAddress, life: UInt64) {
            link = row.link
            machine = LinkSender(
                from: address,
                to: row.target,
                incarnation: row.incarnation,
                life: life,
                settled: row.settled,
                next: row.next,
                quarantine: row.quarantine
            )
        }

        /// Whether the operator should know that the receiver does not answer.
        func isUnanswered(at clock: ClockReading) -> Bool {
            silence.map { clock.uptime - $0.since >= PartitionEngine.unansweredMilliseconds } ?? false
        }

        /// The sequence of the next row.
        var next: UInt64 { lingering?.next ?? machine.next }

        /// The number of unsettled rows.
        var depth: UInt64 { next - 1 - machine.settled }
    }

    /// A link without an answer.
    struct Silence {
        /// The last answer, or the first thing that was sent after a link was at rest, in ms of the monotonic clock.
        let since: Int64
        /// Whether the operator was told.
        var isAlarmed = false
    }

    /// Committed rows that the link's machine does not know yet.
    struct Lingering {
        /// The sequence of the row after them.
        let next: UInt64
        /// When they must travel, in ms of the monotonic clock.
        let until: Int64
    }

    /// Work that has failed.
    struct FailingWork {
        /// How often in a row.
        var failures: Int
        /// In ms of the monotonic clock.
        var restsUntil: Int64
    }

    struct ReceiverKey: Hashable {
        let from: PartitionAddress
        let incarnation: String
    }

    struct Wait {
        let request: ReceivedRequest
        var deadline: Int64
        let otherwise: [UInt8]
    }

    var epoch: UInt64 = 0
    /// What the service keeps from one message to the next.
    var kept: (any Sendable)?
    var ownedSince = Timestamp(milliseconds: 0)
    /// Unique per owner; the epoch is not, after a backup is restored.
    var life: UInt64 = 0
    var senders: [PartitionAddress: Sender] = [:]
    var confirmed: Set<PartitionAddress> = []
    var nextLinkRow: Int64 = 1
    var receivers: [ReceiverKey: LinkReceiver] = [:]
    var numbers: [UInt64: ReceiverKey] = [:]
    var nextNumber: UInt64 = 1
    var redrives: [PartitionAddress: RedriveStore.Redrive] = [:]
    /// Subjects with delayed events, and when the first one is due.
    var delayed: [Subject: Timestamp] = [:]
    var waits: [String: [Wait]] = [:]
    var waitCount = 0
    var workAt: Timestamp?
    /// The clock when `workAt` was last compared with it.
    var workNow = Timestamp(milliseconds: 0)
    /// Outside work that is under way.
    var workInHand: Set<String> = []
    /// Turns of timers that were given out, each with the place of its timer.
    var turnsInHand: [String: Int] = [:]
    /// Items that wait for the operator's release.
    var parkedWork: Set<String> = []
    /// How often the handler of a request has failed, by the type of its message.
    var failedRequests: [String: Int] = [:]
    /// Items whose results could not be written, by their keys.
    var failingWork: [String: FailingWork] = [:]
    /// Timers by their place, nil for the worker, that could not read a row: until when each rests, in ms of the
    /// monotonic clock.
    var restingSources: [Int?: Int64] = [:]
    /// When settled rows are deleted in an idle partition, in ms of the monotonic clock.
    var settleAt: Int64?
    /// Incoming links that have advanced since their last settlement, their events in all, and the latest time to
    /// settle, in ms of the monotonic clock.
    var owed: Set<ReceiverKey> = []
    var owedEvents = 0
    var owedAt: Int64?
    /// Whether the last owner died: rare work then runs alone and is noted as suspect, for this owner's whole life.
    var isAfterDeath = false
    /// How many more events run one at a time, because the last owner died.
    var cautious = 0
    /// How many more items of outside work run one at a time; turns of timers, which are many, do not use these up.
    var cautiousWork = 0
    var cautiousTurns = 0
    /// The copy of the store that the operator has asked this owner for last.
    var copy: StoreCopy?
    /// Whether forward links were without credit after the last batch.
    var braked = false

    func hasOther(than link: ReceiverKey) -> Bool {
        receivers.contains { key, receiver in
            key.from == link.from && key.incarnation != link.incarnation && receiver.last > 0
        }
    }

    /// Has timers and worker asked at once what is due.
    mutating func askWork(at now: Timestamp) { (workAt, workNow) = (now, now) }

    /// Ends what was in hand under a key.
    mutating func endWork(_ key: String) {
        workInHand.remove(key)
        turnsInHand[key] = nil
    }

    /// Whether the clock was set back, so that times for work may have been made by a wrong one.
    func isClockBack(at now: Timestamp) -> Bool { now < workNow }

    mutating func delay(_ subject: String, until due: Timestamp) {
        let subject = Subject(unchecked: subject)
        if delayed[subject] == nil { delayed[subject] = due }
    }

    /// Deletes the rows that receivers have settled.
    mutating func deleteSettled(in store: DeliveryStore) throws {
        guard settleAt != nil else { return }
        settleAt = nil
        for (target, sender) in senders {
            guard let through = sender.settleThrough else { continue }
            try store.settle(sender.link, through: through)
            senders[target]?.settleThrough = nil
        }
    }

    var depth: Int { senders.values.reduce(0) { $0 + Int($1.depth) } }
}
