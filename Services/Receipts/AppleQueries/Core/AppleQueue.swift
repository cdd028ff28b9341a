import Contracts

/// The jobs of one app with one Apple service; a paused queue blocks no other.
struct AppleQueue: Codable, Hashable, Sendable {
    let bundleID: BundleID
    let api: AppleAPI

    var prefix: String { "\(bundleID.rawValue)/\(api.rawValue)/" }
}
