import Contracts
import Database

/// What is sent over links.
extension Batch {
    private static let eventsPerMessage = 128
    /// Safely below the wire's limit.
    private static let eventBytesPerMessage = 160 << 10

    func attached(_ attached: LinkFrame.Attached, by receiver: PartitionAddress) throws {
        guard let sender = state.senders[receiver] else { return }
        let own = try delivery.ownEventID(sender.link, at: attached.last)
        try step(.attached(attached, ownEventID: own), of: receiver)
    }

    func wakeSilentLinks() throws {
        for (target, sender) in state.senders {
            guard let timerAt = sender.timerAt, timerAt <= clock.uptime else { continue }
            state.senders[target]?.timerAt = nil
            try step(.silent, of: target)
        }
    }

    /// Sends the rows that have waited long enough for company.
    func sendLingering() throws {
        for (target, sender) in state.senders {
            guard let lingering = sender.lingering, lingering.until <= clock.uptime else { continue }
            try step(.enqueued(next: lingering.next), of: target)
        }
    }

    /// Takes the sender of a link one step further, and does what follows.
    func step(_ event: LinkSender.Event, of target: PartitionAddress) throws {
        guard let sender = state.senders[target] else { return }
        let actions = state.senders[target]?.machine.step(event) ?? []
        switch event {
        case .enqueued, .resumed: state.senders[target]?.lingering = nil
        case .start, .connected, .attached, .astray, .settled, .refused, .silent: break
        }
        let isConfirmed = state.senders[target]?.machine.isConfirmed == true
        if isConfirmed, !sender.machine.isConfirmed { state.confirmed.insert(target) }
        if !isConfirmed, sender.machine.isConfirmed { state.confirmed.remove(target) }
        noteSilence(of: target, before: sender)
        for action in actions { try perform(action, of: target, sender.link) }
    }

    /// Keeps since when a receiver owes an answer, and alarms once if that is too long.
    private func noteSilence(of target: PartitionAddress, before former: PartitionState.Sender) {
        guard let sender = state.senders[target] else { return }
        if !sender.machine.awaitsAnswer {
            if former.silence != nil { state.senders[target]?.silence = nil }
        } else if former.silence == nil || sender.machine.answers != former.machine.answers {
            state.senders[target]?.silence = .init(since: clock.uptime)
        } else if sender.isUnanswered(at: clock), sender.silence?.isAlarmed == false {
            state.senders[target]?.silence?.isAlarmed = true
            output.alarms.append(
                Alarm(.linkUnanswered, "link \(engine.settings.address) → \(target) has no answer")
            )
        }
    }

    private func perform(_ action: LinkSender.Action, of target: PartitionAddress, _ link: Int64) throws {
        switch action {
        case .attach(let attach):
            output.linkMessages.append(.init(to: target, message: WireMessage(WireHeader(.attach(attach)))))
        case .deliver(let range, let number, let epoch):
            let frame = LinkFrame.Delivery(link: number, epoch: epoch, sequence: range.lowerBound)
            try send(rows(range, of: target, link), in: frame, to: target)
        case .settle(let through):
            state.senders[target]?.settleThrough = through
            let settleAt = clock.uptime + PartitionEngine.settleIdleMilliseconds
            state.settleAt = state.settleAt ?? settleAt
        case .startTimer(let milliseconds):
            state.senders[target]?.timerAt = clock.uptime + milliseconds
        case .stopTimer:
            state.senders[target]?.timerAt = nil
        case .quarantine(let reason):
            try delivery.quarantine(link, reason)
            output.alarms.append(
                Alarm(
                    .linkQuarantined,
                    "link \(engine.settings.address) → \(target) is quarantined: \(reason.rawValue)"
                )
            )
        }
    }

    private func rows(
        _ range: ClosedRange<UInt64>,
        of target: PartitionAddress,
        _ link: Int64
    ) throws -> [DeliveryStore.OutboxRow] {
        var cache = renumbered.contains(target) ? RowCache() : engine.caches[target] ?? RowCache()
        if let rows = appended[target] { cache.append(rows) }
        if let cached = cache.rows(range) { return Array(cached) }
        return try delivery.outbox(link, range)
    }

    /// Sends rows in as few messages as their size allows.
    private func send(
        _ rows: [DeliveryStore.OutboxRow],
        in first: LinkFrame.Delivery,
        to target: PartitionAddress
    ) {
        var frame = first
        var run: [[UInt8]] = []
        var bytes = 0
        func flush() {
            guard !run.isEmpty else { return }
            let message = WireMessage(WireHeader(.delivery(frame)), body: run)
            output.linkMessages.append(.init(to: target, message: message))
            run = []
            bytes = 0
        }
        for row in rows {
            let isFull = run.count >= Self.eventsPerMessage
            if isFull || bytes + row.event.count > Self.eventBytesPerMessage { flush() }
            if run.isEmpty { frame.sequence = row.sequence }
            run.append(row.event)
            bytes += row.event.count
        }
        flush()
    }

    // MARK: The outbox

    func flushSent() throws {
        guard !context.sent.isEmpty else { return }
        var targets: [PartitionAddress] = []
        var events: [PartitionAddress: [OutgoingEvent]] = [:]
        for event in context.sent {
            if events[event.to] == nil { targets.append(event.to) }
            events[event.to, default: []].append(event)
        }
        output.sent += context.sent
        context.sent = []
        for target in targets { try append(events[target] ?? [], to: target) }
    }

    private func append(_ events: [OutgoingEvent], to target: PartitionAddress) throws {
        let sender = try state.senders[target] ?? newSender(to: target)
        let first = sender.next
        let next = first + UInt64(events.count)
        try delivery.append(events, to: sender.link, from: first, now: clock.now)
        appended[target, default: []] += events.enumerated().map { offset, event in
            .init(sequence: first + UInt64(offset), eventID: event.id, event: event.bytes)
        }
        let delay = engine.settings.lingerMilliseconds
        if delay == 0 || events.contains(where: \.isUrgent) {
            try step(.enqueued(next: next), of: target)
        } else {
            let until = sender.lingering?.until ?? clock.uptime + delay
            state.senders[target]?.lingering = .init(next: next, until: until)
        }
    }

    private func newSender(to target: PartitionAddress) throws -> PartitionState.Sender {
        let here = engine.settings.address
        guard LinkKind.all[here.service]?[target.service] != nil else {
            throw StoreError.corrupt("\(here) has no link to \(target)")
        }
        let incarnation = context.newIdentifier().rawValue
        let row = DeliveryStore.LinkRow(link: state.nextLinkRow, target: target, incarnation: incarnation)
        try delivery.insert(row)
        state.nextLinkRow += 1
        let sender = PartitionState.Sender(row, from: here, life: state.life)
        state.senders[target] = sender
        try step(.start, of: target)
        return sender
    }
}
