import ArgumentParser
import Contracts

/// Programs of a running group; the gateway ends first and starts last.
enum GroupProgram: String, CaseIterable, Codable, Hashable, Sendable, ExpressibleByArgument {
    case orders, receipts, entitlements, notifications, gateway

    /// Nil for the gateway, which has no partitions.
    var service: ServiceName? { ServiceName(rawValue: rawValue) }

    var executable: String { "counterfoil-\(rawValue)" }
}

/// One running copy of a program, written `orders.0`.
struct ReplicaName: Hashable, Comparable, CustomStringConvertible, Sendable {
    let program: GroupProgram
    let number: Int

    var description: String { "\(program.rawValue).\(number)" }

    static func < (left: ReplicaName, right: ReplicaName) -> Bool {
        (left.program.rawValue, left.number) < (right.program.rawValue, right.number)
    }
}
