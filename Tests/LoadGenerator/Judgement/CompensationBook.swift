/// Holds what ledgers have of compensations against what operators did: given once, and gone in the end.
///
/// Each has an end that takes it back: an operator, or the proof of its order, from whose transaction on it must be
/// gone.
struct CompensationBook: Sendable {
    /// How the ids of their transactions begin.
    static let prefix = "compensation."

    struct Compensation: Sendable {
        let buyer: Int32
        let product: UInt8
    }

    private struct Known {
        let compensation: Compensation
        var isConfirmed = false
        /// Whether what takes it back was acknowledged.
        var isClosed = false
        /// What the ledger has of it, and whether something was given twice, or too late.
        var net: [String: Int64] = [:]
        var given: Set<String> = []
        var isWrong = false
        var isTakenBack = false
        /// When its order's own purchase was granted; ms since 1970.
        var provenAt: Int64?
    }

    private var known: [String: Known] = [:]
    /// By the payment of the order.
    private var proposals: [UInt64: String] = [:]

    // MARK: What operators do

    /// From here on it may be given.
    mutating func begin(_ proposal: String, _ compensation: Compensation) {
        if known[proposal] == nil { known[proposal] = Known(compensation: compensation) }
    }

    mutating func confirm(_ proposal: String) { known[proposal]?.isConfirmed = true }

    mutating func close(_ proposal: String) { known[proposal]?.isClosed = true }

    /// The proof of its order is about to come.
    mutating func expect(_ payment: UInt64, instead proposal: String) { proposals[payment] = proposal }

    // MARK: What ledgers say

    /// A payment was granted then.
    mutating func noteGrant(of payment: UInt64, at time: Int64) {
        guard let proposal = proposals[payment], known[proposal]?.provenAt == nil else { return }
        known[proposal]?.provenAt = time
    }

    /// Takes an entry of a compensation; false where no operator has proposed it for this buyer and product.
    mutating func note(_ entry: LedgerPage.Entry, of buyer: Int32, _ products: [Product]) -> Bool {
        let proposal = String(entry.transactionId?.dropFirst(Self.prefix.count) ?? "")
        guard var own = known[proposal], own.compensation.buyer == buyer else { return false }
        let amount = products[Int(own.compensation.product)].granted(entry.entitlement, quantity: 1)
        guard entry.amount == amount else { return false }
        switch entry.kind {
        case "grant":
            // The purchase is there already.
            if own.provenAt != nil || !own.given.insert(entry.entitlement).inserted { own.isWrong = true }
            own.net[entry.entitlement, default: 0] += entry.amount
        case "reversal":
            // One transaction gives the purchase and takes this.
            if let provenAt = own.provenAt, entry.time != provenAt { own.isWrong = true }
            own.net[entry.entitlement, default: 0] -= entry.amount
            own.isTakenBack = true
        default: return false
        }
        known[proposal] = own
        return true
    }

    // MARK: The verdict

    /// What they add to each buyer's balances, by the ledgers.
    var changes: [(buyer: Int32, entitlement: String, amount: Int64)] {
        known.values.flatMap { own in own.net.map { (own.compensation.buyer, $0.key, $0.value) } }
    }

    var confirmed: Int { known.values.count(where: \.isConfirmed) }

    /// Those whose place the purchase of their order has taken.
    var matched: Int { known.values.count { $0.provenAt != nil && $0.isTakenBack } }

    /// Given twice, or beside the purchase, or not gone when their end was acknowledged.
    var wrong: Int {
        known.values.count { $0.isWrong || $0.isClosed && $0.net.values.contains { $0 != 0 } }
    }
}
