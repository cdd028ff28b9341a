/// The body of a call of verifyReceipt.
struct ReceiptRequest: Decodable {
    let receiptData: String
    let password: String?
    let excludeOldTransactions: Bool?

    private enum CodingKeys: String, CodingKey {
        case receiptData = "receipt-data"
        case password
        case excludeOldTransactions = "exclude-old-transactions"
    }
}

/// The status that verifyReceipt answers instead of a receipt.
struct ReceiptStatus: Error {
    let code: Int

    static let notPosted = ReceiptStatus(code: 21_000)
    static let malformed = ReceiptStatus(code: 21_002)
    /// A receipt that this store did not sign, or not like this.
    static let notAuthentic = ReceiptStatus(code: 21_003)
    static let wrongSecret = ReceiptStatus(code: 21_004)
    static let sandboxReceipt = ReceiptStatus(code: 21_007)
    static let productionReceipt = ReceiptStatus(code: 21_008)
    static let accountNotFound = ReceiptStatus(code: 21_010)
}
