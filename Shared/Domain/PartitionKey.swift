package import Contracts
import Crypto

/// The id in a message that decides which partition owns it.
///
/// | key                 | shard                                            | subject                         |
/// |---------------------|--------------------------------------------------|---------------------------------|
/// | buyer               | hash of bundle id, line feed, buyer              | `bundle/buyer`                  |
/// | chain               | hash of bundle id, line feed, original id        | `bundle/original`               |
/// | order               | in the id                                        | the id                          |
/// | receipt             | in the id: the submitter's, for the verdict      | the id                          |
/// | submission          | in the id: where the proof lies                  | the id                          |
/// | token               | the order's, if it is one; else hash of the UUID | the UUID, lower case            |
/// | server notification | hash of its identifier                           | `serverNotification/identifier` |
/// | account             | hash of bundle id, line feed, app transaction id | `bundle/app transaction`        |
/// | name                | hash of bundle id, line feed, name, environment  | `bundle/name`                   |
/// | external            | hash of bundle id, line feed, token              | `bundle/token`                  |
/// | proposal            | in the id                                        | the id                          |
/// | operator            | hash of the id                                   | `operator/id`                   |
/// | order of Apple's    | hash of bundle id, line feed, order id           | `bundle/order id`               |
package enum PartitionKey: Hashable, Sendable {
    case buyer(BuyerID, of: BundleID)
    case chain(TransactionID, of: BundleID)
    case order(OrderID)
    /// The verdict's partition: the buyer's.
    case receipt(ReceiptID)
    /// The partition that stores the proof.
    case submission(ReceiptID)
    /// An `appAccountToken`: an order's id, or the app's own token.
    case token(UUIDText)
    /// By its UUID or digest.
    case serverNotification(String)
    /// An Apple Account, by the app transaction's id.
    case account(String, of: BundleID)
    /// A purchase's name, whichever chain states it.
    case name(PurchaseName, Environment, of: BundleID)
    /// The token of a purchase outside the App Store.
    case externalPurchase(String, of: BundleID)
    case proposal(ProposalID)
    /// What an operator does on a day is counted in one place.
    case `operator`(OperatorID)
    /// An order of Apple's own.
    case appleOrder(AppleOrderID, of: BundleID)

    /// A fixed hash of the key, or the shard that an id carries.
    package var shard: Shard {
        switch self {
        case .buyer(let buyer, let bundle): Shard(hashing: bundle.rawValue + "\n" + buyer.rawValue)
        case .chain(let original, let bundle): Shard(hashing: bundle.rawValue + "\n" + original.rawValue)
        case .order(let order): order.shard
        case .receipt(let receipt): receipt.shard
        case .submission(let receipt): receipt.place
        case .token(let token):
            OrderID(uuid: token)?.shard ?? Shard(hashing: token.text)
        case .serverNotification(let identifier): Shard(hashing: identifier)
        case .proposal(let proposal): proposal.shard
        case .operator(let id): Shard(hashing: id.rawValue)
        case .appleOrder(let order, let bundle): Shard(hashing: "\(bundle)\n\(order)")
        case .account(let name, let bundle), .externalPurchase(let name, let bundle):
            Shard(hashing: "\(bundle)\n\(name)")
        case .name(let name, let environment, let bundle):
            Shard(hashing: "\(bundle)\n\(name.text)\n\(environment.rawValue)")
        }
    }

    /// The CloudEvents `subject` of a message with this key: the ordering key.
    package var subject: String {
        switch self {
        case .buyer(let buyer, let bundle): bundle.rawValue + "/" + buyer.rawValue
        case .chain(let original, let bundle): bundle.rawValue + "/" + original.rawValue
        case .order(let order): order.rawValue
        case .receipt(let receipt), .submission(let receipt): receipt.rawValue
        case .token(let token): token.text
        case .serverNotification(let identifier): "serverNotification/\(identifier)"
        case .account(let name, let bundle), .externalPurchase(let name, let bundle): "\(bundle)/\(name)"
        case .name(let name, _, let bundle): "\(bundle)/\(name.text)"
        case .proposal(let proposal): proposal.rawValue
        case .operator(let id): "operator/\(id)"
        case .appleOrder(let order, let bundle): "\(bundle)/\(order)"
        }
    }

    /// The partition of `service` that owns the key among `count` partitions.
    package func address(in service: ServiceName, of count: Int) -> PartitionAddress {
        // Hashing takes a microsecond, and a single partition owns every key.
        PartitionAddress(service, count == 1 ? 0 : shard.partition(of: count))
    }
}

extension Shard {
    package init(hashing text: String) {
        self = SHA256.hash(data: Array(text.utf8)).withUnsafeBytes { digest in
            Shard(rawValue: UInt16(digest[0]) << 8 | UInt16(digest[1]))
        }
    }
}

extension PurchaseName {
    /// The name with its kind; no two names have the same text.
    package var text: String {
        switch self {
        case .transaction(let id): "transaction/\(id.rawValue)"
        case .lineItem(let id): "lineItem/\(id)"
        }
    }
}
