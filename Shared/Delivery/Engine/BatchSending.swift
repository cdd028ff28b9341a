import Contracts
import Database
import DeliveryCore

extension Batch {
    func sender(_ address: PartitionAddress, _ word: Unit.LinkWord) throws {
        guard let sender = state.senders[address] else { return }
        let event: LinkSender.Event
        switch word {
        case .connected: event = .connected
        case .settled(let settled): event = .settled(settled)
        case .refused(let refused): event = .refused(refused)
        case .attached(let attached):
            let own = try DeliveryStore(connection: connection).ownEventID(sender.link, at: attached.last)
            event = .attached(attached, ownEventID: own)
        }
        let actions = state.senders[address]?.machine.step(event) ?? []
        if state.senders[address]?.machine.isConfirmed == true {
            state.confirmed.insert(address)
        } else {
            state.confirmed.remove(address)
        }
        try perform(actions, of: address)
    }

    func perform(_ actions: [LinkSender.Action], of address: PartitionAddress) throws {
        let link = state.senders[address]?.link ?? 0
        try PartitionEngine.perform(actions, of: address, in: &state, &output, at: moment) { range in
            try rows(range, of: address, link: link)
        }
        guard case .quarantine(let reason)? = actions.first else { return }
        try DeliveryStore(connection: connection).quarantine(link, reason)
        output.alarms.append(
            "link \(engine.settings.address) → \(address) is quarantined: \(reason.rawValue)"
        )
    }

    private func rows(
        _ range: ClosedRange<UInt64>,
        of address: PartitionAddress,
        link: Int64
    ) throws -> [DeliveryStore.OutboxRow] {
        var cache = renumbered.contains(address) ? RowCache() : engine.caches[address] ?? RowCache()
        if let rows = appended[address] { cache.append(rows) }
        if let cached = cache.rows(range) { return Array(cached) }
        return try DeliveryStore(connection: connection).outbox(link, range)
    }

    func tick() throws {
        let uptime = moment.uptime
        for (address, sender) in state.senders {
            guard let timerAt = sender.timerAt, timerAt <= uptime else { continue }
            state.senders[address]?.timerAt = nil
            try perform(state.senders[address]?.machine.step(.silent) ?? [], of: address)
        }
        expireWaits()
    }
}

extension PartitionEngine {
    static func perform(
        _ actions: [LinkSender.Action],
        of address: PartitionAddress,
        in state: inout PartitionState,
        _ output: inout PartitionOutput,
        at moment: Moment,
        rows: (ClosedRange<UInt64>) throws -> [DeliveryStore.OutboxRow]
    ) throws {
        for action in actions {
            switch action {
            case .attach(let attach):
                output.transfers.append(.init(to: address, message: WireMessage(WireHeader(.attach(attach)))))
            case .transfer(let range, let link, let epoch):
                output.transfers += try transfers(rows(range), to: address, link: link, epoch: epoch)
            case .settle(let through):
                state.senders[address]?.settleThrough = through
                if state.settleAt == nil { state.settleAt = moment.uptime + settleIdleMilliseconds }
            case .startTimer(let milliseconds):
                state.senders[address]?.timerAt = moment.uptime + milliseconds
            case .stopTimer:
                state.senders[address]?.timerAt = nil
            case .quarantine:
                state.senders[address]?.timerAt = nil
            }
        }
    }

    private static let eventsPerMessage = 128
    /// Safely below the wire's limit.
    private static let eventBytesPerMessage = 160 << 10

    private static func transfers(
        _ rows: [DeliveryStore.OutboxRow],
        to address: PartitionAddress,
        link: UInt64,
        epoch: UInt64
    ) -> [PartitionOutput.Transfer] {
        var messages: [PartitionOutput.Transfer] = []
        var run: [[UInt8]] = []
        var bytes = 0
        var first: UInt64 = 0
        func flush() {
            guard !run.isEmpty else { return }
            let header = WireHeader(.transfer(.init(link: link, epoch: epoch, sequence: first)))
            messages.append(.init(to: address, message: WireMessage(header, body: run)))
            run = []
            bytes = 0
        }
        for row in rows {
            if run.count >= eventsPerMessage || bytes + row.event.count > eventBytesPerMessage { flush() }
            if run.isEmpty { first = row.sequence }
            run.append(row.event)
            bytes += row.event.count
        }
        flush()
        return messages
    }

    /// Deletes the rows that receivers have settled.
    func flushSettles(in state: inout PartitionState, _ connection: any Connection) throws {
        guard state.settleAt != nil else { return }
        state.settleAt = nil
        for (address, sender) in state.senders {
            guard let through = sender.settleThrough else { continue }
            try DeliveryStore(connection: connection).settle(sender.link, through: through)
            state.senders[address]?.settleThrough = nil
        }
    }
}
