package import Contracts

/// A `verifyReceipt` response with every field, known or not.
package struct VerifyReceiptResponse: Hashable, Sendable {
    let fields: VerifyReceiptFields

    init?(json: [UInt8]) {
        guard let fields = VerifyReceiptFields(json: json) else { return nil }
        self.fields = fields
    }

    /// 0 or one of Apple's codes.
    var status: Int? { fields.integer("status").flatMap { Int(exactly: $0) } }
    /// Whether to ask again after 21100 to 21199; Apple writes both names.
    var isRetryable: Bool? { fields.flag("is-retryable") ?? fields.flag("is_retryable") }
    /// The environment that made the receipt; absent for receipts of iOS 6.
    package var environment: Environment? { fields.text("environment").map(Environment.init(rawValue:)) }
    /// The receipt that was sent, decoded.
    package var receipt: Receipt? { fields.object("receipt").map(Receipt.init) }

    /// Current transactions without finished consumables; an ended iOS 6 subscription has another field name.
    package var latestReceiptInfo: [InApp] {
        (fields.objects("latest_receipt_info") + fields.objects("latest_expired_receipt_info")).map(
            InApp.init
        )
    }

    /// `receipt`: the receipt as `verifyReceipt` decodes it.
    package struct Receipt: Hashable, Sendable {
        let fields: VerifyReceiptFields

        /// The bundle id; receipts of iOS 6 name it `bid`.
        package var bundleId: String? { fields.text("bundle_id") ?? fields.text("bid") }
        /// Apple's number for the app, absent or 0 in the sandbox; receipts of iOS 6 name it `app_item_id` only.
        package var appAppleId: Int64? { fields.integer("adam_id") ?? fields.integer("app_item_id") }
        /// The rows are true as of then.
        var creationDate: Timestamp? { fields.date("receipt_creation_date") }
        var requestDate: Timestamp? { fields.date("request_date") }

        /// The receipt's purchases, in no order; a receipt of iOS 6 is itself its one purchase.
        package var inApp: [InApp] {
            if fields.values["in_app"] == nil, fields.values["transaction_id"] != nil {
                return [InApp(fields: fields)]
            }
            return fields.objects("in_app").map(InApp.init)
        }
    }

    /// `in_app`, `latest_receipt_info`: one transaction.
    package struct InApp: Hashable, Sendable {
        let fields: VerifyReceiptFields

        package var transactionId: String? { fields.text("transaction_id") }
        var purchaseDate: Timestamp? { fields.date("purchase_date") }
        package var expiresDate: Timestamp? { fields.date("expires_date") }
        var cancellationDate: Timestamp? { fields.date("cancellation_date") }
    }
}
