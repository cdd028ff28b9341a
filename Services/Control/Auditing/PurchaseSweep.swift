import Contracts
import Delivery

/// Goes through the purchases of all partitions in the order of their ids, a window at a time.
///
/// Every partition of the three services has purchases of every window, because each service spreads them by another
/// key. Only sums are sent; where they differ, each purchase of that window is compared. A page of one partition of
/// Orders, the leader, says where a window ends, so that no window is larger than a page of each.
struct PurchaseSweep {
    /// Timeout of a page, ms; it may wait behind what buyers ask for.
    static let patience: Int64 = 10_000

    private typealias Answer = (
        address: PartitionAddress, pages: Result<[PurchasesAuditPage], CommandFailure>
    )

    let group: any PartitionClient
    /// Told how many paid orders have been compared.
    let progress: @Sendable (Int) -> Void

    func carryOut() async -> AuditLook {
        var (look, leader) = (AuditLook(), SweepLeader(partitions: group.partitions))
        do throws(CommandFailure) {
            var after: PurchaseID?
            repeat {
                let upTo = try await windowEnd(after: after, &leader)
                var question = PurchasesAuditV1(after: after, upTo: upTo)
                let sides = try await sides(question, &leader)
                look.add(sides)
                if !sides.agree {
                    question.isListed = true
                    look.add(try await self.sides(question, &leader).differences)
                }
                progress(look.orders)
                after = upTo
            } while after != nil
        } catch {
            look.note(error, at: error.missed ?? PartitionAddress(.orders, 0))
        }
        return look
    }

    /// Compares some purchases.
    func compare(_ purchases: [PurchaseID]) async -> AuditLook {
        var (look, rest) = (AuditLook(), purchases.sorted()[...])
        var leader = SweepLeader(partitions: group.partitions)
        do throws(CommandFailure) {
            while !rest.isEmpty {
                let some = Array(rest.prefix(PurchasesAuditV1.maximumIds))
                rest = rest.dropFirst(some.count)
                look.add(try await sides(PurchasesAuditV1(only: some), &leader).differences)
            }
        } catch {
            look.note(error, at: error.missed ?? PartitionAddress(.orders, 0))
        }
        return look
    }

    /// Where the window ends that begins behind a purchase; nil for the last window.
    private func windowEnd(
        after: PurchaseID?,
        _ leader: inout SweepLeader
    ) async throws(CommandFailure) -> PurchaseID? {
        while let partition = leader.partition {
            let address = PartitionAddress(.orders, partition)
            let page = try await group.answer(to: PurchasesAuditV1(after: after), of: address)
            if let next = page.next { return next }
            leader.noteEnd(of: partition)
        }
        return nil
    }

    /// What all partitions say.
    private func sides(
        _ question: PurchasesAuditV1,
        _ leader: inout SweepLeader
    ) async throws(CommandFailure) -> PurchaseSides {
        let addresses = PurchaseSides.services.flatMap { service in
            (0..<group.partitions).map { PartitionAddress(service, $0) }
        }
        let answers = await withTaskGroup(of: Answer.self) { tasks in
            for address in addresses { tasks.addTask { (address, await pages(question, of: address)) } }
            return await tasks.reduce(into: [Answer]()) { $0.append($1) }
        }
        var sides = PurchaseSides()
        for (address, answer) in answers {
            for page in try answer.get() {
                if address.service == .orders { leader.note(page.count, of: address.partition) }
                sides.add(page, of: address)
            }
        }
        return sides
    }

    private func pages(
        _ question: PurchasesAuditV1,
        of address: PartitionAddress
    ) async -> Result<[PurchasesAuditPage], CommandFailure> {
        var (question, pages) = (question, [PurchasesAuditPage]())
        do throws(CommandFailure) {
            repeat {
                let page = try await group.answer(to: question, of: address)
                pages.append(page)
                question.after = page.next
            } while pages.last?.next != nil
            return .success(pages)
        } catch {
            return .failure(error)
        }
    }
}

/// Which partition of Orders says where windows end: the one with the most purchases that has not come to its end.
struct SweepLeader {
    private var counts: [Int]
    private var ended: Set<Int> = []

    init(partitions: Int) { counts = Array(repeating: 0, count: partitions) }

    var partition: Int? {
        counts.indices.filter { !ended.contains($0) }.max { (counts[$0], -$0) < (counts[$1], -$1) }
    }

    mutating func note(_ purchases: Int, of partition: Int) { counts[partition] += purchases }

    mutating func noteEnd(of partition: Int) { ended.insert(partition) }
}

extension PartitionClient {
    /// Asks with the patience of an audit; a failure names the partition.
    func answer<Question: RequestContract>(
        to question: Question,
        of address: PartitionAddress
    ) async throws(CommandFailure) -> Question.Reply {
        do {
            return try await ask(question, of: address, within: PurchaseSweep.patience)
        } catch {
            var failure =
                error as? CommandFailure ?? CommandFailure(description: "\(address): \(error)")
            failure.missed = address
            throw failure
        }
    }
}
