import Contracts
import Delivery
import Domain

/// What one look at a group has shown.
struct AuditLook {
    /// Where a difference can be looked at again.
    enum Source: Hashable, Sendable {
        /// All partitions of the three services that have purchases.
        case purchase(PurchaseID)
        /// All partitions of Receipts, about one name of purchases.
        case name(String)
        /// A page of a partition's ledger.
        case ledger(PartitionAddress, LedgerAuditV1)
        case partition(PartitionAddress)
    }

    private(set) var entries = 0
    private(set) var claims = 0
    private(set) var orders = 0
    private(set) var grants = 0
    private(set) var orphans = 0
    /// What does not hold, as far as this look can tell, and where.
    private(set) var differences: [AuditDifference: Source] = [:]
    private(set) var missed = MissedPartitions()
    /// How long the oldest event of all partitions is under way, ms.
    private(set) var oldestUnsettledMs: Int64 = 0

    mutating func add(_ other: AuditLook) {
        entries += other.entries
        claims += other.claims
        orders += other.orders
        grants += other.grants
        orphans += other.orphans
        differences.merge(other.differences) { first, _ in first }
        missed.merge(other.missed)
        oldestUnsettledMs = max(oldestUnsettledMs, other.oldestUnsettledMs)
    }

    /// What the partitions say of some purchases by themselves.
    mutating func add(_ sides: PurchaseSides) {
        claims += sides.claims.sums.count
        orders += sides.orders.sums.count
        grants += sides.grants.sums.count
        orphans += sides.claims.orphans
        add(sides.differences)
    }

    /// Differences of purchases, and of their names.
    mutating func add(_ differences: [AuditDifference]) {
        for difference in differences {
            if let name = difference.name {
                self.differences[difference] = .name(name)
            } else if let purchase = difference.purchaseId {
                self.differences[difference] = .purchase(purchase)
            }
        }
    }

    /// A page of a partition's ledger, for which `question` asked.
    mutating func add(_ page: LedgerAuditPage, _ question: LedgerAuditV1, of address: PartitionAddress) {
        entries += page.count
        let again = LedgerAuditV1(after: question.after, upTo: page.next)
        for difference in page.differences {
            differences[AuditDifference(difference)] = .ledger(address, again)
        }
    }

    /// A partition's status, and its delayed events, which are asked for only if there are some.
    mutating func add(
        _ status: PartitionStatus,
        _ delayed: [DelayedEvent],
        of address: PartitionAddress,
        at now: Timestamp
    ) {
        oldestUnsettledMs = max(oldestUnsettledMs, status.oldestUnsettledMs)
        if status.oldestUnsettledMs > PurchasesAuditPage.patience {
            let age = status.oldestUnsettledMs
            let oldest = AuditDifference(outstanding: "an event is under way", at: address, ageMs: age)
            differences[oldest] = .partition(address)
        }
        for event in delayed {
            let age = now.milliseconds - event.time.milliseconds
            guard age > PurchasesAuditPage.patience else { continue }
            var difference = AuditDifference(outstanding: "an event is delayed", at: address, ageMs: age)
            difference.event = event.eventId
            differences[difference] = .partition(address)
        }
    }

    /// What `body` adds until a partition fails: the one that the failure names, else the one at `address`.
    static func at(
        _ address: PartitionAddress,
        _ body: (inout AuditLook) async throws(CommandFailure) -> Void
    ) async -> AuditLook {
        var look = AuditLook()
        do throws(CommandFailure) {
            try await body(&look)
        } catch {
            look.missed.note(error.missed ?? address, error)
        }
        return look
    }

    /// The differences that another look shows, too; as it shows them.
    func staying(in again: AuditLook) -> AuditLook {
        var look = self
        let known = Set(differences.keys.map(\.identity))
        look.differences = again.differences.filter { known.contains($0.key.identity) }
        look.missed.merge(again.missed)
        return look
    }
}
