import Contracts
import Delivery

/// `counterfoil.ledger.audit.v1`: proves a page of the ledger, as it is in this transaction.
struct OnLedgerAudit {
    static let buyersPerPage = 250
    static let purchasesPerPage = 500

    func callAsFunction(
        _ message: Event<LedgerAuditV1>,
        in context: inout HandlerContext
    ) throws -> RequestOutcome<LedgerAuditPage> {
        let (part, after) = (message.data.part, message.data.after ?? [])
        let columns = part == .balances ? LedgerAuditStore.keyColumns : GrantRecord.keyColumns
        guard after.isEmpty || after.count == columns else { return .refused(.noSuchAuditPage) }
        return switch part {
        case .balances: .reply(try balances(after.isEmpty ? ["", ""] : after, context))
        case .grants: .reply(try grants(after, context))
        }
    }

    private func balances(_ after: [String], _ context: HandlerContext) throws -> LedgerAuditPage {
        let store = LedgerAuditStore(connection: context.connection)
        let end = try store.end(after: after, limit: Self.buyersPerPage)
        let entries = try store.entries(after: after, upTo: end)
        return LedgerAuditPage(
            count: entries.values.map(\.count).reduce(0, +),
            differences: LedgerAudit.differences(entries, kept: try store.kept(after: after, upTo: end)),
            next: end
        )
    }

    private func grants(_ after: [String], _ context: HandlerContext) throws -> LedgerAuditPage {
        let store = LedgerAuditStore(connection: context.connection)
        let page = try GrantStore(connection: context.connection)
            .page(after: after, limit: Self.purchasesPerPage)
        let grants = try store.grants(of: page)
        let differences = page.compactMap { record in
            LedgerAudit.difference(record.grant, of: record.facts, entries: grants[record.key] ?? 0)
        }
        let isLast = page.count < Self.purchasesPerPage
        return LedgerAuditPage(
            count: page.count,
            differences: differences,
            next: isLast ? nil : page.last?.key
        )
    }
}

extension RequestRefusal {
    fileprivate static let noSuchAuditPage = RequestRefusal(.invalid, "No page begins there.", field: "after")
}
