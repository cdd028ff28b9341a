/// What `verifyReceipt` is asked.
package struct VerifyReceiptRequest: Encodable, Hashable, Sendable {
    /// Bytes of JSON that Apple takes; above that it answers HTTP 413.
    static let maximumBytes = 3_145_728

    /// The receipt in base64, as the phone sent it.
    let receipt: String
    /// The app's shared secret; Apple asks for it where there are subscriptions.
    let secret: String?

    package init(receipt: String, secret: String? = nil) {
        self.receipt = receipt
        self.secret = secret
    }

    private enum CodingKeys: String, CodingKey {
        case receipt = "receipt-data"
        case secret = "password"
    }
}
