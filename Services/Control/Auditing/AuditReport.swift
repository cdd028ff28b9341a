import Contracts
import Delivery

/// What an audit proved, and what does not hold.
struct AuditReport {
    /// The document of `--json`.
    struct Object: Encodable {
        /// Entries of all ledgers.
        let entries: Int
        /// Held claims, paid orders and grants.
        let claims: Int
        let orders: Int
        let grants: Int
        /// Purchases that no buyer could be found for; they are no differences.
        let orphans: Int
        let differences: [AuditDifference]
        /// Partitions that did not answer.
        let problems: [String]
    }

    private let look: AuditLook
    let differences: [AuditDifference]

    /// The report of the last look.
    init(_ look: AuditLook) {
        self.look = look
        differences = look.differences.keys.sorted { ($0.law, $0.about) < ($1.law, $1.about) }
    }

    var missed: MissedPartitions { look.missed }

    var text: String {
        let totals = """
            audited: \(look.entries) entries, \(look.claims) held claims, \(look.orders) paid orders, \
            \(look.grants) grants; \(look.orphans) orphans; \(differences.count) differences
            """
        let columns: [TextTable.Column<AuditDifference>] = [
            ("LAW", \.law), ("APP", { $0.bundleId?.rawValue ?? "-" }),
            ("BUYER", { $0.buyerId?.rawValue ?? "-" }),
            ("ENVIRONMENT", { $0.environment?.rawValue ?? "-" }), ("ABOUT", \.about),
            ("EXPECTED", \.expected), ("FOUND", \.found),
        ]
        return TextTable.text(of: differences, columns: columns, total: totals)
    }

    var object: Object {
        Object(
            entries: look.entries,
            claims: look.claims,
            orders: look.orders,
            grants: look.grants,
            orphans: look.orphans,
            differences: differences,
            problems: [missed.failure("the audit")].compactMap { $0?.description }
        )
    }
}
