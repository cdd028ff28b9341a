import Contracts
import Database
import Domain

/// The requests of operators that every partition answers, whatever its service.
enum OperatorRequests {
    static func add(to table: inout HandlerTable) {
        table.on(operator: PartitionStatusV1.self) { _, batch in try batch.status() }
        table.on(operator: TraceV1.self) { event, batch in try batch.trace(event.data) }
        table.on(operator: StoreCopyV1.self) { event, batch in batch.copy(event.data) }

        table.on(operator: ActsListV1.self) { event, batch in
            try ActStore(connection: batch.connection).acts(event.data)
        }

        table.on(operator: LinksListV1.self) { _, batch in
            let links = batch.state.senders.sorted { $0.key < $1.key }
            return links.map { batch.status(of: $0.value, to: $0.key) }
        }
        table.on(operator: LinkResumeV1.self) { event, batch in try batch.resume(event) }

        table.on(operator: DeadLettersListV1.self) { _, batch in
            try batch.deadLetters.letters(limit: Limits.listedRows)
        }
        table.on(operator: DeadLetterGetV1.self) { event, batch in
            guard let found = try batch.deadLetters.letter(event.data.letterId) else {
                throw RequestRefusal.unknownLetter
            }
            return found.letter
        }
        table.on(operator: DeadLetterRetryV1.self) { event, batch in try batch.retry(event.data) }
        table.on(operator: DeadLetterDiscardV1.self) { event, batch in
            let (identifier, decidedBy) = (event.data.letterId, event.data.decidedBy)
            return try batch.take(identifier, .discarded, decidedBy: decidedBy).letter
        }

        table.on(operator: DelayedEventsListV1.self) { _, batch in
            let delayed = try batch.delayed.listed(limit: Limits.listedRows)
            return delayed + (try batch.suspects.listed(limit: Limits.listedRows))
        }
        table.on(operator: DelayedEventReleaseV1.self) { event, batch in try batch.release(event.data) }
        table.on(operator: DelayedEventDeadLetterV1.self) { event, batch in try batch.deadLetter(event.data) }
    }
}

extension RequestRefusal {
    fileprivate static let unknownLetter = RequestRefusal(.notFound, "no such dead letter")
    fileprivate static let unknownEvent = RequestRefusal(.notFound, "no such delayed event")
}

// MARK: - Status, copy and trace

extension Batch {
    fileprivate func status() throws -> PartitionStatus {
        let settings = engine.settings
        return PartitionStatus(
            service: settings.address.service,
            partition: settings.address.partition,
            pid: settings.pid,
            replica: settings.replica,
            epoch: Int64(state.epoch),
            outbox: state.depth,
            oldestUnsettledMs: try oldestUnsettledMilliseconds(),
            delayed: try delayed.count(),
            parkedWork: state.parkedWork.count,
            deadLetters: try deadLetters.count(),
            quarantinedLinks: state.senders.values.count { $0.machine.quarantine != nil },
            unansweredLinks: state.senders.filter { $0.value.isUnanswered(at: clock) }.keys.sorted(),
            gauges: try engine.service.gauges(in: connection, now: clock.now),
            counters: engine.counters.named(with: engine.store.counts),
            messages: engine.counters.messages.mapValues(\.messages),
            messageMicroseconds: engine.counters.messages.mapValues(\.microseconds),
            alarms: engine.counters.alarms,
            configuration: settings.configuration,
            logPosition: (engine.store as? ReplicatedDatabase)?.head.position
        )
    }

    private func oldestUnsettledMilliseconds() throws -> Int64 {
        let times = try state.senders.values.filter { $0.depth > 0 }.compactMap {
            try delivery.oldestUnsettled($0.link, after: $0.machine.settled)
        }
        return times.min().map { max(0, clock.now.milliseconds - $0.milliseconds) } ?? 0
    }

    /// The owner copies between this batch and later ones.
    fileprivate func copy(_ request: StoreCopyV1) -> StoreCopy {
        if let known = state.copy, known.copyId == request.copyId { return known }
        let begun = StoreCopy(copyId: request.copyId)
        state.copy = begun
        return begun
    }

    fileprivate func trace(_ request: TraceV1) throws -> Trace {
        let identifiers = Set(request.identifiers)
        var trace = try engine.service.trace(identifiers, in: connection)
        let recorded = try TraceEntryStore(connection: connection).trace(identifiers)
        trace.entries += recorded.entries
        trace.related.formUnion(recorded.related)
        return trace
    }
}

// MARK: - Links

extension Batch {
    fileprivate func status(of sender: PartitionState.Sender, to target: PartitionAddress) -> LinkStatus {
        let machine = sender.machine
        let unanswered = sender.isUnanswered(at: clock) ? sender.silence : nil
        return LinkStatus(
            from: machine.from,
            to: target,
            incarnation: machine.incarnation,
            next: Int64(machine.next),
            settled: Int64(machine.settled),
            attached: machine.isAttached,
            quarantine: machine.quarantine?.rawValue,
            unansweredMs: unanswered.map { clock.uptime - $0.since },
            redrive: state.redrives[target].map { redrive in
                RedriveStatus(
                    from: machine.from,
                    to: target,
                    rows: redrive.rows,
                    startedAt: redrive.startedAt,
                    finishedAt: redrive.finishedAt,
                    failure: redrive.failure
                )
            }
        )
    }

    fileprivate func resume(_ event: Event<LinkResumeV1>) throws -> LinkStatus {
        let target = event.data.to
        guard let sender = state.senders[target] else {
            throw RequestRefusal(.notFound, "no link to \(target)")
        }
        let isRepeated = state.redrives[target]?.requestID == event.id
        guard !isRepeated else { return status(of: sender, to: target) }
        guard sender.machine.quarantine != nil || event.data.redrive else {
            throw RequestRefusal(.conflict, "the link is not quarantined")
        }
        try beginIncarnation(of: target, sender.link)
        if event.data.redrive {
            let redrive = RedriveStore.Redrive(link: sender.link, requestID: event.id, startedAt: clock.now)
            try RedriveStore(connection: connection).begin(redrive)
            state.redrives[target] = redrive
        }
        return status(of: state.senders[target] ?? sender, to: target)
    }

    /// Restarts a link: unsettled rows are numbered from 1 again for a receiver without history.
    private func beginIncarnation(of target: PartitionAddress, _ link: Int64) throws {
        let incarnation = context.newIdentifier().rawValue
        try state.deleteSettled(in: delivery)
        let next = try delivery.beginIncarnation(link, incarnation: incarnation)
        renumbered.insert(target)
        try step(.resumed(incarnation: incarnation, settled: 0, next: next), of: target)
    }
}

// MARK: - Delayed events and parked work

extension Batch {
    fileprivate func release(_ request: DelayedEventReleaseV1) throws -> DelayedEvent {
        if let found = try delayed.event(request.eventId) {
            let subject = Subject(unchecked: found.failed.subject)
            guard try delayed.first(of: subject)?.number == found.number else {
                let detail =
                    "waits behind an earlier delayed event of its subject; release or dead-letter that one"
                throw RequestRefusal(.conflict, detail)
            }
            try delayed.release(found, due: clock.now)
            state.delayed[subject] = clock.now
            return try released(found.listed, request.decidedBy)
        }
        guard let work = try suspects.listed(request.eventId), try suspects.release(request.eventId) else {
            throw RequestRefusal.unknownEvent
        }
        state.parkedWork.remove(request.eventId)
        context.scheduleWork(at: clock.now)
        return try released(work, request.decidedBy)
    }

    private func released(_ event: DelayedEvent, _ decidedBy: String) throws -> DelayedEvent {
        let (id, type) = (event.eventId, event.type ?? "")
        try deadLetters.audit(id, id, type, .released, decidedBy: decidedBy, now: clock.now)
        return event
    }

    fileprivate func deadLetter(_ request: DelayedEventDeadLetterV1) throws -> DelayedEvent {
        guard let found = try delayed.event(request.eventId) else {
            guard try suspects.listed(request.eventId) != nil else { throw RequestRefusal.unknownEvent }
            let detail = "work has no event to dead-letter; release it once the program is mended"
            throw RequestRefusal(.conflict, detail)
        }
        try delayed.remove(found)
        try deadLetter(found.failed, decidedBy: request.decidedBy)
        try refreshDelayed(Subject(unchecked: found.failed.subject))
        return found.listed
    }

    /// Puts a dead letter back among the delayed events, due at once.
    fileprivate func retry(_ request: DeadLetterRetryV1) throws -> DeadLetter {
        let taken = try take(request.letterId, .retried, decidedBy: "operator")
        try delayed.delay(taken.event, due: clock.now, now: clock.now)
        state.delay(taken.event.subject, until: clock.now)
        return taken.letter
    }

    fileprivate func take(
        _ letterID: String,
        _ action: DeadLetterStore.Action,
        decidedBy: String
    ) throws -> (letter: DeadLetter, event: FailedEvent) {
        let taken = try deadLetters.take(letterID, action, decidedBy: decidedBy, now: clock.now)
        guard let taken else { throw RequestRefusal.unknownLetter }
        return taken
    }
}
