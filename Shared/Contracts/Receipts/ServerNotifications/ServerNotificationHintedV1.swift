/// Apple will be asked about the purchase.
package struct ServerNotificationHintedV1: Codable, Hashable, Sendable {
    package var originalTransactionId: TransactionID
}
