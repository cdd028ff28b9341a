import Contracts

extension ReconciliationReport {
    /// Most lines about findings that cannot be used.
    private static let maximumUnusableLines = 20

    /// A transaction as it is printed.
    struct Row: Encodable, Equatable {
        let bundleId: BundleID
        let environment: Environment
        let transactionId: TransactionID
        let productId: ProductID
        let before: Standing
        /// Nil in a dry run, and when it could not be asked for.
        let after: Standing?
        /// What handing it in would change; in a dry run only.
        let prospect: String?
        let isChanged: Bool

        private enum CodingKeys: String, CodingKey {
            case bundleId, environment, transactionId, productId, before, after
            case prospect = "wouldBe"
            case isChanged = "changed"
        }
    }

    /// The transactions that stand otherwise than before, or would; with `all`, the others, too.
    func rows(all: Bool) -> [Row] {
        transactions.values.sorted { $0.key < $1.key }.compactMap(row).filter { all || $0.isChanged }
    }

    private func row(_ transaction: FoundTransaction) -> Row? {
        guard let before = transaction.before else { return nil }
        let prospect = isDryRun ? transaction.prospect : nil
        return Row(
            bundleId: transaction.key.bundleID,
            environment: transaction.key.environment,
            transactionId: transaction.key.transactionID,
            productId: transaction.productID,
            before: before,
            after: transaction.after,
            prospect: prospect,
            isChanged: isDryRun ? prospect != nil : transaction.isChanged
        )
    }

    /// How much was found so far.
    var tally: String { "\(notifications) notifications, \(transactions.count) transactions" }

    /// How many transactions nobody knew here.
    var unknown: Int { transactions.values.count { $0.before?.isUnknown == true } }

    /// The last line.
    var summary: String {
        let changed = rows(all: false).count
        let found =
            isDryRun
            ? "\(unknown) are unknown here, \(changed) would change"
            : "\(unknown) were unknown here, \(changed) changed"
        let ending = isDryRun ? "; nothing was handed in" : ""
        return "asked Apple: \(tally); \(found); \(unusable.count) could not be used" + ending
    }

    /// The report for people, on standard output.
    func text(all: Bool) -> String {
        let rows = rows(all: all)
        guard !rows.isEmpty else { return summary }
        let columns = isDryRun ? ["NOW", "WOULD BE"] : ["BEFORE", "AFTER"]
        var table = TextTable(["TRANSACTION", "PRODUCT", "ENVIRONMENT"] + columns)
        for row in rows {
            let after = isDryRun ? row.prospect ?? "-" : row.after?.sentence ?? "no answer"
            table.add([
                row.transactionId.rawValue, row.productId.rawValue, row.environment.rawValue,
                row.before.sentence, after,
            ])
        }
        return table.text + "\n" + summary
    }

    /// What goes to standard error: what could not be used, what waits, and what could not be done.
    var warnings: [String] {
        var lines = unusable.prefix(Self.maximumUnusableLines).map(\.line)
        if unusable.count > lines.count {
            lines.append("and \(unusable.count - lines.count) more; see --json")
        }
        let proposed = transactions.values.count { $0.after?.isOpen == true }
        if proposed > 0 {
            lines.append("\(proposed) wait for Orders to say whose they are; see `counterfoil status`")
        }
        let missing = transactions.values.count { $0.after?.isOpen == false && $0.isUnderWay }
        if missing > 0 {
            lines.append(
                "\(missing) were handed in and have not come to a claim: they are parked, as in a sandbox that is "
                    + "refused, or late; see `counterfoil status`"
            )
        }
        return lines + problems
    }
}

extension ReconciliationReport {
    /// What `counterfoil reconcile --json` prints.
    struct Object: Encodable, Equatable {
        let isDryRun: Bool
        let notifications: Int
        let transactions: Int
        let unknown: Int
        let changed: Int
        let rows: [Row]
        let unusable: [UnusableFinding]
        let problems: [String]

        private enum CodingKeys: String, CodingKey {
            case isDryRun = "dryRun"
            case notifications, transactions, unknown, changed, rows, unusable, problems
        }
    }

    /// The report as one object.
    func object(all: Bool) -> Object {
        Object(
            isDryRun: isDryRun,
            notifications: notifications,
            transactions: transactions.count,
            unknown: unknown,
            changed: rows(all: false).count,
            rows: rows(all: all),
            unusable: unusable,
            problems: problems
        )
    }
}
