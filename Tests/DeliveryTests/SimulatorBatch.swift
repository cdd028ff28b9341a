import TestKit

@testable import Delivery

/// The batch layer: what is queued, one transaction, and only then what follows from it.
extension Simulation {
    /// Most frames of one batch.
    static let batchFrames = 12
    /// Most events in one delivery.
    static let deliveryEvents = 4

    func work(_ owner: SimulatedOwner) throws(SimulatedCrash) {
        owner.isWorkPlanned = false
        let count = min(owner.inbox.count, 1 + random.below(Self.batchFrames))
        let taken = Array(owner.inbox.prefix(count))
        owner.inbox.removeFirst(count)
        if !owner.inbox.isEmpty { planWork(owner, in: 1) }
        for packet in taken { try hear(packet, owner) }
        let isForgetful = SimulatedLink.outgoing[owner.partition].contains {
            owner.forgettable[$0] > stores[owner.partition].outgoing[$0].settled
        }
        guard isForgetful || !taken.isEmpty else { return }
        counts.events += 1
        try commit(transaction(of: taken, owner), owner)
    }

    /// Runs the batch; an event whose handler throws is delayed, and the others run again.
    private func transaction(of packets: [SimulatedPacket], _ owner: SimulatedOwner) -> SimulatedDraft {
        var poisoned: Set<Int> = []
        while true {
            var draft = SimulatedDraft(owner, stores[owner.partition])
            draft.poisoned = poisoned
            guard let poison = fill(&draft, packets, owner) else { return draft }
            note("event \(poison) throws")
            counts.count(.poison)
            poisoned.insert(poison)
        }
    }

    /// - Returns: the event that threw.
    private func fill(
        _ draft: inout SimulatedDraft,
        _ packets: [SimulatedPacket],
        _ owner: SimulatedOwner
    ) -> Int? {
        forget(&draft, owner)
        for packet in packets {
            switch packet.content {
            case .toReceiver(.attach(let attach), _): self.attach(attach, packet, &draft, owner)
            case .toReceiver(.delivery(let delivery), let rows):
                if let poison = receive(delivery, rows, packet, &draft) { return poison }
            case .request(let message):
                draft.append(message, to: packet.link, event: nextEvent())
                draft.accepted.append(message.key)
            case .toReceiver, .toSender: break
            }
        }
        return nil
    }

    private func forget(_ draft: inout SimulatedDraft, _ owner: SimulatedOwner) {
        for link in SimulatedLink.outgoing[owner.partition] {
            let through = owner.forgettable[link]
            if through > draft.store.outgoing[link].settled {
                draft.store.outgoing[link].forget(through: through)
            }
        }
    }

    /// Makes the transaction durable and says what follows from it.
    func commit(_ draft: SimulatedDraft, _ owner: SimulatedOwner) throws(SimulatedCrash) {
        if variant == .settlesBeforeCommit { settle(draft, owner) }
        if variant == .repliesBeforeCommit { acknowledged[owner.partition].formUnion(draft.accepted) }
        if happens(.storeError, perMille: rates.storeError) { return }
        try reach(.beforeCommit, owner.host)
        if happens(.unknownCommit, perMille: rates.unknownCommit) {
            if random.happens(perMille: 500) { stores[owner.partition] = draft.store }
            return release(owner.partition)
        }
        stores[owner.partition] = draft.store
        owner.machines = draft.machines
        freshNumbers[owner.partition][owner.epoch] = draft.machines.nextNumber
        for _ in 0..<draft.undecodable { counts.count(.undecodable) }
        planRetry(owner)
        try reach(.afterCommit, owner.host)
        acknowledged[owner.partition].formUnion(draft.accepted)
        counts.sends += draft.accepted.count
        try reach(.afterReply, owner.host)
        if variant != .settlesBeforeCommit { settle(draft, owner) }
        try reach(.afterSettle, owner.host)
        for link in draft.lengthened {
            try hear(.enqueued(next: stores[owner.partition].outgoing[link].next), link, owner)
        }
        try reach(.afterDelivery, owner.host)
    }

    private func settle(_ draft: SimulatedDraft, _ owner: SimulatedOwner) {
        for reply in draft.replies { answer(reply) }
        for receiver in draft.touched { say(settlementOf: draft.machines.receivers[receiver], owner) }
    }

    // MARK: Sending

    /// What receivers say to this partition's senders.
    private func hear(_ packet: SimulatedPacket, _ owner: SimulatedOwner) throws(SimulatedCrash) {
        guard case .toSender(let frame) = packet.content else { return }
        switch frame {
        case .attached(let attached):
            let row = stores[owner.partition].outgoing[packet.link]
            let own = SimulatedOwner.ownEventID(row, at: attached.last)
            try hear(.attached(attached, ownEventID: own), packet.link, owner)
        case .astray(let astray): try hear(.astray(astray), packet.link, owner)
        case .settled(let settled): try hear(.settled(settled), packet.link, owner)
        case .refused(let refused): try hear(.refused(refused), packet.link, owner)
        case .attach, .delivery: break
        }
    }

    /// One step of a sender, and what must follow from it.
    func hear(_ event: LinkSender.Event, _ link: Int, _ owner: SimulatedOwner) throws(SimulatedCrash) {
        note("link \(link) of \(owner.generation) hears \(event)")
        guard var sender = owner.senders[link] else { return }
        let former = sender
        if event == .silent, former.depth > 0 { counts.silences += 1 }
        let actions = sender.step(event)
        owner.senders[link] = sender
        judgeSilence(of: former, event, actions, link)
        for action in actions {
            note("link \(link): \(action)")
            try perform(action, link, owner)
        }
        judgeSender(link, owner, after: event, from: former)
    }

    private func perform(
        _ action: LinkSender.Action,
        _ link: Int,
        _ owner: SimulatedOwner
    ) throws(SimulatedCrash) {
        switch action {
        case .attach(let frame):
            counts.attaches += 1
            lookUp(link, owner)
            send(.attach(frame), on: link, owner)
            try reach(.afterAttach, owner.host)
        case .deliver(let range, let number, let epoch):
            deliver(range, .init(link: number, epoch: epoch, sequence: range.lowerBound), on: link, owner)
        case .settle(let through):
            owner.forgettable[link] = through
            planBatch(owner, in: 100)
        case .startTimer(let milliseconds):
            owner.timers[link] += 1
            owner.timerEnds[link] = now + Int(milliseconds)
            let serial = owner.timers[link]
            plan(owner, in: Int(milliseconds)) { simulation throws(SimulatedCrash) in
                guard owner.timers[link] == serial else { return }
                owner.timerEnds[link] = nil
                try simulation.hear(.silent, link, owner)
            }
        case .stopTimer:
            owner.timers[link] += 1
            owner.timerEnds[link] = nil
        case .quarantine(let reason): try quarantine(link, reason, owner)
        }
    }

    private func deliver(
        _ range: ClosedRange<UInt64>,
        _ head: LinkFrame.Delivery,
        on link: Int,
        _ owner: SimulatedOwner
    ) {
        var rows = stores[owner.partition].outgoing[link].rows.filter { range.contains($0.sequence) }[...]
        if rows.count != range.count { violate(.nothingLost, "link \(link) sends rows that are not there") }
        if range.lowerBound <= owner.senders[link]?.settled ?? 0 {
            violate(.keepsToTheProtocol, "link \(link) sends what is settled")
        }
        while let first = rows.first {
            var frame = head
            frame.sequence = first.sequence
            send(.delivery(frame), Array(rows.prefix(Self.deliveryEvents)), on: link, owner)
            rows = rows.dropFirst(Self.deliveryEvents)
        }
    }
}
