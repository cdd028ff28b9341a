package import Contracts

/// The kinds of link: forward ones may be braked, answers close cycles and never are.
package enum LinkKind: Sendable {
    case forward, answer

    /// All links, by sender and receiver.
    ///
    /// Answer links always have credit, and only a full disk stops them.
    package static let all: [ServiceName: [ServiceName: LinkKind]] = [
        .receipts: [
            .receipts: .forward, .orders: .forward, .entitlements: .forward, .notifications: .forward,
        ],
        .orders: [.entitlements: .forward, .receipts: .answer],
        .entitlements: [.notifications: .forward, .orders: .answer, .receipts: .answer],
        .notifications: [.receipts: .answer],
    ]
}
