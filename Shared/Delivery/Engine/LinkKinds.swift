package import Contracts

/// The links between services, and whether each closes a cycle.
package enum LinkKinds {
    /// The kind of the link between two services; nil when there is none.
    ///
    /// Answer links close cycles: they always have credit, and only a full disk stops them.
    package static func kind(from: ServiceName, to: ServiceName) -> LinkKind? {
        switch (from, to) {
        case (.receipts, .receipts), (.receipts, .orders), (.receipts, .notifications),
            (.orders, .entitlements), (.orders, .notifications), (.entitlements, .notifications):
            .forward
        case (.orders, .receipts), (.entitlements, .orders), (.notifications, .receipts):
            .answer
        case (.orders, .orders), (.entitlements, .entitlements), (.entitlements, .receipts),
            (.receipts, .entitlements), (.notifications, .orders), (.notifications, .entitlements),
            (.notifications, .notifications):
            nil
        }
    }
}
