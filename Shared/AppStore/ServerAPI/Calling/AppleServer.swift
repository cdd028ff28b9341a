package import Contracts

/// The server of one of Apple's two environments.
package enum AppleServer: String, CaseIterable, Hashable, Sendable {
    case production
    /// Test accounts, TestFlight and Apple's reviewers.
    case sandbox

    package var environment: Environment { self == .production ? .production : .sandbox }
}
