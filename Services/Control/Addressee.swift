import Contracts
import Delivery
import Domain
import Foundation

/// Which partition a message concerns, as far as its data tells.
struct Addressee: Equatable {
    let address: PartitionAddress
    /// The key of order.
    let subject: String

    /// The partition that owns the key which `data` names; nil when it names none.
    ///
    /// Looked for in this order: the chain of a transaction (in Receipts only), a receipt, an order (in Orders only), a
    /// token, a buyer.
    init?(_ service: ServiceName, data: JSONValue, partitions: Int) {
        guard case .object(let members) = data else { return nil }
        let texts = members.compactMapValues { if case .string(let text) = $0 { text } else { nil } }
        guard let key = Self.key(service, texts) else { return nil }
        address = key.address(in: service, of: partitions)
        subject = key.subject
    }

    private static func key(_ service: ServiceName, _ texts: [String: String]) -> PartitionKey? {
        let bundle = texts["bundleId"].flatMap(BundleID.init(rawValue:))
        if service == .receipts, let bundle,
            let chain = texts["originalTransactionId"].flatMap(TransactionID.init(rawValue:))
        {
            return .chain(chain, of: bundle)
        }
        if let receipt = texts["receiptId"].flatMap(ReceiptID.init(rawValue:)) { return .receipt(receipt) }
        if let order = texts["orderId"].flatMap(OrderID.init(rawValue:)), service == .orders {
            return .order(order)
        }
        if let token = texts["appAccountToken"].flatMap(UUID.init(uuidString:)) { return .token(token) }
        guard let bundle, let buyer = texts["buyerId"].flatMap(BuyerID.init(rawValue:)) else { return nil }
        return .buyer(buyer, of: bundle)
    }
}
