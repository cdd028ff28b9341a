import Contracts
import Database
import Domain

/// One open transaction: copies of the link machines, sent events, and the output after COMMIT.
final class Batch {
    let engine: PartitionEngine
    let connection: any Connection
    let clock: ClockReading
    /// Items and waits whose handler failed in an earlier run of this batch.
    let failures: [FailedItem.ID: FailedItem]
    /// Whether the one item may have ended the last owner; what it causes then runs apart from it.
    private let isSuspect: Bool
    var state: PartitionState
    var output = PartitionOutput()
    let context: HandlerContext
    var appended: [PartitionAddress: [DeliveryStore.OutboxRow]] = [:]
    var recorded: [String] = []
    var renumbered: Set<PartitionAddress> = []
    /// Whether a handler ran; a batch of link frames alone deletes no settled rows, which saves an fsync.
    private var isWriting = false
    /// Links whose sender repeats settled events; they are settled at once.
    var repeating: Set<PartitionState.ReceiverKey> = []
    var advanced: Set<PartitionState.ReceiverKey> = []
    var advancedEvents = 0
    private var ownEvents = 0
    /// The messages that handlers have handled or refused, by type.
    private(set) var taken: [String: HandledCount] = [:]

    init(
        _ engine: PartitionEngine,
        _ connection: any Connection,
        from state: PartitionState,
        without failures: [FailedItem.ID: FailedItem] = [:],
        isSuspect: Bool = false,
        at clock: ClockReading
    ) {
        self.engine = engine
        self.connection = connection
        self.state = state
        self.failures = failures
        self.isSuspect = isSuspect
        self.clock = clock
        context = HandlerContext(
            connection: connection,
            address: engine.settings.address,
            partitions: engine.settings.partitions,
            now: clock.now,
            ownedSince: state.ownedSince,
            confirmed: state.confirmed,
            identifiers: engine.settings.identifiers,
            encoder: engine.encoder
        )
        context.kept = state.kept
        engine.table.beforeBatch(clock)
    }

    var delivery: DeliveryStore { DeliveryStore(connection: connection) }
    var delayed: DelayedEventStore { DelayedEventStore(connection: connection) }
    var deadLetters: DeadLetterStore { DeadLetterStore(connection: connection) }
    var suspects: SuspectStore { SuspectStore(connection: connection) }

    func take(_ item: BatchItem, _ id: FailedItem.ID) throws {
        let sentBefore = context.sent.count
        switch item {
        case .input(let input):
            isWriting = isWriting || input.hasHandler
            try take(input, id)
        case .delayed(let subject):
            isWriting = true
            try retryDelayed(subject, id)
        case .redrive(let target):
            isWriting = true
            try redrive(to: target, id)
        }
        try handleOwnEvents(after: sentBefore)
    }

    private func take(_ input: PartitionInput, _ id: FailedItem.ID) throws {
        switch input {
        case .attach(let attach, let connection):
            self.attach(attach, connection)
        case .delivery(let bytes, let frame, let connection):
            try deliver(bytes, frame, connection, id)
        case .request(let request):
            try self.request(request, id)
        case .direct(let bytes):
            try apply(engine.decoder.decode(bytes), ReceivedEvent(item: id, bytes: bytes, source: nil))
        case .attached(let attached, let receiver):
            try self.attached(attached, by: receiver)
        case .astray(let astray, let receiver):
            try step(.astray(astray), of: receiver)
        case .settled(let settled, let receiver):
            try step(.settled(settled), of: receiver)
        case .refused(let refused, let receiver):
            try step(.refused(refused), of: receiver)
        case .connected(let receiver):
            try step(.connected, of: receiver)
        case .worked(let item, let result):
            try worked(item, result, id)
        case .tick:
            try wakeSilentLinks()
            try sendLingering()
            expireWaits()
        }
    }

    /// Handles what an item sent to its own partition, in the same transaction, which saves a commit and the link.
    ///
    /// What already waits for this partition, in the outbox or on its way there, comes first; then the new events wait
    /// there, too.
    private func handleOwnEvents(after first: Int) throws {
        guard first < context.sent.count else { return }
        let here = engine.settings.address
        let isInOutbox = state.senders[here].map { $0.depth > 0 } ?? false
        let isWaiting = isInOutbox || context.sent[..<first].contains { $0.to == here }
        let hasLink = LinkKind.all[here.service]?[here.service] != nil
        guard engine.settings.handlesOwnEvents, hasLink, !isSuspect, !isWaiting else { return }
        var index = first
        while index < context.sent.count {
            guard context.sent[index].to == here, ownEvents < PartitionEngine.ownEvents else {
                index += 1
                continue
            }
            let event = context.sent.remove(at: index)
            let received = ReceivedEvent(item: .own(ownEvents), bytes: event.bytes, source: here)
            ownEvents += 1
            try apply(engine.decoder.decode(event.bytes), received)
        }
    }

    /// Runs the code of a service; a failure that is not the store's is the item's.
    func attempt<Value>(_ id: FailedItem.ID, _ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch let fault as StoreError where fault.isTransient {
            throw fault
        } catch {
            throw FailedItem(id: id, reason: String(describing: error))
        }
    }

    func run(_ message: any DecodedMessage, _ id: FailedItem.ID) throws -> HandledMessage {
        context.cause = message.id
        context.traceparent = message.traceparent
        let start = ContinuousClock.now
        let handled = try attempt(id) { try message.run(in: self) }
        taken[message.type, default: HandledCount()] += HandledCount(1, in: ContinuousClock.now - start)
        return handled
    }

    /// Records a message with the time and the seed of its handler, so that a replay gives the same result alone.
    func record(_ kind: String, _ bytes: [UInt8]) {
        guard engine.settings.record != nil else { return }
        let settings = engine.settings
        let seed = settings.identifiers.restart()
        let context =
            #""now":"\#(clock.now.rfc3339)","partition":\#(settings.address.partition),"seed":\#(seed)"#
        recorded.append(#"{\#(context),"\#(kind)":\#(String(decoding: bytes, as: UTF8.self))}"#)
    }

    func finish() throws {
        try wakeWaits()
        let isIdleOver = state.settleAt.map { $0 <= clock.uptime } ?? false
        if isWriting || isIdleOver { try state.deleteSettled(in: delivery) }
        try flushSent()
        for entry in context.traceEntries { try TraceEntryStore(connection: connection).add(entry) }
        output.alarms += context.alarms
        state.kept = context.kept
        for key in advanced {
            if let receiver = state.receivers[key] { try delivery.mark(receiver) }
        }
        settle()
        try startWork()
    }
}
