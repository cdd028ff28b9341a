import Contracts
import ReceiptsCore

/// The way to one of Apple's services on behalf of one app; what stops one queue stops no other.
struct AppleQueue: Hashable, Sendable {
    let bundleID: BundleID
    let api: AppleAPI

    /// What the keys of the queue's work items begin with.
    var prefix: String { "\(bundleID.rawValue)/\(api.rawValue)/" }
}
