import TestKit

@testable import Delivery

/// The receiving half of a batch: judging deliveries, running handlers, delaying what fails.
extension Simulation {
    /// After so many attempts an event is given up.
    static let mostAttempts = 4

    func attach(
        _ attach: LinkFrame.Attach,
        _ packet: SimulatedPacket,
        _ draft: inout SimulatedDraft,
        _ owner: SimulatedOwner
    ) {
        let here = SimulatedLink.addresses[owner.partition]
        if variant != .ignoresAddressee, let astray = attach.astray(at: here) {
            return draft.reply(to: packet, .astray(astray))
        }
        let receiver = draft.machines.receiver(packet.link, attach)
        let answer = draft.machines.receivers[receiver].machine.attach(
            attach,
            connection: packet.connection,
            number: draft.machines.nextNumber,
            epoch: draft.epoch,
            credit: credit(packet.link)
        )
        if answer.link == draft.machines.nextNumber {
            draft.machines.numbers.append((answer.link, receiver))
            draft.machines.nextNumber += 1
        }
        draft.reply(to: packet, .attached(answer))
    }

    /// - Returns: the event that threw.
    func receive(
        _ delivery: LinkFrame.Delivery,
        _ rows: [SimulatedRow],
        _ packet: SimulatedPacket,
        _ draft: inout SimulatedDraft
    ) -> Int? {
        guard let receiver = draft.machines.receiver(number: delivery.link) else {
            let refusal = LinkFrame.Refused(
                link: delivery.link,
                epoch: delivery.epoch,
                last: 0,
                reason: .unknownLink
            )
            draft.reply(to: packet, .refused(refusal))
            return nil
        }
        for row in rows {
            switch judge(row, delivery, packet, receiver, &draft) {
            case .apply: if let poison = apply(row, receiver, &draft) { return poison }
            case .repeated: draft.touch(receiver)
            case .ignore: break
            case .refuse(let refusal): draft.reply(to: packet, .refused(refusal))
            }
        }
        return nil
    }

    private func judge(
        _ row: SimulatedRow,
        _ delivery: LinkFrame.Delivery,
        _ packet: SimulatedPacket,
        _ receiver: Int,
        _ draft: inout SimulatedDraft
    ) -> LinkReceiver.Decision {
        var machine = draft.machines.receivers[receiver].machine
        let former = machine
        let isForgetful = variant == .forgetsEpoch
        let link = isForgetful ? machine.session?.link ?? 0 : delivery.link
        let decision = machine.deliver(
            .init(link: link, epoch: delivery.epoch, sequence: row.sequence),
            eventID: row.id,
            connection: isForgetful ? machine.session?.connection ?? [] : packet.connection,
            epochMatches: isForgetful || delivery.epoch == draft.epoch
        )
        if isAfterGap(decision), row.sequence > former.last + Self.mostCredit {
            violate(
                .keepsToTheProtocol,
                "link \(packet.link) carries \(row.sequence) after \(former.last), more than it has credit for"
            )
        }
        draft.machines.receivers[receiver].machine = machine
        return decision
    }

    private func isAfterGap(_ decision: LinkReceiver.Decision) -> Bool {
        switch decision {
        case .refuse(let refusal): refusal.reason == .gap
        case .ignore: true
        case .apply, .repeated: false
        }
    }

    /// An event's outcome: applied, delayed or dead-lettered; its link has advanced.
    ///
    /// - Returns: the event, if its handler threw.
    private func apply(_ row: SimulatedRow, _ receiver: Int, _ draft: inout SimulatedDraft) -> Int? {
        let link = draft.machines.receivers[receiver].link
        let machine = draft.machines.receivers[receiver].machine
        draft.store.mark(draft.machines.receivers[receiver])
        draft.store.applied.append(
            .init(link: link, incarnation: machine.incarnation, sequence: machine.last, event: row.event)
        )
        draft.touch(receiver)
        let kept = SimulatedStore.Kept(link: link, event: row.event, message: row.message, attempts: 1)
        if row.message.nature == .undecodable {
            draft.undecodable += 1
            draft.store.dead.append(kept)
        } else if draft.store.delayed.contains(where: { $0.message.subject == row.message.subject })
            || draft.poisoned.contains(row.event)
        {
            draft.store.delayed.append(kept)
        } else if !handle(kept, attempt: 0, &draft) {
            return row.event
        }
        return nil
    }

    /// Writes the effect, which the transaction of a handler that throws takes back.
    ///
    /// - Returns: whether it did not throw.
    private func handle(_ kept: SimulatedStore.Kept, attempt: Int, _ draft: inout SimulatedDraft) -> Bool {
        let identity = variant == .deduplicatesByEventID ? kept.event : kept.message.key
        guard draft.store.known.insert(identity).inserted else { return true }
        draft.store.effects[kept.link].append(kept.message.key)
        if let following = kept.message.following {
            draft.append(following, to: SimulatedLink.all[kept.link].next, event: nextEvent())
        }
        return !kept.message.fails(attempt: attempt)
    }

    // MARK: Delayed events

    func planRetry(_ owner: SimulatedOwner) {
        guard !owner.isRetryPlanned, !stores[owner.partition].delayed.isEmpty else { return }
        owner.isRetryPlanned = true
        let delay = random.within(10...60)
        plan(owner, in: delay) { simulation throws(SimulatedCrash) in try simulation.retry(owner) }
    }

    /// Tries one delayed event that is the first of its subject.
    func retry(_ owner: SimulatedOwner) throws(SimulatedCrash) {
        owner.isRetryPlanned = false
        counts.events += 1
        var draft = SimulatedDraft(owner, stores[owner.partition])
        let subject = draft.store.delayed.randomSubject(&random)
        guard let index = draft.store.delayed.firstIndex(where: { $0.message.subject == subject }) else {
            return
        }
        let kept = draft.store.delayed.remove(at: index)
        if !handle(kept, attempt: kept.attempts, &draft) {
            draft = SimulatedDraft(owner, stores[owner.partition])
            postpone(index, &draft)
        }
        try reach(.beforeRetryCommit, owner.host)
        try commit(draft, owner)
        try reach(.afterRetryCommit, owner.host)
        if owners[owner.partition] === owner { planRetry(owner) }
    }

    private func postpone(_ index: Int, _ draft: inout SimulatedDraft) {
        draft.store.delayed[index].attempts += 1
        guard draft.store.delayed[index].attempts > Self.mostAttempts else { return }
        counts.count(.deadLetter)
        draft.store.dead.append(draft.store.delayed.remove(at: index))
    }
}

extension [SimulatedStore.Kept] {
    fileprivate func randomSubject(_ random: inout SeededRandom) -> Int? {
        isEmpty ? nil : self[random.below(count)].message.subject
    }
}
