import Contracts
import Domain

/// The id of an entry of the ledger, derived from its content, so that a restored store writes the same id again.
///
/// Each names its buyer: a group that was restored as a whole may give a purchase to another one. A purchase is granted
/// to a buyer once, so its grant needs no date. A refund is dated by the refund, which every later statement repeats;
/// what reverses a refund is dated by its statement. Both name their amount, too: what a refund takes follows from the
/// balance, and from what was taken before, and both may differ in a restored store. So two entries with one id are the
/// same entry. What a buyer's server asks for is named by its `Idempotency-Key`.
struct EntryID: RawRepresentable, Hashable, Sendable {
    let rawValue: String

    /// The id of a refund, or of the reversal of one, that follows from `facts`, the newest known.
    ///
    /// `isRepeated` marks a repeated refund after a reversal: then the statement dates it, too.
    init(_ line: Grant.Line, of facts: TransactionFacts, for buyer: BuyerID, isRepeated: Bool = false) {
        let date = facts.revocationDate ?? facts.signedDate
        var fact = [date.milliseconds, RefundedShare(facts).milliunits, line.amount].map(String.init)
        if isRepeated { fact.append(String(facts.signedDate.milliseconds)) }
        self.init(naming: Self.name(line.kind, line.entitlement, facts, buyer) + fact)
    }

    /// The id of what a transfer took or gave: a purchase moves by each but once.
    ///
    /// The amount follows from a balance, as a refund's may.
    init(
        _ kind: LedgerEntry.Kind,
        of entitlement: String,
        _ facts: TransactionFacts,
        for buyer: BuyerID,
        by transfer: Int,
        _ amount: Int64 = 1
    ) {
        self.init(naming: Self.name(kind, entitlement, facts, buyer) + [String(transfer), String(amount)])
    }

    /// The id of the grant that a buyer has, or had, of the purchase of `facts`.
    init(grantOf entitlement: String, _ facts: TransactionFacts, for buyer: BuyerID) {
        self.init(naming: Self.name(.grant, entitlement, facts, buyer))
    }

    init(naming parts: [String]) { rawValue = DerivedID.hexadecimal(parts) }

    private static func name(
        _ kind: LedgerEntry.Kind,
        _ entitlement: String,
        _ facts: TransactionFacts,
        _ buyer: BuyerID
    ) -> [String] {
        [
            facts.environment.rawValue, facts.bundleId.rawValue, facts.purchaseId.rawValue, buyer.rawValue,
            kind.rawValue, entitlement,
        ]
    }

    init?(rawValue: String) {
        guard DerivedID.isOne(rawValue) else { return nil }
        self.rawValue = rawValue
    }
}

extension RequestRefusal {
    static let noSuchEntry = invalid("after", "The ledger of this buyer has no entry with this id.")
    static let pageLimit = invalid("limit", "A page has 1 to \(Limits.linesOfPage.upperBound) entries.")
}
