import ArgumentParser
import Contracts

/// Programs of a running group; the gateway ends first and starts last.
enum GroupProgram: String, CaseIterable, Codable, Hashable, Sendable, ExpressibleByArgument {
    case orders, receipts, entitlements, notifications, gateway

    /// Nil for the gateway, which has no partitions.
    var service: ServiceName? { ServiceName(rawValue: rawValue) }

    var executable: String { "counterfoil-\(rawValue)" }
}
