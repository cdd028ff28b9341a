import Contracts
import Domain

/// What one operator proposes to give a buyer without a proven payment, and another one confirms (补单).
///
/// Tested by: `CompensationTableTests`, `CompensationTests`.
///
/// | from \ event | confirm by the proposer | by another | reverse | the proof, bought by then | bought later |
/// |---|---|---|---|---|---|
/// | proposed | refused: `ownProposal` | `granted`: gives | `void` | `void`: not needed | `void`: not needed |
/// | proposed, 7 days over | refused: `void` | refused: `void` | `void` | `void` | `void` |
/// | granted | refused: `ownProposal` | again | `reversed`: takes back | `matched`: takes back | stays |
/// | reversed | refused: `ended` | refused: `ended` | again | stays | stays |
/// | matched | refused: `ended` | refused: `ended` | again | stays | stays |
/// | void | refused: `void` | refused: `void` | again | stays | stays |
///
/// *The proof* names the order: by its signed token, beside itself, or by Apple, who says which transactions an order
/// has. One without a name that takes the buyer's oldest open order may be the proof of any of them: it ends nothing,
/// and an alarm asks a person.
///
/// *again*: it was done before, and nothing changes. *by then*: no later than the compensation was granted, as far as
/// two clocks can tell (`Limits.clockToleranceMilliseconds`); what was bought later is another payment, and the buyer
/// keeps both. No proof names goodwill, so that none is ever matched with it.
struct Compensation: Hashable, Sendable {
    /// What happens to a compensation.
    enum Event: Hashable, Sendable {
        case confirm(by: OperatorID)
        case reverse
        /// The purchase of a proof that names its order has come into this ledger.
        case proof(PurchaseID, boughtAt: Timestamp)
    }

    /// What the ledger must do in the same transaction.
    enum Effect: Hashable, Sendable {
        /// The event was applied before, or does not concern it.
        case nothing
        /// Only the row changes.
        case noted
        case gives
        case takesBack
    }

    private(set) var content: CompensationV1

    init(_ content: CompensationV1) { self.content = content }

    /// - Throws: `RequestRefusal` as the table says; the compensation is then unchanged.
    mutating func apply(_ event: Event, at now: Timestamp) throws(RequestRefusal) -> Effect {
        switch (content.state, event) {
        case (.proposed, .confirm(let acting)):
            try check(acting, at: now)
            (content.state, content.confirmedBy, content.confirmedAt) = (.granted, acting, now)
            return .gives
        case (.granted, .confirm(let acting)):
            guard acting != content.proposedBy else { throw .ownProposal }
            return .nothing
        case (.reversed, .confirm), (.matched, .confirm): throw .endedCompensation
        case (.void, .confirm): throw .voidProposal
        case (.proposed, .reverse), (.proposed, .proof): return end(.void, at: now)
        case (.granted, .reverse): return end(.reversed, at: now)
        case (.granted, .proof(let purchase, let boughtAt)):
            guard mayBePaid(at: boughtAt) else { return .nothing }
            content.purchaseId = purchase
            return end(.matched, at: now)
        case (.reversed, .reverse), (.matched, .reverse), (.void, .reverse), (.reversed, .proof),
            (.matched, .proof), (.void, .proof):
            return .nothing
        }
    }

    /// Notes why an operator has ended it.
    mutating func explain(_ reason: String?) { content.endedReason = reason }

    /// Notes which transactions its order of Apple's has; whether that is news.
    mutating func name(_ transactions: [TransactionID]) -> Bool {
        guard content.basis.kind == .appleOrder, content.basis.transactionIds != transactions else {
            return false
        }
        content.basis.transactionIds = transactions
        return true
    }

    /// Whether a purchase of this product can be the one for which it stands.
    ///
    /// Of an order of Apple's with several transactions the others are bought, too. One transaction alone is that
    /// purchase, even if the operator has named another product.
    func standsFor(_ product: ProductID) -> Bool {
        guard content.basis.kind == .appleOrder, (content.basis.transactionIds?.count ?? 0) > 1 else {
            return true
        }
        return content.productId == product
    }

    private func check(_ acting: OperatorID, at now: Timestamp) throws(RequestRefusal) {
        try Approval.check(
            by: acting,
            proposedBy: content.proposedBy,
            proposedAt: content.proposedAt,
            at: now
        )
    }

    private mutating func end(_ state: CompensationV1.State, at now: Timestamp) -> Effect {
        let isGiven = content.state == .granted
        (content.state, content.endedAt) = (state, now)
        return isGiven ? .takesBack : .noted
    }

    /// Whether a payment of this time can be the one for which it was granted, as far as two clocks can tell.
    func mayBePaid(at boughtAt: Timestamp) -> Bool {
        guard let granted = content.confirmedAt else { return false }
        return boughtAt <= granted.advanced(by: Limits.clockToleranceMilliseconds)
    }

    /// Whether it keeps others from its order at this time.
    func stands(at now: Timestamp) -> Bool {
        switch content.state {
        case .proposed: !Approval.isVoid(proposedAt: content.proposedAt, at: now)
        case .granted: true
        case .reversed, .matched, .void: false
        }
    }

    /// How it is at this time: a proposal that nobody has confirmed in time is void, though no row says so.
    func answer(at now: Timestamp) -> CompensationV1 {
        var answer = content
        if content.state == .proposed, !stands(at: now) { answer.state = .void }
        return answer
    }
}

extension Compensation {
    /// What stands for a purchase in the ledger.
    var purchaseID: PurchaseID { .compensation(content.proposalId) }

    /// The order on which it stands: the buyer's, or one that nobody has placed.
    var orderID: OrderID {
        if let order = content.basis.orderId { return order }
        let digits = content.proposalId.rawValue.dropFirst(5)
        return OrderID(
            time: content.proposedAt,
            shard: content.proposalId.shard,
            random: UInt64(digits.prefix(16), radix: 16) ?? 0
        )
    }

    /// What the ledger is told, as if Apple had signed it when it was confirmed.
    ///
    /// `endedBy`: when what ended it was signed or done. It follows from the proof that it is matched with, so that a
    /// restored ledger writes the same entries.
    func facts(_ type: Catalog.ProductType, at now: Timestamp, endedBy: Timestamp? = nil) -> TransactionFacts
    {
        let since = content.confirmedAt ?? now
        let id = TransactionID(unchecked: purchaseID.rawValue)
        var facts = TransactionFacts(
            environment: content.environment,
            bundleId: content.bundleId,
            transactionId: id,
            originalTransactionId: id,
            productId: content.productId,
            quantity: content.quantity,
            type: type.signedName,
            purchaseDate: since,
            signedDate: since
        )
        guard let endedBy else { return facts }
        facts.signedDate = max(endedBy, since.advanced(by: 1))
        facts.revocationDate = endedBy
        return facts
    }
}

extension RequestRefusal {
    static let endedCompensation = RequestRefusal(
        .conflict,
        "The compensation has ended: it was reversed, or its proof has come.",
        field: "proposalId",
        reason: "ended"
    )
    static let compensatedOrder = RequestRefusal(
        .conflict,
        "Another compensation stands on this order.",
        field: "orderId",
        reason: "compensated"
    )
    static let compensatedAppleOrder = RequestRefusal(
        .conflict,
        "Another compensation stands on this order of Apple's.",
        field: "appleOrderId",
        reason: "compensated"
    )
    /// Another compensation stands on the same.
    static func compensated(_ basis: CompensationBasis) -> RequestRefusal {
        basis.kind == .appleOrder ? .compensatedAppleOrder : .compensatedOrder
    }
    static let grantedOrder = RequestRefusal(
        .conflict,
        "The order is paid, and its goods were granted.",
        field: "orderId",
        reason: "granted"
    )
    static let grantedAppleOrder = RequestRefusal(
        .conflict,
        "A purchase of this order was granted.",
        field: "appleOrderId",
        reason: "granted"
    )
    /// That on which a compensation would stand has given its goods.
    static func granted(_ basis: CompensationBasis) -> RequestRefusal {
        basis.kind == .appleOrder ? .grantedAppleOrder : .grantedOrder
    }
    static func notGrantable(_ reason: String) -> RequestRefusal {
        RequestRefusal(
            .invalid,
            "The catalog grants nothing for this product and quantity: \(reason).",
            field: "productId",
            reason: reason
        )
    }
}
