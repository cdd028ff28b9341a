package import Contracts

/// The transactions of a response.
package struct VerifyReceiptTransactions: Hashable, Sendable {
    /// As StoreKit 2 would state them, oldest first, then by id.
    package var transactions: [SignedTransaction] = []
    /// Rows without an essential field: park them, never drop them.
    package var unreadable: [VerifyReceiptFields] = []
}

extension VerifyReceiptResponse {
    /// The response's purchases as StoreKit 2 would state them; `now` is when it came.
    ///
    /// A transaction in both lists counts once, by the newer row. `latest_receipt_info` is true as of the
    /// response; the receipt alone is true as of its own date, as Apple does not look it up again: an old
    /// receipt must never undo a later refund.
    func transactions(from server: AppleServer, now: Timestamp) -> VerifyReceiptTransactions {
        var rows: [String: Row] = [:]
        var found = VerifyReceiptTransactions()
        let creationDate = receipt?.date("receipt_creation_date")
        let inReceipt = (receipt?.inApp ?? []).map { Row(fields: $0, date: creationDate) }
        let requestDate = receipt?.date("request_date") ?? now
        let latest = latestReceiptInfo.map { Row(fields: $0, date: requestDate) }
        for row in inReceipt + latest {
            if let id = row.fields.transactionId {
                rows[id] = rows[id].map { $0.overwritten(by: row) } ?? row
            } else {
                found.unreadable.append(row.fields)
            }
        }
        for row in rows.values {
            if let transaction = transaction(row, environment ?? server.environment) {
                found.transactions.append(transaction)
            } else {
                found.unreadable.append(row.fields)
            }
        }
        found.transactions.sort { ($0.purchaseDate, $0.transactionId) < ($1.purchaseDate, $1.transactionId) }
        return found
    }

    /// The payments, each once, dated as in `AppReceipt.transactions`: a missing field undoes nothing that
    /// Apple signed.
    package func payments(from server: AppleServer, now: Timestamp) -> VerifyReceiptTransactions {
        var found = transactions(from: server, now: now)
        found.transactions = found.transactions.map { $0.asPayment }.eachPaymentOnce
        return found
    }

    private struct Row {
        var fields: VerifyReceiptFields
        /// When the row was true, if the response says.
        var date: Timestamp?

        func overwritten(by newer: Row) -> Row {
            let values = fields.values.merging(newer.fields.values) { _, new in new }
            return Row(fields: VerifyReceiptFields(values: values), date: newer.date)
        }
    }

    private func transaction(_ row: Row, _ environment: Environment) -> SignedTransaction? {
        guard let purchase = InAppPurchase(row.fields),
            let bundleId = receipt?.bundleId ?? row.fields.bundleId
        else { return nil }
        // Without its list's date the row was true at least at its own latest date.
        let date = row.date ?? purchase.purchaseDate
        let receipt = AppReceipt(
            receiptType: environment.rawValue,
            bundleId: bundleId,
            applicationVersion: "",
            creationDate: max(date, purchase.cancellationDate ?? date)
        )
        var transaction = receipt.transaction(purchase)
        transaction.addFields(row.fields)
        return transaction
    }
}

extension InAppPurchase {
    fileprivate init?(_ row: VerifyReceiptFields) {
        guard let productId = row.text("product_id"), let transactionId = row.transactionId,
            let purchaseDate = row.date("purchase_date"),
            let quantity = row.values["quantity"] == nil ? 1 : row.integer("quantity")
        else { return nil }
        self.init(productId: productId, transactionId: transactionId, purchaseDate: purchaseDate)
        self.quantity = Int(quantity)
        originalTransactionId = row.text("original_transaction_id") ?? transactionId
        originalPurchaseDate = row.date("original_purchase_date")
        expiresDate = row.expiresDate
        cancellationDate = row.date("cancellation_date")
        isTrialPeriod = row.flag("is_trial_period")
        isInIntroOfferPeriod = row.flag("is_in_intro_offer_period")
        promotionalOfferId = row.text("promotional_offer_id")
    }
}

extension SignedTransaction {
    private static let offerCode = 3

    fileprivate mutating func addFields(_ fields: VerifyReceiptFields) {
        webOrderLineItemId = fields.text("web_order_line_item_id").flatMap { $0 == "0" ? nil : $0 }
        appAccountToken = fields.text("app_account_token")
        inAppOwnershipType = fields.text("in_app_ownership_type")
        subscriptionGroupIdentifier = fields.text("subscription_group_identifier")
        isUpgraded = fields.flag("is_upgraded")
        if revocationDate != nil {
            revocationReason = fields.integer("cancellation_reason").flatMap { Int(exactly: $0) }
        }
        if offerType == nil, let code = fields.text("offer_code_ref_name") {
            offerType = Self.offerCode
            offerIdentifier = code
        }
    }
}
