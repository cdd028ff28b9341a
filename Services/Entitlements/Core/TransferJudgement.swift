import Contracts
import Domain

/// Whether the ledger takes a purchase back from its holder for another login.
///
/// Tested by: `TransferJudgementTests`.
///
/// | the holder's grant                  | `restore`                       | `evidence`                | `reassign` |
/// |-------------------------------------|---------------------------------|---------------------------|------------|
/// | left or void by this one or a later | answered again, as it is known  | the same                  | the same   |
/// | held by this one or a later         | kept                            | the same                  | the same   |
/// | unknown: its report is on the way   | taken by the rule, once granted | forfeited by the offer    | forfeited  |
/// | parked                              | kept                            | forfeited by the offer    | forfeited  |
/// | a tombstone, or came by a restore   | taken by the rule               | forfeited by the offer    | forfeited  |
/// | granted or reversed                 | taken by the rule               | forfeited by what it gave | forfeited  |
///
/// - *by the rule*: if the catalog says `transfer` and would give the other login a possession, which the holder's
///   grant gave, if it gave anything.
/// - *by the offer*: kept if the catalog owes an amount for the purchase; of one that is refunded in full it owes
///   nothing.
/// - *by what it gave*: kept if an amount is among it, refunded or not.
///
/// One that was answered before is taken or forfeited again, whatever rule and offer say by now.
enum TransferJudgement: Hashable, Sendable {
    /// It moves from this ledger to the other one.
    case taken
    /// It never was the holder's.
    case forfeited
    case kept
    /// It has left with this transfer before.
    case again(BuyerID, transfer: Int, TransferCause)

    init(
        _ grant: Grant?,
        _ request: TransferRequestedV1,
        rule: Catalog.OtherLoginRule,
        offer: Catalog.Lookup
    ) {
        if let grant, grant.holderStatus.last >= request.transfer {
            let status = grant.holderStatus
            self = status.leftTo.map { Self.again($0, transfer: status.last, grant.departure) } ?? .kept
        } else {
            switch request.cause {
            case .restore:
                let mayMove = grant?.isParked != true && rule == .transfer
                self = request.isAnswered || mayMove ? .taken : .kept
            case .evidence:
                let stays = !request.isAnswered && Self.stays(grant, request.transaction, offer)
                self = stays ? .kept : .forfeited
            case .reassign: self = .forfeited
            }
        }
    }

    /// Whether a purchase stays though it is another buyer's, because amounts move whole, by an operator, or not at
    /// all.
    private static func stays(
        _ grant: Grant?,
        _ facts: TransactionFacts,
        _ offer: Catalog.Lookup
    ) -> Bool {
        if let gaveAmount = grant?.gaveAmount { return gaveAmount }
        return Obligation(newest(grant?.facts, facts), offer: offer).givesAmount
    }

    private static func newest(_ known: TransactionFacts?, _ facts: TransactionFacts) -> TransactionFacts {
        known.flatMap { $0.isNewer(than: facts) ? $0 : nil } ?? facts
    }
}

extension TransferJudgement {
    /// The product's rule; `conflict` where the other login would get nothing, so that nobody would have the purchase.
    ///
    /// `known` are the facts of `grant`.
    static func rule(
        _ catalog: Catalog,
        of facts: TransactionFacts,
        _ grant: Grant?,
        known: TransactionFacts?,
        offer: Catalog.Lookup
    ) -> Catalog.OtherLoginRule {
        let obligation = Obligation(newest(known, facts), offer: offer)
        guard obligation.givesPossession, grant?.gavePossession != false else { return .conflict }
        return catalog.product(facts.productId, of: facts.bundleId)?.onOtherLogin ?? .conflict
    }
}
