import Contracts
import Database

/// The ledgers of a group, and the first half of the third law: entries sum to zero, balances are their sums, and none
/// falls below its product's rule.
struct GroupLedger {
    struct Entry {
        let id: String
        let number: Int64
        let buyer: BuyerID
        let environment: Environment
        let kind: String
        let entitlement: String
        let amount: Int64
        let from: String
        let to: String
        let undoes: String?
        let purchase: GroupKey?
        /// The message that led to it, and its type where the ledger has it.
        let event: String
        let type: String?

        init(_ row: Row) throws {
            (id, number, buyer) = (try row["entry_id"], try row["number"], try row["buyer_id"])
            (environment, kind) = (try row["environment"], try row["kind"])
            (entitlement, amount) = (try row["entitlement"], try row["amount"])
            (from, to, undoes) = (try row["from_account"], try row["to_account"], try row["undoes"])
            (event, type) = (try row["event_id"], try row["event_type"])
            let id: PurchaseID? = try row["purchase_id"]
            purchase = try id == nil ? nil : GroupKey(row)
        }

        /// What it adds to what the buyer holds.
        var change: Int64 { to == "buyer" ? amount : -amount }
        var account: Account { Account(buyer: buyer, environment: environment, entitlement: entitlement) }
    }

    struct Account: Hashable {
        let buyer: BuyerID
        let environment: Environment
        let entitlement: String
    }

    /// In the order of each buyer's ledger.
    let entries: [Entry]
    /// The balance after each entry.
    let balances: [Int64]

    init(_ simulation: GroupSimulation) throws {
        entries = try simulation.rows(.entitlements, "SELECT * FROM ledger ORDER BY buyer_id, number").map(
            Entry.init
        )
        var sums: [Account: Int64] = [:]
        balances = entries.map { entry in
            sums[entry.account, default: 0] += entry.change
            return sums[entry.account] ?? 0
        }
    }

    /// The balance of an account when its buyer's ledger had so many entries.
    func balance(of account: Account, after count: Int64) -> Int64 {
        let last = entries.indices.last { entries[$0].account == account && entries[$0].number <= count }
        return last.map { balances[$0] } ?? 0
    }
}

extension GroupSimulation {
    /// Judges what a partition of Entitlements has committed: by its rows alone, and in one statement.
    func checkLedger(_ store: GroupStore) throws {
        let sql: SQL = """
            SELECT buyer_id, entitlement, 'is not the sum of its entries' AS fault FROM (
              SELECT bundle_id, buyer_id, environment, entitlement,
                CASE WHEN to_account = 'buyer' THEN amount ELSE -amount END AS amount FROM ledger
              UNION ALL SELECT bundle_id, buyer_id, environment, entitlement, -amount FROM balance
              UNION ALL SELECT bundle_id, buyer_id, environment, entitlement, -1 FROM possession
            ) AS moved GROUP BY bundle_id, buyer_id, environment, entitlement HAVING SUM(amount) <> 0
            UNION ALL SELECT buyer_id, entitlement, 'is below its floor' FROM balance
              WHERE entitlement = \(GroupProduct.floored) AND amount < 0
            UNION ALL SELECT buyer_id, entitlement, 'has a lopsided entry' FROM ledger
              WHERE amount <= 0 OR from_account = to_account
            """
        for row in try store.read(sql) {
            let (buyer, name, fault): (String, String, String) = (
                try row["buyer_id"], try row["entitlement"], try row["fault"]
            )
            fail("the balance \(name) of \(buyer) \(fault)", .ledgerBalances)
        }
    }
}

// MARK: At rest

extension GroupChecker {
    func checkLedger() throws {
        for address in GroupWorld.addresses(of: .entitlements) {
            if let store = simulation.partitions[address]?.store { try simulation.checkLedger(store) }
        }
        var accounts: [String: Int64] = [:]
        for entry in ledger.entries {
            accounts["\(entry.from) \(entry.entitlement)", default: 0] -= entry.amount
            accounts["\(entry.to) \(entry.entitlement)", default: 0] += entry.amount
        }
        if accounts.values.reduce(0, +) != 0 {
            fail("the accounts \(accounts) sum to more than zero", .ledgerBalances)
        }
        for (entry, balance) in zip(ledger.entries, ledger.balances) where balance < 0 {
            guard entry.kind == "spend" || entry.entitlement == GroupProduct.floored else { continue }
            fail("\(entry) leaves a balance of \(balance)", .ledgerBalances)
        }
        checkFloor(ledger)
        checkOwned(ledger)
        checkTransit(ledger)
        try checkWallet(ledger)
    }

    /// A refund takes what was given, and no more than there is.
    private func checkFloor(_ ledger: GroupLedger) {
        for (place, entry) in ledger.entries.enumerated()
        where entry.entitlement == GroupProduct.floored && entry.kind == "reversal" {
            let given = ledger.entries[..<place].filter { $0.purchase == entry.purchase }.reduce(0) {
                $0 + $1.change
            }
            let due = min(given, ledger.balances[place] + entry.amount)
            if entry.amount != due {
                fail("\(entry) takes back \(entry.amount), not \(due)", .ledgerBalances)
            }
        }
    }

    /// What purchases have added to a buyer's amounts.
    func amounts(_ holdings: GroupHoldings) -> [String: Int64] {
        lines.filter { $0.buyer == holdings.buyer && $0.environment == holdings.environment }
            .filter { !Self.possessed.contains($0.entitlement) }
            .reduce(into: [:]) { $0[$1.entitlement, default: 0] += $1.change }
    }

    /// The balances that a buyer is told are what the model's history comes to.
    func checkBalances(_ holdings: GroupHoldings) {
        var expected = amounts(holdings)
        for (number, action) in simulation.script.walletActions.enumerated()
        where action.buyer == holdings.buyer && requests["wallet-\(number)"] != nil {
            guard holdings.environment == .production else { continue }
            expected[action.entitlement, default: 0] += change(action)
        }
        let found = holdings.entitlements.balances
        if found.filter({ $0.value != 0 }) != expected.filter({ $0.value != 0 }) {
            fail("\(holdings.buyer) has \(found), the history comes to \(expected)", .ledgerBalances)
        }
    }
}
