import Contracts
import Delivery
import Foundation

/// Which partition a message concerns, as far as its data tells.
struct Addressee: Equatable {
    let address: PartitionAddress
    /// The key of order.
    let subject: String

    /// The partition that owns the key which `data` names; nil when it names none.
    ///
    /// Looked for in this order: the chain of a transaction (in Receipts only), a receipt, an order, a
    /// token, a
    /// buyer: the first three carry their shard or hash to it.
    init?(_ service: ServiceName, data: JSONValue, partitions: Int) {
        guard case .object(let members) = data else { return nil }
        let texts = members.compactMapValues { if case .string(let text) = $0 { text } else { nil } }
        guard let (shard, subject) = Self.key(service, texts) else { return nil }
        address = PartitionAddress(service, shard.partition(of: partitions))
        self.subject = subject
    }

    private static func key(_ service: ServiceName, _ texts: [String: String]) -> (Shard, String)? {
        let bundle = texts["bundleId"].flatMap(BundleID.init(rawValue:))
        if service == .receipts, let bundle,
            let chain = texts["originalTransactionId"].flatMap(TransactionID.init(rawValue:))
        {
            return (Shard(bundleID: bundle, originalTransactionID: chain), "\(bundle)/\(chain)")
        }
        if let receipt = texts["receiptId"].flatMap(ReceiptID.init(rawValue:)) {
            return (receipt.shard, receipt.rawValue)
        }
        if let order = texts["orderId"].flatMap(OrderID.init(rawValue:)), service == .orders {
            return (order.shard, order.rawValue)
        }
        if let token = texts["appAccountToken"].flatMap(UUID.init(uuidString:)) {
            return (Shard(appAccountToken: token), token.uuidString.lowercased())
        }
        guard let bundle, let buyer = texts["buyerId"].flatMap(BuyerID.init(rawValue:)) else { return nil }
        return (Shard(bundleID: bundle, buyer: buyer), "\(bundle)/\(buyer)")
    }
}
