import Contracts

/// The queries of one app to one of Apple's APIs; a queue that is paused blocks no other.
struct AppleQueryQueue: Codable, Hashable, Sendable {
    let bundleID: BundleID
    let api: AppleAPI

    var prefix: String { "\(bundleID.rawValue)/\(api.rawValue)/" }
}
