package import Contracts

/// For which app, and in which environment, a statement was signed, as far as it says.
package struct SignedOrigin: Hashable, Sendable {
    package let kind: SignedDataKind
    package let bundleId: String?
    package let appAppleId: Int64?
    package let environment: Environment?

    init(
        _ kind: SignedDataKind,
        bundleId: String? = nil,
        appAppleId: Int64? = nil,
        environment: String? = nil
    ) {
        self.kind = kind
        self.bundleId = bundleId
        self.appAppleId = appAppleId
        self.environment = environment.map(Environment.init(rawValue:))
    }
}
