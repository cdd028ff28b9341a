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
/// transfer, only possessions are given. A possession is here, in `transit` or with Apple, as this buyer's ledger says:
///
/// | it is \ the grant is | granted and held     | granted, and has left            | reversed            |
/// |----------------------|----------------------|----------------------------------|---------------------|
/// | with Apple, new      | `grant`              | `grant`, `transferOut`           | –                   |
/// | here                 | stays                | `transferOut`                    | `reversal`          |
/// | in `transit`         | `transferIn`         | stays                            | stays: nobody has it |
/// | with Apple, refunded | `reinstatement`      | `reinstatement`, `transferOut`   | stays               |
///
/// What takes back undoes what gave: a refund and a `transferOut` the entry by which it came, a reinstatement the last
/// refund. So whatever an entry undoes is in this ledger.
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
        /// What it takes back; nil where it gives.
        var undoes: Undone?
    }

    /// An earlier entry for the same goods of the purchase, in the same buyer's ledger.
    enum Undone: Hashable, Sendable {
        case grant
        case transferIn(Int)
        /// The last refund.
        case reversal
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

    /// Whether there is a possession among the goods; nil until they were given.
    var gavePossession: Bool? { goods.isEmpty ? nil : goods.contains { $0.amount == nil } }

    /// Whether it matters what the buyer owns: nothing was given yet.
    var mayGive: Bool { goods.isEmpty }

    var isParked: Bool { if case .parked = state { true } else { false } }

    /// Whether `facts` may take goods back, so that balances with a floor must be known.
    func mayTakeBack(_ facts: TransactionFacts?) -> Bool {
        [self.facts, facts].contains { $0.map(RefundedShare.init(ofAmounts:)) ?? .none > .none }
    }

    /// Applies the newer of the known facts and `facts`; returns the lines to add to the ledger.
    ///
    /// `floors` are the present balances, by entitlement, that must not fall below zero; `owned` the possessions that other
    /// purchases have given the buyer for ever, which matter until goods are given; `transfer` is the one by which the
    /// buyer has the purchase.
    mutating func apply(
        _ facts: TransactionFacts,
        for buyer: BuyerID,
        offer: Catalog.Lookup,
        floors: [String: Int64] = [:],
        owned: Set<String> = [],
        transfer: Int = 0
    ) throws(Refusal) -> [Line] {
        guard buyer == buyerId else { throw .heldByAnotherBuyer }
        if state == .unseen { tenure = Tenure(first: transfer, last: transfer) }
        let known = self.facts ?? facts
        let newest = facts.isNewer(than: known) ? facts : known
        self.facts = newest
        let wasHeld = isHeld
        let given = move(to: obligation(newest, offer, owned))
        tenure.request(transfer)
        return given
            + change(
                RefundedShare(ofAmounts: known),
                RefundedShare(ofAmounts: newest),
                floors,
                wasHeld,
                given
            )
    }

    /// Takes the possessions back, because the purchase goes to another buyer; returns the lines to add to the ledger.
    mutating func leave(to buyer: BuyerID, by transfer: Int) -> [Line] {
        let wasHeld = isHeld
        tenure.leave(to: buyer, by: transfer)
        return goods.indices.filter { goods[$0].amount == nil }.flatMap { movePossession(at: $0, wasHeld) }
    }

    /// Applies the present offer to a parked grant; returns the lines to add to the ledger.
    mutating func retry(
        offer: Catalog.Lookup,
        floors: [String: Int64] = [:],
        owned: Set<String> = []
    ) -> [Line] {
        guard case .parked = state, let facts else { return [] }
        let (wasHeld, refunded) = (isHeld, RefundedShare(ofAmounts: facts))
        let given = move(to: obligation(facts, offer, owned))
        return given + change(refunded, refunded, floors, wasHeld, given)
    }

    /// What comes by a transfer is what has left another buyer, whatever is owned.
    private func obligation(
        _ facts: TransactionFacts,
        _ offer: Catalog.Lookup,
        _ owned: Set<String>
    ) -> Obligation {
        Obligation(facts, offer: offer, owned: tenure.isPayers ? owned : [])
    }

    /// Whether the buyer has the possessions of the purchase that are not with Apple.
    private var isHeld: Bool { state == .granted && !tenure.hasLeft }

    /// Moves the state; returns the lines that give the goods for the first time to the buyer who paid.
    private mutating func move(to obligation: Obligation) -> [Line] {
        switch (state, obligation) {
        case (.unseen, .owed(let goods)), (.parked, .owed(let goods)), (.tombstone, .owed(let goods)):
            state = .granted
            self.goods = tenure.isPayers ? goods : goods.filter { $0.amount == nil }
            guard tenure.isPayers else { return [] }
            return self.goods.compactMap { Self.line(.grant, $0, $0.kept(after: .none)) }
        case (.unseen, .withheld(let reason)), (.parked, .withheld(let reason)),
            (.tombstone, .withheld(let reason)):
            state = .parked(reason)
        case (.unseen, .refunded), (.parked, .refunded):
            state = .tombstone
        case (.granted, .refunded):
            state = .reversed
        case (.reversed, .owed), (.reversed, .withheld):
            state = .granted
        case (.granted, .owed), (.granted, .withheld), (.tombstone, .refunded), (.reversed, .refunded):
            break
        }
        return []
    }

    /// The lines after `given`, which make up the difference to what the buyer must have.
    private mutating func change(
        _ before: RefundedShare,
        _ now: RefundedShare,
        _ floors: [String: Int64],
        _ wasHeld: Bool,
        _ given: [Line]
    ) -> [Line] {
        let reached = given.reduce(into: floors) { $0[$1.entitlement]? += $1.amount }
        return goods.indices.flatMap { index in
            goods[index].amount == nil
                ? movePossession(at: index, wasHeld || !given.isEmpty)
                : moveAmount(at: index, given.isEmpty ? before : .none, now, reached)
        }
    }

    private mutating func moveAmount(
        at index: Int,
        _ before: RefundedShare,
        _ now: RefundedShare,
        _ floors: [String: Int64]
    ) -> [Line] {
        let entitlement = goods[index].entitlement
        let line =
            now > before
            ? Self.line(
                .reversal,
                goods[index],
                goods[index].take(now, beyond: before, upTo: floors[entitlement])
            )
            : Self.line(.reinstatement, goods[index], goods[index].giveBack(downTo: now))
        return [line].compactMap(\.self)
    }

    /// As the table of possessions says; `wasHere` unless it was with Apple.
    private mutating func movePossession(at index: Int, _ wasHere: Bool) -> [Line] {
        switch (goods[index].taken != nil, state == .reversed) {
        case (true, true): return []
        case (true, false):
            let back = [Self.line(.reinstatement, goods[index], goods[index].giveBack(downTo: .none))]
            return (isHeld ? back : back + [Self.line(.transferOut, goods[index], 1)]).compactMap(\.self)
        case (false, true) where wasHere:
            let line = Self.line(.reversal, goods[index], goods[index].take(.full, beyond: .none, upTo: nil))
            return [line].compactMap(\.self)
        case (false, _):
            guard wasHere != isHeld else { return [] }
            if isHeld { goods[index].cameBy = tenure.last }
            let line = Self.line(isHeld ? .transferIn : .transferOut, goods[index], 1)
            return [line].compactMap(\.self)
        }
    }

    private static func line(_ kind: LedgerEntry.Kind, _ goods: Goods, _ amount: Int64) -> Line? {
        guard amount != 0 else { return nil }
        return Line(
            kind: kind,
            entitlement: goods.entitlement,
            amount: amount,
            isPossession: goods.amount == nil,
            durationDays: goods.durationDays,
            undoes: undone(by: kind, goods)
        )
    }

    private static func undone(by kind: LedgerEntry.Kind, _ goods: Goods) -> Undone? {
        switch kind {
        case .reversal, .transferOut: goods.cameBy.map(Undone.transferIn) ?? .grant
        case .reinstatement: .reversal
        case .grant, .spend, .credit, .spendReversal, .transferIn: nil
        }
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
    /// Whether these facts replace `known`; of two refunds signed together, the larger one holds, and what says whose
    /// the purchase is completes what does not.
    func isNewer(than known: TransactionFacts) -> Bool {
        (recency, RefundedShare(self), isWhole ? 1 : 0)
            > (known.recency, RefundedShare(known), known.isWhole ? 1 : 0)
    }
}
