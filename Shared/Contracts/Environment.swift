/// Apple's `environment`; unknown raw values are kept.
package struct Environment: Hashable, Sendable, Codable, RawRepresentable, CustomStringConvertible {
    package let rawValue: String

    package init(rawValue: String) { self.rawValue = rawValue }

    package static let production = Environment(rawValue: "Production")
    /// Test accounts, and App Review on the production server.
    package static let sandbox = Environment(rawValue: "Sandbox")
    /// StoreKit testing in Xcode; never signed by Apple.
    package static let xcode = Environment(rawValue: "Xcode")
    /// StoreKitTest; never signed by Apple.
    package static let localTesting = Environment(rawValue: "LocalTesting")

    package var description: String { rawValue }
}
