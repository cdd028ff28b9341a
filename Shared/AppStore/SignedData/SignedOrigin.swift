package import Contracts

/// The app and environment that signed data names.
package struct SignedOrigin: Hashable, Sendable {
    let kind: SignedDataKind
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
