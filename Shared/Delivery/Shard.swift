package import Contracts
import Crypto
package import Foundation

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
