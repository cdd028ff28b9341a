package import Contracts
import Crypto
package import Foundation

/// Where a message goes, and in which order: its shard decides the partition, and messages of one subject are handled
/// in turn.
///
/// | key          | shard                                           | subject               |
/// |--------------|-------------------------------------------------|-----------------------|
/// | buyer        | hash of bundle id, line feed, buyer             | `bundle/buyer`        |
/// | chain        | hash of bundle id, line feed, original id       | `bundle/original`     |
/// | order        | in the id                                       | the id                |
/// | receipt      | in the id: the submitter's                      | the id                |
/// | token        | the order's, if it is one; else hash of the UUID | the UUID, lower case |
/// | notification | hash of its identifier                          | `notification/identifier` |
package struct PartitionKey: Hashable, Sendable {
    package let shard: Shard
    package let subject: String

    package init(shard: Shard, subject: String) {
        self.shard = shard
        self.subject = subject
    }

    /// A buyer's key, at the shard that an order or a receipt of theirs carries.
    package init(shard: Shard, buyer: BuyerID, of bundle: BundleID) {
        self.init(shard: shard, subject: "\(bundle)/\(buyer)")
    }

    /// A buyer of an app.
    package static func buyer(_ buyer: BuyerID, of bundle: BundleID) -> PartitionKey {
        PartitionKey(shard: Shard(hashing: "\(bundle)\n\(buyer)"), buyer: buyer, of: bundle)
    }

    /// A chain of transactions of an app, named by its original transaction id.
    package static func chain(_ original: TransactionID, of bundle: BundleID) -> PartitionKey {
        PartitionKey(shard: Shard(hashing: "\(bundle)\n\(original)"), subject: "\(bundle)/\(original)")
    }

    /// An order.
    package static func order(_ id: OrderID) -> PartitionKey {
        PartitionKey(shard: id.shard, subject: id.rawValue)
    }

    /// A receipt.
    package static func receipt(_ id: ReceiptID) -> PartitionKey {
        PartitionKey(shard: id.shard, subject: id.rawValue)
    }

    /// An `appAccountToken`: an order's id, or a UUID of the app's own.
    package static func token(_ token: UUID) -> PartitionKey {
        if let order = OrderID(uuid: token) { return .order(order) }
        let text = token.uuidString.lowercased()
        return PartitionKey(shard: Shard(hashing: text), subject: text)
    }

    /// A server notification.
    package static func notification(_ identifier: String) -> PartitionKey {
        PartitionKey(shard: Shard(hashing: identifier), subject: "notification/\(identifier)")
    }

    /// The partition of `service` that owns the key when there are `count` partitions.
    package func address(in service: ServiceName, of count: Int) -> PartitionAddress {
        PartitionAddress(service, shard.partition(of: count))
    }
}

extension Shard {
    /// The first 16 bits of SHA-256 over a text.
    package init(hashing text: String) {
        let digest = Array(SHA256.hash(data: Array(text.utf8)).prefix(2))
        self.init(rawValue: UInt16(digest[0]) << 8 | UInt16(digest[1]))
    }
}
