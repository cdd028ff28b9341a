/// What belongs to one purchase in an app and environment, whichever chain states it.
package enum PurchaseName: Codable, Hashable, Sendable {
    case transaction(TransactionID)
    /// Apple's `webOrderLineItemId`.
    case lineItem(String)

    private enum CodingKeys: String, CodingKey { case transactionId, webOrderLineItemId }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        if let transaction = try container.decodeIfPresent(TransactionID.self, forKey: .transactionId) {
            self = .transaction(transaction)
        } else {
            self = .lineItem(try container.decode(String.self, forKey: .webOrderLineItemId))
        }
    }

    /// Encodes an object with one key that names the kind.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        switch self {
        case .transaction(let transaction): try container.encode(transaction, forKey: .transactionId)
        case .lineItem(let lineItem): try container.encode(lineItem, forKey: .webOrderLineItemId)
        }
    }
}
