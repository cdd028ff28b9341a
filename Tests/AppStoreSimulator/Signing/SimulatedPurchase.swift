package import Contracts

/// What a buyer pays for in the simulated App Store, and the transactions that come of it.
@dynamicMemberLookup
package struct SimulatedPurchase: Sendable {
    /// Milliunits of the currency, for the whole quantity.
    package var price: Int64 = 990
    /// When it was bought, in milliseconds since 1970; nil for now.
    package var purchaseDate: Int64?
    /// Each transaction but for its ids, times and price.
    private var template: SignedTransaction

    /// One consumable in the production environment; change what should be otherwise.
    package init(bundleId: String, productId: String) {
        template = SignedTransaction(
            transactionId: "",
            originalTransactionId: "",
            bundleId: bundleId,
            productId: productId,
            purchaseDate: 0,
            type: "Consumable",
            environment: "Production",
            signedDate: 0
        )
        template.inAppOwnershipType = "PURCHASED"
        template.transactionReason = "PURCHASE"
        template.storefront = "USA"
        template.storefrontId = "143441"
        template.currency = "USD"
    }

    /// Any other field of the transactions.
    package subscript<Value>(dynamicMember field: WritableKeyPath<SignedTransaction, Value>) -> Value {
        get { template[keyPath: field] }
        set { template[keyPath: field] = newValue }
    }

    /// A first purchase at `now`, with an id that no other transaction has.
    package func transaction(at now: Timestamp) -> SignedTransaction {
        var generator = SystemRandomNumberGenerator()
        return transaction(at: now, using: &generator)
    }

    /// A first purchase at `now`; equal randomness gives equal transactions.
    package func transaction(
        at now: Timestamp,
        using generator: inout some RandomNumberGenerator
    ) -> SignedTransaction {
        var transaction = template
        transaction.transactionId = Self.newNumber(using: &generator)
        transaction.originalTransactionId = transaction.transactionId
        transaction.purchaseDate = purchaseDate ?? now.milliseconds
        transaction.originalPurchaseDate = transaction.purchaseDate
        transaction.signedDate = now.milliseconds
        transaction.price = price
        // An Apple Account that nobody else has, unless one is named.
        transaction.appTransactionId = template.appTransactionId ?? Self.newNumber(using: &generator)
        if transaction.expiresDate != nil {
            transaction.webOrderLineItemId = Self.newNumber(using: &generator)
        }
        return transaction
    }

    /// Eighteen digits, all random: two of ten million are equal with a chance of 1 in 18,000, in whatever
    /// number of processes they were drawn; a time in front would only leave less room for chance.
    package static func newNumber(using generator: inout some RandomNumberGenerator) -> String {
        String(UInt64.random(in: idRange, using: &generator))
    }

    private static let idRange: ClosedRange<UInt64> = 100_000_000_000_000_000...999_999_999_999_999_999
}

extension SignedTransaction {
    /// What the buyer's next device gets of the same purchase: another transaction, for which nobody pays again.
    ///
    /// A period of a subscription keeps its dates, and its `webOrderLineItemId` in any case.
    package func restored(
        at now: Timestamp,
        using generator: inout some RandomNumberGenerator
    ) -> SignedTransaction {
        var restored = self
        restored.transactionId = SimulatedPurchase.newNumber(using: &generator)
        if type == "Non-Consumable" { restored.purchaseDate = now.milliseconds }
        restored.signedDate = now.milliseconds
        return restored
    }

    /// The same transaction after Apple gave the money back, as it is signed at `now`; `percentage` in
    /// milliunits of a percent, nil for all of it.
    package func refunded(at now: Timestamp, reason: Int = 0, percentage: Int? = nil) -> SignedTransaction {
        var refund = self
        refund.revocationDate = now.milliseconds
        refund.revocationReason = reason
        refund.revocationType = percentage == nil ? "REFUND_FULL" : "REFUND_PRORATED"
        refund.revocationPercentage = percentage
        refund.signedDate = max(now.milliseconds, signedDate + 1)
        return refund
    }

    /// The same transaction as if nothing had been refunded.
    package var notRevoked: SignedTransaction {
        var transaction = self
        transaction.revocationDate = nil
        transaction.revocationReason = nil
        transaction.revocationType = nil
        transaction.revocationPercentage = nil
        return transaction
    }
}
