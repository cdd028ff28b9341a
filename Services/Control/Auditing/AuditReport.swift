import Contracts
import Delivery

/// What an audit proved, and what does not hold.
struct AuditReport {
    struct Object: Encodable {
        let entries: Int
        let purchases: Int
        let differences: [LedgerAuditPage.Difference]
        let problems: [String]
    }

    private(set) var entries = 0
    private(set) var purchases = 0
    private(set) var differences: [LedgerAuditPage.Difference] = []
    private(set) var missed = MissedPartitions()

    mutating func add(_ page: LedgerAuditPage, of part: LedgerAuditV1.Part) {
        switch part {
        case .balances: entries += page.count
        case .grants: purchases += page.count
        }
        differences += page.differences
    }

    mutating func add(_ part: AuditReport) {
        entries += part.entries
        purchases += part.purchases
        differences += part.differences
        missed.merge(part.missed)
    }

    mutating func note(_ failure: CommandFailure, at address: PartitionAddress) {
        missed.note(address, failure)
    }

    var text: String {
        let totals = "audited: \(entries) entries, \(purchases) purchases; \(differences.count) differences"
        guard !differences.isEmpty else { return totals }
        let table = TextTable(
            differences,
            columns: [
                ("LAW", \.law.rawValue), ("APP", \.bundleId.rawValue), ("BUYER", \.buyerId.rawValue),
                ("ENVIRONMENT", \.environment.rawValue), ("ENTITLEMENT", { $0.entitlement ?? "-" }),
                ("PURCHASE", { $0.purchaseId?.rawValue ?? "-" }), ("EXPECTED", { "\($0.expected)" }),
                ("FOUND", { "\($0.found)" }),
            ]
        )
        return table.text + "\n" + totals
    }

    var object: Object {
        Object(
            entries: entries,
            purchases: purchases,
            differences: differences,
            problems: [missed.failure("the audit")].compactMap { $0?.description }
        )
    }
}
