package import Contracts

/// The jobs of one app with one Apple service; a paused queue blocks no other.
package struct AppleQueue: Codable, Hashable, Sendable {
    package let bundleID: BundleID
    package let api: AppleAPI

    package init(bundleID: BundleID, api: AppleAPI) {
        self.bundleID = bundleID
        self.api = api
    }

    /// Key prefix of the queue's work items.
    package var prefix: String { "\(bundleID.rawValue)/\(api.rawValue)/" }
}
