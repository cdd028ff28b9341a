/// When a partition may be claimed: its log's entries and counter have stood still for 3 s by the watcher's own clock.
///
/// | who raised the counter | claimed |
/// |---|---|
/// | nobody, or one that has left | at once |
/// | a process of this host, whose lock the watcher has | at once |
/// | another host | after 3 s in which neither entries nor counter changed |
///
/// Time in which nobody answered is no such silence: the owner could raise nothing, either. What was read is of a time
/// between question and answer. So a silence lasts from the answer that showed it first to the question of the last
/// one, and never seems longer than it was, however slow or old a reading is.
///
/// It says only when a claim is polite. What is safe is decided by the log, and by `Lapse` after the claim. But a log
/// alone does not know what it has lost. Positions and epochs of one history only rise. So a watcher that has seen
/// higher ones knows: what was acknowledged is gone. It waits for an owner that may append it again, as for any other,
/// and then claims nothing.
package struct OwnerWatch: Sendable {
    /// What a watcher may do.
    package enum Judgement: Hashable, Sendable {
        /// An owner may live, or an operator has to look first.
        case wait
        case claim(Lapse)
        /// The log has lost its entries up to this position, and nobody has appended them again.
        case lost(position: Int64)
    }

    /// What was seen when a claim was allowed.
    package struct Lapse: Hashable, Sendable {
        /// The claim follows this one, and no other.
        package let epoch: Int64
        /// The former owner's last one.
        package let counter: Int64
        /// Whether the former owner is known to be gone, whatever it had renewed.
        package let isGone: Bool

        /// Whether a lease of the former owner may still run, when the new owner's first renewal has this counter.
        ///
        /// The counter rises by one with each renewal, and after the new owner's no older one succeeds. So if it is the
        /// next one, no renewal came between the silence and the claim.
        func mayLease(firstCounter: Int64) -> Bool { !isGone && firstCounter != counter + 1 }
    }

    private var seen: OwnerSign?
    private var since: Int64 = 0
    private var seenAt: Int64 = 0
    /// The highest entry that was seen.
    private var highest: (position: Int64, epoch: Int64) = (0, 0)

    /// What was read of an owner; each reading is newer than the one before.
    mutating func judge(_ reading: OwnerReading) -> Judgement {
        let sign = reading.sign
        if seen != sign || reading.ended - seenAt >= OwnerLease.silenceMilliseconds { since = reading.ended }
        (seen, seenAt) = (sign, reading.ended)
        if sign.isQuarantined {
            // What is lost is the operator's to decide, who looks at what is there now.
            highest = (0, 0)
            return .wait
        }
        let isShort = sign.position < highest.position || sign.epoch < highest.epoch
        if !isShort { highest = (sign.position, sign.epoch) }
        // Another owner goes on without them.
        if isShort, sign.epoch > highest.epoch { return .lost(position: highest.position) }
        let isGone = sign.holder != .elsewhere
        guard isGone || reading.began - since >= OwnerLease.silenceMilliseconds else { return .wait }
        if isShort { return .lost(position: highest.position) }
        return .claim(Lapse(epoch: sign.epoch, counter: sign.counter, isGone: isGone))
    }

    /// Nobody answers, or what was seen was used: the silence begins anew.
    mutating func interrupt() { seen = nil }
}
