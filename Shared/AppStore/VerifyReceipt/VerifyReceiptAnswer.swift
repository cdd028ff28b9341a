package import Contracts

/// What `verifyReceipt` answered, every field of it.
package struct VerifyReceiptAnswer: Hashable, Sendable {
    /// The whole answer.
    package let fields: LegacyFields

    package init(_ fields: LegacyFields) { self.fields = fields }

    /// Reads an answer; nil when the bytes are no JSON object.
    init?(json: [UInt8]) {
        guard let fields = LegacyFields(json: json) else { return nil }
        self.fields = fields
    }

    /// 0 or one of Apple's codes; nil where there is none.
    package var status: Int? { fields.integer("status").flatMap { Int(exactly: $0) } }

    /// Whether to ask again after 21100 to 21199; Apple writes both names.
    package var isRetryable: Bool? { fields.flag("is-retryable") ?? fields.flag("is_retryable") }

    /// The environment in which the receipt was made; absent in answers about receipts of iOS 6.
    package var environment: Environment? { fields.text("environment").map(Environment.init(rawValue:)) }

    /// The newest receipt, in base64.
    package var latestReceipt: String? { fields.text("latest_receipt") }

    /// The receipt that was sent, decoded.
    package var receipt: LegacyReceipt? { fields.object("receipt").map(LegacyReceipt.init) }

    /// Transactions as they are now, without finished consumables; of an ended subscription of iOS 6 it has
    /// another name.
    package var latestReceiptInfo: [LegacyPurchase] {
        (fields.objects("latest_receipt_info") + fields.objects("latest_expired_receipt_info"))
            .map(LegacyPurchase.init)
    }

    /// How the subscriptions will go on.
    package var pendingRenewalInfo: [LegacyRenewal] {
        fields.objects("pending_renewal_info").map(LegacyRenewal.init)
    }
}

/// A receipt as `verifyReceipt` decodes it.
package struct LegacyReceipt: Hashable, Sendable {
    /// All of it.
    package let fields: LegacyFields

    /// `Production`, `ProductionVPP`, `ProductionSandbox`, `ProductionVPPSandbox`; absent for iOS 6.
    package var receiptType: String? { fields.text("receipt_type") }
    /// The app; receipts of iOS 6 name it `bid`.
    package var bundleId: String? { fields.text("bundle_id") ?? fields.text("bid") }
    /// Apple's number for the app, absent or 0 in the sandbox; receipts of iOS 6 name it `app_item_id` only.
    package var appAppleId: Int64? { fields.integer("adam_id") ?? fields.integer("app_item_id") }
    /// When Apple made the receipt: its rows are true as of then.
    package var creationDate: Timestamp? { fields.date("receipt_creation_date") }
    /// When Apple answered.
    package var requestDate: Timestamp? { fields.date("request_date") }

    /// What the receipt holds, in no order; a receipt of iOS 6 is itself its one purchase.
    package var inApp: [LegacyPurchase] {
        if fields.values["in_app"] == nil, fields.values["transaction_id"] != nil {
            return [LegacyPurchase(fields: fields)]
        }
        return fields.objects("in_app").map(LegacyPurchase.init)
    }
}

/// One transaction as `verifyReceipt` tells it.
package struct LegacyPurchase: Hashable, Sendable {
    /// All of it.
    package let fields: LegacyFields

    package var transactionId: String? { fields.text("transaction_id") }
    package var originalTransactionId: String? { fields.text("original_transaction_id") }
    package var productId: String? { fields.text("product_id") }
    package var purchaseDate: Timestamp? { fields.date("purchase_date") }
    package var expiresDate: Timestamp? { fields.date("expires_date") }
    /// When Apple took it back or paid for it; absent where it did not.
    package var cancellationDate: Timestamp? { fields.date("cancellation_date") }
}

/// How a subscription will go on, as `verifyReceipt` tells it.
package struct LegacyRenewal: Hashable, Sendable {
    /// All of it.
    package let fields: LegacyFields

    package var originalTransactionId: String? { fields.text("original_transaction_id") }
    package var productId: String? { fields.text("product_id") }
    package var autoRenewProductId: String? { fields.text("auto_renew_product_id") }
    package var autoRenewStatus: Bool? { fields.flag("auto_renew_status") }
    package var isInBillingRetryPeriod: Bool? { fields.flag("is_in_billing_retry_period") }
    /// Apple's number of 1 to 5, as in renewal info.
    package var expirationIntent: Int64? { fields.integer("expiration_intent") }
    package var gracePeriodExpiresDate: Timestamp? { fields.date("grace_period_expires_date") }
}
