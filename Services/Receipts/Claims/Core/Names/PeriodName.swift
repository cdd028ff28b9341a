import Contracts
import Domain

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
