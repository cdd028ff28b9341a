import Contracts
import Delivery

/// Goes through the purchases of all partitions in the order of their ids, a window at a time.
///
/// Every partition of the three services has purchases of every window, because each service spreads them by another
/// key. Only sums are sent; where they differ, each purchase of that window is compared. A page of one partition of
/// Orders, the leader, says where a window ends, so that no window is larger than a page of each. It is read while the
/// others read the window before it.
struct PurchaseSweep {
    /// Timeout of a page, ms; it may wait behind what buyers ask for.
    static let patience: Int64 = 10_000

    /// A range of purchases.
    private struct Window: Sendable {
        let after: PurchaseID?
        /// A page that has all purchases of the range that its partition has; nil for the last window, which ends with
        /// the last purchase.
        var lead: (address: PartitionAddress, page: PurchasesAuditPage)?
        /// Partitions of Orders without a purchase behind the range.
        var ended: [Int] = []

        var upTo: PurchaseID? { lead?.page.next }
    }

    let group: any PartitionClient
    /// Told how many paid orders have been compared.
    let progress: @Sendable (Int) -> Void

    func carryOut() async -> AuditLook {
        await AuditLook.at(PartitionAddress(.orders, 0)) { look async throws(CommandFailure) in
            var leader = SweepLeader(partitions: group.partitions)
            var next: Window? = try await window(after: nil, leader).get()
            while let window = next {
                for partition in window.ended { leader.noteEnd(of: partition) }
                let leaderSoFar = leader
                async let following = self.window(behind: window, leaderSoFar)
                var question = PurchasesAuditV1(after: window.after, upTo: window.upTo)
                let sides = try await sides(question, &leader, known: window.lead)
                look.add(sides)
                if !sides.agree {
                    question.isListed = true
                    look.add(try await self.sides(question, &leader).differences)
                }
                progress(look.orders)
                next = try await following.get()
            }
        }
    }

    /// Compares some purchases.
    func compare(_ purchases: [PurchaseID]) async -> AuditLook {
        await AuditLook.at(PartitionAddress(.orders, 0)) { look async throws(CommandFailure) in
            var (rest, leader) = (purchases.sorted()[...], SweepLeader(partitions: group.partitions))
            while !rest.isEmpty {
                let some = Array(rest.prefix(PurchasesAuditV1.maximumIds))
                rest = rest.dropFirst(some.count)
                look.add(try await sides(PurchasesAuditV1(only: some), &leader).differences)
            }
        }
    }

    /// The window behind another one; nil when that was the last.
    private func window(behind window: Window, _ leader: SweepLeader) async -> Result<Window?, CommandFailure>
    {
        guard let end = window.upTo else { return .success(nil) }
        return await self.window(after: end, leader).map(Optional.some)
    }

    private func window(after: PurchaseID?, _ leader: SweepLeader) async -> Result<Window, CommandFailure> {
        var (window, leader) = (Window(after: after), leader)
        do throws(CommandFailure) {
            while let partition = leader.partition {
                let address = PartitionAddress(.orders, partition)
                let page = try await group.answer(to: PurchasesAuditV1(after: after), of: address)
                if page.next != nil {
                    window.lead = (address, page)
                    break
                }
                leader.noteEnd(of: partition)
                window.ended.append(partition)
            }
            return .success(window)
        } catch {
            return .failure(error)
        }
    }

    /// What all partitions say; that of `known` has said it already.
    private func sides(
        _ question: PurchasesAuditV1,
        _ leader: inout SweepLeader,
        known: (address: PartitionAddress, page: PurchasesAuditPage)? = nil
    ) async throws(CommandFailure) -> PurchaseSides {
        let addresses = PurchaseSides.services.flatMap { service in
            (0..<group.partitions).map { PartitionAddress(service, $0) }
        }
        var answers = known.map { [(address: $0.address, reply: [$0.page])] } ?? []
        let others = addresses.filter { $0 != known?.address }
        answers += try await group.answers(of: others) { address async throws(CommandFailure) in
            try await pages(question, of: address)
        }
        var sides = PurchaseSides()
        for (address, pages) in answers {
            for page in pages {
                if address.service == .orders { leader.note(page.count, of: address.partition) }
                sides.add(page, of: address)
            }
        }
        return sides
    }

    private func pages(
        _ question: PurchasesAuditV1,
        of address: PartitionAddress
    ) async throws(CommandFailure) -> [PurchasesAuditPage] {
        var (question, pages) = (question, [PurchasesAuditPage]())
        repeat {
            let page = try await group.answer(to: question, of: address)
            pages.append(page)
            question.after = page.next
        } while question.after != nil
        return pages
    }
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
