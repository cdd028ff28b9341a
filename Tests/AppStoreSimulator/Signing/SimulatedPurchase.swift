package import Contracts

/// What a buyer pays for in the simulated App Store, and the transactions that come of it.
package struct SimulatedPurchase: Sendable {
    package var bundleId: String
    package var productId: String
    /// `Consumable`, `Non-Consumable`, `Auto-Renewable Subscription` or `Non-Renewing Subscription`.
    package var type = "Consumable"
    package var appAccountToken: String?
    package var quantity = 1
    /// Milliunits of `currency`, for the whole quantity.
    package var price: Int64 = 990
    package var currency = "USD"
    package var environment = "Production"
    /// When it was bought, in milliseconds since 1970; nil for now.
    package var purchaseDate: Int64?
    /// The end of a subscription's first period, in milliseconds since 1970.
    package var expiresDate: Int64?
    package var subscriptionGroupIdentifier: String?
    /// The Apple Account within the app; nil for one that nobody else has.
    package var appTransactionId: String?
    package var offerType: Int?
    package var offerIdentifier: String?
    package var offerDiscountType: String?
    package var offerPeriod: String?

    /// One consumable in the production environment; change what should be otherwise.
    package init(bundleId: String, productId: String) {
        self.bundleId = bundleId
        self.productId = productId
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
        let id = Self.newNumber(using: &generator)
        let bought = purchaseDate ?? now.milliseconds
        var transaction = SignedTransaction(
            transactionId: id,
            originalTransactionId: id,
            bundleId: bundleId,
            productId: productId,
            purchaseDate: bought,
            quantity: quantity,
            type: type,
            environment: environment,
            signedDate: now.milliseconds
        )
        transaction.originalPurchaseDate = bought
        transaction.appAccountToken = appAccountToken
        transaction.inAppOwnershipType = "PURCHASED"
        transaction.transactionReason = "PURCHASE"
        transaction.storefront = "USA"
        transaction.storefrontId = "143441"
        transaction.price = price
        transaction.currency = currency
        transaction.appTransactionId = appTransactionId ?? Self.newNumber(using: &generator)
        transaction.expiresDate = expiresDate
        transaction.subscriptionGroupIdentifier = subscriptionGroupIdentifier
        if expiresDate != nil { transaction.webOrderLineItemId = Self.newNumber(using: &generator) }
        transaction.offerType = offerType
        transaction.offerIdentifier = offerIdentifier
        transaction.offerDiscountType = offerDiscountType
        transaction.offerPeriod = offerPeriod
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
}
