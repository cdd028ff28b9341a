import Contracts
import Delivery

/// Goes through the names of purchases and compares their rows with the claims that state them.
///
/// A partition of Receipts says, page by page, which names its claims state. All partitions are asked about each page:
/// one of them has the row of a name, and any may have a claim that states it.
struct NameSweep {
    let group: any PartitionClient

    /// Compares the names that claims of a partition state.
    func carryOut(_ partition: Int) async -> AuditLook {
        await AuditLook.at(PartitionAddress(.receipts, partition)) { look async throws(CommandFailure) in
            var question = NamesAuditV1()
            repeat {
                let page = try await group.answer(to: question, of: PartitionAddress(.receipts, partition))
                look.add(try await differences(of: Set(page.claims.map(\.name)).sorted()))
                question.after = page.next
            } while question.after != nil
        }
    }

    /// Compares some names.
    func compare(_ names: [String]) async -> AuditLook {
        await AuditLook.at(PartitionAddress(.receipts, 0)) { look async throws(CommandFailure) in
            var rest = Set(names).sorted()[...]
            while !rest.isEmpty {
                let some = Array(rest.prefix(NamesAuditV1.maximumNames))
                rest = rest.dropFirst(some.count)
                look.add(try await differences(of: some))
            }
        }
    }

    private func differences(of names: [String]) async throws(CommandFailure) -> [AuditDifference] {
        if names.isEmpty { return [] }
        let partitions = (0..<group.partitions).map { PartitionAddress(.receipts, $0) }
        let pages = try await group.answers(of: partitions) { address async throws(CommandFailure) in
            try await group.answer(to: NamesAuditV1(only: names), of: address)
        }
        return NameComparison(pages.map(\.reply)).differences
    }
}
