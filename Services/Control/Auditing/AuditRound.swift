import Contracts
import Delivery

/// Proves the ledgers of a running group: all partitions in parallel, page by page in each.
struct AuditRound {
    /// Timeout of a page, ms; it may wait behind what buyers ask for.
    static let patience: Int64 = 10_000

    let group: any PartitionClient

    func carryOut() async throws -> AuditReport {
        let addresses = (0..<group.partitions).map { PartitionAddress(.entitlements, $0) }
        let parts = try await withThrowingTaskGroup { tasks in
            for address in addresses { tasks.addTask { (address, try await part(address)) } }
            return try await tasks.reduce(into: [(PartitionAddress, AuditReport)]()) { $0.append($1) }
        }
        return parts.sorted { $0.0 < $1.0 }.reduce(into: AuditReport()) { $0.add($1.1) }
    }

    /// What one partition proved, as far as it answered.
    private func part(_ address: PartitionAddress) async throws -> AuditReport {
        var report = AuditReport()
        do {
            for part in LedgerAuditV1.Part.allCases {
                var question = LedgerAuditV1(part)
                repeat {
                    let page = try await group.ask(question, of: address, within: Self.patience)
                    report.add(page, of: part)
                    question.after = page.next
                } while question.after != nil
            }
        } catch let failure as CommandFailure {
            report.note(failure, at: address)
        }
        return report
    }
}
