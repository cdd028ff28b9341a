import ArgumentParser
import TestKit

/// What keeps the commits of a group that is measured.
enum StoreEngine: String, ExpressibleByArgument, CaseIterable {
    case sqlite, postgresql

    /// Runs `body` with the URL of servers that go with it, or nil.
    func use<Value>(_ body: (String?) async throws -> Value) async throws -> Value {
        switch self {
        case .sqlite: try await body(nil)
        case .postgresql: try await PostgreSQLServers.use { try await body($0.url) }
        }
    }
}
