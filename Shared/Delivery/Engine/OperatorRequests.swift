import Contracts
import Database
import DeliveryCore

/// What every partition answers, whatever its service: how it is, what it knows, what it could not handle.
enum OperatorRequests {
    /// Dead letters listed at most.
    private static let listLimit = 1_000

    /// Their types; they are answered even when the partition has too much in hand.
    static let types = Set([
        PartitionStatusV1.type.rawValue, TraceV1.type.rawValue, DeadLettersListV1.type.rawValue,
        DeadLetterGetV1.type.rawValue, DeadLetterRetryV1.type.rawValue, DeadLetterDiscardV1.type.rawValue,
        LinksListV1.type.rawValue, LinkResumeV1.type.rawValue, RedrivesListV1.type.rawValue,
    ]).union(HeldRequests.types)

    static func register(in table: inout HandlerTable) {
        table.on(request: PartitionStatusV1.self) { _, context in .reply(try status(context)) }
        table.on(request: TraceV1.self) { event, context in
            guard let batch = context.batch else { return .reply(Trace()) }
            let identifiers = Set(event.data.identifiers)
            var trace = try batch.engine.service.trace(identifiers, in: context.connection)
            let journeys = try JourneyStore(connection: context.connection).trace(identifiers)
            trace.entries += journeys.entries
            trace.related.formUnion(journeys.related)
            return .reply(trace)
        }
        table.on(request: LinksListV1.self) { _, context in .reply(LinkList(links: links(context))) }
        table.on(request: LinkResumeV1.self, resume)
        table.on(request: RedrivesListV1.self) { _, context in
            .reply(RedriveList(redrives: redrives(context)))
        }
        registerLetters(in: &table)
        HeldRequests.register(in: &table)
    }

    private static func registerLetters(in table: inout HandlerTable) {
        table.on(request: DeadLettersListV1.self) { _, context in
            .reply(
                DeadLetterList(
                    letters: try HeldStore(connection: context.connection).letters(limit: listLimit)
                )
            )
        }
        table.on(request: DeadLetterGetV1.self) { event, context in
            let found = try HeldStore(connection: context.connection).letter(event.data.letterId)
            return found.map { .reply($0.letter) } ?? .refused(.init(.notFound, "no such dead letter"))
        }
        table.on(request: DeadLetterRetryV1.self) { event, context in
            let letter = try context.batch?.retryLetter(event.data.letterId)
            return letter.map { .reply($0) } ?? .refused(.init(.notFound, "no such dead letter"))
        }
        table.on(request: DeadLetterDiscardV1.self) { event, context in
            let held = HeldStore(connection: context.connection)
            guard let found = try held.letter(event.data.letterId),
                try held.remove(
                    found.letter,
                    action: "discarded",
                    decidedBy: event.data.decidedBy,
                    now: context.now
                )
            else { return .refused(.init(.notFound, "no such dead letter")) }
            return .reply(found.letter)
        }
    }

    private static func status(_ context: HandlerContext) throws -> PartitionStatus {
        guard let batch = context.batch else { throw StoreError.corrupt("a request outside a batch") }
        let settings = batch.engine.settings
        let held = HeldStore(connection: context.connection)
        return PartitionStatus(
            service: settings.address.service,
            partition: settings.address.partition,
            pid: settings.pid,
            replica: settings.replica,
            epoch: Int64(batch.state.epoch),
            outbox: batch.state.depth,
            oldestUnsettledMs: try oldestUnsettled(batch),
            held: try held.heldCount(),
            deadLetters: try held.deadLetterCount(),
            quarantinedLinks: batch.state.senders.values.count { $0.machine.quarantine != nil },
            gauges: try batch.engine.service.gauges(in: context.connection, now: context.now),
            configuration: settings.configuration
        )
    }

    private static func oldestUnsettled(_ batch: Batch) throws -> Int64 {
        let delivery = DeliveryStore(connection: batch.connection)
        var oldest: Timestamp?
        for sender in batch.state.senders.values where sender.machine.depth > 0 {
            guard let time = try delivery.oldestUnsettled(sender.link, after: sender.machine.settled) else {
                continue
            }
            oldest = min(oldest ?? time, time)
        }
        return oldest.map { max(0, batch.moment.now.milliseconds - $0.milliseconds) } ?? 0
    }

    private static func links(_ context: HandlerContext) -> [LinkStatus] {
        guard let batch = context.batch else { return [] }
        return batch.state.senders.keys.sorted().compactMap { target in
            batch.state.senders[target].map { status($0.machine, to: target) }
        }
    }

    private static func redrives(_ context: HandlerContext) -> [RedriveStatus] {
        guard let batch = context.batch else { return [] }
        return batch.state.redrives.sorted { $0.key < $1.key }.map { target, redrive in
            RedriveStatus(
                from: batch.engine.settings.address,
                to: target,
                rows: redrive.rows,
                startedAt: redrive.startedAt,
                finishedAt: redrive.finishedAt,
                failure: redrive.failure
            )
        }
    }

    private static func status(_ machine: LinkSender, to target: PartitionAddress) -> LinkStatus {
        LinkStatus(
            from: machine.from,
            to: target,
            incarnation: machine.incarnation,
            next: Int64(machine.next),
            settled: Int64(machine.settled),
            attached: machine.isAttached,
            quarantine: machine.quarantine?.rawValue
        )
    }

    private static func resume(
        _ event: Event<LinkResumeV1>,
        _ context: inout HandlerContext
    ) throws -> RequestOutcome<LinkStatus> {
        guard let batch = context.batch, let sender = batch.state.senders[event.data.to] else {
            return .refused(.init(.notFound, "no link to \(event.data.to)"))
        }
        let isRepeated = batch.state.redrives[event.data.to]?.requestID == event.id
        guard !isRepeated else { return .reply(status(sender.machine, to: event.data.to)) }
        guard sender.machine.quarantine != nil || event.data.redrive else {
            return .refused(.init(.conflict, "the link is not quarantined"))
        }
        try batch.beginIncarnation(of: event.data.to, incarnation: context.newIdentifier().rawValue)
        if event.data.redrive { try batch.beginRedrive(to: event.data.to, requestID: event.id) }
        guard let machine = batch.state.senders[event.data.to]?.machine else {
            return .refused(.init(.notFound, "gone"))
        }
        return .reply(status(machine, to: event.data.to))
    }
}

extension Batch {
    /// Gives a link a new life: what is not settled is numbered from 1 again and sent to a receiver that knows nothing.
    func beginIncarnation(of target: PartitionAddress, incarnation: String) throws {
        guard let sender = state.senders[target] else { return }
        try engine.flushSettles(in: &state, connection)
        let next = try DeliveryStore(connection: connection).beginIncarnation(
            sender.link,
            incarnation: incarnation
        )
        let resumed = LinkSender.Event.resumed(incarnation: incarnation, settled: 0, next: next)
        let actions = state.senders[target]?.machine.step(resumed) ?? []
        state.confirmed.remove(target)
        renumbered.insert(target)
        try perform(actions, of: target)
    }
}
