import Contracts

/// One row of `in_app` or `latest_receipt_info`: numbers and flags are strings, as verifyReceipt writes them.
enum LegacyTransaction {
    static func row(_ transaction: SignedTransaction) -> [String: JSONValue] {
        var row: [String: JSONValue] = [
            "quantity": .string(String(transaction.quantity)),
            "product_id": .string(transaction.productId),
            "transaction_id": .string(transaction.transactionId),
            "original_transaction_id": .string(transaction.originalTransactionId),
            "is_trial_period": .string(transaction.offerDiscountType == "FREE_TRIAL" ? "true" : "false"),
        ]
        row.add(LegacyDate.members("purchase_date", transaction.purchaseDate))
        row.add(
            LegacyDate.members(
                "original_purchase_date",
                transaction.originalPurchaseDate ?? transaction.purchaseDate
            )
        )
        if let ownership = transaction.inAppOwnershipType {
            row["in_app_ownership_type"] = .string(ownership)
        }
        row.add(subscription(transaction))
        row.add(cancellation(transaction))
        return row
    }

    /// A row of `latest_receipt_info`, which says more.
    static func latestRow(_ transaction: SignedTransaction) -> [String: JSONValue] {
        var row = self.row(transaction)
        row["app_account_token"] = transaction.appAccountToken.map(JSONValue.string)
        row["subscription_group_identifier"] = transaction.subscriptionGroupIdentifier.map(JSONValue.string)
        if transaction.isUpgraded == true { row["is_upgraded"] = .string("true") }
        if transaction.offerType == 3 {
            row["offer_code_ref_name"] = transaction.offerIdentifier.map(JSONValue.string)
        }
        return row
    }

    private static func subscription(_ transaction: SignedTransaction) -> [String: JSONValue] {
        guard let expires = transaction.expiresDate else { return [:] }
        var members = LegacyDate.members("expires_date", expires)
        members["web_order_line_item_id"] = transaction.webOrderLineItemId.map(JSONValue.string)
        let isIntroductory = transaction.offerType == 1 && transaction.offerDiscountType != "FREE_TRIAL"
        members["is_in_intro_offer_period"] = .string(isIntroductory ? "true" : "false")
        if transaction.offerType == 2 {
            members["promotional_offer_id"] = transaction.offerIdentifier.map(JSONValue.string)
        }
        return members
    }

    private static func cancellation(_ transaction: SignedTransaction) -> [String: JSONValue] {
        guard let revoked = transaction.revocationDate else { return [:] }
        var members = LegacyDate.members("cancellation_date", revoked)
        members["cancellation_reason"] = .string(String(transaction.revocationReason ?? 0))
        return members
    }
}

/// One row of `pending_renewal_info`.
enum LegacyRenewal {
    static func row(_ subscription: Subscription, latest: SignedTransaction) -> [String: JSONValue] {
        var row: [String: JSONValue] = [
            "original_transaction_id": .string(subscription.originalTransactionId),
            "product_id": .string(latest.productId),
            "auto_renew_product_id": .string(subscription.renewalProductId),
            "auto_renew_status": .string(subscription.isAutoRenewing ? "1" : "0"),
        ]
        if let intent = subscription.expirationIntent {
            let isRetrying = [.billingRetry, .gracePeriod].contains(subscription.status)
            row["expiration_intent"] = .string(String(intent.rawValue))
            row["is_in_billing_retry_period"] = .string(isRetrying ? "1" : "0")
        }
        if let grace = subscription.gracePeriodExpiresDate {
            row.add(LegacyDate.members("grace_period_expires_date", grace))
        }
        if let status = subscription.priceIncreaseStatus {
            row["price_increase_status"] = .string(String(status))
            row["price_consent_status"] = .string(String(status))
        }
        return row
    }
}

extension [String: JSONValue] {
    /// Adds the members of another object, whose values hold where both have one.
    mutating func add(_ other: [String: JSONValue]) { merge(other) { _, new in new } }
}
