/// What a watcher of a partition sees in its log.
package struct OwnerSign: Hashable, Sendable {
    /// Who raised the counter last.
    package enum Holder: Hashable, Sendable, CaseIterable {
        /// Nobody ever, or one that has left.
        case nobody
        /// A process of this host, whose lock says whether it lives.
        case here
        case elsewhere
    }

    /// Of the last claim.
    package let epoch: Int64
    /// Of the last renewal that was seen; 0 before the first one.
    package let counter: Int64
    package let holder: Holder

    package init(epoch: Int64, counter: Int64, holder: Holder) {
        self.epoch = epoch
        self.counter = counter
        self.holder = holder
    }

    /// From the log's last claim and the last renewal, which is of an older epoch if who claimed has not renewed yet.
    package init(epoch: Int64, renewal: (epoch: Int64, counter: Int64, holder: Holder)?) {
        let holder = renewal?.holder ?? .nobody
        let isCurrent = epoch == renewal?.epoch ?? 0
        self.init(epoch: epoch, counter: renewal?.counter ?? 0, holder: isCurrent ? holder : .elsewhere)
    }
}

/// When a partition may be claimed: its log's epoch and counter have stood still for 3 s by the watcher's own clock.
///
/// | who raised the counter | claimed |
/// |---|---|
/// | nobody, or one that has left | at once |
/// | a process of this host, whose lock the watcher has | at once |
/// | another host | after 3 s in which neither epoch nor counter changed |
///
/// It says only when a claim is polite. What is safe is decided by the log, and by `Lapse` after the claim.
package struct OwnerWatch: Sendable {
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

    /// What a claim may follow, at a time of a clock that only moves forward, in ms; nil if it must wait.
    mutating func lapse(_ sign: OwnerSign, at uptime: Int64) -> Lapse? {
        if seen != sign { (seen, since) = (sign, uptime) }
        switch sign.holder {
        case .nobody, .here: return Lapse(epoch: sign.epoch, counter: sign.counter, isGone: true)
        case .elsewhere:
            guard uptime - since >= OwnerLease.silenceMilliseconds else { return nil }
            return Lapse(epoch: sign.epoch, counter: sign.counter, isGone: false)
        }
    }
}
