import Contracts
import Delivery
import Domain
import FoundationEssentials

/// Finds the partition that owns the key in a message's data.
struct PartitionRouter: Equatable {
    let address: PartitionAddress
    let subject: String

    /// The first of these counts: original transaction id (Receipts only), receipt, order, token, buyer.
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
            let original = texts["originalTransactionId"].flatMap(TransactionID.init(rawValue:))
        {
            return .chain(original, of: bundle)
        }
        if let receipt = texts["receiptId"].flatMap(ReceiptID.init(rawValue:)) {
            return service == .receipts ? .submission(receipt) : .receipt(receipt)
        }
        if let order = texts["orderId"].flatMap(OrderID.init(rawValue:)), service == .orders {
            return .order(order)
        }
        if let token = texts["appAccountToken"].flatMap(UUIDText.init) { return .token(token) }
        guard let bundle, let buyer = texts["buyerId"].flatMap(BuyerID.init(rawValue:)) else { return nil }
        return .buyer(buyer, of: bundle)
    }

    /// The members that select a partition, with the kind of their values.
    static var members: [(name: String, kind: String, isValid: (String) -> Bool)] {
        [
            ("bundleId", "a bundle id", BundleID.isValid),
            ("originalTransactionId", "a transaction's id", TransactionID.isValid),
            ("receiptId", "a receipt's id", ReceiptID.isValid),
            ("orderId", "an order's id", { OrderID(rawValue: $0) != nil }),
            ("appAccountToken", "a UUID", { UUIDText($0) != nil }),
            ("buyerId", "a buyer's id", BuyerID.isValid),
        ]
    }
}
