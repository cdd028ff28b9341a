import Contracts
import DeliveryCore

/// What a partition keeps in memory: the link machines and what waits.
///
/// A value, so that a batch works on a copy that takes the place of the original only after COMMIT.
struct PartitionState {
    /// An outgoing link.
    struct Sender {
        let link: Int64
        var machine: LinkSender
        /// When the machine's timer runs out, in ms of the monotonic clock.
        var timerAt: Int64?
        /// Rows up to here are settled and wait to be deleted.
        var settleThrough: UInt64?
    }

    /// Names an incoming link.
    struct ReceiverKey: Hashable {
        let from: PartitionAddress
        let incarnation: String
    }

    /// Someone who asked and is not answered yet.
    struct Wait {
        let connection: [UInt8]
        let requestID: String
        let event: [UInt8]
        var deadline: Int64
        let otherwise: [UInt8]
    }

    var epoch: UInt64 = 0
    /// When this owner took the partition.
    var ownedSince = Timestamp(milliseconds: 0)
    /// Tells this owner from all others, as the epoch does until a backup is restored.
    var life: UInt64 = 0
    var senders: [PartitionAddress: Sender] = [:]
    /// The receivers whose word shows that nothing which they took from here is missing.
    var confirmed: Set<PartitionAddress> = []
    var nextLinkRow: Int64 = 1
    var receivers: [ReceiverKey: LinkReceiver] = [:]
    var numbers: [UInt64: ReceiverKey] = [:]
    var nextNumber: UInt64 = 1
    /// What is, or was, told again on outgoing links.
    var redrives: [PartitionAddress: RedriveStore.Redrive] = [:]
    /// The subjects that have held events, and when the first one is due.
    var held: [Subject: Timestamp] = [:]
    var waits: [String: [Wait]] = [:]
    var waitCount = 0
    var workAt: Timestamp?
    var workInHand: Set<String> = []
    /// Items that are not begun again until the operator says so.
    var parkedWork: Set<String> = []
    /// When settled rows are deleted although nothing else happens, in ms of the monotonic clock.
    var settleAt: Int64?
    /// Incoming links that have moved since their senders were told, by how many events in all, and when they are told
    /// at the latest, in ms of the monotonic clock.
    var owed: Set<ReceiverKey> = []
    var owedEvents = 0
    var owedAt: Int64?
    /// Whether the last owner died: what is rare is then done alone, and noted as suspect, as long as this one lives.
    var isAfterDeath = false
    /// How many more events are run one at a time, because the last owner died.
    var cautious = 0
    /// The same for results of outside work.
    var cautiousWork = 0
    /// Whether forward links were without credit after the last batch.
    var braked = false

    /// Whether events of another incarnation of an incoming link took effect.
    func hasOther(than link: ReceiverKey) -> Bool {
        receivers.contains { key, receiver in
            key.from == link.from && key.incarnation != link.incarnation && receiver.last > 0
        }
    }

    /// Lets a subject rest that has not held events yet.
    mutating func hold(_ subject: String, until due: Timestamp) {
        let subject = Subject(unchecked: subject)
        if held[subject] == nil { held[subject] = due }
    }

    /// How many events are sent and not settled, over all links.
    var depth: Int { senders.values.reduce(0) { $0 + Int($1.machine.depth) } }
}
