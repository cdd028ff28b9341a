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
