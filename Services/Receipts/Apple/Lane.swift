import Contracts
import ReceiptsCore

/// The way to one of Apple's services on behalf of one app; what stops one lane stops no other.
struct Lane: Hashable, Sendable {
    let bundleID: BundleID
    let authority: Authority

    /// What the keys of the lane's work items begin with.
    var prefix: String { "\(bundleID.rawValue)/\(authority.rawValue)/" }
}
