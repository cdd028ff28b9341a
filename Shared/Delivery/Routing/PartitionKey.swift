package import Contracts
import Crypto
package import Foundation

/// What decides which partition owns a message: one of the ids in its data.
package enum PartitionKey: Hashable, Sendable {
    case buyer(BuyerID, of: BundleID)
    /// A chain of transactions of an app.
    case chain(TransactionID, of: BundleID)
    case order(OrderID)
    case receipt(ReceiptID)
    /// An `appAccountToken`: an order's id, or an app's own token.
    case token(UUID)
    /// A server notification, by its UUID or digest.
    case notification(String)

    /// The shard of the key; a fixed hash, or the part of an id that carries it.
    package var shard: Shard {
        switch self {
        case .buyer(let buyer, let bundle): Shard(bundleID: bundle, buyer: buyer)
        case .chain(let original, let bundle): Shard(bundleID: bundle, originalTransactionID: original)
        case .order(let order): order.shard
        case .receipt(let receipt): receipt.shard
        case .token(let token): Shard(appAccountToken: token)
        case .notification(let identifier): Shard(notification: identifier)
        }
    }

    /// The CloudEvents `subject` of a message with this key: its key of order.
    package var subject: String {
        switch self {
        case .buyer(let buyer, let bundle): bundle.rawValue + "/" + buyer.rawValue
        case .chain(let original, let bundle): bundle.rawValue + "/" + original.rawValue
        case .order(let order): order.rawValue
        case .receipt(let receipt): receipt.rawValue
        case .token(let token): token.uuidString.lowercased()
        case .notification(let identifier): "notification/" + identifier
        }
    }
}

extension Shard {
    /// The shard of a buyer of an app: the first 16 bits of SHA-256 over bundle id, line feed and buyer.
    package init(bundleID: BundleID, buyer: BuyerID) {
        self.init(hashing: bundleID.rawValue + "\n" + buyer.rawValue)
    }

    /// The shard of a chain of transactions of an app.
    package init(bundleID: BundleID, originalTransactionID: TransactionID) {
        self.init(hashing: bundleID.rawValue + "\n" + originalTransactionID.rawValue)
    }

    /// The shard that an `appAccountToken` leads to: an order's own, or that of its SHA-256 for an app's own token.
    package init(appAccountToken: UUID) {
        if let order = OrderID(uuid: appAccountToken) {
            self = order.shard
        } else {
            self.init(hashing: appAccountToken.uuidString.lowercased())
        }
    }

    package init(notification identifier: String) { self.init(hashing: identifier) }

    private init(hashing text: String) {
        let digest = Array(SHA256.hash(data: Array(text.utf8)).prefix(2))
        self.init(rawValue: UInt16(digest[0]) << 8 | UInt16(digest[1]))
    }
}
