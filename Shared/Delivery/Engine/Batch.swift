import Contracts
import Database
import DeliveryCore
import Domain
import Foundation

/// One open transaction: copies of the link machines, sent events, and the output after COMMIT.
final class Batch {
    let engine: PartitionEngine
    let connection: any Connection
    let moment: Moment
    let poisoned: [PoisonKey: String]
    var state: PartitionState
    var output = PartitionOutput()
    var context: HandlerContext
    var appended: [PartitionAddress: [DeliveryStore.OutboxRow]] = [:]
    var recorded: [String] = []
    var renumbered: Set<PartitionAddress> = []
    /// Whether a handler ran; a batch of link frames alone deletes no settled rows, which saves an fsync.
    var isWriting = false
    /// Links whose sender repeats settled events; they are settled at once.
    private var repeating: Set<PartitionState.ReceiverKey> = []
    private var advanced: Set<PartitionState.ReceiverKey> = []
    private var advancedEvents = 0

    init(
        engine: PartitionEngine,
        connection: any Connection,
        poisoned: [PoisonKey: String],
        moment: Moment
    ) {
        self.engine = engine
        self.connection = connection
        self.poisoned = poisoned
        self.moment = moment
        state = engine.state
        context = HandlerContext(
            connection: connection,
            address: engine.settings.address,
            partitions: engine.settings.partitions,
            now: moment.now,
            ownedSince: engine.state.ownedSince,
            confirmed: engine.state.confirmed,
            identifiers: engine.settings.identifiers,
            encoder: engine.encoder
        )
    }

    func take(_ unit: Unit, _ index: Int) throws {
        isWriting = isWriting || unit.hasHandler
        switch unit.content {
        case .attach(let attach, let connection):
            self.attach(attach, connection)
        case .event(let bytes, let transfer, let connection):
            try event(bytes, transfer, connection, poison: poison(unit, index), key: .unit(index))
        case .request(let request, let bytes, let connection):
            try self.request(request, bytes, connection, poison: poison(unit, index), key: .unit(index))
        case .direct(let bytes):
            let poison = poison(unit, index)
            try apply(engine.decoder.decode(bytes), bytes, from: "-", poison: poison, key: .unit(index))
        case .sender(let address, let word):
            try sender(address, word)
        case .worked(let item, let result):
            try worked(item, result, poison: poison(unit, index), key: .unit(index))
        case .tick:
            try tick()
        }
    }

    private func poison(_ unit: Unit, _ index: Int) -> String? {
        unit.isDeadly ? Self.deadlyReason : poisoned[.unit(index)]
    }

    static let deadlyReason = "the process ended each time this was alone in hand"

    // MARK: Receiving

    private func attach(_ attach: LinkFrame.Attach, _ connection: [UInt8]) {
        let key = PartitionState.ReceiverKey(from: attach.from, incarnation: attach.incarnation)
        var receiver =
            state.receivers[key] ?? LinkReceiver(from: attach.from, incarnation: attach.incarnation)
        if let former = receiver.session?.link { state.numbers[former] = nil }
        let answer = receiver.attach(
            attach,
            connection: connection,
            number: state.nextNumber,
            epoch: state.epoch,
            credit: credit(for: attach.from),
            replaces: state.hasOther(than: key)
        )
        state.nextNumber += 1
        state.receivers[key] = receiver
        state.numbers[answer.link] = key
        output.settles.append(
            .init(connection: connection, message: WireMessage(WireHeader(.attached(answer))))
        )
    }

    private func event(
        _ bytes: [UInt8],
        _ transfer: LinkFrame.Transfer,
        _ connection: [UInt8],
        poison: String?,
        key: PoisonKey
    ) throws {
        guard let link = state.numbers[transfer.link], var receiver = state.receivers[link] else {
            return refuse(
                .init(link: transfer.link, epoch: transfer.epoch, last: 0, reason: .unknownLink),
                connection
            )
        }
        let isNext = transfer.sequence == receiver.last + 1
        let decoded = isNext ? engine.decoder.decode(bytes) : nil
        let decision = receiver.transfer(
            transfer.sequence,
            eventID: decoded?.eventID,
            link: transfer.link,
            connection: connection,
            epochMatches: transfer.epoch == state.epoch,
            epoch: transfer.epoch
        )
        switch decision {
        case .ignore: return
        case .refuse(let refusal):
            state.receivers[link] = receiver
            return refuse(refusal, connection)
        case .repeated:
            repeating.insert(link)
        case .apply:
            state.receivers[link] = receiver
            advanced.insert(link)
            advancedEvents += 1
            if let decoded {
                try apply(decoded, bytes, from: link.from.description, poison: poison, key: key)
            }
        }
    }

    private func refuse(_ refusal: LinkFrame.Refused, _ connection: [UInt8]) {
        output.settles.append(
            .init(connection: connection, message: WireMessage(WireHeader(.refused(refusal))))
        )
    }

    func apply(
        _ decoded: MessageDecoder.Decoded,
        _ bytes: [UInt8],
        from source: String,
        poison: String?,
        key: PoisonKey
    ) throws {
        switch decoded {
        case .unknown(let head):
            try deadLetter(
                failed(head, bytes, source, "no handler for type \(head.type ?? "?")"),
                unknownType: true
            )
        case .malformed(let head, let reason):
            try deadLetter(failed(head, bytes, source, reason))
        case .foreign(let head, let reason):
            try deadLetter(failed(head, bytes, source, reason))
        case .message(let message, let type):
            if state.held[Subject(unchecked: message.subject)] != nil {
                try hold(message, type, bytes, source, reason: "waits behind an earlier event of its subject")
            } else if poison == Self.deadlyReason {
                try deadLetter(Self.failed(message, type, bytes, source, Self.deadlyReason))
            } else if let poison {
                try hold(message, type, bytes, source, reason: poison)
            } else {
                try handle(message, type, bytes, source, key: key)
            }
        }
    }

    private func handle(
        _ message: any DecodedMessage,
        _ type: String,
        _ bytes: [UInt8],
        _ source: String,
        key: PoisonKey
    ) throws {
        record("event", bytes)
        switch try run(message, key: key) {
        case .applied: return
        case .parked(let reason):
            try deadLetter(Self.failed(message, type, bytes, source, reason))
        case .reply, .refused, .wait:
            try deadLetter(Self.failed(message, type, bytes, source, "a request came as an event"))
        }
    }

    func run(_ message: any DecodedMessage, key: PoisonKey) throws -> HandledMessage {
        context.cause = message.id
        context.traceparent = message.traceparent
        do {
            return try message.run(in: self)
        } catch let fault as StoreError where fault.isTransient {
            throw fault
        } catch {
            throw HandlerFault(key: key, reason: String(describing: error))
        }
    }

    // MARK: Events that fail

    private func hold(
        _ message: any DecodedMessage,
        _ type: String,
        _ bytes: [UInt8],
        _ source: String,
        reason: String
    ) throws {
        let pause = RetryPolicy.backoff.pause(after: 1, random: engine.settings.identifiers.random())
        let due = moment.now.advanced(by: pause)
        let failed = Self.failed(message, type, bytes, source, reason)
        try HeldEventStore(connection: connection).hold(failed, due: due, now: moment.now)
        state.hold(message.subject, until: due)
        output.refusals.append(.init(.held, reason))
    }

    static func failed(
        _ message: any DecodedMessage,
        _ type: String,
        _ bytes: [UInt8],
        _ source: String,
        _ reason: String
    ) -> FailedEvent {
        FailedEvent(
            source: source,
            eventID: message.id.rawValue,
            type: type,
            subject: message.subject,
            bytes: bytes,
            reason: reason
        )
    }

    private func failed(
        _ head: MessageDecoder.EventHead?,
        _ bytes: [UInt8],
        _ source: String,
        _ reason: String
    ) -> FailedEvent {
        FailedEvent(
            source: source,
            eventID: head?.id ?? "",
            type: head?.type ?? "",
            subject: head?.subject ?? "",
            bytes: bytes,
            reason: reason
        )
    }

    // MARK: The end of a batch

    func finish() throws {
        try wakeWaits()
        let isIdleOver = state.settleAt.map { $0 <= moment.uptime } ?? false
        if isWriting || isIdleOver { try engine.flushSettles(in: &state, connection) }
        try flushSent()
        try writeTraceEntries()
        output.alarms += context.alarms
        let delivery = DeliveryStore(connection: connection)
        for key in advanced {
            if let receiver = state.receivers[key] { try delivery.mark(receiver) }
        }
        settle()
        try startWork()
    }

    /// Settles links, but not after every batch: a settlement costs as much as an event, and only a sender with a full
    /// window waits for it.
    private func settle() {
        let released = state.braked && !isBraked
        state.braked = isBraked
        if !advanced.isEmpty, state.owedAt == nil {
            state.owedAt = moment.uptime + engine.settings.settleDelayMilliseconds
        }
        state.owed.formUnion(advanced)
        state.owedEvents += advancedEvents
        let isDue =
            state.owedEvents >= PartitionEngine.settleEvents
            || state.owedAt.map { $0 <= moment.uptime } ?? false
        var told = repeating
        if released { told.formUnion(state.receivers.keys) }
        if isDue { told.formUnion(state.owed) }
        for key in told { settle(key) }
        state.owed.subtract(told)
        if state.owed.isEmpty { (state.owedAt, state.owedEvents) = (nil, 0) }
    }

    private func settle(_ key: PartitionState.ReceiverKey) {
        guard let receiver = state.receivers[key], let session = receiver.session,
            let settlement = receiver.settlement(epoch: state.epoch, credit: credit(for: key.from))
        else { return }
        output.settles.append(
            .init(connection: session.connection, message: WireMessage(WireHeader(.settled(settlement))))
        )
    }

    private var isBraked: Bool { state.depth >= PartitionEngine.outboxBound }

    /// Links that close a cycle always have credit; others lose it when the outbox is full.
    ///
    /// So does a link from the service to itself: braked by its own rows, it could never drain.
    private func credit(for source: PartitionAddress) -> UInt64 {
        let here = engine.settings.address.service
        let closesCycle = source.service == here || LinkKinds.kind(from: source.service, to: here) == .answer
        return closesCycle || !isBraked ? PartitionEngine.creditEvents : 0
    }

    private func flushSent() throws {
        guard !context.sent.isEmpty else { return }
        var targets: [PartitionAddress] = []
        var events: [PartitionAddress: [OutgoingEvent]] = [:]
        for event in context.sent {
            output.sent.append(.init(to: event.to, event: event.bytes))
            if events[event.to] == nil { targets.append(event.to) }
            events[event.to, default: []].append(event)
        }
        context.sent = []
        for target in targets { try append(events[target] ?? [], to: target) }
    }

    private func append(_ events: [OutgoingEvent], to target: PartitionAddress) throws {
        var sender = try state.senders[target] ?? newSender(to: target)
        let first = sender.machine.next
        try DeliveryStore(connection: connection).append(
            events,
            to: sender.link,
            from: first,
            now: moment.now
        )
        let rows = events.enumerated().map { offset, event in
            DeliveryStore.OutboxRow(sequence: first + UInt64(offset), eventID: event.id, event: event.bytes)
        }
        appended[target, default: []] += rows
        let actions = sender.machine.step(.enqueued(next: first + UInt64(events.count)))
        state.senders[target] = sender
        try perform(actions, of: target)
    }

    private func newSender(to target: PartitionAddress) throws -> PartitionState.Sender {
        guard engine.links[target.service] != nil else {
            throw StoreError.corrupt("\(engine.settings.address) has no link to \(target)")
        }
        let row = DeliveryStore.LinkRow(
            link: state.nextLinkRow,
            target: target,
            incarnation: context.newIdentifier().rawValue
        )
        try DeliveryStore(connection: connection).insert(row)
        state.nextLinkRow += 1
        var sender = PartitionState.Sender(
            link: row.link,
            machine: LinkSender(
                from: engine.settings.address,
                incarnation: row.incarnation,
                life: state.life,
                settled: 0,
                next: 1
            )
        )
        let actions = sender.machine.step(.start)
        state.senders[target] = sender
        try perform(actions, of: target)
        return state.senders[target] ?? sender
    }
}
