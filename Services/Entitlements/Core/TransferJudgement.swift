import Contracts
import Domain

/// Whether the ledger takes a purchase back from its holder for another login that restores it.
///
/// | the holder's grant                       | a new request                        | one that was settled before |
/// |------------------------------------------|--------------------------------------|-----------------------------|
/// | unknown: its request is on the way       | taken, once it was granted, by the rule | taken, once it was granted |
/// | left by this transfer or a later one     | answered again, with what is known   | the same                    |
/// | held by this transfer or a later one     | kept                                 | the same                    |
/// | parked                                   | kept                                 | taken                       |
/// | granted, reversed or a tombstone         | taken by the rule                    | taken                       |
///
/// By the rule: if the catalog says `transfer` and would give the other login a possession, which the holder's grant gave,
/// if it gave anything.
enum TransferJudgement: Hashable, Sendable {
    case taken
    case kept
    /// It has left with this transfer before.
    case again(BuyerID, transfer: Int)

    init(
        _ grant: Grant?,
        _ request: TransferRequestedV1,
        rule: Catalog.OtherLoginRule
    ) {
        guard let grant else {
            self = request.isSettled || rule == .transfer ? .taken : .kept
            return
        }
        let tenure = grant.tenure
        if let buyer = tenure.leftTo, tenure.last >= request.transfer {
            self = .again(buyer, transfer: tenure.last)
        } else if tenure.last >= request.transfer {
            self = .kept
        } else if request.isSettled {
            self = .taken
        } else {
            self = grant.isParked || rule == .conflict ? .kept : .taken
        }
    }
}
