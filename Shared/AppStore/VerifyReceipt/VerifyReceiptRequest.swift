/// A request to `verifyReceipt`.
package struct VerifyReceiptRequest: Encodable, Hashable, Sendable {
    /// Bytes of JSON; above that Apple responds with HTTP 413.
    static let maximumBytes = 3_145_728

    let receipt: String
    /// The app's shared secret; Apple requires it for subscriptions.
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
