import Contracts
import Delivery
import Domain

/// Asks Apple what a group should know, and hands in what it finds by the usual doors.
///
/// Page by page: how the claims of its transactions stand is asked before it is handed in, and once more at the end.
/// What was handed in stays so when a later page cannot be had; doing all of it again is harmless.
struct Reconciliation {
    /// How long Apple may take for a page, at the pace that it prescribes, in milliseconds.
    static let appleDeadline: Int64 = 60_000
    /// Most pages of one answer: 200,000 notifications.
    static let maximumPages = 10_000

    let group: any GroupConversation
    let isDryRun: Bool
    let progress: ReconciliationProgress

    /// Does the errands one after the other; one that cannot be done is a problem of the report and stops no other.
    func carryOut(_ errands: [ReconciliationErrand]) async throws -> ReconciliationReport {
        var report = ReconciliationReport(isDryRun: isDryRun)
        for errand in errands {
            switch errand {
            case .question(let question): _ = try await read(question, &report)
            case .order(let number, let apps): try await readOrder(number, of: apps, &report)
            case .purchases(let buyer, let places, let since):
                try await readPurchases(of: buyer, in: places, since: since, &report)
            }
        }
        if !isDryRun { try await settle(&report) }
        return report
    }

    /// Reads all pages of an answer.
    ///
    /// - Returns: the transactions that it names; nil when a part of it cannot be had.
    func read(
        _ question: AppleAskV1,
        _ report: inout ReconciliationReport
    ) async throws -> Set<TransactionID>? {
        do {
            return try await readPages(question, &report)
        } catch let failure as CommandFailure {
            report.note(failure, about: "\(question.bundleId) \(question.environment)")
            return nil
        }
    }

    private func readPages(
        _ question: AppleAskV1,
        _ report: inout ReconciliationReport
    ) async throws -> Set<TransactionID> {
        let address = question.address(partitions: group.partitions)
        // Apple may take long; whether anybody is there to ask Apple shows at once.
        _ = try await group.ask(PartitionStatusV1(), of: address)
        var question = question
        var named: Set<TransactionID> = []
        for page in 1...Self.maximumPages {
            let answer = try await answer(to: question, by: address)
            try await take(answer.findings, &report)
            named.formUnion(answer.findings.compactMap(\.transaction?.transactionId))
            progress.note("\(question.bundleId) \(question.environment): page \(page), \(report.tally)")
            if let problem = answer.problem { throw CommandFailure(description: problem) }
            guard let next = answer.next else { return named }
            guard next != question.page else {
                throw CommandFailure(description: "Apple names a page as the next of itself")
            }
            question.page = next
        }
        throw CommandFailure(
            description: "Apple has more than \(Self.maximumPages) pages; give a later --since"
        )
    }

    private func answer(
        to question: AppleAskV1,
        by address: PartitionAddress
    ) async throws -> AppleAnswerV1 {
        do {
            return try await group.ask(question, of: address, within: Self.appleDeadline)
        } catch let failure as CommandFailure where failure.isSilence {
            let problem =
                "\(address) had no answer from Apple for \(Self.appleDeadline / 1_000) s; try again later"
            throw CommandFailure(description: problem, isSilence: true)
        }
    }

    /// Takes in a page and hands in what can be used of it.
    private func take(
        _ findings: [AppleAnswerV1.Finding],
        _ report: inout ReconciliationReport
    ) async throws {
        let usable = report.take(findings)
        report.note(before: try await group.standings(of: report.unasked(in: usable)))
        if !isDryRun { try await Handover(group: group).handIn(usable, &report) }
    }

    /// Looks at the claims until all that was handed in has come to them and is decided.
    private func settle(_ report: inout ReconciliationReport) async throws {
        var watch = SettlingWatch()
        do {
            while true {
                report.note(after: try await group.standings(of: report.unsettled))
                let rest = report.unsettled
                progress.note("\(rest.count) transactions are on their way to their claims")
                let proposed = rest.count { $0.after?.isOpen == true }
                if watch.isOver(proposed: proposed, underWay: rest.count(where: \.isUnderWay)) { return }
                try await group.pause()
            }
        } catch let failure as CommandFailure {
            report.note(failure)
        }
    }
}

extension AppleAskV1 {
    /// The partition that asks Apple: any can, and questions about different things are spread over all.
    fileprivate func address(partitions: Int) -> PartitionAddress {
        let key =
            if let transactionId {
                PartitionKey.chain(transactionId, of: bundleId)
            } else {
                PartitionKey.notification("\(bundleId)/\(environment)/\(appleOrderId ?? "")")
            }
        return key.address(in: .receipts, of: partitions)
    }
}
