import Contracts

/// Apple's findings and their effect here.
struct ReconciliationReport: Equatable {
    /// Maximum lines about findings that cannot be used.
    private static let maximumUnusableLines = 20

    /// Progress of the partition that asks Apple.
    var progress: ReconciliationV1.Progress
    /// The pages of all partitions as one; transactions that did not change are in it on request.
    var found = ReconciliationV1()
    /// What could not be asked or waited for, a line each.
    var problems: [String] = []
    /// What was left out although nothing failed, a line each.
    var omissions: [String] = []
    private(set) var missed = MissedPartitions()

    init(isDryRun: Bool) { progress = ReconciliationV1.Progress(isDryRun: isDryRun) }

    /// Whether a part failed; the rest of the report is still true.
    var isIncomplete: Bool { !allProblems.isEmpty || progress.unusable.contains(where: \.refused) }

    private var allProblems: [String] { progress.problems + problems }

    private var transactions: [ReconciliationV1.Transaction] { found.transactions }

    /// Transactions whose claims wait for the answer of Orders.
    var proposed: Int { transactions.count { $0.after?.state == "proposed" } }

    /// Submitted transactions that their claim does not know yet, or that have not reached their partition.
    var underWay: Int { transactions.count(where: \.isUnderWay) + max(0, progress.sent - found.received) }

    mutating func note(_ failure: CommandFailure, about what: String? = nil) {
        problems.append([what, failure.description].compactMap(\.self).joined(separator: ": "))
        missed.note(failure)
    }

    // MARK: Printing

    /// Changed transactions, or those that would change; with `all`, the others, too.
    func rows(all: Bool) -> [ReconciliationV1.Transaction] {
        transactions.filter { all || $0.changed }.sorted { $0.name.lexicographicallyPrecedes($1.name) }
    }

    var summary: String {
        let changed = rows(all: false).count
        let effect =
            progress.isDryRun
            ? "\(found.unknown) are unknown here, \(changed) would change"
            : "\(found.unknown) were unknown here, \(changed) changed"
        return "asked Apple: \(progress.serverNotifications) notifications, \(found.count) transactions; "
            + "\(effect); \(progress.unusableCount) could not be used"
            + (progress.isDryRun ? "; nothing was handed in" : "")
    }

    /// The report for standard output.
    func text(all: Bool) -> String {
        let columns: [TextTable.Column<ReconciliationV1.Transaction>] = [
            ("TRANSACTION", \.transactionId.rawValue), ("PRODUCT", \.productId.rawValue),
            ("ENVIRONMENT", \.environment.rawValue),
            (progress.isDryRun ? "NOW" : "BEFORE", \.before.sentence),
            (progress.isDryRun ? "WOULD BE" : "AFTER", { $0.after?.sentence ?? $0.wouldBe ?? "-" }),
        ]
        return TextTable.text(of: rows(all: all), columns: columns, total: summary)
    }

    /// Lines for standard error: unusable findings, what waits, and failures.
    var warnings: [String] {
        var lines = progress.unusable.prefix(Self.maximumUnusableLines).map(\.line)
        if progress.unusableCount > lines.count {
            lines.append("and \(progress.unusableCount - lines.count) more; see --json")
        }
        if proposed > 0 {
            lines.append("\(proposed) wait for Orders to say whose they are; see `counterfoil status`")
        }
        let missing = underWay - transactions.count { $0.isUnderWay && $0.after?.state == "proposed" }
        if missing > 0 {
            lines.append(
                "\(missing) were handed in and have not come to a claim: they are parked, as in a sandbox that is "
                    + "refused, or late; see `counterfoil status`"
            )
        }
        return lines + omissions + allProblems
    }

    /// What `counterfoil reconcile --json` prints.
    struct Object: Encodable, Equatable {
        let dryRun: Bool
        let serverNotifications: Int
        let transactions: Int
        let unknown: Int
        let changed: Int
        let rows: [ReconciliationV1.Transaction]
        let unusable: [ReconciliationV1.Unusable]
        let problems: [String]
    }

    func object(all: Bool) -> Object {
        Object(
            dryRun: progress.isDryRun,
            serverNotifications: progress.serverNotifications,
            transactions: found.count,
            unknown: found.unknown,
            changed: rows(all: false).count,
            rows: rows(all: all),
            unusable: progress.unusable,
            problems: unlisted + omissions + allProblems
        )
    }

    /// Says how many findings that cannot be used are not listed: the job keeps the first of many only.
    private var unlisted: [String] {
        let count = progress.unusableCount - progress.unusable.count
        return count > 0 ? ["\(count) more findings cannot be used and are not listed"] : []
    }
}

extension ReconciliationV1 {
    /// Adds a further page.
    mutating func add(_ page: ReconciliationV1) {
        transactions += page.transactions
        count += page.count
        unknown += page.unknown
        received += page.received
    }
}

extension ReconciliationV1.Transaction {
    fileprivate var name: [String] { [bundleId.rawValue, environment.rawValue, transactionId.rawValue] }
}

extension ReconciliationV1.ClaimStatus {
    /// Such as `held by ada, refunded`.
    var sentence: String {
        let claim = buyerId.map { "\(state) by \($0)" } ?? state
        return revoked ? claim + ", refunded" : claim
    }
}

extension ReconciliationV1.Unusable {
    fileprivate var line: String {
        let thing =
            notificationUUID.map { "notification \($0)" } ?? transactionId.map { "transaction \($0)" }
            ?? "something without an id"
        return "\(thing) \(refused ? "was not taken" : "cannot be used"): \(problem)"
    }
}
