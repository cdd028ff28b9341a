/// What Apple said of payments after they were made: refunds, further periods, and the next renewals.
struct AppleStatements: Sendable {
    private(set) var refunds: [UInt64: RefundHistory] = [:]
    /// By the first transaction.
    private(set) var chains: [UInt64: Chain] = [:]
    /// Periods that no phone hands in.
    private(set) var renewals = 0

    /// Apple is about to say something of a payment's refund.
    mutating func note(_ statement: RefundHistory.Statement, of transaction: UInt64, isPeriod: Bool) {
        refunds[transaction, default: RefundHistory(isPeriod: isPeriod)].add(statement)
    }

    /// The gateway has taken what Apple signed then of a refund.
    mutating func noteRefund(of transaction: UInt64, signed: Int64) {
        refunds[transaction]?.noteAcknowledgement(ofSigned: signed)
    }

    /// A subscription has one period more; `isRenewal` where no phone hands it in.
    mutating func note(_ period: Chain.Period, of original: UInt64, buyer: Int, isRenewal: Bool) {
        chains[original, default: Chain(original, of: Int32(buyer))].periods.append(period)
        if isRenewal { renewals += 1 }
    }

    /// Apple is about to say something of the next renewal.
    mutating func note(_ renewal: Chain.Renewal, of original: UInt64) {
        chains[original]?.renewals.append(renewal)
    }

    /// The gateway has taken what Apple signed then of the next renewal.
    mutating func noteRenewal(of original: UInt64, signed: Int64) {
        guard let renewals = chains[original]?.renewals else { return }
        for index in renewals.indices where renewals[index].signed == signed {
            chains[original]?.renewals[index].isAcknowledged = true
        }
    }
}
