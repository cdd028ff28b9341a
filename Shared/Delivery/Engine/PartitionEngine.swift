package import Contracts
package import Database

/// One partition: handles what arrives in one transaction and returns what follows.
///
/// It has no thread, socket or clock, so that the live host, standard streams and a simulated group drive the same
/// code. Every call of `handle` is one batch: one transaction, one fsync.
package final class PartitionEngine {
    static let batchEvents = 256
    /// After an unclean end, between two heartbeats: each event costs its own commits.
    static let cautiousBatchEvents = 16
    static let creditEvents: UInt64 = 2_048
    /// Unsettled events above which edge requests are refused and forward links are braked.
    static let outboxBound = 50_000
    static let waitBound = 4_096
    /// A link without an answer for so long is named to the operator.
    static let unansweredMilliseconds: Int64 = 10_000
    /// Time reserved for the reply's way back before the deadline.
    static let replyMilliseconds: Int64 = 200
    /// After an unclean end so many events are run one at a time.
    static let cautiousEvents = 256
    static let cautiousWorkItems = 1_024
    static let cautiousTurns = 1_024
    /// After so many failures in a batch its items run one at a time, so that it is not repeated for each of them.
    static let batchFailures = 4
    /// Most items of work whose failures are remembered; where more fail, what gives them out rests.
    static let failingWorkItems = 1_024
    static let delayedSubjects = 64
    /// What was alone in progress at so many deaths of the process is not tried again: an event is
    /// dead-lettered, work is parked.
    static let suspectDeaths = 5
    /// Longest delay before settled rows are deleted in an idle partition.
    static let settleIdleMilliseconds: Int64 = 100
    /// After so many events a receiver settles at once, far below its senders' credit.
    static let settleEvents = 256
    /// Unsettled events above which the next page of a redrive waits, so that it never fills the outbox.
    static let redriveDepth: UInt64 = 4_096
    /// Turns of one timer in hand; more make no difference, as each ends at once.
    package static let turnsAtOnce = 32
    /// So many events of a batch to its own partition are handled in it.
    static let ownEvents = 1_024

    /// The settings of one partition.
    package struct Settings {
        package var address: PartitionAddress
        package var partitions: Int
        /// Whether messages of other partitions' keys are accepted: in a store that serves all partitions.
        package var takesForeign = false
        /// Whether events to the own partition are handled in the transaction that sends them, and not sent.
        package var handlesOwnEvents = true
        var replica = 0
        var pid: Int32 = 0
        package var identifiers: IdentifierSource
        var crash = CrashSwitch.off
        /// Longest delay before this receiver settles, in ms; 0 for none.
        var settleDelayMilliseconds: Int64 = 0
        /// Longest delay of an event that nobody waits for, in ms; 0 for none.
        var lingerMilliseconds: Int64 = 0
        /// Receives every handled message in the form that `--stdio` reads.
        var record: (@Sendable (String) -> Void)?
        /// The version of the configuration, for status requests.
        var configuration = ""

        package init(
            address: PartitionAddress,
            partitions: Int,
            identifiers: IdentifierSource = IdentifierSource()
        ) {
            self.address = address
            self.partitions = partitions
            self.identifiers = identifiers
        }

        var identity: PartitionIdentity { PartitionIdentity(address, of: partitions) }
    }

    let service: any PartitionedService
    let timers: [any DurableTimer]
    let settings: Settings
    let table: HandlerTable
    let decoder: MessageDecoder
    let encoder = EventCoder.encoder()
    let store: any Database
    var state = PartitionState()
    var counters: PartitionCounters
    var caches: [PartitionAddress: RowCache] = [:]
    /// Deaths that this owner has already noted, by suspect: on a full store it tries again and again, and no process
    /// dies of that.
    var suspects: [String: Int] = [:]

    /// Call `takeOver` before anything else.
    package init(service: any PartitionedService, settings: Settings, store: any Database) {
        self.service = service
        timers = service.timers
        self.settings = settings
        self.store = store
        counters = PartitionCounters(type(of: service).counters)
        var table = HandlerTable()
        service.register(in: &table)
        OperatorRequests.add(to: &table)
        self.table = table
        decoder = MessageDecoder(table, owner: settings.takesForeign ? nil : settings.identity)
    }

    /// The epoch of this owner; 0 before `takeOver`.
    var epoch: UInt64 { state.epoch }

    /// Whether events run one at a time, because the last owner died.
    var isCautious: Bool { state.cautious > 0 }

    /// Whether the operator waits for a copy of the store.
    var isCopying: Bool { state.copy?.state == .copying }

    /// An empty write transaction, for the heartbeat.
    func touch() throws {
        try store.write { _ = try $0.row("SELECT epoch FROM partition_owner WHERE only = 1") }
    }

    /// Answers all waiting requests before the partition is left.
    func drain() -> PartitionOutput {
        var output = PartitionOutput()
        output.replies = state.waits.values.joined().map { $0.request.reply($0.otherwise) }
        state.waits = [:]
        state.waitCount = 0
        return output
    }

    /// Records a clean end; the store may be closed afterwards.
    ///
    /// - Throws: `StoreError`.
    package func leave() throws {
        try store.write { connection in
            let delivery = DeliveryStore(connection: connection)
            try state.deleteSettled(in: delivery)
            try delivery.leave()
        }
    }
}
