import Contracts

/// What Orders learns from a transaction whose claim is held: nothing, unless its own store is an older copy.
///
/// | the transaction pays    | order of the claim | judgement |
/// |-------------------------|--------------------|-----------|
/// | an order here           | any                | `known`   |
/// | none here               | absent             | `adopt`   |
/// | none here               | unpaid             | `pay`     |
/// | none here               | paidByThis         | `known`   |
/// | none here               | otherProduct, paidByAnother, of another app | `contradicted` |
///
/// Whatever the judgement is, the facts go on to the ledger.
enum UpdateJudgement: Equatable, Sendable {
    case known(Order)
    /// The order was unpaid here; given as paid.
    case pay(Order)
    /// The order is not known here and is made again under its id.
    case adopt(Order)
    case contradicted

    /// Judges an update.
    static func judge(
        _ message: TransactionUpdatedV1,
        evidence: ClaimEvidence,
        at now: Timestamp
    ) -> UpdateJudgement {
        if let payer = evidence.payer { return .known(payer) }
        let transaction = message.transaction
        guard var order = evidence.named else {
            let made = Order(id: message.orderId, buyerID: message.buyerId, paidBy: transaction, at: now)
            return .adopt(made)
        }
        switch PaymentMatch(order, to: transaction) {
        case .absent, .otherProduct, .paidByAnother: return .contradicted
        case .paidByThis: return .known(order)
        case .unpaid:
            do throws(OrderRefusal) {
                _ = try order.apply(.pay(PaidPurchase(transaction)), at: now)
                return .pay(order)
            } catch {
                return .contradicted
            }
        }
    }

    /// The terms that travel with the goods: those of the order, if it is this claim's.
    func terms(for message: TransactionUpdatedV1) -> OrderTerms {
        switch self {
        case .known(let order), .pay(let order), .adopt(let order):
            order.id == message.orderId ? order.terms : OrderTerms(orderId: message.orderId)
        case .contradicted: OrderTerms(orderId: message.orderId)
        }
    }
}
