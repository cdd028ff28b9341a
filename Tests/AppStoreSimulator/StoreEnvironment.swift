/// The two App Stores that Apple's servers know, and the prefix of each one's paths here.
enum StoreEnvironment: String, Codable, CaseIterable, Sendable {
    case production = "Production"
    case sandbox = "Sandbox"

    /// `/production/…` stands for Apple's production host, `/sandbox/…` for its sandbox host.
    var path: String { rawValue.lowercased() }
}
