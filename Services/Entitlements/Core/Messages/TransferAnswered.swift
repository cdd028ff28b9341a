import Contracts

extension TransferAnsweredV1 {
    /// To whom a purchase has gone; nil while the buyer holds it.
    init?(_ grant: Grant, of facts: TransactionFacts) {
        guard let buyer = grant.holderStatus.leftTo else { return nil }
        self.init(
            facts,
            buyerId: grant.buyerId,
            toBuyerId: buyer,
            transfer: grant.holderStatus.last,
            isTaken: true,
            cause: grant.departure
        )
    }
}
