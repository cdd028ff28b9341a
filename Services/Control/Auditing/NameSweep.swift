import Contracts
import Delivery

/// Goes through the names of purchases and compares their rows with the claims that state them.
///
/// A partition of Receipts says, page by page, which names its claims state. All partitions are asked about each page:
/// one of them has the row of a name, and any may have a claim that states it.
struct NameSweep {
    private typealias Answer = Result<NamesAuditPage, CommandFailure>

    let group: any PartitionClient

    /// Compares the names that claims of a partition state.
    func carryOut(_ partition: Int) async -> AuditLook {
        let address = PartitionAddress(.receipts, partition)
        var (look, question) = (AuditLook(), NamesAuditV1())
        do throws(CommandFailure) {
            repeat {
                let page = try await group.answer(to: question, of: address)
                let names = Set(page.claims.map(\.name)).sorted()
                look.add(try await differences(of: names))
                question.after = page.next
            } while question.after != nil
        } catch {
            look.note(error, at: error.missed ?? address)
        }
        return look
    }

    /// Compares some names.
    func compare(_ names: [String]) async -> AuditLook {
        var (look, rest) = (AuditLook(), Set(names).sorted()[...])
        do throws(CommandFailure) {
            while !rest.isEmpty {
                let some = Array(rest.prefix(NamesAuditV1.maximumNames))
                rest = rest.dropFirst(some.count)
                look.add(try await differences(of: some))
            }
        } catch {
            look.note(error, at: error.missed ?? PartitionAddress(.receipts, 0))
        }
        return look
    }

    private func differences(of names: [String]) async throws(CommandFailure) -> [AuditDifference] {
        if names.isEmpty { return [] }
        let answers = await withTaskGroup(of: Answer.self) { tasks in
            for partition in 0..<group.partitions {
                tasks.addTask { await page(of: names, at: PartitionAddress(.receipts, partition)) }
            }
            return await tasks.reduce(into: [Answer]()) { $0.append($1) }
        }
        var pages: [NamesAuditPage] = []
        for answer in answers { pages.append(try answer.get()) }
        return NameComparison(pages).differences
    }

    private func page(of names: [String], at address: PartitionAddress) async -> Answer {
        do throws(CommandFailure) {
            return .success(try await group.answer(to: NamesAuditV1(only: names), of: address))
        } catch {
            return .failure(error)
        }
    }
}
