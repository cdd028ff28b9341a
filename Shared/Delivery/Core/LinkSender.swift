import Contracts

/// The sending half of a link: decides which committed rows may be on the wire.
///
/// | phase       | start, connected, silent | enqueued | attached | astray | settled | gap    | unknownLink | resumed |
/// |-------------|--------------------------|----------|----------|--------|---------|--------|-------------|---------|
/// | detached    | attach                   | counted  | compare  | pause  | –       | –      | –           | attach  |
/// | attached    | attach                   | deliver  | –        | –      | move on | rewind | attach      | attach  |
/// | quarantined | –                        | counted  | –        | –      | –       | –      | –           | attach  |
///
/// –: ignored. `attached` and `astray` count if they answer this attempt. After the comparison the sender goes on from
/// `last`; after the pause it attaches again, and the caller looks the receiver's address up for each attach.
///
/// No clock, no socket, no store: time arrives as `.silent`, rows are named by their sequence.
struct LinkSender: Equatable, Sendable {
    /// First pause before a sender that waits for an answer attaches again.
    ///
    /// A new connection says at once that a receiver was restarted; this is for what nothing reports.
    static let firstSilenceMilliseconds: Int64 = 2_000
    static let longestSilenceMilliseconds: Int64 = 5_000
    /// Pause before a sender attaches again that came to another partition; a new connection ends it at once.
    static let astrayMilliseconds: Int64 = 250
    /// Pause before an idle sender attaches again: this detects a receiver restored from a backup even when the wire
    /// reports no new connection.
    static let idleMilliseconds: Int64 = 60_000

    /// What happens to a sender.
    enum Event: Equatable, Sendable {
        case start
        /// An operator ended the quarantine, with a new incarnation and rows numbered from 1. Attempts go on counting,
        /// so that answers to former attaches are not accepted.
        case resumed(incarnation: String, settled: UInt64, next: UInt64)
        /// A hint that the wire reconnected; never needed for correctness.
        case connected
        case enqueued(next: UInt64)
        case attached(LinkFrame.Attached, ownEventID: EventID?)
        /// The receiver's address is stale.
        case astray(LinkFrame.Astray)
        case settled(LinkFrame.Settled)
        case refused(LinkFrame.Refused)
        /// The timer that an action started has run out.
        case silent
    }

    /// What the caller must do.
    enum Action: Equatable, Sendable {
        /// Look the receiver's address up, and attach there.
        case attach(LinkFrame.Attach)
        case deliver(ClosedRange<UInt64>, link: UInt64, epoch: UInt64)
        /// Rows up to and including `through` may be deleted.
        case settle(through: UInt64)
        case startTimer(milliseconds: Int64)
        case stopTimer
        /// Stop sending until an operator resumes the link.
        case quarantine(Quarantine)
    }

    /// Why a link waits for an operator: the two stores contradict each other.
    enum Quarantine: String, Equatable, Sendable, CaseIterable, Codable {
        /// The receiver lost what it had settled: its store is an older copy.
        case receiverLostEvents
        case senderLostEvents
        /// The two have different events at `last`: one of the stores was replaced.
        case differentHistory
    }

    private struct Session: Equatable, Sendable {
        var link: UInt64
        var epoch: UInt64
        var sent: UInt64
        /// The last sequence that may be in flight.
        var limit: UInt64
        /// The value of `last` at which the sender already went back.
        var wentBackAt: UInt64?
    }

    let from: PartitionAddress
    let to: PartitionAddress
    private(set) var incarnation: String
    private(set) var settled: UInt64
    private(set) var next: UInt64
    private(set) var quarantine: Quarantine?
    /// Whether the receiver has shown, to this owner, that this store knows everything it took over this link.
    ///
    /// It named the last event that it took, this store has the same event under that number, and no other incarnation
    /// of the link reached it. An older copy of the store would not know the number, or have another event there. A
    /// receiver that took nothing confirms as well.
    private(set) var isConfirmed = false
    /// How often the receiver has answered an attach or a delivery; words for another link or attempt do not count.
    private(set) var answers: UInt64 = 0
    private var attempt: UInt64
    private var awaitsAttached = false
    private var session: Session?
    private var silence = LinkSender.firstSilenceMilliseconds

    /// `settled` is the last settled sequence, `next` that of the next row.
    ///
    /// `life`, below 2^29, makes attempts unique over all owners of the partition, even if a restored backup repeats
    /// an epoch.
    init(
        from: PartitionAddress,
        to: PartitionAddress,
        incarnation: String,
        life: UInt64,
        settled: UInt64,
        next: UInt64,
        quarantine: Quarantine? = nil
    ) {
        self.from = from
        self.to = to
        self.incarnation = incarnation
        self.settled = settled
        self.next = next
        self.quarantine = quarantine
        attempt = life << 24
    }

    /// The number of unsettled rows.
    var depth: UInt64 { next - 1 - settled }

    /// Whether the link may carry rows now.
    var isAttached: Bool { session != nil }

    /// Whether the receiver owes an answer: to an attach, or to rows that are under way.
    var awaitsAnswer: Bool { awaitsAttached || (session?.sent ?? 0) > settled }

    /// Applies one event and returns the actions that follow.
    mutating func step(_ event: Event) -> [Action] {
        let wasIdle = depth == 0
        if case .enqueued(let next) = event { self.next = max(self.next, next) }
        if case .resumed = event { quarantine = nil }
        guard quarantine == nil else { return [] }
        switch event {
        case .resumed(let incarnation, let settled, let next):
            isConfirmed = false
            (self.incarnation, self.settled, self.next) = (incarnation, settled, next)
            silence = Self.firstSilenceMilliseconds
            return attach()
        case .start, .connected:
            silence = Self.firstSilenceMilliseconds
            return attach()
        case .silent:
            let isAtRest = depth == 0 && !awaitsAttached
            silence =
                isAtRest ? Self.firstSilenceMilliseconds : min(silence * 2, Self.longestSilenceMilliseconds)
            return attach()
        case .enqueued:
            return deliver(timer: wasIdle)
        case .attached(let answer, let ownEventID):
            return attached(answer, ownEventID)
        case .astray(let answer):
            guard awaitsAttached, answer.attempt == attempt else { return [] }
            return [.startTimer(milliseconds: Self.astrayMilliseconds)]
        case .settled(let settlement):
            return moveOn(settlement)
        case .refused(let refusal):
            return refused(refusal)
        }
    }

    private mutating func attach() -> [Action] {
        session = nil
        awaitsAttached = true
        attempt += 1
        let frame = LinkFrame.Attach(
            from: from,
            to: to,
            incarnation: incarnation,
            attempt: attempt,
            settled: settled,
            next: next
        )
        return [.attach(frame), .startTimer(milliseconds: silence)]
    }

    private mutating func attached(_ answer: LinkFrame.Attached, _ ownEventID: EventID?) -> [Action] {
        guard awaitsAttached, answer.attempt == attempt else { return [] }
        answers += 1
        awaitsAttached = false
        if let contradiction = contradiction(answer, ownEventID) {
            (quarantine, isConfirmed) = (contradiction, false)
            return [.quarantine(contradiction), .stopTimer]
        }
        isConfirmed = !answer.replaces && (answer.last == 0 || answer.lastEventId != nil)
        let progress = answer.last > settled
        if progress { silence = Self.firstSilenceMilliseconds }
        settled = answer.last
        let limit = Self.limit(last: answer.last, credit: answer.credit)
        session = Session(link: answer.link, epoch: answer.epoch, sent: answer.last, limit: limit)
        return (progress ? [.settle(through: settled)] : []) + deliver(timer: true)
    }

    private func contradiction(_ answer: LinkFrame.Attached, _ ownEventID: EventID?) -> Quarantine? {
        if answer.last < settled { return .receiverLostEvents }
        if answer.last >= next { return .senderLostEvents }
        return answer.lastEventId == nil || answer.lastEventId == ownEventID ? nil : .differentHistory
    }

    private mutating func moveOn(_ settlement: LinkFrame.Settled) -> [Action] {
        guard let current = session, current.link == settlement.link, current.epoch == settlement.epoch,
            settlement.last >= settled, settlement.last < next
        else { return [] }
        answers += 1
        let progress = settlement.last > settled
        settled = settlement.last
        session?.limit = Self.limit(last: settlement.last, credit: settlement.credit)
        session?.sent = max(current.sent, settlement.last)
        if progress { silence = Self.firstSilenceMilliseconds }
        return (progress ? [.settle(through: settled)] : []) + deliver(timer: progress)
    }

    private mutating func refused(_ refusal: LinkFrame.Refused) -> [Action] {
        guard let current = session, current.link == refusal.link, current.epoch == refusal.epoch else {
            return []
        }
        switch refusal.reason {
        case .unknownLink:
            answers += 1
            return attach()
        case .gap:
            guard refusal.last >= settled, refusal.last < current.sent, current.wentBackAt != refusal.last
            else {
                return []
            }
            answers += 1
            session?.wentBackAt = refusal.last
            session?.sent = refusal.last
            return deliver(timer: true)
        }
    }

    private mutating func deliver(timer: Bool) -> [Action] {
        guard let current = session else { return [] }
        var actions: [Action] = []
        let through = min(next - 1, current.limit)
        if through > current.sent {
            actions.append(.deliver(current.sent + 1...through, link: current.link, epoch: current.epoch))
            session?.sent = through
        }
        if timer { actions.append(.startTimer(milliseconds: depth > 0 ? silence : Self.idleMilliseconds)) }
        return actions
    }

    private static func limit(last: UInt64, credit: UInt64) -> UInt64 {
        let (limit, overflow) = last.addingReportingOverflow(credit)
        return overflow ? .max : limit
    }
}
