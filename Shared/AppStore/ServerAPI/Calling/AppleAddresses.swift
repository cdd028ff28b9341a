/// The addresses of Apple's servers, or of a simulator in a test home.
package struct AppleAddresses: Hashable, Sendable {
    /// Scheme, host and port (for `verifyReceipt` the path too), without a trailing slash.
    package var production: String
    package var sandbox: String

    package init(production: String, sandbox: String) {
        self.production = production
        self.sandbox = sandbox
    }

    /// The App Store Server API, under the names it has had since May 2026.
    package static let serverAPI = AppleAddresses(
        production: "https://api.storekit.apple.com",
        sandbox: "https://api.storekit-sandbox.apple.com"
    )

    /// The deprecated `verifyReceipt`; Apple has published no end date.
    package static let verifyReceipt = AppleAddresses(
        production: "https://buy.itunes.apple.com/verifyReceipt",
        sandbox: "https://sandbox.itunes.apple.com/verifyReceipt"
    )

    /// What the addresses of a server's endpoints begin with.
    package func address(of server: AppleServer) -> String { server == .production ? production : sandbox }
}
