import AppStoreSigning
import Contracts

/// One row of `in_app` or `latest_receipt_info`: numbers and flags are strings, as verifyReceipt writes them.
enum LegacyTransaction {
    static func row(_ transaction: SignedTransaction) -> [String: JSONValue] {
        var row: [String: JSONValue?] = [
            "quantity": .string(String(transaction.quantity)),
            "product_id": .string(transaction.productId),
            "transaction_id": .string(transaction.transactionId),
            "original_transaction_id": .string(transaction.originalTransactionId),
            "is_trial_period": flag(transaction.offerDiscountType == "FREE_TRIAL"),
            "in_app_ownership_type": .text(transaction.inAppOwnershipType),
        ]
        if transaction.expiresDate != nil {
            row["web_order_line_item_id"] = .text(transaction.webOrderLineItemId)
            row["is_in_intro_offer_period"] =
                flag(transaction.offerType == 1 && transaction.offerDiscountType != "FREE_TRIAL")
            if transaction.offerType == 2 { row["promotional_offer_id"] = .text(transaction.offerIdentifier) }
        }
        if transaction.revocationDate != nil {
            row["cancellation_reason"] = .string(String(transaction.revocationReason ?? 0))
        }
        let dates = [
            ("purchase_date", transaction.purchaseDate),
            ("original_purchase_date", transaction.originalPurchaseDate ?? transaction.purchaseDate),
            ("expires_date", transaction.expiresDate), ("cancellation_date", transaction.revocationDate),
        ]
        for (name, date) in dates {
            if let date { row.merge(LegacyDate.members(name, date)) { $1 } }
        }
        return row.compactMapValues(\.self)
    }

    /// A row of `latest_receipt_info`, which says more.
    static func latestRow(_ transaction: SignedTransaction) -> [String: JSONValue] {
        var row = self.row(transaction)
        row["app_account_token"] = .text(transaction.appAccountToken)
        row["subscription_group_identifier"] = .text(transaction.subscriptionGroupIdentifier)
        if transaction.isUpgraded == true { row["is_upgraded"] = flag(true) }
        if transaction.offerType == 3 { row["offer_code_ref_name"] = .text(transaction.offerIdentifier) }
        return row
    }

    private static func flag(_ flag: Bool) -> JSONValue { .string(flag ? "true" : "false") }
}

/// One row of `pending_renewal_info`.
enum LegacyRenewal {
    static func row(_ subscription: Subscription, latest: Sale) -> [String: JSONValue] {
        var row: [String: JSONValue] = [
            "original_transaction_id": .string(subscription.originalTransactionId),
            "product_id": .string(latest.transaction.productId),
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
