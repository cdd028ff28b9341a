import Contracts

/// What a buyer's server was told last of an entitlement, and when to look whether that still is so.
///
/// Tested by: `ToldHoldingTests`.
///
/// | told last \ by the facts it is | held until a moment, or for ever | not held |
/// |--------------------------------|----------------------------------|----------|
/// | nothing                        | told                             | told, if a fact says so |
/// | held                           | told, if until another moment    | told     |
/// | not held                       | told                             | nothing to tell |
///
/// So whatever changes what is held is told, and what a wrong clock told is put right. The first fact is told in any
/// case, unless its time is to come: a restored ledger may have told more than it knows.
struct ToldHolding: Hashable, Sendable {
    private(set) var isHeld = false
    /// When it ends; nil if never, and where it is not held.
    private(set) var expires: Timestamp?
    /// Why it was told; nil as long as nothing was.
    private(set) var reason: HoldingChangedV1.Reason?
    /// When time alone changes next what is held; nil if never.
    private(set) var changesAt: Timestamp?
    /// When what is held was computed last, by the clock of that moment.
    private(set) var computedAt = Timestamp(milliseconds: 0)
    /// The id under which it was told, also by a redrive; nil as long as nothing was told.
    var eventID: EventID?

    /// Takes what is held at a moment; returns whether the server must be told.
    ///
    /// Without a `reason` nothing but time has passed.
    mutating func note(
        _ holding: Holding,
        at now: Timestamp,
        because reason: HoldingChangedV1.Reason?
    ) -> Bool {
        let possession = holding.possession(at: now)
        let (isNowHeld, end) = (possession != nil, possession?.expires)
        (changesAt, computedAt) = (holding.nextChange(after: now), now)
        let isFirstFact = self.reason == nil && reason != nil && changesAt == nil
        guard isFirstFact || (isNowHeld, end) != (isHeld, expires) else { return false }
        (isHeld, expires) = (isNowHeld, end)
        self.reason = Self.reason(reason, isNowHeld: isNowHeld)
        return true
    }

    /// What gives an entitlement does not end it: then its time was over before.
    private static func reason(_ reason: HoldingChangedV1.Reason?, isNowHeld: Bool) -> HoldingChangedV1.Reason
    {
        switch (reason, isNowHeld) {
        case (nil, true): .begun
        case (nil, false), (.granted?, false), (.refundReversed?, false): .expired
        case (let reason?, _): reason
        }
    }

    /// Whether what is held must be computed again: time changes it, or the clock was ahead when it was computed.
    func isDue(at now: Timestamp) -> Bool { computedAt > now || changesAt.map { $0 <= now } ?? false }
}
