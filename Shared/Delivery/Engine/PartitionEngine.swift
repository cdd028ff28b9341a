package import Contracts
package import Database
import DeliveryCore
import Domain
import Foundation

/// One partition: handles what arrives in one transaction and returns what follows.
///
/// It has no thread, socket or clock, so that the live host, standard streams and a simulated group drive the same
/// code. Every call of `handle` is one batch: one transaction, one fsync.
package final class PartitionEngine {
    package static let batchEvents = 256
    /// After an unclean end, between two heartbeats: each event costs its own commits.
    static let cautiousBatchEvents = 16
    static let creditEvents: UInt64 = 2_048
    /// Unsettled events above which edge requests are refused and forward links are braked.
    static let outboxBound = 50_000
    static let waitBound = 4_096
    /// Time reserved for the reply's way back before the deadline.
    static let replyMilliseconds: Int64 = 200
    /// After an unclean end so many events are run one at a time.
    static let cautiousEvents = 256
    static let cautiousWorkItems = 1_024
    static let heldSubjects = 64
    /// What was alone in progress at so many deaths of the process is parked.
    static let suspectDeaths = 5
    /// Longest delay before settled rows are deleted in an idle partition.
    static let settleIdleMilliseconds: Int64 = 100
    /// After so many events a receiver settles at once, far below its senders' credit.
    static let settleEvents = 256

    /// The settings of one partition.
    package struct Settings {
        package var address: PartitionAddress
        package var partitions: Int
        /// Whether messages of other partitions' keys are accepted: in a store that serves all partitions.
        package var takesForeign: Bool
        package var replica: Int
        package var pid: Int32
        package var identifiers: IdentifierSource
        package var crash: CrashSwitch
        /// Longest delay before this receiver settles, in ms; 0 for none.
        package var settleDelayMilliseconds: Int64
        /// Receives every handled message in the form that `--stdio` reads.
        package var record: (@Sendable (String) -> Void)?
        /// The version of the configuration, for status requests.
        package var configuration: String

        package init(
            address: PartitionAddress,
            partitions: Int,
            takesForeign: Bool = false,
            replica: Int = 0,
            pid: Int32 = 0,
            identifiers: IdentifierSource = IdentifierSource(),
            crash: CrashSwitch = .off,
            settleDelayMilliseconds: Int64 = 0,
            record: (@Sendable (String) -> Void)? = nil,
            configuration: String = ""
        ) {
            self.address = address
            self.partitions = partitions
            self.takesForeign = takesForeign
            self.replica = replica
            self.pid = pid
            self.identifiers = identifiers
            self.crash = crash
            self.settleDelayMilliseconds = settleDelayMilliseconds
            self.record = record
            self.configuration = configuration
        }

        var identity: PartitionIdentity { PartitionIdentity(address, of: partitions) }
    }

    let service: any PartitionedService
    let links: [ServiceName: LinkKind]
    let settings: Settings
    let table: HandlerTable
    let decoder: MessageDecoder
    let encoder = EventCoder.encoder()
    let store: any Database
    var state = PartitionState()
    var caches: [PartitionAddress: RowCache] = [:]
    /// Deaths that this owner has already noted, by suspect: on a full store it tries again and again, and no process
    /// dies of that.
    var suspects: [String: Int] = [:]

    /// Call `takeOver` before anything else.
    package init<Service: PartitionedService>(service: Service, settings: Settings, store: any Database) {
        self.service = service
        self.settings = settings
        self.store = store
        links = Service.links
        schema = Service.schema
        var table = HandlerTable()
        service.register(in: &table)
        OperatorRequests.register(in: &table)
        self.table = table
        decoder = MessageDecoder(table, owner: settings.takesForeign ? nil : settings.identity)
    }

    private let schema: Schema

    var isCautious: Bool { state.cautious > 0 }

    /// The epoch of this owner; 0 before `takeOver`.
    package var epoch: UInt64 { state.epoch }

    /// Becomes the owner: migrates the schema, counts the epoch, loads the links.
    ///
    /// - Returns: the first output, an attach for every link.
    /// - Throws: `StoreError`, `PartitionIdentity.Mismatch`; then the store is unchanged.
    package func takeOver(at moment: Moment) throws -> PartitionOutput {
        var output = PartitionOutput()
        state = try store.write { connection in
            try DeliverySchema.schema.migrate(connection)
            let owner = try DeliveryStore(connection: connection).takeOver(settings.identity)
            try schema.migrate(connection)
            var loaded = try loadState(owner, connection, at: moment)
            for address in loaded.senders.keys.sorted() {
                let actions = loaded.senders[address]?.machine.step(.start) ?? []
                try Self.perform(actions, of: address, in: &loaded, &output, at: moment) { _ in [] }
            }
            return loaded
        }
        return output
    }

    private func loadState(
        _ owner: (epoch: UInt64, wasClean: Bool),
        _ connection: any Connection,
        at moment: Moment
    ) throws -> PartitionState {
        let delivery = DeliveryStore(connection: connection)
        var loaded = PartitionState()
        loaded.epoch = owner.epoch
        loaded.ownedSince = moment.now
        loaded.life = settings.identifiers.random() >> 35
        // From a random start: a restored store counts the same epoch twice, and its numbers must not repeat.
        loaded.nextNumber = settings.identifiers.random() >> 16
        loaded.isAfterDeath = !owner.wasClean
        loaded.cautious = owner.wasClean ? 0 : Self.cautiousEvents
        loaded.cautiousWork = owner.wasClean ? 0 : Self.cautiousWorkItems
        for row in try delivery.links() {
            loaded.senders[row.target] = .init(
                link: row.link,
                machine: LinkSender(
                    from: settings.address,
                    incarnation: row.incarnation,
                    life: loaded.life,
                    settled: row.settled,
                    next: row.next,
                    quarantine: row.quarantine
                )
            )
            loaded.nextLinkRow = max(loaded.nextLinkRow, row.link + 1)
        }
        loaded.redrives = try loadRedrives(loaded.senders, connection)
        for receiver in try delivery.receivers() {
            loaded.receivers[.init(from: receiver.from, incarnation: receiver.incarnation)] = receiver
        }
        try reviveKnownTypes(connection, now: moment.now)
        loaded.held = try HeldEventStore(connection: connection).subjects()
        loaded.parkedWork = try SuspectStore(connection: connection).parkedWork()
        loaded.workAt = service.worker == nil ? nil : moment.now
        return loaded
    }

    /// Tries dead letters again whose type this program knows and its predecessor did not.
    private func reviveKnownTypes(_ connection: any Connection, now: Timestamp) throws {
        let letters = DeadLetterStore(connection: connection)
        for letter in try letters.unknownTypeLetters() where table.decoders[letter.type] != nil {
            guard let found = try letters.letter(letter.letterId),
                try letters.remove(letter, .retried, decidedBy: "delivery", now: now)
            else { continue }
            try HeldEventStore(connection: connection).hold(found.event, due: now, now: now)
        }
    }

    /// Answers all waiting requests before the partition is left.
    package func drain() -> PartitionOutput {
        var output = PartitionOutput()
        for wait in state.waits.values.joined() {
            let header = WireHeader(reply: .init(id: wait.requestID))
            output.replies.append(
                .init(connection: wait.connection, message: WireMessage(header, body: [wait.otherwise]))
            )
        }
        state.waits = [:]
        state.waitCount = 0
        return output
    }

    /// Records a clean end; the store may be closed afterwards.
    ///
    /// - Throws: `StoreError`.
    package func leave() throws {
        try store.write { connection in
            try flushSettles(in: &state, connection)
            try DeliveryStore(connection: connection).leave()
        }
    }

    /// Handles one batch.
    ///
    /// - Throws: `StoreError`; then nothing took effect and nothing may be sent. After any fault but `busy` and `full`
    ///   the store must be reopened.
    package func handle(_ inputs: [PartitionInput], at moment: Moment) throws -> PartitionOutput {
        let units = inputs.flatMap(Unit.units(of:))
        guard units.contains(where: { state.isCautious(with: $0) }) else { return try run(units, at: moment) }
        var output = PartitionOutput()
        for (index, unit) in units.enumerated() {
            do {
                output.append(try runAlone(unit, at: moment))
            } catch let fault as StoreError where fault.mayPass && index > 0 {
                // Output of earlier commits must be sent; the rest arrives again.
                giveBack(units[index...], at: moment)
                return output
            }
        }
        return output
    }

    /// Schedules outside work again whose result could not be stored.
    private func giveBack(_ units: ArraySlice<Unit>, at moment: Moment) {
        for case .worked(let item, _) in units.map(\.content) {
            state.workInHand.remove(item.key)
            state.workAt = moment.now
        }
    }

    /// Runs units as one transaction; messages whose handler fails are held, and the others run again.
    func run(_ units: [Unit], suspect: String? = nil, at moment: Moment) throws -> PartitionOutput {
        var poisoned: [PoisonKey: String] = [:]
        while true {
            do {
                let batch = try store.write { connection in
                    let batch = Batch(
                        engine: self,
                        connection: connection,
                        poisoned: poisoned,
                        moment: moment
                    )
                    for (index, unit) in units.enumerated() { try batch.take(unit, index) }
                    try batch.finish()
                    if let suspect { try SuspectStore(connection: connection).clear(suspect) }
                    settings.crash.reach(.beforeCommit)
                    return batch
                }
                settings.crash.reach(.afterCommit)
                return adopt(batch)
            } catch let fault as HandlerFault {
                poisoned[fault.key] = fault.reason
            }
        }
    }

    func adopt(_ batch: Batch) -> PartitionOutput {
        state = batch.state
        for target in batch.renumbered { caches[target]?.removeAll() }
        for (target, rows) in batch.appended { caches[target, default: RowCache()].append(rows) }
        for (target, sender) in state.senders { caches[target]?.drop(through: sender.machine.settled) }
        if let record = settings.record { batch.recorded.forEach(record) }
        return batch.output
    }

    func smallBatch(
        _ poisoned: [PoisonKey: String] = [:],
        suspect: String? = nil,
        at moment: Moment,
        _ body: (Batch) throws -> Void
    ) throws -> Batch {
        try store.write { connection in
            let batch = Batch(engine: self, connection: connection, poisoned: poisoned, moment: moment)
            try body(batch)
            try batch.finish()
            if let suspect { try SuspectStore(connection: connection).clear(suspect) }
            return batch
        }
    }

    /// An empty write transaction, for the heartbeat.
    ///
    /// - Throws: `StoreError`.
    package func touch() throws {
        try store.write { _ = try $0.row("SELECT epoch FROM partition_owner WHERE only = 1") }
    }

    /// The next deadline, in ms of the monotonic clock; nil when there is none.
    package func nextDeadline(at moment: Moment) -> Int64? {
        var deadlines = state.senders.values.compactMap(\.timerAt)
        if let settleAt = state.settleAt { deadlines.append(settleAt) }
        if let owedAt = state.owedAt { deadlines.append(owedAt) }
        if dueRedrive != nil { deadlines.append(moment.uptime) }
        for waits in state.waits.values { deadlines.append(contentsOf: waits.map(\.deadline)) }
        let hasRoom = state.workInHand.count < (service.worker?.concurrency ?? 0)
        let durable = Array(state.held.values) + (hasRoom ? state.workAt.map { [$0] } ?? [] : [])
        deadlines += durable.map {
            moment.uptime
                + min(max(0, $0.milliseconds - moment.now.milliseconds), RetryPolicy.backoff.longest)
        }
        return deadlines.min()
    }
}

extension PartitionOutput {
    mutating func append(_ other: PartitionOutput) {
        replies += other.replies
        settles += other.settles
        transfers += other.transfers
        work += other.work
        alarms += other.alarms
        sent += other.sent
        refusals += other.refusals
    }
}
