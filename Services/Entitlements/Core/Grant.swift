import Contracts
import Domain

/// The ledger's state for one purchase.
///
/// Of the known and the incoming facts, the newer hold (`Recency`); the obligation that follows from
/// them moves the grant:
///
/// | from \ obligation | owed       | withheld   | refunded    |
/// |-------------------|------------|------------|-------------|
/// | unseen            | `granted`  | `parked`   | `tombstone` |
/// | parked            | `granted`  | `parked`   | `tombstone` |
/// | tombstone         | `granted`  | `parked`   | again       |
/// | granted           | adjusted   | adjusted   | `reversed`  |
/// | reversed          | `granted`  | `granted`  | again       |
///
/// *again*: nothing changes and no line is written. *adjusted*: the lines make up the difference between the shares
/// that were refunded before and now, mostly none. Goods once given are what a refund takes back, whatever the catalog
/// says by then; its reversal returns what was taken. Of an entitlement whose balance has a floor no more is taken than
/// is there.
///
/// A restore by another login moves the possessions and never the amounts (`Tenure`). Where the purchase came by a
/// transfer, only possessions are given. Where it has left, only amounts are moved: what would be a possession goes on
/// at once. What is refunded on its way stays in `transit`, where nobody has it, until the refund is reversed.
struct Grant: Equatable, Sendable {
    /// The state of a grant.
    enum State: Hashable, Sendable {
        case unseen
        /// Paid; an operator must say what for.
        case parked(ParkReason)
        /// Refunded before anything was given.
        case tombstone
        case granted
        case reversed
    }

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
    }

    /// Why a request leaves no trace.
    enum Refusal: String, Error, Equatable, CaseIterable {
        /// Only one buyer ever holds a claim; the ledger has another one.
        case heldByAnotherBuyer
    }

    let buyerId: BuyerID
    private(set) var state: State = .unseen
    /// Apple's newest statement; nil while unseen.
    private(set) var facts: TransactionFacts?
    /// What was given before any refund; empty as long as nothing was.
    private(set) var goods: [Goods] = []
    /// How the buyer came to the purchase, and whether another has it now.
    private(set) var tenure = Tenure()

    var isParked: Bool { if case .parked = state { true } else { false } }

    /// Whether `facts` may take goods back, so that balances with a floor must be known.
    func mayTakeBack(_ facts: TransactionFacts?) -> Bool {
        [self.facts, facts].contains { $0.map(RefundedShare.init) ?? .none > .none }
    }

    /// Applies the newer of the known facts and `facts`; returns the lines to add to the ledger.
    ///
    /// `floors` are the present balances, by entitlement, that must not fall below zero; `transfer` is the one by which the
    /// buyer has the purchase.
    mutating func apply(
        _ facts: TransactionFacts,
        for buyer: BuyerID,
        offer: Catalog.Lookup,
        floors: [String: Int64] = [:],
        transfer: Int = 0
    ) throws(Refusal) -> [Line] {
        guard buyer == buyerId else { throw .heldByAnotherBuyer }
        if state == .unseen { tenure = Tenure(first: transfer, last: transfer) }
        let known = self.facts ?? facts
        let newest = facts.isNewer(than: known) ? facts : known
        self.facts = newest
        let obligation = Obligation(newest, offer: offer)
        let lines = moveWhereHeld(to: obligation, RefundedShare(known), RefundedShare(newest), floors)
        return tenure.request(transfer) ? lines + possessions(.transferIn) : lines
    }

    /// Takes the possessions back, because the purchase goes to another buyer; returns the lines to add to the ledger.
    mutating func leave(to buyer: BuyerID, by transfer: Int) -> [Line] {
        tenure.leave(to: buyer, by: transfer) ? possessions(.transferOut) : []
    }

    /// Lines that move each possession which no refund has taken back.
    private func possessions(_ kind: LedgerEntry.Kind) -> [Line] {
        guard state == .granted else { return [] }
        return goods.filter { $0.amount == nil && $0.taken == nil }.compactMap { Self.line(kind, $0, 1) }
    }

    /// As `move`; where the purchase has left, a possession that comes goes on, and one that would be taken is gone.
    private mutating func moveWhereHeld(
        to obligation: Obligation,
        _ before: RefundedShare,
        _ now: RefundedShare,
        _ floors: [String: Int64]
    ) -> [Line] {
        let lines = move(to: obligation, before, now, floors)
        guard tenure.hasLeft else { return lines }
        let kept = lines.filter { !$0.isPossession || $0.kind == .grant }
        return kept + (kept.contains(where: \.isPossession) ? possessions(.transferOut) : [])
    }

    /// Applies the present offer to a parked grant; returns the lines to add to the ledger.
    mutating func retry(offer: Catalog.Lookup, floors: [String: Int64] = [:]) -> [Line] {
        guard case .parked = state, let facts else { return [] }
        let refunded = RefundedShare(facts)
        return moveWhereHeld(to: Obligation(facts, offer: offer), refunded, refunded, floors)
    }

    private mutating func move(
        to obligation: Obligation,
        _ before: RefundedShare,
        _ now: RefundedShare,
        _ floors: [String: Int64]
    ) -> [Line] {
        switch (state, obligation) {
        case (.unseen, .owed(let goods)), (.parked, .owed(let goods)), (.tombstone, .owed(let goods)):
            state = .granted
            self.goods = tenure.isPayers ? goods : goods.filter { $0.amount == nil }
            let kind: LedgerEntry.Kind = tenure.isPayers ? .grant : .transferIn
            let given = self.goods.compactMap { Self.line(kind, $0, $0.kept(after: .none)) }
            let reached = given.reduce(into: floors) { $0[$1.entitlement]? += $1.amount }
            return given + difference(from: .none, to: now, reached)
        case (.unseen, .withheld(let reason)), (.parked, .withheld(let reason)),
            (.tombstone, .withheld(let reason)):
            state = .parked(reason)
            return []
        case (.unseen, .refunded), (.parked, .refunded):
            state = .tombstone
            return []
        case (.granted, .owed), (.granted, .withheld):
            return difference(from: before, to: now, floors)
        case (.granted, .refunded):
            state = .reversed
            return difference(from: before, to: now, floors)
        case (.reversed, .owed), (.reversed, .withheld):
            state = .granted
            return difference(from: before, to: now, floors)
        case (.tombstone, .refunded), (.reversed, .refunded):
            return []
        }
    }

    private mutating func difference(
        from before: RefundedShare,
        to now: RefundedShare,
        _ floors: [String: Int64]
    ) -> [Line] {
        goods.indices.compactMap { index in
            guard now > before else {
                return Self.line(.reinstatement, goods[index], goods[index].giveBack(downTo: now))
            }
            let limit = floors[goods[index].entitlement]
            return Self.line(.reversal, goods[index], goods[index].take(now, beyond: before, upTo: limit))
        }
    }

    private static func line(_ kind: LedgerEntry.Kind, _ goods: Goods, _ amount: Int64) -> Line? {
        guard amount != 0 else { return nil }
        return Line(
            kind: kind,
            entitlement: goods.entitlement,
            amount: amount,
            isPossession: goods.amount == nil,
            durationDays: goods.durationDays
        )
    }
}

extension Grant {
    /// Whether another buyer has it, by an earlier transfer.
    func isHeld(byAnotherThan buyer: BuyerID, before transfer: Int) -> Bool {
        buyerId != buyer && !tenure.hasLeft && tenure.last < transfer
    }

    /// The grant after a change of the ledger to which `facts` led, or by which the purchase had left.
    func asGranted(with facts: TransactionFacts, hasLeft: Bool) -> Grant {
        let isReversed = RefundedShare(facts).isFull
        return Grant(
            buyerId: buyerId,
            state: isReversed ? .reversed : .granted,
            facts: facts,
            goods: goods,
            tenure: hasLeft ? tenure : Tenure()
        )
    }
}

extension TransactionFacts {
    /// Whether these facts replace `known`; of two refunds signed together, the larger one holds.
    func isNewer(than known: TransactionFacts) -> Bool {
        (recency, RefundedShare(self)) > (known.recency, RefundedShare(known))
    }
}
