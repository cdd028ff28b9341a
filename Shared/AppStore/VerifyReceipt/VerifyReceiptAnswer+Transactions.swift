package import Contracts

/// The transactions of an answer.
package struct LegacyTransactions: Hashable, Sendable {
    /// As StoreKit 2 would state them, oldest first, then by id.
    package var transactions: [SignedTransaction] = []
    /// Rows without what every transaction has: to be parked, never dropped.
    package var unreadable: [LegacyFields] = []
}

extension VerifyReceiptAnswer {
    /// The purchases of the answer as StoreKit 2 would state them; `now` is when the answer came.
    ///
    /// A transaction that stands in both lists is one, told by the newer. What stands in `latest_receipt_info`
    /// is true at the time of the answer; what stands in the receipt alone is true as of the receipt's own date,
    /// as Apple does not look it up again: an old receipt must never undo a refund that came after it.
    package func transactions(from server: AppleServer, now: Timestamp) -> LegacyTransactions {
        var rows: [String: Row] = [:]
        var found = LegacyTransactions()
        let receiptDate = receipt?.creationDate
        let answerDate = receipt?.requestDate ?? now
        let inReceipt = (receipt?.inApp ?? []).map { Row(purchase: $0, date: receiptDate) }
        let latest = latestReceiptInfo.map { Row(purchase: $0, date: answerDate) }
        for row in inReceipt + latest {
            guard let id = row.purchase.transactionId else {
                found.unreadable.append(row.purchase.fields)
                continue
            }
            rows[id] = rows[id].map { $0.overwritten(by: row) } ?? row
        }
        let environment = environment ?? server.environment
        for row in rows.values {
            if let transaction = transaction(row, environment) {
                found.transactions.append(transaction)
            } else {
                found.unreadable.append(row.purchase.fields)
            }
        }
        found.transactions.sort { ($0.purchaseDate, $0.transactionId) < ($1.purchaseDate, $1.transactionId) }
        return found
    }

    /// The payments of the answer: as `transactions(from:now:)`, but each dated as `AppReceipt.transactions` dates it, so
    /// that what an answer is silent about, a token or who owns it, undoes nothing that Apple signed; each once.
    package func payments(from server: AppleServer, now: Timestamp) -> LegacyTransactions {
        var found = transactions(from: server, now: now)
        found.transactions = found.transactions.map { $0.asPayment }.eachPaymentOnce
        return found
    }

    private struct Row {
        var purchase: LegacyPurchase
        /// As of when it is true, as far as the answer says.
        var date: Timestamp?

        func overwritten(by newer: Row) -> Row {
            Row(
                purchase: LegacyPurchase(fields: purchase.fields.overwritten(by: newer.purchase.fields)),
                date: newer.date
            )
        }

        /// As of when it is true; a row without a date of its list says itself how old it is at least.
        var statementDate: Timestamp? {
            [date ?? purchase.purchaseDate, purchase.cancellationDate].compactMap { $0 }.max()
        }
    }

    /// By the rules of the receipt's own rows, and with what only this answer tells.
    private func transaction(_ row: Row, _ environment: Environment) -> SignedTransaction? {
        guard let purchase = InAppPurchase(row.purchase), let bundleId = bundleId(of: row.purchase),
            let date = row.statementDate.flatMap(ReceiptDate.init)
        else { return nil }
        let receipt = AppReceipt(
            receiptType: environment.rawValue,
            bundleId: bundleId,
            applicationVersion: "",
            creationDate: date
        )
        var transaction = receipt.transaction(purchase)
        transaction.addFields(row.purchase.fields)
        return transaction
    }

    private func bundleId(of purchase: LegacyPurchase) -> String? {
        receipt?.bundleId ?? purchase.fields.text("bundle_id") ?? purchase.fields.text("bid")
    }
}

extension InAppPurchase {
    /// A row with what every transaction has; nil when something is missing.
    fileprivate init?(_ row: LegacyPurchase) {
        guard let productId = row.productId, let transactionId = row.transactionId,
            let purchaseDate = row.purchaseDate.flatMap(ReceiptDate.init),
            let quantity = row.fields.values["quantity"] == nil ? 1 : row.fields.integer("quantity")
        else { return nil }
        self.init(productId: productId, transactionId: transactionId, purchaseDate: purchaseDate)
        self.quantity = Int(quantity)
        originalTransactionId = row.originalTransactionId ?? transactionId
        originalPurchaseDate = row.fields.date("original_purchase_date").flatMap(ReceiptDate.init)
        expiresDate = row.expiresDate.flatMap(ReceiptDate.init)
        cancellationDate = row.cancellationDate.flatMap(ReceiptDate.init)
        isTrialPeriod = row.fields.flag("is_trial_period")
        isInIntroOfferPeriod = row.fields.flag("is_in_intro_offer_period")
        promotionalOfferId = row.fields.text("promotional_offer_id")
    }
}

extension SignedTransaction {
    /// Apple's number for an offer by code.
    private static let offerCode = 3

    /// What `verifyReceipt` tells and a receipt does not hold.
    fileprivate mutating func addFields(_ fields: LegacyFields) {
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

extension ReceiptDate {
    /// The moment as a receipt would write it; nil outside the years that have four digits.
    fileprivate init?(_ moment: Timestamp) { self.init(moment.rfc3339) }
}
