import Contracts
import Domain

/// The ledger's state for one purchase.
///
/// Tested by: `GrantMachineTests`, `ForfeitMachineTests`.
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
/// | void              | again      | again      | again       |
///
/// *again*: nothing changes and no line is written. *adjusted*: the lines make up the difference between the shares
/// that were refunded before and now, mostly none. Goods once given are what a refund takes back, whatever the catalog
/// says by then; its reversal returns what was taken. Of an entitlement whose balance has a floor no more is taken than
/// is there.
///
/// A restore by another login moves the possessions and never the amounts (`HolderStatus`). Where the purchase came by
/// a transfer, only possessions are given. A possession is here, in `transit` or with Apple, as this buyer's ledger
/// says:
///
/// | it is \ the grant is | granted and held     | granted, and has left            | reversed            |
/// |----------------------|----------------------|----------------------------------|---------------------|
/// | with Apple, new      | `grant`              | `grant`, `transferOut`           | –                   |
/// | here                 | stays                | `transferOut`                    | `reversal`          |
/// | in `transit`         | `transferIn`         | stays                            | stays: nobody has it |
/// | with Apple, refunded | `reinstatement`      | `reinstatement`, `transferOut`   | stays               |
///
/// An entry that takes something back names the entry that it undoes. A refund and a `transferOut` undo the entry by
/// which the goods came. A reinstatement undoes the last entry that took them. So whatever an entry undoes is in this
/// ledger.
///
/// A purchase that turns out to be another buyer's is *forfeited*: from any state the grant becomes `void`.
///
/// - A possession that is here is taken back by `reversal`. One that is in `transit` counts as with Apple from then on.
/// - Of an amount, what refunds have left is taken back by `reversal`. Where the balance has a floor and the buyer has
///   used some of it, `compensation` first gives as much as is missing.
///
/// Only a report with a later transfer ends that:
///
/// | of a grant that is void, or came by a restore | the payer's report (`HolderStatus`) | another one: a restore |
/// |---|---|---|
/// | void, and had given goods | `reinstatement` of what is owed, less what `compensation` gets back | `transferIn`; amounts stay forfeited |
/// | void, and had given nothing | as unseen | as unseen, without amounts |
/// | not void, and of its former payer | the same as of a void one | held again |
/// | came by a restore, void or not | what is here is taken back; then as unseen | held again |
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
        /// It has turned out to be another buyer's.
        case void
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
    private(set) var holderStatus = HolderStatus()

    /// Whether there is a possession among the goods; nil until they were given.
    var gavePossession: Bool? { goods.isEmpty ? nil : goods.contains { $0.amount == nil } }

    /// Whether the buyer has got an amount, or had it refunded; nil unless goods were given to who paid.
    var gaveAmount: Bool? {
        guard !goods.isEmpty, holderStatus.wasPayers else { return nil }
        return goods.contains { $0.amount != nil && $0.forfeited == nil }
    }

    /// Whether it matters what the buyer owns: nothing was given yet, or not by Apple.
    var mayGive: Bool { goods.isEmpty || !holderStatus.wasPayers }

    var isParked: Bool { if case .parked = state { true } else { false } }

    /// Whether `facts` may take goods back, so that balances with a floor must be known.
    func mayTakeBack(_ facts: TransactionFacts?) -> Bool {
        [self.facts, facts].contains { $0.map(RefundedShare.init(ofAmounts:)) ?? .none > .none }
    }

    /// Applies the newer of the known facts and `facts`; returns the lines to add to the ledger.
    ///
    /// `floors` are the present balances, by entitlement, that must not fall below zero; `owned` the possessions that
    /// other purchases have given the buyer for ever, which matter until goods are given; `transfer` is the one by
    /// which the buyer has the purchase, which pays `order`.
    mutating func apply(
        _ facts: TransactionFacts,
        for buyer: BuyerID,
        offer: Catalog.Lookup,
        floors: Floors = [:],
        owned: Set<String> = [],
        transfer: Int = 0,
        order: OrderID? = nil
    ) throws(Refusal) -> [Line] {
        guard buyer == buyerId else { throw .heldByAnotherBuyer }
        if state == .unseen { holderStatus = HolderStatus(first: transfer, last: transfer) }
        let known = self.facts ?? facts
        let newest = facts.isNewer(than: known) ? facts : known
        self.facts = newest
        let returned = hear(transfer, under: order)
        guard state != .void else { return [] }
        let wasHeld = isHeld
        let given = move(to: obligation(newest, offer, owned))
        holderStatus.report(transfer)
        let (before, now) = (RefundedShare(ofAmounts: known), RefundedShare(ofAmounts: newest))
        let changed = change(before, now, floors, wasHeld, given)
        return returned.lines + given
            + (returned.isPaid ? changed.map { $0.regained(by: transfer) } : changed)
    }

    /// Takes the possessions back, because the purchase goes to another buyer; returns the lines to add to the ledger.
    mutating func leave(to buyer: BuyerID, by transfer: Int) -> [Line] {
        let wasHeld = isHeld
        holderStatus.leave(to: buyer, by: transfer)
        guard state != .void else { return [] }
        return goods.indices.filter { goods[$0].amount == nil }.flatMap { movePossession(at: $0, wasHeld) }
    }

    /// Takes everything back, because it has turned out to be another buyer's; returns the lines to add to the ledger.
    ///
    /// `order` is the one that the buyer has paid, as far as is known; `floors` as for `apply`.
    mutating func forfeit(
        _ facts: TransactionFacts,
        to buyer: BuyerID,
        by transfer: Int,
        because cause: TransferCause,
        order: OrderID? = nil,
        floors: Floors = [:]
    ) -> [Line] {
        guard transfer > holderStatus.last else { return [] }
        let known = self.facts ?? facts
        let share = RefundedShare(ofAmounts: known)
        let lines = goods.indices.flatMap { index in
            goods[index].amount == nil
                ? forfeitPossession(at: index, by: transfer)
                : forfeitAmount(at: index, by: transfer, share, floors)
        }
        self.facts = facts.isNewer(than: known) ? facts : known
        holderStatus.forfeit(to: buyer, by: transfer, because: cause, under: order)
        state = .void
        return lines
    }

    /// Applies the present offer to a parked grant; returns the lines to add to the ledger.
    mutating func retry(
        offer: Catalog.Lookup,
        floors: Floors = [:],
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
        Obligation(facts, offer: offer, owned: holderStatus.isPayers ? owned : [])
    }

    /// Whether the buyer has the possessions of the purchase that are not with Apple.
    private var isHeld: Bool { state == .granted && !holderStatus.hasLeft }

    /// Takes note of a transfer by which a buyer who is not the payer has the purchase.
    ///
    /// If it turns out that the buyer is the payer, `isPaid` is true, and `lines` take back what a restore had brought.
    private mutating func hear(_ transfer: Int, under order: OrderID?) -> (lines: [Line], isPaid: Bool) {
        guard !holderStatus.isPayers else { return ([], false) }
        if transfer == 0 { holderStatus.order = order }
        guard transfer > holderStatus.last else { return ([], false) }
        guard holderStatus.isPaid(under: order) else {
            if state == .void { returnByRestore(transfer) }
            return ([], false)
        }
        return (becomePayers(transfer), true)
    }

    /// A restore brings back what had turned out to be another buyer's, without the amounts.
    private mutating func returnByRestore(_ transfer: Int) {
        for index in goods.indices where goods[index].amount == nil { goods[index].taken = nil }
        if goods.isEmpty || !holderStatus.wasPayers {
            let first = goods.isEmpty ? transfer : holderStatus.first
            holderStatus = HolderStatus(first: first, last: holderStatus.last)
        }
        state = goods.isEmpty ? .unseen : .reversed
    }

    /// The purchase turns out to be this buyer's own; returns the lines that first take back what a restore had
    /// brought.
    private mutating func becomePayers(_ transfer: Int) -> [Line] {
        let isHere = isHeld
        guard holderStatus.wasPayers else {
            let lines = goods.indices.flatMap { forfeitPossession(at: $0, by: transfer) }
            (state, goods, holderStatus) = (.unseen, [], HolderStatus(last: transfer))
            return lines
        }
        for index in goods.indices where goods[index].amount == nil && !isHere { goods[index].taken = 1 }
        (holderStatus.forfeited, holderStatus.order) = (nil, nil)
        if state == .void { state = goods.isEmpty ? .unseen : .reversed }
        return []
    }

    private mutating func forfeitPossession(at index: Int, by transfer: Int) -> [Line] {
        guard goods[index].taken == nil else { return [] }
        let isHere = isHeld
        goods[index].taken = 1
        return isHere ? [Line(.reversal, goods[index], 1, by: transfer)].compactMap(\.self) : []
    }

    private mutating func forfeitAmount(
        at index: Int,
        by transfer: Int,
        _ refunded: RefundedShare,
        _ floors: Floors
    ) -> [Line] {
        guard goods[index].forfeited == nil else { return [] }
        let limit = floors[goods[index].entitlement]
        let (amount, missing) = goods[index].forfeit(after: refunded, upTo: limit)
        return [
            Line(.compensation, goods[index], missing, by: transfer),
            Line(.reversal, goods[index], amount, by: transfer),
        ].compactMap(\.self)
    }

    /// Moves the state; returns the lines that give the goods for the first time to the buyer who paid.
    private mutating func move(to obligation: Obligation) -> [Line] {
        switch (state, obligation) {
        case (.unseen, .owed(let goods)), (.parked, .owed(let goods)), (.tombstone, .owed(let goods)):
            state = .granted
            self.goods = holderStatus.isPayers ? goods : goods.filter { $0.amount == nil }
            guard holderStatus.isPayers else { return [] }
            return self.goods.compactMap { Line(.grant, $0, $0.kept(after: .none)) }
        case (.unseen, .withheld(let reason)), (.parked, .withheld(let reason)),
            (.tombstone, .withheld(let reason)):
            state = .parked(reason)
        case (.unseen, .refunded), (.parked, .refunded):
            state = .tombstone
        case (.granted, .refunded):
            state = .reversed
        case (.reversed, .owed), (.reversed, .withheld):
            state = .granted
        case (.granted, .owed), (.granted, .withheld), (.tombstone, .refunded), (.reversed, .refunded),
            (.void, .owed), (.void, .withheld), (.void, .refunded):
            break
        }
        return []
    }

    /// The lines after `given`, which make up the difference to what the buyer must have.
    private mutating func change(
        _ before: RefundedShare,
        _ now: RefundedShare,
        _ floors: Floors,
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
        _ floors: Floors
    ) -> [Line] {
        if goods[index].forfeited != nil {
            // Nothing moves what is another buyer's.
            guard holderStatus.isPayers else { return [] }
            let amount = goods[index].regain(after: now)
            return reinstate(amount, at: index)
        }
        guard now > before else {
            let amount = goods[index].giveBack(downTo: now)
            return reinstate(amount, at: index)
        }
        let limit = floors[goods[index].entitlement]
        let amount = goods[index].take(now, beyond: before, upTo: limit)
        return [Line(.reversal, goods[index], amount)].compactMap(\.self)
    }

    /// Gives an amount back, less what `compensation` has made up for.
    private mutating func reinstate(_ amount: Int64, at index: Int) -> [Line] {
        let compensated = goods[index].returnCompensation(upTo: amount)
        return [
            Line(.reinstatement, goods[index], amount),
            Line(.compensationReversal, goods[index], compensated),
        ].compactMap(\.self)
    }

    /// As the table of possessions says; `wasHere` unless it was with Apple.
    private mutating func movePossession(at index: Int, _ wasHere: Bool) -> [Line] {
        switch (goods[index].taken != nil, state == .reversed) {
        case (true, true): return []
        case (true, false):
            let back = [Line(.reinstatement, goods[index], goods[index].giveBack(downTo: .none))]
            return (isHeld ? back : back + [Line(.transferOut, goods[index], 1)]).compactMap(\.self)
        case (false, true) where wasHere:
            let line = Line(.reversal, goods[index], goods[index].take(.full, beyond: .none, upTo: nil))
            return [line].compactMap(\.self)
        case (false, _):
            guard wasHere != isHeld else { return [] }
            if isHeld { goods[index].cameBy = holderStatus.last }
            let line = Line(isHeld ? .transferIn : .transferOut, goods[index], 1)
            return [line].compactMap(\.self)
        }
    }
}

extension Grant {
    /// Whether another buyer has it, by an earlier transfer.
    func isHeld(byAnotherThan buyer: BuyerID, before transfer: Int) -> Bool {
        buyerId != buyer && !holderStatus.hasLeft && holderStatus.last < transfer
    }

    /// The grant after a change of the ledger to which `facts` led, or by which the purchase had left.
    func asGranted(with facts: TransactionFacts, hasLeft: Bool) -> Grant {
        let isReversed = RefundedShare(facts).isFull
        return Grant(
            buyerId: buyerId,
            state: isReversed ? .reversed : .granted,
            facts: facts,
            goods: goods,
            holderStatus: hasLeft ? holderStatus : HolderStatus()
        )
    }

    /// Why it went to another buyer last.
    var departure: TransferCause { state == .void ? holderStatus.forfeited ?? .restore : .restore }
}

extension TransactionFacts {
    /// Whether these facts replace `known`; of two refunds signed together, the larger one holds, and what says whose
    /// the purchase is completes what does not.
    func isNewer(than known: TransactionFacts) -> Bool {
        (recency, RefundedShare(self), isWhole ? 1 : 0)
            > (known.recency, RefundedShare(known), known.isWhole ? 1 : 0)
    }
}
