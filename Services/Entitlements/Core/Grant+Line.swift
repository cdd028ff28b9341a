import Contracts

extension Grant {
    /// A line to be added to the ledger.
    struct Line: Hashable, Sendable {
        var kind: LedgerEntry.Kind
        var entitlement: String
        /// What is moved, at least 1.
        var amount: Int64
        /// Whether it is a possession and not an amount.
        var isPossession = false
        /// Days that one unit of a possession lasts; nil for ever.
        var durationDays: Int?
        /// What it takes back; nil where it gives.
        var undoes: Undone?
        /// The transfer that has shown whose the purchase is, where the line follows from that alone.
        var transfer: Int?
    }

    /// An earlier entry for the same goods of the purchase, in the same buyer's ledger.
    enum Undone: Hashable, Sendable {
        case grant
        case transferIn(Int)
        /// The last entry that took it: mostly a refund's.
        case reversal
        /// The last entry from `compensation`.
        case compensation
    }
}

extension Grant.Line {
    /// A line about an amount of some goods, or about a possession; nil where nothing moves.
    init?(_ kind: LedgerEntry.Kind, _ goods: Goods, _ amount: Int64, by transfer: Int? = nil) {
        guard amount != 0 else { return nil }
        self.init(
            kind: kind,
            entitlement: goods.entitlement,
            amount: amount,
            isPossession: goods.amount == nil,
            durationDays: goods.durationDays,
            undoes: Self.undone(by: kind, goods),
            transfer: transfer
        )
    }

    private static func undone(by kind: LedgerEntry.Kind, _ goods: Goods) -> Grant.Undone? {
        switch kind {
        case .reversal, .transferOut: goods.cameBy.map(Grant.Undone.transferIn) ?? .grant
        case .reinstatement: .reversal
        case .compensationReversal: .compensation
        case .grant, .spend, .credit, .spendReversal, .transferIn, .compensation: nil
        }
    }

    /// The same where the transfer by which the purchase is the buyer's after all gives something back.
    func regained(by transfer: Int) -> Self {
        guard kind == .reinstatement || kind == .compensationReversal else { return self }
        var line = self
        line.transfer = transfer
        return line
    }
}
