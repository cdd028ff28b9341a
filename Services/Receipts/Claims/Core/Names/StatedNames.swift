import Contracts
import Domain

extension PurchaseName {
    /// The names that a transaction states, in the order in which they are registered.
    ///
    /// Tested by: `NameClaimTests`, `LineItemClaimTests`.
    ///
    /// | name                 | stated by |
    /// |----------------------|-----------|
    /// | its transaction id   | all but the first of a chain, whose id is the chain's, and Non-Consumables, which have one in each restore |
    /// | `webOrderLineItemId` | what its buyer has bought, as Apple states it; not what was added to a period, which has the period's |
    ///
    /// What is shared with a family or assigned has the line item of whoever paid. An ordinary consumable has no name.
    static func names(of facts: TransactionFacts) -> [PurchaseName] {
        var names: [PurchaseName] = []
        if facts.transactionId != facts.originalTransactionId, !facts.isNonConsumable {
            names.append(.transaction(facts.transactionId))
        }
        if let lineItem = facts.webOrderLineItemId, facts.inAppOwnershipType == Ownership.purchased,
            !facts.isAddition
        {
            names.append(.lineItem(lineItem))
        }
        return names
    }

    /// The name of this `text`; nil for any other.
    init?(text: String) {
        let parts = text.split(separator: "/", maxSplits: 1).map(String.init)
        guard parts.count == 2 else { return nil }
        self = parts[0] == "lineItem" ? .lineItem(parts[1]) : .transaction(TransactionID(unchecked: parts[1]))
        guard self.text == text else { return nil }
    }
}

/// By what a period is known that is stated with a line item and, under another transaction id, without one.
///
/// Its product and when it begins lead to the purchase in its own chain; they are registered nowhere. Of a chain no two
/// periods of one product begin in the same second. Receipts state whole seconds.
struct PeriodName: Equatable {
    /// What leads to its purchase.
    let stated: [String]
    /// What leads to the purchase of which it is a statement: one with a line item is another statement only of what
    /// states none.
    let sought: String

    /// Nil of what is no period, was added to one or is a member's copy of it.
    init?(_ facts: TransactionFacts) {
        guard facts.isPeriod, !facts.isAddition, !facts.isAssigned else { return nil }
        let name = "period/\(facts.purchaseDate.milliseconds / 1_000)/\(facts.productId)"
        let unnamed = "unnamed/" + name
        let isNamed = facts.webOrderLineItemId != nil
        (stated, sought) = (isNamed ? [name] : [name, unnamed], isNamed ? unnamed : name)
    }
}

extension TransactionFacts {
    /// Whether it is a consumable with no other id than its own: nothing else can state its name.
    var isOrdinary: Bool {
        type == ProductType.consumable && transactionId == originalTransactionId && webOrderLineItemId == nil
    }

    /// Whether it counts as a Non-Consumable; old receipts state no type (`PurchaseID`).
    fileprivate var isNonConsumable: Bool {
        type == ProductType.nonConsumable
            || type.isEmpty && expiresDate == nil && webOrderLineItemId == nil
    }
}
