package import Contracts

/// A `verifyReceipt` response with every field, known or not.
package struct VerifyReceiptResponse: Hashable, Sendable {
    let fields: VerifyReceiptFields

    init?(json: [UInt8]) {
        guard let values = JSONBody.read([String: JSONValue].self, from: json) else { return nil }
        fields = VerifyReceiptFields(values: values)
    }

    /// 0 or one of Apple's codes.
    var status: Int? { fields.integer("status").flatMap { Int(exactly: $0) } }
    /// Whether to ask again after 21100 to 21199; Apple writes both names.
    var isRetryable: Bool? { fields.flag("is-retryable") ?? fields.flag("is_retryable") }
    /// The environment that made the receipt; absent for receipts of iOS 6.
    package var environment: Environment? { fields.text("environment").map(Environment.init(rawValue:)) }
    /// The receipt that was sent, decoded.
    package var receipt: VerifyReceiptFields? { fields.object("receipt") }

    /// Current transactions without finished consumables; an ended iOS 6 subscription has another field name.
    package var latestReceiptInfo: [VerifyReceiptFields] {
        fields.objects("latest_receipt_info") + fields.objects("latest_expired_receipt_info")
    }
}

/// `receipt`: the receipt as `verifyReceipt` decodes it.
extension VerifyReceiptFields {
    /// The bundle id; receipts of iOS 6 name it `bid`.
    package var bundleId: String? { text("bundle_id") ?? text("bid") }
    /// Apple's number for the app, absent or 0 in the sandbox; receipts of iOS 6 name it `app_item_id` only.
    package var appAppleId: Int64? { integer("adam_id") ?? integer("app_item_id") }

    /// The version of the app; absent in receipts of iOS 6.
    package var applicationVersion: String? { text("application_version") }

    /// The receipt's purchases, in no order; a receipt of iOS 6 is itself its one purchase.
    package var inApp: [VerifyReceiptFields] {
        values["in_app"] == nil && values["transaction_id"] != nil ? [self] : objects("in_app")
    }
}

/// `in_app`, `latest_receipt_info`: one transaction.
extension VerifyReceiptFields {
    package var transactionId: String? { text("transaction_id") }
    package var expiresDate: Timestamp? { date("expires_date") }
}
