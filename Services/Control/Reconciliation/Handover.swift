import Contracts
import Delivery
import Domain

/// Hands in what Apple told, by the doors through which Apple and the phones come.
struct Handover {
    /// Most findings that are handed in at the same time.
    static let maximumAtOnce = 16

    let group: any GroupConversation

    /// Hands in a page.
    ///
    /// - Throws: `CommandFailure` when a partition is silent: the pages that follow had better wait, too.
    func handIn(_ findings: [UsableFinding], _ report: inout ReconciliationReport) async throws {
        var rest = findings[...]
        while !rest.isEmpty {
            let part = Array(rest.prefix(Self.maximumAtOnce))
            rest = rest.dropFirst(part.count)
            var silence: CommandFailure?
            for (finding, outcome) in zip(part, try await outcomes(of: part, report)) {
                switch outcome {
                case .success(let isTaken): if isTaken { report.noteHandedIn(finding) }
                case .failure(let failure):
                    report.noteRefused(finding, failure)
                    if failure.isSilence { silence = failure }
                }
            }
            if let silence { throw silence }
        }
    }

    private func outcomes(
        of findings: [UsableFinding],
        _ report: ReconciliationReport
    ) async throws -> [Result<Bool, CommandFailure>] {
        try await withThrowingTaskGroup(of: (Int, Result<Bool, CommandFailure>).self) { tasks in
            for (index, finding) in findings.enumerated() {
                let before = report.before(finding)
                tasks.addTask {
                    do {
                        return (index, .success(try await handIn(finding, before)))
                    } catch let failure as CommandFailure {
                        return (index, .failure(failure))
                    }
                }
            }
            var outcomes: [Int: Result<Bool, CommandFailure>] = [:]
            for try await (index, outcome) in tasks { outcomes[index] = outcome }
            return findings.indices.compactMap { outcomes[$0] }
        }
    }

    /// Hands in one finding.
    ///
    /// A notification that is known has had its effect. If its transaction is not known all the same, or not as
    /// Apple says that it is, because a store was restored perhaps, the transaction goes in by itself.
    ///
    /// - Returns: whether there was anything to hand in.
    private func handIn(_ finding: UsableFinding, _ before: Standing?) async throws -> Bool {
        if let notification = finding.notification {
            let key = PartitionKey.notification(notification.identifier)
            let address = key.address(in: .receipts, of: group.partitions)
            let isKnown = try await group.ask(notification, of: address).isRepeated
            guard isKnown, finding.isNews(to: before) else { return !isKnown }
        }
        guard let transaction = finding.transaction, let found = finding.found else { return false }
        _ = try await group.ask(transaction, of: found.address(partitions: group.partitions))
        return true
    }
}

extension UsableFinding {
    fileprivate func isNews(to standing: Standing?) -> Bool {
        guard let found, let standing else { return false }
        return found.isNews(to: standing)
    }
}
