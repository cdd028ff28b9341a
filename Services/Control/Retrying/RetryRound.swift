import Contracts
import Delivery

/// Judges everything in a scope again: all partitions in parallel, page by page in each.
struct RetryRound {
    /// Timeout of a page, ms; its proofs are verified again.
    static let patience: Int64 = 10_000

    /// A partition's pages, and the failure that ended them.
    private struct Part {
        let address: PartitionAddress
        var items: [RetryPage.Item] = []
        var failure: CommandFailure?
    }

    let group: any PartitionClient
    let scope: RetryScope

    func carryOut() async throws -> RetryReport {
        var report = RetryReport()
        for part in try await parts() {
            if let failure = part.failure { report.note(failure, at: part.address) }
            do {
                report.add(try await settled(part.items, at: part.address))
            } catch let failure as CommandFailure {
                report.add(part.items)
                report.note(failure, at: part.address)
            }
        }
        return report
    }

    // MARK: Pages

    private func parts() async throws -> [Part] {
        try await withThrowingTaskGroup { tasks in
            for address in addresses(.entitlements) {
                tasks.addTask { try await pages(of: address) { GrantRetryV1(scope: scope, after: $0) } }
            }
            for address in addresses(.receipts) {
                tasks.addTask { try await pages(of: address) { ReceiptRetryV1(scope: scope, after: $0) } }
            }
            return try await tasks.reduce(into: []) { $0.append($1) }.sorted { $0.address < $1.address }
        }
    }

    private func addresses(_ service: ServiceName) -> [PartitionAddress] {
        let own = service == .receipts ? scope.receiptId?.shard.partition(of: group.partitions) : nil
        return (own.map { [$0] } ?? Array(0..<group.partitions)).map { PartitionAddress(service, $0) }
    }

    private func pages<Question: RequestContract>(
        of address: PartitionAddress,
        _ question: ([String]?) -> Question
    ) async throws -> Part where Question.Reply == RetryPage {
        var part = Part(address: address)
        var after: [String]?
        do {
            repeat {
                let page = try await group.ask(question(after), of: address, within: Self.patience)
                part.items += page.items
                after = page.next
            } while after != nil
        } catch let failure as CommandFailure {
            part.failure = failure
        }
        return part
    }

    // MARK: Orphans

    /// The items after Orders has answered for the orphans, as far as it does in time.
    private func settled(
        _ items: [RetryPage.Item],
        at address: PartitionAddress
    ) async throws -> [RetryPage.Item] {
        var items = items
        var limit = PollLimit()
        while true {
            let open = items.indices.filter { items[$0].isProposed }
            if limit.isReached(proposed: open.count, underWay: 0) { return items }
            try await group.pause()
            for index in open {
                guard let question = items[index].question else { continue }
                let claim = try await group.ask(question, of: address).claims.first
                if let claim { items[index].after = RetryPage.ItemStatus(claim.state) }
            }
        }
    }
}

extension RetryPage.Item {
    /// Whether Orders has yet to answer whose it is.
    fileprivate var isProposed: Bool { kind == .orphan && after.state == "proposed" }

    fileprivate var question: ClaimsGetV1? {
        guard let bundleId, let environment, let transaction = TransactionID(rawValue: id) else { return nil }
        return ClaimsGetV1(bundleId: bundleId, environment: environment, transactionIds: [transaction])
    }
}
