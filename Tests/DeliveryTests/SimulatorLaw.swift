@testable import Delivery

/// The parts of law 1, by which a violation is named.
enum SimulatedLaw: String, Sendable {
    /// What was committed, or acknowledged, has its effect.
    case nothingLost
    /// No effect comes twice.
    case nothingTwice
    /// Effects come in the order of the sends, and are of what was sent.
    case inOrder
    /// Both ends of a link tell one history, unless a store was restored.
    case oneHistory
    /// Everything comes to rest, and what cannot go on says so.
    case comesToRest
    /// Nobody says what the protocol does not allow at that moment.
    case keepsToTheProtocol
}

/// How a law was broken.
struct SimulatedViolation: CustomStringConvertible, Sendable {
    let law: SimulatedLaw
    let what: String

    var description: String { "\(law): \(what)" }
}

/// Law 1: every committed send has its effect exactly once, in order per link.
extension Simulation {
    func judge() {
        for partition in stores.indices where owners[partition] == nil {
            violate(.comesToRest, "\(partition) has no owner")
        }
        for link in SimulatedLink.all.indices {
            judgeRest(link)
            judgeLog(link)
            judgeEffects(link)
        }
        for partition in stores.indices { judgeReplies(partition) }
    }

    /// Without faults everything comes to an end.
    private func judgeRest(_ link: Int) {
        let row = stores[SimulatedLink.all[link].from].outgoing[link]
        if row.quarantine != nil { violate(.comesToRest, "link \(link) is still quarantined") }
        if row.settled + 1 != row.next || !row.rows.isEmpty {
            violate(.comesToRest, "link \(link) came to rest at \(row.settled) of \(row.next - 1)")
        }
        let target = SimulatedLink.all[link].to
        if !stores[target].delayed.isEmpty {
            violate(.comesToRest, "partition \(target) still delays events")
        }
    }

    /// What a link brought in its present incarnation is what was sent, event by event; former ones have no gap.
    private func judgeLog(_ link: Int) {
        let sender = stores[SimulatedLink.all[link].from].outgoing[link]
        var lasts: [String: UInt64] = [:]
        var events: [Int] = []
        for applied in stores[SimulatedLink.all[link].to].applied where applied.link == link {
            let last = lasts[applied.incarnation, default: 0]
            if applied.sequence != last + 1 {
                violate(.inOrder, "link \(link) brought \(applied.sequence) after \(last)")
            }
            lasts[applied.incarnation] = applied.sequence
            if applied.incarnation == sender.incarnation { events.append(applied.event) }
        }
        if events != sender.events {
            violate(.inOrder, "link \(link) brought \(events) instead of \(sender.events)")
        }
    }

    /// Every business key that the sender's store knows took effect once; what cannot is in the dead letters.
    private func judgeEffects(_ link: Int) {
        let target = stores[SimulatedLink.all[link].to]
        let sent = stores[SimulatedLink.all[link].from].outgoing[link].sent
        let effects = target.effects[link]
        let dead = Set(target.dead.lazy.filter { $0.link == link }.map(\.message.key))
        if Set(effects).count != effects.count {
            violate(.nothingTwice, "link \(link) had an effect twice: \(effects)")
        }
        for message in sent where message.isFutile != dead.contains(message.key) {
            violate(.nothingLost, "link \(link): \(message.key), \(message.nature), is not where it belongs")
        }
        let expected = sent.filter { !$0.isFutile }
        if restored.contains(SimulatedLink.all[link].from) {
            let lost = Set(expected.map(\.key)).subtracting(effects)
            if !lost.isEmpty { violate(.nothingLost, "link \(link) lost \(lost.sorted())") }
        } else {
            judgeOrder(link, expected, effects)
        }
    }

    /// Where the sender was never restored, effects come in the order of the sends, subject by subject, and there are
    /// no others.
    private func judgeOrder(_ link: Int, _ expected: [SimulatedMessage], _ effects: [Int]) {
        if effects.count != expected.count {
            violate(.nothingLost, "link \(link) had \(effects.count) effects of \(expected.count) sends")
        }
        for subject in 0..<SimulatedMessage.subjects {
            let sent = expected.filter { $0.subject == subject }.map(\.key)
            let had = effects.filter { SimulatedMessage.subject(of: $0) == subject }
            if had != sent {
                violate(.inOrder, "link \(link), subject \(subject): \(had) instead of \(sent)")
            }
        }
    }

    // MARK: At every step of a sender

    /// A link in quarantine is silent until the operator resumes it.
    func judgeSilence(
        of former: LinkSender,
        _ event: LinkSender.Event,
        _ actions: [LinkSender.Action],
        _ link: Int
    ) {
        if case .resumed = event { return }
        if former.quarantine != nil, !actions.isEmpty {
            violate(.keepsToTheProtocol, "link \(link) speaks in quarantine: \(actions)")
        }
    }

    /// Whoever has unsettled rows has a timer, and an alarm names its cause.
    func judgeSender(
        _ link: Int,
        _ owner: SimulatedOwner,
        after event: LinkSender.Event,
        from former: LinkSender
    ) {
        guard owners[owner.partition] === owner, let sender = owner.senders[link] else { return }
        let latest = now + Int(LinkSender.longestSilenceMilliseconds)
        if sender.quarantine == nil, sender.depth > 0, owner.timerEnds[link].map({ $0 > latest }) ?? true {
            violate(.comesToRest, "link \(link) waits without a timer")
        }
        if sender.quarantine != nil, sender.isAttached {
            violate(.keepsToTheProtocol, "link \(link) is attached in quarantine")
        }
        guard former.quarantine == nil, case .attached(let answer, _) = event else { return }
        let isNamed =
            switch sender.quarantine {
            case .receiverLostEvents: answer.last < sender.settled
            case .senderLostEvents: answer.last >= sender.next
            case .differentHistory: (sender.settled..<sender.next).contains(answer.last)
            case nil: true
            }
        if !isNamed {
            violate(.keepsToTheProtocol, "link \(link) blames \(sender.quarantine as Any) for \(answer)")
        }
    }

    /// What the outside was told to be kept is kept.
    private func judgeReplies(_ partition: Int) {
        var kept: Set<Int> = []
        for link in SimulatedLink.outgoing[partition] {
            kept.formUnion(stores[partition].outgoing[link].sent.map(\.key))
        }
        let lost = acknowledged[partition].subtracting(kept)
        if !lost.isEmpty {
            violate(.nothingLost, "partition \(partition) acknowledged \(lost.sorted()) and lost it")
        }
    }
}
