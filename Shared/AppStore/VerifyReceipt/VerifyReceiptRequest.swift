import Foundation

/// What `verifyReceipt` is asked.
package struct VerifyReceiptRequest: Encodable, Hashable, Sendable {
    /// Bytes of JSON that Apple takes; above that it answers HTTP 413.
    package static let maximumBytes = 3_145_728

    /// The receipt in base64, as the phone sent it.
    package var receipt: String
    /// The app's shared secret; Apple asks for it where there are subscriptions.
    package var secret: String?
    /// Whether of each subscription only the newest transaction is told.
    package var excludesOldTransactions: Bool

    package init(receipt: String, secret: String? = nil, excludesOldTransactions: Bool = false) {
        self.receipt = receipt
        self.secret = secret
        self.excludesOldTransactions = excludesOldTransactions
    }

    private enum CodingKeys: String, CodingKey {
        case receipt = "receipt-data"
        case secret = "password"
        case excludesOldTransactions = "exclude-old-transactions"
    }

    /// The JSON that is sent.
    func body() throws -> [UInt8] { try RequestBody.json(self) }
}
