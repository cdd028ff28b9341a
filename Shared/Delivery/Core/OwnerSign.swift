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

    /// Of the last entry.
    package let position: Int64
    /// Of the last claim.
    package let epoch: Int64
    /// Of the last renewal that was seen; 0 before the first one.
    package let counter: Int64
    package let holder: Holder
    /// Whether nobody may claim before an operator has looked.
    package var isQuarantined = false

    package init(position: Int64 = 0, epoch: Int64, counter: Int64, holder: Holder) {
        self.position = position
        self.epoch = epoch
        self.counter = counter
        self.holder = holder
    }

    /// From the log's last entry and the last renewal, which is of an older epoch if who claimed has not renewed yet.
    package init(
        position: Int64 = 0,
        epoch: Int64,
        renewal: (epoch: Int64, counter: Int64, holder: Holder)?
    ) {
        let holder = renewal?.holder ?? .nobody
        let isCurrent = epoch == renewal?.epoch ?? 0
        self.init(
            position: position,
            epoch: epoch,
            counter: renewal?.counter ?? 0,
            holder: isCurrent ? holder : .elsewhere
        )
    }
}
