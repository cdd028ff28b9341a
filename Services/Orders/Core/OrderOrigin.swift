import Contracts
import Domain

extension OrderV1.Origin {
    /// The origin of an order that a payment makes: a new one, or `lost`, one that this store has lost.
    ///
    /// Tested by: `OrderOriginTests`.
    ///
    /// | the payment is              | new order | lost order | lost order that the payment's token names |
    /// |-----------------------------|-----------|------------|-------------------------------------------|
    /// | a renewal                   | `renewal` | `renewal`  | `phone`                                   |
    /// | handed in by a phone        | `spot`    | `spot`     | `phone`                                   |
    /// | told of by Apple's server   | `server`  | `server`   | `phone`                                   |
    ///
    /// Only an order that was there before its payment can be named by its token.
    init(of payment: TransactionFacts, isSubmitted: Bool, lost: OrderID? = nil) {
        switch (lost, payment.isRenewal, isSubmitted) {
        case (.some(let id), _, _) where id == payment.tokenOrder: self = .phone
        case (_, true, _): self = .renewal
        case (_, false, true): self = .spot
        case (_, false, false): self = .server
        }
    }
}

extension TransactionFacts {
    /// Whether Apple signed that nobody bought this: it continues a subscription.
    var isRenewal: Bool { transactionReason == "RENEWAL" }
}
