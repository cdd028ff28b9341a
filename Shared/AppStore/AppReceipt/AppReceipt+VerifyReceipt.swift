package import Contracts

extension AppReceipt {
    /// The receipt as `counterfoil verify` prints it.
    ///
    /// Its own fields have names like StoreKit 2's and dates in RFC 3339. Purchases are as in
    /// `verifyReceipt`: `…_date` in `Etc/GMT`, `…_date_ms` in milliseconds, everything as text; without
    /// `…_date_pst`.
    package var verifyReceiptFields: JSONValue {
        var fields: [String: JSONValue] = [
            "receiptType": .string(receiptType),
            "environment": .string(environment.rawValue),
            "bundleId": .string(bundleId),
            "applicationVersion": .string(applicationVersion),
            "creationDate": .string(creationDate.wholeSeconds),
            "inApp": .array(inApp.map(\.verifyReceiptFields)),
        ]
        fields["originalApplicationVersion"] = originalApplicationVersion.map(JSONValue.string)
        fields["originalPurchaseDate"] = (originalPurchaseDate?.wholeSeconds).map(JSONValue.string)
        fields["expirationDate"] = (expirationDate?.wholeSeconds).map(JSONValue.string)
        fields["adamId"] = adamId.map(JSONValue.integer)
        fields["downloadId"] = downloadId.map(JSONValue.integer)
        fields["versionExternalIdentifier"] = versionExternalIdentifier.map(JSONValue.integer)
        return .object(fields)
    }
}

extension InAppPurchase {
    fileprivate var verifyReceiptFields: JSONValue {
        var fields: [String: JSONValue] = [
            "quantity": .string(String(quantity)),
            "product_id": .string(productId),
            "transaction_id": .string(transactionId),
            "original_transaction_id": .string(originalTransactionId),
        ]
        let dates: [(name: String, date: Timestamp?)] = [
            ("purchase_date", purchaseDate), ("original_purchase_date", originalPurchaseDate),
            ("expires_date", expiresDate), ("cancellation_date", cancellationDate),
        ]
        for (name, date) in dates {
            fields[name] = (date?.inGMT).map(JSONValue.string)
            fields[name + "_ms"] = date.map { JSONValue.string(String($0.milliseconds)) }
        }
        fields["web_order_line_item_id"] = webOrderLineItemId.map { JSONValue.string(String($0)) }
        fields["is_trial_period"] = isTrialPeriod.map { JSONValue.string(String($0)) }
        fields["is_in_intro_offer_period"] = isInIntroOfferPeriod.map { JSONValue.string(String($0)) }
        fields["promotional_offer_id"] = promotionalOfferId.map(JSONValue.string)
        return .object(fields)
    }
}
