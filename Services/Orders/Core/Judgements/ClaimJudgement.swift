import Contracts

/// The owner of a purchase, and the order that it pays.
///
/// Tested by: `ClaimJudgementTests`.
///
/// A purchase that pays an order already is `repeated` with that order, whatever the candidate. Otherwise:
///
/// | candidate \ named order | absent                         | unpaid | issuedAfter | released | otherProduct      | paidByAnother    | paidByThis |
/// |-------------------------|--------------------------------|--------|-------------|----------|-------------------|------------------|------------|
/// | token, owner registered | refused: registered            | `paid` | `paid`      | refused: alreadyPaid | `onTheSpot` (its buyer) | `onTheSpot` (its buyer) | `repeated` |
/// | token, no owner         | refused: unknownOrder          | `paid` | `paid`      | refused: alreadyPaid | `onTheSpot` (its buyer) | `onTheSpot` (its buyer) | `repeated` |
/// | order                   | refused: unknownOrder          | `paid` | refused: issuedAfter | refused: alreadyPaid | refused: otherProduct | refused: alreadyPaid | `repeated` |
/// | holder                  | `onTheSpot` (the candidate)    | the same | the same  | the same | the same          | the same         | the same |
/// | registered, caller      | `onTheSpot` (the candidate)    | `paid` | `onTheSpot` (the candidate) | `onTheSpot` (the candidate) | `onTheSpot` (the candidate) | `onTheSpot` (the candidate) | `repeated` |
///
/// What an order has lost pays another one, and only a later transfer brings it back.
/// A token is signed with the payment, so that its order was there, whatever the clocks say. Any other order is a
/// guess, which one that was issued after the purchase cannot be.
/// The holder of a chain names no order: each further period gets one of its own.
/// A sandbox payment never pays a production order, which is another product's to it; the order that it gets on the
/// spot by such an order's token remembers that order as its `sandboxOf`. A renewal does not count against a limit.
enum ClaimJudgement: Equatable, Sendable {
    /// The transaction already paid this order.
    case repeated(Order)
    /// The transaction pays this order, given in its new state.
    case paid(Order)
    /// The transaction is this buyer's and gets an order: a new one, or one that this store has lost.
    case onTheSpot(BuyerID, lost: OrderID? = nil, sandboxOf: OrderID? = nil, limit: UnitLimit? = nil)
    case refused(ClaimRefusal, registered: BuyerID? = nil)

    /// Judges a proposal.
    static func judge(
        _ candidate: ClaimCandidate,
        of transaction: TransactionFacts,
        evidence: KnownOrders,
        at now: Timestamp
    ) -> ClaimJudgement {
        if let payer = evidence.payer { return .repeated(payer) }
        guard let named = evidence.named else {
            return judgeAbsent(candidate, tokenOwner: evidence.tokenOwner)
        }
        switch (candidate, PaymentMatch(named, to: transaction, at: now)) {
        case (.token, .absent), (.order, .absent), (.registered, .absent), (.holder, .absent),
            (.caller, .absent):
            return judgeAbsent(candidate, tokenOwner: evidence.tokenOwner)
        case (.token, .unpaid), (.token, .issuedAfter), (.order, .unpaid), (.registered, .unpaid),
            (.caller, .unpaid):
            return pay(named, transaction, paidUnits: evidence.paidUnits, at: now)
        case (.token, .paidByThis), (.order, .paidByThis), (.registered, .paidByThis), (.caller, .paidByThis):
            return .repeated(named)
        case (.token, .otherProduct), (.token, .paidByAnother):
            return another(beside: named, transaction, paidUnits: evidence.paidUnits)
        case (.order, .issuedAfter):
            return .refused(.issuedAfter)
        case (.order, .otherProduct):
            return .refused(.otherProduct)
        case (.order, .paidByAnother), (.token, .released), (.order, .released):
            return .refused(.alreadyPaid)
        case (.registered(let buyer), .issuedAfter), (.registered(let buyer), .otherProduct),
            (.registered(let buyer), .paidByAnother), (.registered(let buyer), .released),
            (.caller(let buyer), .issuedAfter), (.caller(let buyer), .otherProduct),
            (.caller(let buyer), .paidByAnother), (.caller(let buyer), .released),
            (.holder(let buyer), .unpaid), (.holder(let buyer), .issuedAfter),
            (.holder(let buyer), .paidByThis), (.holder(let buyer), .released),
            (.holder(let buyer), .otherProduct), (.holder(let buyer), .paidByAnother):
            return .onTheSpot(buyer)
        }
    }

    /// Judges a lookup of the order that a transaction has paid: nobody else can come to own it.
    static func judgeLookup(_ evidence: KnownOrders) -> ClaimJudgement {
        evidence.payer.map(ClaimJudgement.repeated) ?? .refused(.unknownOrder)
    }

    /// Judges newer facts of a held claim, whose order is unpaid or unknown here only if this store is an older copy.
    ///
    /// An order that another purchase has paid here was lost with its payment, and the other purchase came first: then
    /// this one gets an order of its own. An order that this store knows to have lost the purchase has got it back
    /// since. What is refused contradicts this store.
    static func judge(
        _ update: TransactionUpdatedV1,
        evidence: KnownOrders,
        at now: Timestamp
    ) -> ClaimJudgement {
        if evidence.payer == nil, evidence.named == nil {
            let tested = evidence.tokenOrder.flatMap { $0.isTested(by: update.transaction) ? $0.id : nil }
            let payer = update.transferred?.payerId ?? update.buyerId
            return .onTheSpot(payer, lost: update.orderId, sandboxOf: tested)
        }
        // The claim is held by this order: that is no guess, whatever the clocks say, and whatever it has lost before.
        if evidence.payer == nil, let named = evidence.named,
            [.issuedAfter, .released].contains(PaymentMatch(named, to: update.transaction, at: now))
        {
            return pay(named, update.transaction, paidUnits: evidence.paidUnits, at: now)
        }
        let judgement = judge(.order(update.orderId), of: update.transaction, evidence: evidence, at: now)
        guard judgement == .refused(.alreadyPaid) else { return judgement }
        return .onTheSpot(update.transferred?.payerId ?? update.buyerId)
    }

    private static func judgeAbsent(_ candidate: ClaimCandidate, tokenOwner: BuyerID?) -> ClaimJudgement {
        switch (candidate, tokenOwner) {
        case (.token, .some(let owner)): .refused(.registered, registered: owner)
        case (.token, .none), (.order, .some), (.order, .none): .refused(.unknownOrder)
        case (.registered(let buyer), .some), (.registered(let buyer), .none),
            (.holder(let buyer), .some), (.holder(let buyer), .none),
            (.caller(let buyer), .some), (.caller(let buyer), .none):
            .onTheSpot(buyer)
        }
    }

    /// The order on the spot for a payment whose token names an order that it cannot pay.
    ///
    /// The same product once more by one token counts against the limit of the order that the token names.
    static func another(
        beside named: Order,
        _ transaction: TransactionFacts,
        paidUnits: Int
    ) -> ClaimJudgement {
        let counts = named.content.matches(transaction) && !transaction.isRenewal
        let limit = counts ? named.limit : nil
        return .onTheSpot(
            named.buyerID,
            sandboxOf: named.isTested(by: transaction) ? named.id : nil,
            limit: limit.map { UnitLimit(units: $0, paid: paidUnits) }
        )
    }

    /// The order as the transaction pays it, or the refusal of one that cannot be paid.
    static func pay(
        _ order: Order,
        _ transaction: TransactionFacts,
        paidUnits: Int,
        at now: Timestamp
    ) -> ClaimJudgement {
        var order = order
        do throws(OrderRefusal) {
            switch try order.pay(with: transaction, paidUnits: paidUnits, at: now) {
            case .applied: return .paid(order)
            case .repeated: return .repeated(order)
            }
        } catch {
            return .refused(.alreadyPaid)
        }
    }
}

extension Order {
    /// Whether a sandbox payment carries the token of this production order.
    fileprivate func isTested(by transaction: TransactionFacts) -> Bool {
        transaction.environment == .sandbox && content.environment == .production
    }
}
