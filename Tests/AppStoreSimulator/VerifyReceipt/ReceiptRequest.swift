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
enum ReceiptStatus: Int, Error {
    case notPosted = 21_000
    case malformed = 21_002
    /// A receipt that this store did not sign, or not like this.
    case notAuthentic = 21_003
    case wrongSecret = 21_004
    case sandboxReceipt = 21_007
    case productionReceipt = 21_008
    case accountNotFound = 21_010
}
