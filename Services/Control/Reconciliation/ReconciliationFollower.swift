import Contracts
import Delivery
import Domain

/// Starts a reconciliation in the group, follows it, and reads its findings.
///
/// The group owns the job: it continues when this command is interrupted, and can be followed again.
struct ReconciliationFollower {
    /// Polls without progress before giving up on Apple's answer: 60 s.
    static let maximumStillPolls = 240
    /// Polls between two lines on standard error: 2 s.
    private static let pollsPerLine = 8
    private static let maximumLedgerPages = 100
    /// Maximum transactions of a buyer used to find Apple accounts, newest first.
    private static let maximumTransactions = 5_000

    let group: any PartitionClient
    let id: EventID
    /// Whether to read unchanged transactions, too.
    let isVerbose: Bool
    var showProgress: @Sendable (String) -> Void = { Terminal.warn($0) }

    /// The partition that asks Apple.
    private var address: PartitionAddress {
        PartitionAddress(.receipts, Shard(hashing: id.rawValue).partition(of: group.partitions))
    }

    func start(_ plan: ReconciliationPlan, isDryRun: Bool) async throws -> ReconciliationReport {
        var report = ReconciliationReport(isDryRun: isDryRun)
        let steps = try await histories(plan, &report) + plan.steps
        guard !steps.isEmpty else { return report }
        let start = ReconciliationStartV1(reconciliationId: id, isDryRun: isDryRun, steps: steps)
        try await follow(&report, from: start)
        return report
    }

    /// - Throws: `CommandFailure` when no job was started before.
    func follow() async throws -> ReconciliationReport {
        var report = ReconciliationReport(isDryRun: false)
        guard let progress = try await group.ask(request(.progress), of: address).progress else {
            throw CommandFailure(description: "no reconciliation \(id) is known; one is kept for 7 days")
        }
        report.progress = progress
        try await follow(&report)
        return report
    }

    private func follow(
        _ report: inout ReconciliationReport,
        from start: ReconciliationStartV1? = nil
    ) async throws {
        do {
            if let start { _ = try await group.ask(start, of: address) }
            try await waitForApple(&report)
            try await awaitDecisions(&report)
        } catch let failure as CommandFailure {
            report.note(failure)
        }
    }

    private func waitForApple(_ report: inout ReconciliationReport) async throws {
        var stillPolls = 0
        for poll in 0... {
            let progress = try await group.ask(request(.progress), of: address).progress ?? report.progress
            stillPolls = progress == report.progress ? stillPolls + 1 : 0
            report.progress = progress
            if progress.isFinished { return }
            guard stillPolls < Self.maximumStillPolls else {
                let problem = "\(progress.step): no answer from Apple for 60 s; the group goes on asking, "
                throw CommandFailure(description: problem + "see `counterfoil reconcile --follow \(id)`")
            }
            if poll % Self.pollsPerLine == 0 {
                let sums = "\(progress.serverNotifications) notifications, \(progress.sent) transactions"
                showProgress("reconciliation \(id): \(progress.step), \(sums)")
            }
            try await group.pause()
        }
    }

    /// Reads the transactions until every submitted one has reached its claim and is decided.
    private func awaitDecisions(_ report: inout ReconciliationReport) async throws {
        var limit = PollLimit()
        while true {
            try await readTransactions(&report)
            if limit.isReached(proposed: report.proposed, underWay: report.underWay) { return }
            try await group.pause()
        }
    }

    private func readTransactions(_ report: inout ReconciliationReport) async throws {
        report.found = ReconciliationV1()
        var silence: CommandFailure?
        for partition in 0..<group.partitions {
            do {
                var page = request(isVerbose ? .all : .changes)
                repeat {
                    let reply = try await group.ask(page, of: PartitionAddress(.receipts, partition))
                    report.found.add(reply)
                    page.after = reply.next
                } while page.after != nil
            } catch let failure as CommandFailure {
                silence = failure
            }
        }
        if let silence { throw silence }
    }

    private func request(_ part: ReconciliationGetV1.Part) -> ReconciliationGetV1 {
        ReconciliationGetV1(reconciliationId: id, part: part)
    }

    // MARK: Buyers

    private func histories(
        _ plan: ReconciliationPlan,
        _ report: inout ReconciliationReport
    ) async throws -> [ReconciliationPlan.Step] {
        guard let buyer = plan.buyer else { return [] }
        var steps: [ReconciliationPlan.Step] = []
        for place in plan.places {
            do {
                var held = try await transactions(of: buyer, in: place)
                guard !held.isEmpty else { continue }
                if held.count > Self.maximumTransactions {
                    report.omissions.append(
                        "\(place.bundleID) \(place.environment): asking by the newest "
                            + "\(Self.maximumTransactions) of \(held.count) transactions of \(buyer)"
                    )
                    held = Array(held.prefix(Self.maximumTransactions))
                }
                let subject = ReconciliationStartV1.Subject.history(transactionIds: held, since: plan.since)
                steps.append(.init(bundleId: place.bundleID, environment: place.environment, subject))
            } catch let failure as CommandFailure {
                report.note(failure, about: "\(place.bundleID) \(place.environment)")
            }
        }
        if steps.isEmpty, report.problems.isEmpty {
            report.problems.append(
                "no transaction of \(buyer) is known here by which Apple could be asked: give --apple-order with "
                    + "the number on Apple's e-mail, or let the phone send its receipt again"
            )
        }
        return steps
    }

    /// Newest first.
    private func transactions(
        of buyer: BuyerID,
        in place: ReconciliationPlan.Place
    ) async throws -> [TransactionID] {
        let address = PartitionKey.buyer(buyer, of: place.bundleID)
            .address(in: .entitlements, of: group.partitions)
        var question = LedgerGetV1(
            bundleId: place.bundleID,
            buyerId: buyer,
            environment: place.environment,
            limit: Limits.linesOfPage.upperBound
        )
        var found: [TransactionID] = []
        for _ in 0..<Self.maximumLedgerPages {
            let page = try await group.ask(question, of: address)
            found += page.entries.compactMap(\.transactionId)
            guard let next = page.next else { break }
            question.after = next
        }
        var seen: Set<TransactionID> = []
        return found.reversed().filter { seen.insert($0).inserted }
    }
}
