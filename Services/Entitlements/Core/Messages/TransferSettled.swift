import Contracts

extension TransferSettledV1 {
    /// To whom a purchase has gone; nil while the buyer holds it.
    init?(_ grant: Grant, of facts: TransactionFacts) {
        guard let buyer = grant.tenure.leftTo else { return nil }
        self.init(
            facts,
            buyerId: grant.buyerId,
            toBuyerId: buyer,
            transfer: grant.tenure.last,
            isTaken: true,
            cause: grant.departure
        )
    }
}
