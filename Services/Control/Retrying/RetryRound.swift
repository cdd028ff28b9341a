import Contracts
import Delivery

/// Judges everything in a scope again: all partitions in parallel, page by page in each.
struct RetryRound {
    /// Timeout of a page, ms; its proofs are verified again.
    static let patience: Int64 = 10_000

    let group: any PartitionClient
    let scope: RetryScope

    func carryOut() async throws -> RetryReport {
        let parts = try await withThrowingTaskGroup { tasks in
            for address in addresses(.entitlements) {
                tasks.addTask { (address, try await part(address) { GrantRetryV1(scope: scope, after: $0) }) }
            }
            for address in addresses(.receipts) {
                tasks.addTask {
                    (address, try await part(address) { ReceiptRetryV1(scope: scope, after: $0) })
                }
            }
            return try await tasks.reduce(into: [(PartitionAddress, RetryReport)]()) { $0.append($1) }
        }
        return parts.sorted { $0.0 < $1.0 }.reduce(into: RetryReport()) { $0.add($1.1) }
    }

    private func addresses(_ service: ServiceName) -> [PartitionAddress] {
        let own = service == .receipts ? scope.receiptId?.place.partition(of: group.partitions) : nil
        return (own.map { [$0] } ?? Array(0..<group.partitions)).map { PartitionAddress(service, $0) }
    }

    /// What one partition judged, as far as it did.
    private func part<Question: RequestContract>(
        _ address: PartitionAddress,
        _ question: ([String]?) -> Question
    ) async throws -> RetryReport where Question.Reply == RetryPage {
        var report = RetryReport()
        var after: [String]?
        do {
            repeat {
                let page = try await group.ask(question(after), of: address, within: Self.patience)
                report.items += page.items
                after = page.next
            } while after != nil
        } catch let failure as CommandFailure {
            report.note(failure, at: address)
        }
        do {
            try await awaitDecisions(of: &report.items, at: address)
        } catch let failure as CommandFailure {
            report.note(failure, at: address)
        }
        return report
    }

    /// Waits until Orders has answered for the orphans, as far as it does in time.
    private func awaitDecisions(of items: inout [RetryPage.Item], at address: PartitionAddress) async throws {
        var limit = PollLimit()
        while true {
            let open = items.indices.filter { items[$0].isProposed }
            if limit.isReached(proposed: open.count, underWay: 0) { return }
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
